#!/usr/bin/env perl
# The simulator: what it must run, what it must refuse (each fault at the line that
# is to blame), what it must count, and simcc's own messages.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1; # what is wrong by the memory model alone is refused, too
my $simcc = "simulator/simcc";
my $dir   = $scratch;

for my $program (qw(good counts)) {
    my ($output, $status) = kept("$simcc -g1 tests/simt/$program.cu -o $dir/$program");
    is($status, 0, "simcc compiles $program.cu") or BAIL_OUT($output);
}

# The faults, twice: in one the simulator's clock ticks ten times as often, for one of the two that wait for its 3 s.
my %impatient = (endless_loop => 1);
open my $detector, '<', 'simulator/hang_detector.c' or die;
my $text = do { local $/; <$detector> };
is($text =~ s/TICK_US = 500000/TICK_US = 50000/, 1, 'hang_detector.c has a clock');
open my $quick, '>', "$dir/hang_detector.c" or die;
print $quick $text;
close $quick or die;
for ("\${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -Isimulator -Isimulator/include -c $dir/hang_detector.c -o $dir/hang_detector.o", "$simcc -c tests/simt/faults.cu -o $dir/faults.o",
    "$simcc $dir/faults.o -o $dir/faults", "$simcc $dir/hang_detector.o $dir/faults.o -o $dir/impatient") {
    my ($output, $status) = kept($_);
    is($status, 0, 'simcc compiles faults.cu, for a patient simulator and an impatient one') or BAIL_OUT($output);
}

# Programs that print TAP themselves: each of their lines counts here.
for my $program (qw(good counts)) {
    my ($output, $status) = run("$dir/$program");
    for (split /\n/, $output) {
        ok(!$1, "$program: $2") if /^(not )?ok \d+ - (.*)/;
    }
    is($status, 0, "$program exits with 0") or diag $output;
}

my %fault = (
    two_barriers               => '__syncthreads() here, while thread 0 waits at another',
    write_past_end             => 'writes 4 bytes at byte 16384 of an allocation of 16384 bytes, made at tests/simt/faults.cu:',
    read_past_end              => 'reads 4 bytes at byte 16384 of an allocation of 16384 bytes, made at tests/simt/faults.cu:',
    read_before_start          => 'reads 4 bytes, 20 before an allocation of 16384 bytes, made at tests/simt/faults.cu:',
    atomic_past_end            => 'writes 4 bytes at byte 16384',
    absent_lane                => '__shfl_down_sync() reads lane 16, which does not exist: undefined',
    returned_lane              => '__shfl_down_sync() reads lane 21, which has returned: undefined',
    lane_outside_mask          => 'reads lane 16, which its mask 0x00000007 does not name',
    mask_without_caller        => 'does not name the calling lane 0',
    masks_differ               => 'with mask 0xffffffff, while lane 31 is at __any_sync() with mask 0x80000001',
    bad_width                  => 'with width 12',
    lane_never_comes           => 'deadlock: this thread waits at a warp operation, thread 9 waits at __syncthreads()',
    unwritten_static_shared    => 'reads shared memory that no thread of its block has written',
    unwritten_dynamic_shared   => 'reads shared memory that no thread of its block has written',
    unwritten_global           => 'reads global memory that no thread or copy has written',
    unwritten_counter          => 'reads shared memory that no thread of its block has written',
    unwritten_copied           => 'reads global memory that no thread or copy has written',
    heap_overrun               => 'writes 4 bytes at byte 16 of an allocation of 16 bytes, made at tests/simt/faults.cu:',
    heap_stale                 => 'reads 4 bytes of device memory that is not allocated',
    heap_foreign               => 'which malloc() or new in a kernel did not give',
    memset_past_shared         => 'writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes',
    null_pointer               => 'writes 4 bytes at 0xc: neither device memory, shared memory nor its own',
    zero_division              => 'divides a whole number by zero',
    read_only_load             => 'reads by __ldg() what this launch has written',
    host_variable              => 'host code writes a __device__ or __constant__ variable',
    host_constant              => 'host code reads a __device__ or __constant__ variable',
    host_null                  => 'host code touches memory that is not there',
    past_dynamic_shared        => 'writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256 bytes',
    endless_wait               => 'deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads()',
    endless_wait_for_two       => 'deadlock: this thread reads the same place again and again, thread 1 waits at __syncthreads()',
    endless_vote               => 'deadlock: this thread reads the same place again and again, and no thread is left to end it',
    endless_loop               => 'never ends',
    endless_calculation        => 'never ends',
    grid_sync_in_plain_launch  => 'use cudaLaunchCooperativeKernel()',
    grid_sync_skipped          => 'deadlock: this thread waits at grid.sync(), and no thread is left to end it',
    host_memory                => 'neither device memory, shared memory nor its own',
    freed_memory               => 'device memory that is not allocated',
    misaligned                 => 'no multiple of 16: misaligned',
    stack_overflow             => 'needs more than the 64 KiB of local memory',
    stack_jump                 => 'needs more than the 64 KiB of local memory',
    cluster_ends               => 'reads shared memory of block (1,0,0), which may have ended',
    cluster_ended              => 'reads shared memory of block (0,0,0), which may have ended',
    cluster_unseen             => 'writes shared memory of block (0,0,0), which may have ended',
    cluster_not_begun          => 'reads shared memory of block (0,0,0), which may not have begun',
    cluster_unwritten          => 'reads shared memory that no thread of the cluster has written',
    cluster_past_dynamic       => 'writes 4 bytes at byte 256 of dynamic shared memory; the launch gave it 256',
    cluster_sync_skipped       => 'waits at a barrier of its cluster, thread 7 of block (1,0,0) has returned',
    cluster_sync_in_one        => 'waits at a barrier of its cluster, thread 0 of block (1,0,0) has returned',
    cluster_arrives_twice      => 'arrives at a barrier of its cluster again before it waited',
    cluster_only_waits         => 'without having arrived there',
    cluster_no_such_block      => 'maps shared memory of block 2 of a cluster that has 2',
    cluster_maps_global        => 'maps a pointer that does not lead to shared memory',
    cluster_pointer_given      => 'writes its own shared memory by a pointer that another block mapped',
    host_access                => 'host code writes device memory: copy it with cudaMemcpy()',
);

