#!/usr/bin/env perl
# tier: more
# Waiting. A wait that never ends is reported, with its line, within ten seconds of processor time: tests/simt/waits.cu has
# many. (Long waits that end are in legal.cu: severity.t.) And no kernel of the lessons waits for a block that cannot begin:
# all of them run where an SM holds one block, and the GPU has one SM, or few. docs/robustness.md says why.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# ---- waits that never end ----

my (%lines, $number);
for (split /^/, slurp('tests/simt/waits.cu')) {
    $number++;
    $lines{$1}{$number} = 1 if m{/\* WAITS (\w+) \*/};
}
my ($output, $status) = run("simulator/simcc -g1 tests/simt/waits.cu -o $scratch/waits");
is($status, 0, 'simcc compiles waits.cu') or BAIL_OUT($output);
my ($names) = run("$scratch/waits");
is(join(' ', sort split /\n/, $names), join(' ', sort keys %lines), 'every wait has a line');
my %another = (
    for_a_block_without_a_place => qr/168 of 200 blocks have not begun: there is room for 32 at once/,
    eleven_words_and_a_vote     => qr/thread 0 waits at __syncthreads\(\)/,
    nothing_but_barriers        => qr/loops and reads nothing/,
);
for my $name (sort keys %lines) {
    for my $seed ($name eq 'counts_its_rounds' ? 0 : (0, 3)) {    # that one takes seconds
        ($output, $status) = run("ulimit -t 10; exec $scratch/waits $name $seed");
        is($status, 1, "$name, schedule $seed: ended, status 1") or diag $output;
        my @said = $output =~ /^simulator: (?!note: )(.*)$/mg;
        is(scalar @said, 1, "$name, schedule $seed: one line") or diag $output;
        my $who = $name eq 'for_another_thread' ? qr/a kernel waits for the host, and the thread of the host that launched it does not wait for it: SIMT_GPUS=2 / : qr/this thread (?:reads the same place again and again|loops and reads nothing), /;
        my $where = $name eq 'for_another_thread' ? '' : qr/$name, block \(\d,0,0\), thread \(\d+,0,0\): /;
        like($said[0] // '', qr{^tests/simt/waits\.cu:\d+: ${where}deadlock: $who},
            "$name, schedule $seed: what is wrong");
        ok(($said[0] // '') =~ /:(\d+): / && $lines{$name}{$1}, "$name, schedule $seed: the line that waits") or diag $output;
        like($said[0] // '', $another{$name}, "$name, schedule $seed: who is waited for") if $another{$name};
    }
}

# ---- kernels whose blocks wait for each other, on the smallest GPUs ----

my $waits = qr/\.sync\(\)|barrier_wait\(\)|\b(?:finish_in_slots|finish_exactly|await_partials|await_states|await_sums|sum_of_peers|look_back|waiting_grid)\(|\btake_slots</;
my %waiting = map { $_ => 1 } grep { !m{/compare/} && slurp($_) =~ s{/\*.*?\*/}{}gsr =~ $waits } map { glob "$_/*.cu $_/*.h" } 'library', 'library/parts', map { $_->{folder} } @programs;

sub runs {
    my ($command, $what, $setting) = @_;
    ($output, $status) = run("export SIMT_SM_BLOCKS=1 @{[$setting // '']}; $guard $command");
    is($status, 0, $what) or diag $output;
}
for my $program (@programs) {
    my $waiting = $program->{name} =~ /library/ || grep { /^\Q$program->{folder}\E/ } keys %waiting;
    for ([1, 0], ([2, 2], [3, 3]) x !!$waiting) {
        my ($sms, $seed) = @$_;
        my $gpus = $program->{name} =~ /many_gpus/ ? '--gpus 2' : '';
        runs("$program->{program} --check -n 3000,70K --sms $sms --schedule $seed $gpus", "$program->{name}, one block on each of $sms SMs, schedule $seed");
    }
}
runs('build/sim/library_contract', "the library's contract, 1 SM", 'SIMT_SMS=1');
runs('build/sim/library_exact 16', "the exact sum's contract, 1 SM", 'SIMT_SMS=1');
runs('build/sim/library_rows part blocks', "rows, by several blocks, $_ SMs", "SIMT_SMS=$_") for 1, 3;
runs('build/sim/library_all',      "two GPUs' contract, 1 SM", 'SIMT_SMS=1 SIMT_GPUS=2');

# Without the rule of waiting.h one does not: block 0 keeps the only place.
run("cp -r steps library $scratch/");
make_switch();
my $rule = "$scratch/library/parts/waiting.h";
spew($rule, slurp($rule) =~ s/sms > 1 \?/sms > 1 || mutated(0) ?/r);
($output, $status) = build_switched("$scratch/program", 'steps/13_exact', 'steps/13_exact/accumulators.cu');
is($status, 0, 'accumulators.cu, built with a switch') or diag $output;
for my $k (0, 1) {
    ($output, $status) = run("ulimit -t 10; MUTANT=$k SIMT_SM_BLOCKS=1 $scratch/program --check -n 70K --sms 1 -v accumulators");
    is($status, $k == 0 ? 1 : 0, $k == 0 ? 'accumulators without the rule' : 'and with it') or diag $output;
    like($output, qr/^simulator: \S+: \S+, block \(0,0,0\), .*deadlock: .*blocks have not begun: there is room for 1 at once$/m, 'it says so') if $k == 0;
}

# ---- the settings for that ----

for (['SIMT_SM_BLOCKS=0', 'blocks', 32], ['SIMT_SM_BLOCKS=33', 'blocks', 32], ['SIMT_SMS=none', 'SMs', 256], ['SIMT_SMS=-1', 'SMs', 256]) {
    my ($setting, $of_what, $most) = @$_;
    ($output, $status) = run("$setting $scratch/waits");
    is("$status $output", "1 simulator: $setting: a number of $of_what from 1 to $most is needed\n", "$setting: one line");
}

# ---- asynchronous copies, barriers with phases, and what else is rare ----

# Barriers with phases, asynchronous copies and ordered atomics (simt/async.cu), random numbers, textures, tensor cores
# and inline PTX (simt/extras.cu) that are wrong in one place: told, at the line; and those that only look so: not a word.
# Under three schedules.
$ENV{SIMT_STRICT} = 1;
for my $file (qw(async extras)) {
    my ($output, $status) = run("simulator/simcc -g1 tests/simt/$file.cu -o $scratch/$file");
    is($status, 0, "tests/simt/$file.cu compiles") or BAIL_OUT($output);
    my (%wrong, $number);
    for (split /^/, slurp("tests/simt/$file.cu")) {
        $number++;
        push @{ $wrong{$1} }, "$file\\.cu:$number: .*$2" if m{/\* WRONG (\w+): (.*) \*/};
    }
    my ($names) = run("$scratch/$file");
    is_deeply([sort grep { !/_right$/ } split /\n/, $names], [sort keys %wrong], "$file.cu: every kernel that is not right has its line");
    cmp_ok(scalar keys %wrong, '>=', 14, "$file.cu: so many of them");
    for my $name (split /\n/, $names) {
        for my $seed (0, 1, 2) {
            my ($output, $status) = run("SIMT_SCHEDULE=$seed $guard $scratch/$file $name");
            is($status, $wrong{$name} ? 1 : 0, "$name, schedule $seed: status") or diag $output;
            my $words = join '|', @{ $wrong{$name} // [] };
            like($output, $wrong{$name} ? qr/^simulator: \S*(?:$words)/m : qr/\A\z/, "$name, schedule $seed: what is said");
        }
    }
}
done_testing();
