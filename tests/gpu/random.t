#!/usr/bin/env perl
# The random kernels of tests/random.t on a GPU: they leave in memory what the reference says, and
# with it what they leave on the simulator.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $nvcc  = nvcc();
my $seed  = $ENV{RANDOM_SEED} // 1;
my $files = $ENV{RANDOM} ? int(($ENV{RANDOM} + 124) / 125) : 8;
chomp(my $cores = `nproc`);
my $build = "tests/random/generate.py 125 \$1 >$scratch/\$0.cu && $nvcc -std=c++20 -arch=native -diag-suppress 550 "
    . "-Itests/random $scratch/\$0.cu tests/random/reference.c -o $scratch/\$0 >$scratch/\$0.log 2>&1";
my $build_too = "simulator/simcc -std=c++20 -O0 -g0 -Itests/random $scratch/\$0.cu tests/random/reference.c -o $scratch/\$0.sim >>$scratch/\$0.log 2>&1";
run('simulator/simcc tests/simcc/vector_add.cu -o /dev/null');    # builds the simulator once
open my $pipe, '|-', "xargs -P$cores -L1 sh -c '$build && $build_too'" or die;
print $pipe "random$_ @{[$seed + $_]}\n" for 1 .. $files;
if (!ok(close $pipe, 'what is generated compiles')) {    # no bail out: it would end all that tests/run-gpu runs beside
    diag join '', map { slurp($_) } glob "$scratch/*.log";
    done_testing();
    exit 1;
}
for my $file (1 .. $files) {
    my ($output, $status) = run("timeout 60 $scratch/random$file");
    is($status, 0, "seed @{[$seed + $file]}: right on a GPU") or diag $output;
    my ($simulated) = run("$scratch/random$file.sim");
    $simulated =~ s/^simulator: note: .*\n//gm;    # of threads that return before a barrier: a GPU takes that, and says nothing
    is($output, $simulated, 'and as on the simulator');
    note $output;
}
done_testing();
