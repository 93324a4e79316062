#!/usr/bin/env perl
# tier: more
# No kernel of the lessons waits for a block that cannot begin: all of them run where an SM holds one block, and the GPU has
# one SM, or few. docs/robustness.md says why. (Waits that never end: tests/simt/waits.cu; long ones that end: legal.cu.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my ($output, $status);

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
    ($output, $status) = run("$setting build/sim/step01 -n 1000");
    is("$status $output", "1 simulator: $setting: a number of $of_what from 1 to $most is needed\n", "$setting: one line");
}
done_testing();
