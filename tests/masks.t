#!/usr/bin/env perl
# tier: test
# The toolbox's masks: each slip is found out on the simulator, at its line; their right twins, and
# other right uses of __activemask() and coalesced_threads(), pass under every schedule.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;    # some of these are wrong by the memory model alone

for (['masks_full_tail', 1, qr/reads lane 16, which has returned: undefined/],
    ['masks_full_tail -b 100', 1, qr/reads lane 16, which does not exist: undefined/],
    ['masks_branch', 1, qr/reads lane 16, which has returned: undefined/],
    ['masks_caller', 1, qr/with mask 0x0000ffff, which does not name the calling lane/],
    ['masks_source', 1, qr/reads lane 16, which its mask 0x0000ffff does not name/],
    ['masks_edge', 1, qr/wrong as expected/],
    ['masks_twelve', 1, qr/with width 12: it must be 1, 2, 4, 8, 16 or 32/],
    ['masks_no_syncwarp', 1, qr/read-write race in shared memory/],
    ['masks_activemask', 0, qr/right this time, by luck/]) {
    my ($variant, $expected, $message) = @$_;
    my ($name) = split ' ', $variant;
    $message = qr/^simulator: steps\/toolbox\/masks\/$name\.cu:\d+: $name\b.*$message/m if $name !~ /edge|activemask/;
    my ($output, $status) = run("./masks --check -n 1000 -v $variant");
    is($status, $expected, "$variant: exit status $expected");
    like($output, $message, "$variant: it is found out");
}

# __activemask() may give any group that holds the caller: from a schedule's seed.
my $luck = 0;
for my $seed (1 .. 20) {
    my ($output) = run("./masks --check -n 100 -v masks_activemask --schedule $seed");
    $luck++ if $output =~ /by luck/;
}
cmp_ok($luck, '<=', 4, 'masks_activemask: found out under nearly every schedule');
for my $seed (1 .. 20) {
    my ($output, $status) = run("./masks --check -n 100,4097 --schedule $seed");
    is($status, 0, "the right ones, schedule $seed") or diag $output;
}
my ($output, $status) = run("simulator/simcc tests/simcc/warp_aggregated.cu -o $scratch/warp_aggregated");
is($status, 0, 'simcc compiles warp_aggregated.cu') or diag $output;
for my $seed (0 .. 20) {
    ($output) = run("SIMT_SCHEDULE=$seed $scratch/warp_aggregated");
    is($output, "compacted\n", "warp-aggregated atomics, schedule $seed");
}
done_testing();
