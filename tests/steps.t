#!/usr/bin/env perl
# Every variant of every step: awkward sizes, admitted blocks, all patterns, unaligned
# starts. One test for each sum. (Shuffled schedules are mutations.t's.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $sizes = '0,1,2,3,31,32,33,63,64,65,255,256,257,1000,1023,1024,1025,2047,2048,2049,4095,8191,'
    . '8193,65535,65536,65537';
my @runs = (
    "-n $sizes",
    "-n $sizes --pattern ones",
    (map {"-n 0,1,33,257,1023,4097,20000 -b $_"} 2, 3, 32, 33, 64, 96, 100, 128, 512, 992, 1000, 1024),
    (map {"-n 1,33,1000,4097,65537 --pattern $_"} qw(positive ramp cancel huge nan)),
    (map {"-n 31,1000,4097 --offset $_"} 1, 2, 3, 17),
    (map {"-n 33,4097 --pattern nan --seed $_"} 2 .. 5),
    '-n 333333',
);

push @runs, ('-n 1111111', '-n 16M,256M', '-n 16M --pattern ones', '-n 4294967397')
    if $backend eq 'cuda';    # the last is 2^32 + 101

for my $step (@steps) {
    my %seen;
    for my $run (@runs) {
        my $csv = "$scratch/steps.csv";
        unlink $csv;
        my ($output, $status) = run("$step->{program} --check $run --csv $csv");
        if ($status == 2 && $output =~ /blocks? of/ && $run =~ /-b /) {
            ok(!-e $csv, "$step->{name} $run: no variant admits it, and nothing is written");
            next;
        }
        is($status, 0, "$step->{name} $run: exit status") or diag $output;
        for my $row (rows($csv)) {
            $seen{ $row->{variant} }++;
            next if $row->{ok} eq '';    # a roof sums nothing
            is($row->{ok}, 1, "$step->{name} $row->{variant} n=$row->{n} $run");
        }
    }
    # A variant that was never checked would pass unseen.
    my ($list) = run("$step->{program} --list");
    for my $variant ($list =~ /^([a-z]\w*) /mg) {
        next if $list =~ /^$variant\b.*\n.*(?:specimen|on the CPU|cannot run here)/m;
        ok($seen{$variant}, "$step->{name} $variant was run");
    }
}
done_testing();
