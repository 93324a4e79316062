#!/usr/bin/env perl
# Every program compiles for the GPU, where nvcc is there; and without a driver it
# says so. (The links ./stepNN are left alone: other tests use them.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my ($nvcc) = grep {-x} map {"$_/nvcc"} split(/:/, $ENV{PATH}), '/usr/local/cuda/bin';
plan skip_all => 'no nvcc here' unless $nvcc;

for my $program (map({"step$_->{number}"} @steps), @experiments, 'machine', 'broken') {
    my ($output, $status) = run("make BACKEND=cuda ARCH=sm_90 NVCC=$nvcc build/cuda/$program");
    is($status, 0, "$program compiles for sm_90") or diag $output;
    unlike($output, qr/warning/i, "$program: without a warning") or diag $output;
}
SKIP: {
    skip 'there is a GPU here', 2 if run('nvidia-smi -L') =~ /^GPU/;
    my ($output, $status) = run('build/cuda/step01');
    is($status, 77, 'no driver: exit status 77');
    like($output, qr/\A[^\n]*driver[^\n]*make BACKEND=sim step01[^\n]*\n\z/,
        'no driver: one line that says what works');
}
done_testing();
