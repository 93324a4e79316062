#!/usr/bin/env perl
# On a GPU: the check catches what is wrong in every run, compute-sanitizer what is
# wrong only sometimes; and a program that holds no code for this GPU says so.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my %caught_by = (
    dropped_tail     => '-n 1001 --pattern ones',
    swapped_operand  => '-n 1000',
    unwritten_output => '-n 0',
    first_block_only => '-n 1000',
    hides_nan        => '-n 1000 --pattern nan',
    overflows        => '-n 1000 --pattern huge',
    last_element     => '-n 1000 --pattern ramp',
);
for my $variant (sort keys %caught_by) {
    my ($output, $status) = run("./broken --check -v $variant $caught_by{$variant}");
    is($status, 1, "$variant is caught: $caught_by{$variant}") or diag $output;
}
for (['copy_wrong_word'], ['copy_unwritten_word'], ['copy_written_twice'], ['copy_unwritten_nan', '--pattern nan'],
    ['copy_other_nan', '--pattern nan']) {
    my ($variant, $how) = (@$_, '');
    my ($output, $status) = run("./broken --check -v $variant -n 1000 $how");
    is($status, 1, "$variant is caught: $how") or diag $output;
}
my ($output, $status) = run('./broken --check -v right,copy_right -n 0,1,1000,1001');
is($status, 0, 'the right kernels pass') or diag $output;

# A sum that is wrong on purpose: status 1, as on the simulator.
($output, $status) = run('./step07 --check -v cooperative_source -n 64K');
is($status, 1, 'a sum that is wrong on purpose: status 1') or diag $output;

my $sanitizer = 'compute-sanitizer --error-exitcode 9 --print-limit 5';
($output, $status) = run("$sanitizer --tool racecheck ./broken --check -v missing_barrier -n 1000");
is($status, 9, 'racecheck finds the missing barrier') or diag $output;
($output, $status) = run('./broken --check -v one_too_many -n 1000');
is($status, 1, 'the NaN that lies after the input shows a read past it') or diag $output;

# One step of each kind of GPU that this one is not.
($output, $status) = run('nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0');
my $other = $output =~ /^10\./ ? 'sm_90' : 'sm_100';
($output, $status) = run("make -j4 BACKEND=cuda BUILD=build/other ARCH=$other build/other/step02");
is($status, 0, "compiled for $other") or diag $output;
($output, $status) = run('build/other/step02 -n 1000');
is($status, 77, "code for $other alone does not run here: 77");
like($output, qr/\A[^\n]*ARCH=sm_[^\n]*\n\z/, 'and one line says what does') or diag $output;
done_testing();
