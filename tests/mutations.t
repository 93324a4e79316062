#!/usr/bin/env perl
# tier: test more
# Proof by mutation: every barrier and fence in the kernels of steps, toolbox and library, and in
# their headers, is taken out, one at a time, and the simulator must notice: a race, a wrong sum, a
# deadlock, a barrier half used or a copy that is not waited for. (Of what no step calls, tests/library.t takes them.) Those
# that it cannot notice stand in docs/robustness.md. As they are, all kernels are clean. A program is compiled once, with a switch
# around each of its barriers.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;    # a race by the memory model alone counts here

# How a mutated program was caught, or ''. Where a read of shared memory comes before any
# write, another schedule may have them the other way round, and then it is a race.
sub caught {
    my ($command, @runs) = @_;
    my ($output, $unwritten) = ('', '');
    for my $how (@runs) {
        ($output, my $status) = run("$command --check $how");
        return $1 if $status == 1 && $output =~ /^simulator: .* (race|deadlock)\b/m;
        return 'barrier half used'
            if $status == 1 && $output =~ /without having arrived|again before it waited|barrier of its cluster|may not have begun|may have ended/;
        return 'copy not waited for' if $status == 1 && $output =~ /asynchronous copy/;
        return 'wrong sum' if $status == 1 && $output =~ / wrong\b/;
        $unwritten = 'read of what nobody wrote' if $status == 1 && $output =~ /: reads shared memory that no thread /;
    }
    diag $output if $unwritten eq '';
    return $unwritten;
}

# The large sizes are for kernels whose blocks take many elements each, for the library's cluster, and for rings of
# step 10 that go round.
# Toolbox: sizes of whole tiles and rows, since some of its variants take no others.
my @runs_of_sums  = ('-n 4097', '-n 1000 -b 64', '-n 30000,100000 -b 64', '-n 100000 -b 64 --sms 1', map {"-n 1000 -b 64 --schedule $_"} 1 .. 8);
my @runs_of_rows  = map { my $how = $_; map {"$_ $how"} '-n 1000', '-n 30000 -b 64', map {"-n 1000 -b 64 --schedule $_"} 1 .. 5 } '--row 100', '--row 500 --operator argmax';
push @runs_of_rows, '-n 30000 --row 5000 -b 64', '-n 30000 --row 10 -b 64', '-n 28000 --row 7000 -b 64';    # more rows, and columns, than blocks; longer than a tile
my @runs_of_tools = ('-n 4097,8192', '-n 1000,2048 -b 64', '-n 32768 -b 64', map {"-n 1000,2048 -b 64 --schedule $_"} 1 .. 8);

# (file) -> the files of steps/, steps/toolbox/ and library/ that it was compiled from, by the compiler's own list
sub compiled_from {
    my ($list) = slurp('build/sim/' . $_[0] =~ s/\.cu$/.d/r) =~ /\A[^:]*:((?:.*\\\n)*.*)/;
    return grep {m{^(?:steps|library)/}} split /[\s\\]+/, $list;
}

# Of each program, for each file that it is compiled from: by which of its own files. A variant that is
# wrong on purpose, or cannot run here, shows nothing: they are left out.
# The library's kernels are tried by step 12, which calls them for every type and is linked with them, and those of the
# exact sum by step 13.
my ($library, %linked) = ('library', 'steps/12_types' => ['library/sum_f32.cu'], 'steps/13_exact' => ['library/sum_exact.cu']);

