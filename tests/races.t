#!/usr/bin/env perl
# tier: test
# Races planted in tests/simt/races.cu: each reported once, with both of its lines and
# its kind, under every schedule; their right twins pass under every schedule.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;    # tests/severity.t shows which of these are notes otherwise

my $file    = 'tests/simt/races.cu';
my $program = "$scratch/races";
my ($output, $status) = run("simulator/simcc $file -o $program");
is($status, 0, "simcc compiles $file") or BAIL_OUT($output);

my $source = slurp($file);
my %kind   = $source =~ m!^KERNEL\((\w+),[^{]*/\* (.*) \*/\n\{!mg;
my (%lines, $number);    # of each race, those that must be named
for (split /^/, $source) {
    $number++;
    push @{ $lines{$_} }, $number for m{/\* RACE ([\w ]+) \*/} ? split / /, $1 : ();
}
is(join(' ', sort keys %kind), join(' ', sort keys %lines), 'each race has its kind, and lines');

my ($names) = run($program);
for my $name (split /\n/, $names) {
    for my $seed (0 .. ($name =~ /^(cluster.*|slots|relay)_right/ ? 19 : 5)) {
        my ($output, $status) = run("$guard $program $name $seed");
        if (!$kind{$name}) {
            is($output . $status, "$name ran\n$name ran\n0", "$name, schedule $seed: passes");
            next;
        }
        my (%named, %pairs);
        my $race   = qr/(?:read|write)-write race in \w+ memory/;
        my $thread = qr/thread \(\d+,\d+,\d+\) of block \(\d+,\d+,\d+\)/;
        my $did    = qr/$thread (?:reads|overwrites) what $thread (?:wrote|read) at/;
        while ($output =~ /^simulator: $file:(\d+): $name: $race: $did $file:(\d+), (?:no |which is half in order: )/gm) {
            $named{$_}++ for $1, $2;
            $pairs{ join ' ', sort $1, $2 }++;
        }
        is($status, 1, "$name, schedule $seed: exit status 1") or diag $output;
        is($output =~ /no barrier between: volatile makes no lane wait, __syncwarp\(\) / || 0, $name =~ /^(?:lanes|volatile_sum)$/ || 0,
            "$name, schedule $seed: what the lanes of a warp need") if $seed == 0;
        is(join(' ', sort { $a <=> $b } keys %named), join(' ', @{ $lines{$name} }), "$name, schedule $seed: its lines")
            or diag $output;
        is(scalar(grep { $_ > 1 } values %pairs), 0, "$name, schedule $seed: each pair once");
        like($output, qr/ $kind{$name}:/, "$name, schedule $seed: $kind{$name}") if $seed == 0;
        like($output, qr/\n$name ran\n.*\n$name ran\n|\n$name ran\n$name ran\n/s,
            "$name, schedule $seed: the program goes on") if $seed == 0;
    }
}
done_testing();
