#!/usr/bin/env perl
# Several devices on the simulator, tests/simt/devices.cu: right programs are right with 1, 2 and 4
# devices and under several schedules, without a word; wrong ones are told what is wrong.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

delete @ENV{qw(SIMT_GO_ON SIMT_GPUS SIMT_SCHEDULE)};
$ENV{SIMT_STRICT} = 1;

my $file = 'tests/simt/devices.cu';
my $program = "$scratch/devices";
my ($output, $status) = run("simulator/simcc $file -o $program");
is($output . $status, '0', "simcc compiles $file") or BAIL_OUT($output);

# What is wrong, at the line that has this mark, or in the program's own words.
my $thread = qr/device \d, block \(0,0,0\), thread \(\d+,0,0\)/;
my %wrong = (
    deadlock  => qr/exchange, $thread: deadlock: this thread reads the same place again and again; no other device has anything to do/,
    no_access => qr/add_to, $thread: reads 4 bytes of device 1's memory, and device 0 was given no access to it: cudaSetDevice\(0\) and cudaDeviceEnablePeerAccess\(1, 0\) do/,
    at_exit   => qr/add_to, device 1, .*: reads 4 bytes at byte 4\d+ of an allocation of 4000 bytes/,
);
my ($names) = run($program);
my %needs_two = map { $_ => 1 } qw(streams lost_device), keys %wrong;
for my $name (split /\n/, $names) {
    for my $how ('1 0', '2 0', '4 0', '4 1', '3 2', '2 3', '8 4') {
        my ($devices, $seed) = split / /, $how;
        next if $devices == 1 && $needs_two{$name};
        ($output, $status) = run("SIMT_GPUS=$devices SIMT_SCHEDULE=$seed timeout 20 $program $name");
        if ($wrong{$name}) {
            is($status, 1, "$name, $devices devices, schedule $seed: exit status 1");
            like($output, qr/^simulator: \S+devices\.cu:\d+: $wrong{$name}$/m, "$name, $devices devices, schedule $seed: told") or diag $output;
            is(scalar(() = $output =~ /^simulator/mg), 1, "$name, $devices devices, schedule $seed: in one line");
        } else {
            is($output . $status, "$name: as it should be\n0", "$name, $devices devices, schedule $seed: right");
        }
    }
}

for (['0', 'SIMT_GPUS=0'], ['9', 'SIMT_GPUS=9'], ['two', 'SIMT_GPUS=two'], ['-1', 'SIMT_GPUS=-1']) {
    ($output, $status) = run("SIMT_GPUS=$_->[0] $program api");
    is($status, 1, "$_->[1]: status 1");
    is($output, "simulator: $_->[1]: a number of devices from 1 to 8 is needed\n", "$_->[1]: one line");
}
done_testing();
