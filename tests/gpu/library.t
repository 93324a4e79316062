#!/usr/bin/env perl
# On a GPU: what sum_f32.h promises, with streams, graphs and launches that really overlap, and the
# example.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my ($output, $status) = run('build/cuda/library_contract');
ok(!$1, $2) while $output =~ /^(not )?ok \d+ - (.*)/mg;
is($status, 0, 'the contract: exit status') or diag $output;
($output, $status) = run('build/cuda/steps/11_library/example');
is("$status $output", "0 all right: 750000\n", 'the example');
done_testing();