open my $source, '<', 'tests/simt/faults.cu' or die;
my $faults = 0;
while (<$source>) {
    next unless m{/\* FAULT ([\w ]+) \*/};
    my ($names, $line) = ($1, $.);
    for my $name (split / /, $names) {
        my $program = $impatient{$name} ? 'impatient' : 'faults';
        # Processor time: what is endless ends by then. The shell may say what signal it was.
        my ($output, $status) = run("sh -c 'ulimit -t 10; exec $dir/$program $name'; exit \$?");
        is($status, $name eq 'host_null' ? 139 : 1, "$name: exit status 1, or a signal's");
        like($output, qr/^simulator: tests\/simt\/faults\.cu:$line: .*\Q$fault{$name}\E.*\n(?:Segmentation fault.*\n)?\z/,
            "$name: one line with its place and reason");
        $faults++;
    }
}
is($faults, scalar keys %fault, 'every fault was tried');

# Why one core runs all blocks: each line is a row of the page's table.
is((kept("$simcc tests/simt/two_cores.cu -o $dir/two_cores"))[1], 0, 'simcc compiles two_cores.cu');
is_deeply([run("$dir/two_cores")], ["alone: memory the same, counts the same\nadds: memory differs, counts the same\ntakes a ticket: memory differs, counts the same\n"
    . "asks who was there: memory differs, counts the same\nwaits for its neighbour: memory the same, counts differ\n", 0], 'two_cores.cu: another order of the same blocks is right, and leaves other bits');

my ($output, $status) = run("$dir/faults none");
is($output . $status, "none: nothing was refused\n0", 'a run without a fault says nothing');

($output, $status) = run("$simcc $dir/missing.cu -o $dir/x");
is($status, 2, 'simcc: a missing file');
like($output, qr/^simcc: \S+missing\.cu: no such file\n\z/, 'simcc: in one line');
done_testing();
