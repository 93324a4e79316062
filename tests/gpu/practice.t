#!/usr/bin/env perl
# The solutions of all exercises on a GPU: right at all sizes, and their time beside the lesson's.
# ONLY=toolbox: those whose folders begin so.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

sub judge_of { return 'build/cuda/' . $_[0] =~ s{^practice/solutions/(.*)/.*}{practice/exercises/$1/judge}r }

my @solutions = map {s/\.cu$//r} sort glob 'practice/solutions/' . ($ENV{ONLY} // '') . '*/*.cu';
my $programs = join ' ', map { ("build/cuda/$_", "build/cuda/$_" =~ s/solutions/exercises/r, judge_of($_)) } @solutions;
my ($output, $status) = run("make -s -k -j\$(nproc) BACKEND=cuda $programs");
is($status, 0, 'all exercises and solutions compile') or diag $output;
for my $solution (@solutions) {
    ($output, $status) = run(judge_of($solution) . " build/cuda/$solution 1");
    if ($status == 77) {
        like($output, qr/needs two GPUs/, "$solution: skipped, with fewer than two GPUs");
        next;
    }
    next unless like($output, qr/^  (?:ok     answer: |-      a quiz is about counts)/m, "$solution: right");
    my $is_quiz = $output =~ /a quiz/;
    is($status, $is_quiz ? 1 : 0, "$solution: solved, or the simulator's to judge") or diag $output;
    next if $is_quiz;
    like($output, qr/^ .*time: (?:[\d.]+ us at n|not reported for several GPUs)/m, "$solution: its time");
    diag $1 if $output =~ /^ .*(time: .*)/m;
}
done_testing();
