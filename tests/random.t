#!/usr/bin/env perl
# tier: more
# Random kernels of loads, stores, atomics, barriers, shuffles, votes, branches and loops
# (random/generate.py): the simulator leaves in memory what a plain interpreter of the same operations
# does (random/reference.c), in every order, and has nothing to complain of. RANDOM=10000
# tests/random.t: so many of them; RANDOM_SEED=7: others.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $many  = $ENV{RANDOM}      // (in_tier('nightly') ? 180 : 90);
my $seed  = $ENV{RANDOM_SEED} // 1;
my $most  = $many > 1000 ? 250 : $many < 90 ? $many : 90;                # in one file
my $files = int(($many + $most - 1) / $most);

my $simcc = 'simulator/simcc -std=c++20 -Itests/random';
run("gcc -O2 -std=c11 -c tests/random/reference.c -o $scratch/reference.o");
my %kernels = ((map { ("random$_" => "$most @{[$seed + $_]}") } 1 .. $files), map { ($_ => "1 $seed --fault=$_") } qw(barrier lane constant));
run("tests/random/generate.py $kernels{$_} >$scratch/$_.cu") for keys %kernels;
my %build = map { $_ => "$simcc -g1 $scratch/$_.cu $scratch/reference.o -o $scratch/$_" } keys %kernels;
for (sort keys %build) {
    my ($output, $status) = run($build{$_});
    is($status, 0, "$_: what is generated compiles") or BAIL_OUT($output);
}

for my $file (1 .. $files) {
    my %sums;
    for my $schedule (0, 10 * ($seed + $file) .. 10 * ($seed + $file) + 2) {
        my ($output, $status) = run("SIMT_SCHEDULE=$schedule $guard $scratch/random$file");
        $output =~ s/^simulator: note: .*: waits at __syncthreads\(\), but thread \d+ has returned without it\n//gm;    # any other note counts
        like($output, qr/\A$most kernels, 0 differ, checksum (\w+)\n\z/, "$most kernels, seed @{[$seed + $file]}, schedule $schedule") or diag $output;
        is($status, 0, '... status');
        $sums{$1} = 1 if $output =~ /checksum (\w+)/;
    }
    is(scalar keys %sums, 1, "seed @{[$seed + $file]}: the same memory in every order");
}

# One fault in a kernel, and it is found.
for (['barrier', qr/faulty\S*: \S+ race in shared memory/], ['lane', qr/^faulty: word 5 of thread 0 of block 0 is 0x00000001, not 0x00000000/m],
    ['constant', qr/^faulty: word 6 of thread 0 /m]) {
    my ($fault, $message) = @$_;
    my ($output, $status) = run("SIMT_STRICT=1 $scratch/$fault");
    is($status, 1, "a fault, $fault: found");
    like($output, $message, "a fault, $fault: told");
}
done_testing();
