#!/usr/bin/env perl
# The solutions of all exercises on a GPU: right at all sizes, and their time beside the lesson's.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

for my $solution (map {s/^solutions\/|\.cu$//gr} sort glob 'solutions/*/*.cu') {
    my ($lesson, $name) = split m{/}, $solution;
    my $of_lesson = join ' ', grep { !m{/(?:example|first)\.o$} } map {s/\.\w+$/.o/r =~ s{^}{build/cuda/}r} glob "steps/$lesson/*.c steps/$lesson/*.cu";
    my ($output, $status) = run("make -s BACKEND=cuda build/cuda/solutions/$solution.o build/cuda/exercises/$solution && "
        . nvcc() . " -Xcompiler -fopenmp build/cuda/solutions/$solution.o build/cuda/exercises/$lesson/criteria.o $of_lesson "
        . "build/cuda/practice.a build/cuda/libcommon.a -lm -o $scratch/solution");
    is($status, 0, "$solution: compiles") or diag $output;
    ($output, $status) = run("$scratch/solution $name 1");
    next unless like($output, qr/^  (?:ok     right: |-      a quiz is about counts)/m, "$solution: right");
    is($status, $output =~ /a quiz/ ? 1 : 0, "$solution: solved, or the simulator's to judge") or diag $output;
    diag $1 if $output =~ /^ .*(time: .*)/m;
}
done_testing();
