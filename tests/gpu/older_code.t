#!/usr/bin/env perl
# On a GPU: a library that was built for an older one. The driver compiles its PTX for this GPU, but
# clusters and overlapping launches are not in it. Every answer must be right all the same. ONLY=75_rows: one of them.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my ($machine) = run('build/cuda/machine');
my $here = $machine =~ /"compute_capability": "(\d+)\.(\d+)"/ ? "$1$2" : 0;
cmp_ok($here, '>=', 75, 'a GPU that the library has code for') or diag $machine;
my ($only, $contracts) = ($ENV{ONLY} // '', 0);
for my $arch (grep { $_ < $here } 75, 80, 90) { # what is built for this GPU the other files test
    for my $contract (grep { "${arch}_$_" =~ /^\Q$only\E/ } qw(contract types rows)) {
        $contracts++;
        my $program = "build/cuda-sm_$arch/library_$contract";
        my ($output, $status) = run("make -j8 BACKEND=cuda ARCH=sm_$arch BUILD=build/cuda-sm_$arch $program");
        is($status, 0, "the library for sm_$arch") or diag $output;
        ($output, $status) = run($program);
        is($status, 0, "sm_$arch: $contract") or diag $output;
        like($output, qr/^1\.\.\d+$/m, "sm_$arch: $contract, to the end");
        unlike($output, qr/^not ok/m, "sm_$arch: $contract, all of it");
        my $clusters = $arch >= 90 ? 'yes' : 'no';
        like($output, qr/^# code with clusters: $clusters$/m, "sm_$arch: with clusters: $clusters");
    }
}
ok($contracts, "ONLY=$only is one of them") if $only;
done_testing();