my (%of_program, %home);
my @reduce   = map {"$library/reduce_$_"} qw(state.h meet.h common.h whole.h rows.cu columns.cu segments.cu);
my %left_out = map { $_ => 1 } "$library/sum_all.cu", @reduce;    # no step calls them: tests/library.t takes their barriers
for my $program (@programs) {
    my ($folder, %users) = ($program->{folder});
    my %variant = map { $_->{variant} => $_ } variants($program->{program});
    for my $file (glob("$folder/*.cu"), @{ $linked{$folder} // [] }) {
        next if $file =~ m{/first\.cu$};    # a program of its own, without a barrier
        my $variant = $variant{ $file =~ s{.*/(\w+)\.cu$}{$1}r };
        my $out     = $variant && ($variant->{known_wrong} || !$variant->{runs_here});
        for my $part (compiled_from($file)) {
            $left_out{$part} = 1, next if $out;
            push @{ $users{$part} }, $file;
            $home{$part} = $folder if !$home{$part} || index($part, "$folder/") == 0 || grep { $_ eq $part } @{ $linked{$folder} // [] }
                or $folder =~ /_types$/ && index($part, "$library/") == 0;
        }
    }
    $of_program{$folder} = \%users;
}

# A pattern for each variant of these files: a variant that is named would have to take all sizes.
sub patterns {
    my ($list, @files) = @_;
    my %variant = map { $_->{variant} => 1 } @$list;
    my @names   = map {m{/(\w+)\.cu$}} @files;
    return '' if grep { !$variant{$_} } @names;    # a file of several variants
    return '-v ' . join ',', map {"'[" . substr($_, 0, 1) . ']' . substr($_, 1) . "'"} @names;
}

my %tool  = map { $_->{name} => 1 } @tools;
my ($tried, @not_seen) = (0);
run("cp -r steps library $scratch/");
make_switch();

my @tried = grep { in_tier($_->{name} =~ /shared|two_pass|single_pass|masks/ ? 'test' : 'more') } @programs;
for my $program (@tried) {
    my ($name, $folder) = @$program{qw(name folder)};
    my ($users, @runs) = ($of_program{$folder}, $tool{$name} ? @runs_of_tools : @runs_of_sums);
    push @runs, '-n 5000 --pattern wide' if $name =~ /_exact$/;    # limbs
    my $rows = $tool{$name} && takes_rows($program->{program}) ? '--row 512' : '';
    @runs = @runs_of_rows if !$tool{$name} && takes_rows($program->{program});
    my (%needed, @mutants);
    for my $file (grep { $home{$_} eq $folder } sort keys %$users) {
        my $which = patterns([variants($program->{program})], @{ $users->{$file} });
        for my $barrier (switches($file, scalar @mutants)) {
            push @mutants, { %$barrier, file => $file, which => $which };
            $needed{$_} = 1 for @{ $users->{$file} };
        }
    }
    my $mutated = "$scratch/mutated";
    my ($output, $status) = @mutants ? build_switched($mutated, $folder, sort keys %needed) : ('', 0);
    is($status, 0, "$name: built with switches") or diag($output), next;
    for my $k (0 .. $#mutants) {
        my ($file, $line, $text, $which) = @{ $mutants[$k] }{qw(file line text which)};
        my @these = unseen($mutants[$k]) ? @runs[0, 1] : @runs;
        my $how = caught("env MUTANT=$k $guard $mutated $which", map {"$_ $rows"} @these);
        if (my $where = unseen($mutants[$k])) {
            is($how, '', "$file:$line: without $text: not seen here, as said above");
            push @not_seen, $file if $where eq 'nowhere';
            next;
        }
        ok($how ne '', "$file:$line: without $text: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    run("cp -r steps library $scratch/");    # whose switches have the numbers of this program
    my $long = $name =~ /_exact$/ ? 1 : 5;    # its memory for each thread makes them very long
    for my $seed (1 .. (!in_tier('nightly') ? 4 : $tool{$name} ? 8 : 12)) {    # of sums some long ones, and more short ones
        my $sizes = $tool{$name} ? "1000,2048 $rows" : takes_rows($program->{program}) ? '1000,30000 --row 100' : $seed <= $long ? 20000 : 3000;
        ($output, $status) = run("$program->{program} --check -n $sizes -b 64 --schedule $seed");
        is($status, 0, "$name, schedule $seed: clean") or diag $output;
    }
}

# ---- the runs of variants.t ----

# Each size, block, pattern and start meets each of the others in some run.
chomp(my @plan = split /^/, (run('TESTS=all tests/variants.t --runs'))[0]);

# (runs) -> how many values of each there are, and which two never meet
sub pairs {
    my (%values, %together);
    for (@_) {
        my ($sizes, $block, $pattern, $offset) = /^-n (\S+) (?:-b (\d+) )?--pattern (\w+) --offset (\d+)$/ or next;
        for my $size (split /,/, $sizes) {
            my %run = (size => $size, block => $block // 'default', pattern => $pattern, offset => $offset);
            $values{$_}{ $run{$_} } = 1 for keys %run;
            for my $one (keys %run) { $together{"$one $run{$one} $_ $run{$_}"} = 1 for keys %run }
        }
    }
    my @missing;
    for my $one (qw(size block pattern offset)) {
        for my $other (grep { $_ gt $one } qw(size block pattern offset)) {
            push @missing, grep { !$together{$_} } map { my $a = $_; map {"$one $a $other $_"} keys %{ $values{$other} } } keys %{ $values{$one} };
        }
    }
    return (join(' ', map { "$_ " . keys %{ $values{$_} } } sort keys %values), @missing);
}
my ($many, @missing) = pairs(@plan);
is($many, 'block 7 offset 5 pattern 5 size 21', 'variants.t: so many values of each');
is("@missing", '', 'variants.t: each value of one with each of another');
(undef, @missing) = pairs(grep { !/-b 33 --pattern nan/ } @plan);
ok((grep { $_ eq 'block 33 pattern nan' } @missing), 'a run that is left out is missed') or diag "@missing";

# And a fault in a sum is seen by them, whatever brings it out: what is said, what instead, what brings it out.
my $file   = 'steps/04_shared/v6.cu';
my @faults = (
    ['tid + k * blockDim.x < count', 'tid + k * blockDim.x + mutated(0) < count', 'the last element of a block'],
    ['? idata[tid + k * blockDim.x]', '? idata[tid + k * blockDim.x + mutated(1)]', 'a neighbour in place of each'],
    ['k < LOADS', 'k < LOADS - mutated(2)', 'a block whose share is full'],
    ['stride > 32;', 'stride > 32u << mutated(3);', 'a block of 128 or more'],
    ['unsigned stride = 32;', 'unsigned stride = 32u >> mutated(4);', 'more than 32 threads with something'],
    ['float sum = 0.0f', 'float sum = mutated(5) && n > 1024 && blockDim.x == 64', 'a size and a block'],
    ['float sum = ', 'float sum = mutated(6) && (size_t)in % 16 == 12 && blockDim.x == 1024 || ', 'a start and a block'],
    ['smem[tid] = sum;', 'smem[tid] = mutated(7) && sum != sum ? 0.0f : sum;', 'NaN'],
    ['? 0.0f : sum;', '? 0.0f : mutated(8) ? 16.0f * sum / 16.0f : sum;', 'large numbers'],
    [': sum;', ': mutated(9) ? fabsf(sum) : sum;', 'negative numbers'],
);
my $source = slurp($file);
for (@faults) {
    my ($text, $instead, $what) = @$_;
    is($source =~ s/\Q$text\E/$instead/, 1, "v6.cu has the place for a fault: $what");
}
spew("$scratch/$file", $source);
my ($said, $made) = build_switched("$scratch/faulty", 'steps/04_shared', $file);
is($made, 0, 'v6 with faults in its sum') or diag $said;
for my $k (-1 .. $#faults) {
    my $seen = '';
    for my $how (@plan) {
        my ($output, $status) = run("MUTANT=$k $guard $scratch/faulty --check -v v6 $how");
        $seen = $how if $status == 1;
        last if $seen ne '';
    }
    is($seen, '', 'v6 as it is passes all runs of variants.t') if $k < 0;
    isnt($seen, '', "a fault that needs $faults[$k][2]: seen by $seen") if $k >= 0;
}
run("cp $file $scratch/$file");

done_testing(), exit unless in_tier('more');

my @missed = grep { !$home{$_} && !$left_out{$_} && barriers(slurp($_)) } map { glob "$_/*.cu $_/*.h" } $library, map { $_->{folder} } @programs;
is("@missed", '', 'no file with a barrier was missed');
my ($named) = slurp('docs/robustness.md') =~ /^## Barriers, each taken out\n(.*?)^## /ms;
is(join(' ', sort @not_seen), join(' ', sort grep { !$left_out{$_} } $named =~ /^\| \[[^]]+\]\(\.\.\/([^)]+)\)/mg), 'docs/robustness.md names each removal that passes');
cmp_ok($tried, '>=', 60, "$tried barriers taken out");
done_testing();
