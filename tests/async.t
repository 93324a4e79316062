#!/usr/bin/env perl
# tier: more
# Barriers with phases, asynchronous copies and ordered atomics (simt/async.cu), random numbers, textures, tensor cores
# and inline PTX (simt/extras.cu) that are wrong in one place: told, at the line; and those that only look so: not a word.
# Under three schedules.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;
for my $file (qw(async extras)) {
    my ($output, $status) = run("simulator/simcc -g1 tests/simt/$file.cu -o $scratch/$file");
    is($status, 0, "tests/simt/$file.cu compiles") or BAIL_OUT($output);
    my (%wrong, $number);
    for (split /^/, slurp("tests/simt/$file.cu")) {
        $number++;
        push @{ $wrong{$1} }, "$file\\.cu:$number: .*$2" if m{/\* WRONG (\w+): (.*) \*/};
    }
    my ($names) = run("$scratch/$file");
    is_deeply([sort grep { !/_right$/ } split /\n/, $names], [sort keys %wrong], "$file.cu: every kernel that is not right has its line");
    cmp_ok(scalar keys %wrong, '>=', 14, "$file.cu: so many of them");
    for my $name (split /\n/, $names) {
        for my $seed (0, 1, 2) {
            my ($output, $status) = run("SIMT_SCHEDULE=$seed $guard $scratch/$file $name");
            is($status, $wrong{$name} ? 1 : 0, "$name, schedule $seed: status") or diag $output;
            my $words = join '|', @{ $wrong{$name} // [] };
            like($output, $wrong{$name} ? qr/^simulator: \S*(?:$words)/m : qr/\A\z/, "$name, schedule $seed: what is said");
        }
    }
}
done_testing();
