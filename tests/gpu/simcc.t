#!/usr/bin/env perl
# The programs of tests/simcc on a GPU: what they expect of the simulator, hardware does too.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $nvcc = nvcc();
chomp(my $cores = `nproc`);
delete $ENV{CUDA_DEVICE_MAX_CONNECTIONS};    # other people's streams run side by side (see tests/run-gpu)
my $libraries = cuda_home() . '/lib64'; # cuRAND's is not always where the loader looks
$ENV{LD_LIBRARY_PATH} = join ':', $libraries, $ENV{LD_LIBRARY_PATH} // ();
my @programs = map { m{/(\w+)\.cu$} } sort glob 'tests/simcc/*.cu';
# What takes in Thrust, CUB or libcu++ compiles for half a minute, so it begins first.
my %long = map { $_ => slurp("tests/simcc/$_.cu") =~ m{#include <(?:thrust|cub|cuda)/} ? 1 : 0 } @programs;
# Each runs when it is compiled, beside others. (cooperative_groups.h without libcu++, as in tools/mk/backend.mk.)
my ($major) = run('nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0');
open my $pipe, '|-', "xargs -P$cores -I{} sh -c '$nvcc -std=c++20 --extended-lambda -arch=native -D_CG_LIMIT_INCLUDED_DEPENDENCIES "
    . "\$(sed -n \"1s,^// nvcc: ,,p\" tests/simcc/{}.cu) tests/simcc/{}.cu -o $scratch/{} -Xlinker --as-needed -lcurand >$scratch/{}.log 2>&1"
    . " && timeout 60 $scratch/{} >>$scratch/{}.log 2>&1; echo \$? >$scratch/{}.status'" or die;
my %there = map { $_ => !/^cluster/ || $major >= 9 } @programs;
print $pipe "$_\n" for sort { $long{$b} <=> $long{$a} || $a cmp $b } grep { $there{$_} } @programs;
close $pipe;
for my $program (@programs) {
SKIP: {
        skip 'clusters need compute capability 9.0', 1 if !$there{$program};
        is(slurp("$scratch/$program.status"), "0\n", "$program is right on a GPU") or diag slurp("$scratch/$program.log");
    }
}
done_testing();
