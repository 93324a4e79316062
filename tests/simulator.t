#!/usr/bin/env perl
# tier: test
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
    my ($output, $status) = run("$simcc -g1 tests/simt/$program.cu -o $dir/$program");
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
    my ($output, $status) = run($_);
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

my $source = slurp('tests/simt/faults.cu');
# What is said of each stands before its function.
my %fault = reverse $source =~ m#^/\* ((?:(?!\*/).)+?) \*/\n(?:KERNEL\(|[\w ]+\bvoid [\w() ]*?)(\w+)[(,]#msg;
s/\s+(?:\* )?/ /g for values %fault;
my ($faults, $line) = (0, 0);
for (split /^/, $source) {
    $line++;
    for my $name (m{/\* FAULT ([\w ]+) \*/} ? split / /, $1 : ()) {
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

# A loop that ends, if late, is no endless one: a line says that it is still at work. So it does of one that nothing proves
# endless, as its memory changes in each round.
spew("$dir/long.cu", "#include <cstdio>\n__global__ void long_loop(unsigned *p, unsigned n)\n{\n    unsigned x = 1;\n    for (unsigned i = 0; i < n; i++)\n        x = x * 1664525 + 1013904223;\n    *p = x;\n}\n"
    . "__global__ void changes(unsigned *p, unsigned n)\n{\n    while (n > 0) {\n        p[threadIdx.x] = p[threadIdx.x] + 1;\n        __syncthreads();\n    }\n}\n"
    . "int main(int argc, char **)\n{\n    unsigned *p;\n    cudaMalloc(&p, 256);\n    cudaMemset(p, 0, 256);\n    if (argc > 1)\n        changes<<<1, 64>>>(p, 1);\n    long_loop<<<1, 1>>>(p, 400000000);\n    puts(cudaGetErrorName(cudaDeviceSynchronize()));\n}\n");
is((run("$simcc -c $dir/long.cu -o $dir/long.o && $simcc $dir/hang_detector.o $dir/long.o -o $dir/long"))[1], 0, 'a long loop compiles');
my $at_work = qr/block \(0,0,0\), thread \(\d+,0,0\): still at work: for 0\.6 s no thread has ended: a long loop, or an endless one/;
my ($long, $late) = run("$dir/long");
is($late, 0, 'a loop that ends late: status 0');
like($long, qr/\Asimulator: \S+long\.cu:[56]: long_loop, $at_work\ncudaSuccess\n\z/, 'a loop that ends late: one line says so') or diag $long;
($long) = run("sh -c 'ulimit -t 3; exec $dir/long changes'");
like($long, qr/^simulator: \S+long\.cu:1[123]: changes, $at_work$/m, 'an endless loop that changes memory: its line') or diag $long;

my ($output, $status) = run("$dir/faults none");
is($output . $status, "none: nothing was refused\n0", 'a run without a fault says nothing');

($output, $status) = run("$simcc $dir/missing.cu -o $dir/x");
is($status, 2, 'simcc: a missing file');
like($output, qr/^simcc: \S+missing\.cu: no such file\n\z/, 'simcc: in one line');
done_testing();
