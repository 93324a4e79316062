#!/usr/bin/env perl
# On two GPUs or more: step 14 on as many as there are and on fewer, shares of all kinds; very many sums back to back, each
# of other numbers than the one before; two processes at once; a GPU that does not answer; and a build without NCCL.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

$ENV{NCCL_NVLS_ENABLE} //= 0;
my $gpus = grep {/^GPU/} `nvidia-smi -L`;
plan skip_all => "two GPUs are needed, here are $gpus" if $gpus < 2;
$gpus = 8 if $gpus > 8;

sub passes {
    my ($command, $name) = @_;
    my ($output, $status) = run($command);
    is($status, 0, $name // $command) or diag $output;
    return $output;
}

my $sizes = '0,1,2,3,7,8,9,31,1000,4097,65537,1000003,20000001';
passes("./step14 --check -n $sizes --gpus $_") for 1 .. $gpus;
passes("./step14 --check -n $sizes --shares $_") for '3,1', '1,3', '0,1', '1,0', '1000000,1';
passes("./step14 --check -n 33,100001 --pattern $_") for qw(ramp cancel huge nan);
passes("./step14 --check -n 33,100001 --offset $_") for 1 .. 3;
passes('./step14 --check -n 4294967397');
like(passes('./step14 --demo'), qr/1 \+ 2 = 3\n.*NaN; GPU 0 waited 100 ms, and GPU 1 did not answer\n/s, 'a GPU that does not answer');
my ($output, $status) = run('./step14 --gpus 8');
is("$status $output", "2 step14: --gpus 8: there are $gpus\n", 'more GPUs than there are') if $gpus < 8;

for my $variant (qw(nvlink_slots nccl)) {
    for my $k (1 .. $gpus) {
        my $sums = $k == $gpus ? 100000 : 10000;
        passes("build/cuda/back_to_back --variant $variant --gpus $k --sums $sums",           "$variant, $k GPUs: $sums sums in graphs");
        passes("build/cuda/back_to_back --variant $variant --gpus $k --sums $sums --streams", "$variant, $k GPUs: $sums sums in streams");
    }
}
my $at_once = 'build/cuda/back_to_back --sums 5000';
($output, $status) = run("$at_once & $at_once --streams; first=\$?; wait \$! && exit \$first");
is($status, 0, 'two processes at once') or diag $output;

passes("make -s BACKEND=cuda BUILD=build/no_nccl NCCL_HOME=/nowhere build/no_nccl/step14 -j" . (`nproc` + 0), 'built without NCCL');
$output = passes('build/no_nccl/step14 --check -n 1000', 'it runs');
like($output, qr/^nccl +skipped: NCCL was not there when this was built[^\n]*\n/m, 'and says so');
like($output, qr/^nvlink_slots .* ok$/m, 'the others run');
done_testing();
