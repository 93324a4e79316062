#!/usr/bin/env perl
# tier: test
# The diff is the lesson: each rung of docs/ladder.md is small enough for one idea outside the header comments, and each file's
# header names the file that it is compared with. (make notes writes the rows.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my ($most, $most_with_launch) = (25, 30);

# (two texts) -> lines that only one of them has, the first comment of each left out
sub changed {
    my @files = map {"$scratch/$_.cu"} 0, 1;
    spew($files[$_], $_[$_] =~ s{\A\s*/\*.*?\*/\n?}{}sr) for 0, 1;
    my ($diff) = run("diff @files");
    return scalar grep {/^[<>]/} split /\n/, $diff;
}

# (path, path as seen from its folder) -> the path of that
sub beside {
    my ($file, $other) = @_;
    my @parts;
    for (split m{/}, $file =~ s{[^/]+$}{$other}r) { $_ eq '..' ? pop @parts : push @parts, $_ }
    return join '/', @parts;
}

my ($section) = slurp('docs/ladder.md') =~ /^## The diffs\n(.*?)(?:^## |\z)/ms or BAIL_OUT('docs/ladder.md has no section "The diffs"');
my ($rungs, $others, @more) = $section =~ /^\|.*\n(?:^\|.*\n)+/mg;
ok($others && !@more, 'two tables: the rungs, and the contrasts and protocols');

my (%pairs, %reached);
while ($rungs =~ /^\| `diff (\S+\.cu) (\S+\.cu)` \| [^|]+ \| \d+( \(launch\))? \|$/mg) {
    my ($from, $to, $launch) = ($1, $2, $3);
    cmp_ok(changed(map { slurp($_) } $from, $to), '<=', $launch ? $most_with_launch : $most, "$from, $to: one idea");
    ok($reached{$from} || !%reached, "$from was reached before");
    @reached{$from, $to} = (1, 1);
    $pairs{$to} = $from;
}
cmp_ok(scalar keys %reached, '>=', 19, 'the ladder has its rungs');

# What a header says that the file is new against is there; and of a rung it is the one before.
for my $file (glob 'steps/*/*.cu') {
    my ($header)  = slurp($file) =~ m{\A\s*/\*(.*?)\*/}s;
    my ($against) = ($header // '') =~ /\bagainst\s+(?:\*\s+)?([\w.\/]+\.cu)\b/ or next;
    my $other     = beside($file, $against);
    ok(-f $other, "$file: new against $other, which is there");
    is($other, $pairs{$file}, "$file: docs/ladder.md compares it with the same file") if $pairs{$file};
}

# It counts what it says: a line in the header is none, a line of the kernel is one, or two if it changed.
my $text = slurp('steps/01_interleaved/v0.cu');
is(changed($text, $text), 0, 'nothing changed');
is(changed($text, $text =~ s/New:/Old:/r =~ s/^ \* v0/ *\n * v0/mr), 0, 'a changed header');
is(changed($text, $text . "int one_more;\n"), 1, 'one line more');
is(changed($text, $text =~ s/__syncthreads\(\);/__syncwarp();/r), 2, 'one line changed');
done_testing();
