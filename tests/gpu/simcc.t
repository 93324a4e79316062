#!/usr/bin/env perl
# The programs of tests/simcc on a GPU: what they expect of the simulator, hardware does too. ONLY='[a-h]': those that begin so.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $nvcc = nvcc();
chomp(my $cores = `nproc`);
my $libraries = cuda_home() . '/lib64'; # cuRAND's is not always where the loader looks
$ENV{LD_LIBRARY_PATH} = join ':', $libraries, $ENV{LD_LIBRARY_PATH} // ();
my $only     = $ENV{ONLY} // '';
my @programs = map { m{/($only\w*)\.cu$} } sort glob 'tests/simcc/*.cu';
open my $pipe, '|-', "xargs -P$cores -I{} sh -c '$nvcc -std=c++20 --extended-lambda -arch=native "
    . "\$(sed -n \"1s,^// nvcc: ,,p\" tests/simcc/{}.cu) tests/simcc/{}.cu -o $scratch/{} -Xlinker --as-needed -lcurand >$scratch/{}.log 2>&1'" or die;
print $pipe "$_\n" for @programs;
close $pipe;
for my $program (@programs) {
SKIP: {
        my ($major) = run('nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0');
        skip 'clusters need compute capability 9.0', 1 if $program =~ /^cluster/ && $major < 9;
        my ($output, $status) = run("cat $scratch/$program.log; timeout 60 $scratch/$program");
        is($status, 0, "$program is right on a GPU") or diag $output;
    }
}
done_testing();
