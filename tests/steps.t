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
    (map {"-n 1,33,1000,4097,20001 --pattern $_"} qw(positive ramp cancel huge nan)),
    (map {"-n 31,1000,4097 --offset $_"} 1, 2, 3, 17),
    (map {"-n 33,4097 --pattern nan --seed $_"} 2 .. 5),
    '-n 333333',
);

# The toolbox has as many variants as the other steps together, and takes fewer runs: sizes that
# divide into its tiles and rows, and that do not.
my $tool_sizes = '0,1,31,32,33,255,257,1000,1023,1024,1025,2048,4095,8193,16384';
my @tool_runs  = (
    "-n $tool_sizes --row 32,1K",
    (map {"-n 0,1,33,1024,4097 -b $_ --row 256"} 2, 32, 96, 100, 512, 1024),
    (map {"-n 33,1000,2048 --pattern $_ --row 512"} qw(positive ones ramp cancel huge nan)),
    (map {"-n 31,1000,4096 --offset $_ --row 64"} 1, 2, 3),
    '-n 65537', "-n 65536 --row 2K,8K,16K -v 'softmax*','transpose*'",
);
# At many blocks, those whose blocks need each other or take several tiles.
push @tool_runs, $backend eq 'cuda' ? '-n 333333' : "-n 333333 -v scan_array,scan_two_pass,'compact*','match*'";

push @runs, ('-n 1111111', '-n 16M,256M', '-n 16M --pattern ones', '-n 4294967397')
    if $backend eq 'cuda';    # the last is 2^32 + 101
push @tool_runs, ('-n 1111111', '-n 16M,256M --row 1K,16K', '-n 16M --pattern ones') if $backend eq 'cuda';

for my $step (@steps) {
    my %seen;
    my ($list) = run("$step->{program} --list");
    for my $run ($step->{number} eq '08' ? @tool_runs : @runs) {
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
            my $length = ($row->{row} // '') eq '' ? '' : " row=$row->{row}";
            is($row->{ok}, 1, "$step->{name} $row->{variant} n=$row->{n}$length $run");
        }
    }
    # A variant that was never checked would pass unseen.
    for my $variant ($list =~ /^([a-z]\w*) /mg) {
        next if $list =~ /^$variant\b.*\n.*(?:specimen|on the CPU|cannot run here)/m;
        ok($seen{$variant}, "$step->{name} $variant was run");
    }
}
done_testing();
