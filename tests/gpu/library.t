#!/usr/bin/env perl
# On a GPU: what sum_f32.h, sum_types.h, sum_exact.h and reduce_rows.h promise, with streams, graphs and launches that really
# overlap, and the examples.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $only = $ENV{ONLY} // '';    # a part of them, for tests/run-gpu
for my $contract (grep {/^library_\Q$only\E/} qw(library_contract library_types library_exact library_rows)) {
    my ($output, $status) = run("build/cuda/$contract");
    ok(!$1, $2) while $output =~ /^(not )?ok \d+ - (.*)/mg;
    like($output, qr/^1\.\.\d+$/m, "$contract: to the end") or diag $output;
    is($status, 0, "$contract: exit status") or diag $output;
}
my ($output, $status) = run('build/cuda/library/example');
is("$status $output", "0 all right: 750000\n", 'the example');
($output, $status) = run('build/cuda/library/example_rows');
is("$status $output", "0 row 0: the sum is 18, the largest is number 1\nrow 1: the sum is 4, the largest is number 2\n", 'the example of rows');
done_testing();
