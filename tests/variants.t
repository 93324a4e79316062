#!/usr/bin/env perl
# Every variant of the ladder and the toolbox: awkward sizes, admitted blocks, all patterns,
# unaligned starts. One test for each answer. (Shuffled schedules are mutations.t's.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $sizes = '0,1,2,3,31,32,33,63,64,65,255,256,257,1000,1023,1024,1025,2047,2048,2049,4095,8191,'
    . '8193,65535,65536,65537';
my @step_runs = (
    "-n $sizes",
    "-n $sizes --pattern ones",
    (map {"-n 0,1,33,257,1023,4097,20000 -b $_"} 2, 3, 32, 33, 64, 96, 100, 128, 512, 992, 1000, 1024),
    (map {"-n 1,33,1000,4097,20001 --pattern $_"} qw(positive ramp cancel huge nan)),
    (map {"-n 31,1000,4097 --offset $_"} 1, 2, 3, 17),
    (map {"-n 33,4097 --pattern nan --seed $_"} 2 .. 5),
    '-n 333333',
);

# The toolbox has more variants than the ladder, and takes fewer runs: sizes that divide into its
# tiles and rows, and that do not. --row is left out where there are no rows.
my $tool_sizes = '0,1,31,32,33,255,257,1000,1023,1024,1025,2048,4095,8193,16384';
my @tool_runs  = (
    "-n $tool_sizes --row 32,1K",
    (map {"-n 0,1,33,1024,4097 -b $_ --row 256"} 2, 32, 96, 100, 512, 1024),
    (map {"-n 33,1000,2048 --pattern $_ --row 512"} qw(positive ones ramp cancel huge nan)),
    (map {"-n 31,1000,4096 --offset $_ --row 64"} 1, 2, 3),
    '-n 65537', '-n 65536 --row 2K,8K,16K',
);
my %many_blocks = map { $_ => '-n 333333' } qw(scan compact match);    # blocks that need each other, or take several tiles

push @step_runs, ('-n 1111111', '-n 16M,256M', '-n 16M --pattern ones', '-n 4294967397')
    if $backend eq 'cuda';    # the last is 2^32 + 101
push @tool_runs, ('-n 333333,1111111', '-n 16M,256M --row 1K,16K', '-n 16M --pattern ones') if $backend eq 'cuda';

my %tool = map { $_->{name} => 1 } @tools;
for ((map { [$_, @step_runs] } @steps), (map { [$_, @tool_runs, $many_blocks{ $_->{name} } // ()] } @tools)) {
    my ($program, @runs) = @$_;
    my ($name, $rows, %seen) = ($program->{name}, takes_rows($program->{program}));
    for my $run (map { $rows ? $_ : s/ --row \S+//r } @runs) {
        my $csv = "$scratch/variants.csv";
        unlink $csv;
        my ($output, $status) = run("$program->{program} --check $run --csv $csv");
        my $refused = $run =~ /-b / ? qr/takes blocks of/ : $tool{$name} ? qr/takes an n that/ : qr/^$/;
        if ($status == 2 && $output =~ /\A\S+: \w+ $refused [^\n]*\n\z/) {
            ok(!-e $csv, "$name $run: no variant takes that, and nothing is written");
            next;
        }
        is($status, 0, "$name $run: exit status") or diag $output;
        for my $row (rows($csv)) {
            $seen{ $row->{variant} }++;
            next if $row->{ok} eq '';    # a roof sums nothing
            my $length = $row->{row} eq '' ? '' : " row=$row->{row}";
            is($row->{ok}, 1, "$name $row->{variant} n=$row->{n}$length $run");
        }
    }
    # A variant that was never checked would pass unseen.
    my @expected = map { $_->{variant} } grep { $_->{runs_here} && !$_->{known_wrong} } variants($program->{program});
    cmp_ok(scalar @expected, '>', 0, "$name has variants");
    ok($seen{$_}, "$name $_ was run") for @expected;
}
done_testing();
