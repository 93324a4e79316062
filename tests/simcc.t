#!/usr/bin/env perl
# tier: test more
# simcc on programs in other styles than the lessons': each must compile, and be right
# under several schedules; where nvcc is, that proves them to be CUDA.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $simcc = 'simulator/simcc';
my $nvcc  = nvcc();
chomp(my $cores = `nproc`);

# ---- programs ----

my @programs = map { m{/(\w+)\.cu$} } sort glob 'tests/simcc/*.cu';
cmp_ok(scalar @programs, '>=', 15, 'there are programs to try');

# (what, command with {} for the name, programs): runs it for these, several at once
sub for_all {
    my ($what, $command, @programs) = @_;
    open my $pipe, '|-', "xargs -P$cores -I{} sh -c '($command) >$scratch/{}.$what 2>&1; echo \$? >$scratch/{}.$what.status'"
        or die;
    print $pipe "$_\n" for @programs;
    close $pipe;
}

# make test has no time for all; by night come those of Thrust, textures, random numbers and tensor cores, which change little.
my $first  = qr/^(?:device_printf|host_flags|streams_events|cooperative_groups|single_pass)$/;
my $extras = qr/^(?:thrust|textures|random_numbers|matrices)$/;
@programs = grep { in_tier(/$first/ ? 'test' : /$extras/ ? 'nightly' : 'more') } @programs;
my @schedules = in_tier('nightly') ? (0 .. 3) : (0, 3);
for_all('compile', "$simcc -g1 tests/simcc/{}.cu -o $scratch/{}", @programs);
for_all("run$_", "SIMT_SCHEDULE=$_ $guard $scratch/{}", @programs) for @schedules;
for my $program (@programs) {
    is(slurp("$scratch/$program.compile"), '', "$program compiles without a word");
    for my $schedule (@schedules) {
        my $output = slurp("$scratch/$program.run$schedule");
        is(slurp("$scratch/$program.run$schedule.status"), "0\n", "$program is right under schedule $schedule") or diag $output;
        unlike($output, qr/^simulator: (?!note: the times between events)/m, "$program: nothing to complain of under schedule $schedule");
    }
}

# nvcc's front end takes them, too (by night): all at once, but for those that name something from the root, as ::x, or whose
# first line has options for nvcc. (tests/gpu runs them.)
SKIP: {
    skip 'no nvcc here, or not by night', 1 unless $nvcc && in_tier('nightly');
    my @from_root = grep { slurp("tests/simcc/$_.cu") =~ m{(?<![\w>])::\w|\A// nvcc: }} @programs;
    my %alone = map { $_ => 1 } @from_root;
    my $no_code = `$nvcc --help` =~ /^--fdevice-syntax-only/m ? '-fdevice-syntax-only ' : '';    # not every nvcc has it
    spew("$scratch/all.cu", as_one(map {"tests/simcc/$_.cu"} grep { !$alone{$_} } @programs));
    for my $file ("$scratch/all.cu", map {"tests/simcc/$_.cu"} @from_root) {
        my ($options) = slurp($file) =~ m{\A// nvcc: ((?:-[a-km-z]\S* ?)*)};
        my ($output, $status) = run("@{[quick_nvcc()]} -std=c++20 --extended-lambda -arch=sm_90 -I. " . ($options // '') . "$no_code-ptx $file -o /dev/null");
        is($status, 0, 'they are CUDA: ' . ($file =~ /simcc/ ? $file : 'all others')) or diag $output;
    }
}
if (in_tier('test')) {
    like(slurp("$scratch/streams_events.run0"), qr/^simulator: note: the times between events are those of the simulation/m, 'a time of events comes with a note');
    my $printed = slurp("$scratch/device_printf.run0");
    like($printed, qr/^Hello thread 0 of block $_, f=1\.234500$/m, "printf in block $_") for 0 .. 2;
    like($printed, qr/^timed: the clock went on$/m, 'clock64() and __func__');
}

# Older and newer C++ than the default, which is that of nvcc: without a word, too.
for (in_tier('more') ? (map { my $standard = $_; map {"$standard $_"} qw(cooperative_groups host_part) } qw(c++14 c++20)) : ()) {
    my ($standard, $program) = split;
    my ($output, $status) = run("$simcc -std=$standard tests/simcc/$program.cu -o $scratch/$standard && $scratch/$standard >/dev/null 2>&1");
    is($output . $status, '0', "$program in $standard: not a word, and right");
}

if (in_tier('more')) {
    # A system that gives few addresses.
    my ($output, $status) = run("ulimit -v 1000000; $scratch/vector_add");
    is($status, 0, 'ulimit -v: a program runs') or diag $output;
    refused("ulimit $_; $scratch/vector_add", 1, qr/simulator: the shell's limit is too low: ulimit $_, and \d+ is needed/) for '-v 420000', '-v 100000', '-s 64';
    refused("OMP_NUM_THREADS=100000 build/sim/step01 -n 1000 2>&1 >/dev/null", 1, qr/host code needs more stack than there is \(ulimit -s\): .*OMP_NUM_THREADS/);
}
done_testing();
