#!/usr/bin/env perl
# The diff is the lesson: docs/ladder.md lists the pairs of neighbours, and how many lines differ
# outside their header comments. The numbers are right, small enough for one idea, and each file's
# header names the file that it is compared with.
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

my $page = slurp('docs/ladder.md');
my ($section) = $page =~ /^## The diffs\n(.*?)^## /ms or BAIL_OUT('docs/ladder.md has no section "The diffs"');
my ($rungs, $others, @more) = map { [/^\| *`.*/mg] } $section =~ /^\|.*\n(?:^\|.*\n)+/mg;

sub line_of { return 1 + (substr($page, 0, index($page, $_[0])) =~ tr/\n//) }    # of docs/ladder.md
ok($others && !@more, 'two tables: the rungs, and the contrasts and protocols');

my (%pairs, %reached);
for my $table ($rungs, $others) {
    for my $row (@$table) {
        my ($command, @files, $lines, $launch);
        ($command, @files[0, 1], $lines, $launch) = $row =~ /^\| `(diff (\S+\.cu) (\S+\.cu))` \| [^|]+ \| (\d+)( \(launch\))? \|$/;
        ok($command && -f $files[0] && -f $files[1], "a pair: $row") or diag(sprintf 'docs/ladder.md: line %d: a row is | `diff FILE.cu FILE.cu` '
            . '| what changes | LINES |, with files that are there, and (launch) after the lines if the launch changes', line_of($row)), next;
        my ($from, $to) = map { s{.*/(\w+)\.cu$}{$1}r } @files;
        my $changed = changed(map { slurp($_) } @files);
        is($lines, $changed, "$from → $to: so many lines differ") or diag sprintf 'docs/ladder.md: line %d: write %d', line_of($row), $changed;
        $pairs{ $files[1] }{ $files[0] } = 1;
        next unless $table == $rungs;
        cmp_ok($changed, '<=', $launch ? $most_with_launch : $most, "$from → $to: one idea");
        ok($reached{$from} || !%reached, "$from → $to: $from was reached before");
        @reached{$from, $to} = (1, 1);
    }
}
cmp_ok(scalar keys %reached, '>=', 19, 'the ladder has its rungs');

# (file, the file that its header names) -> what to do if docs/ladder.md does not compare them
sub missing_row {
    my ($file, $other) = @_;
    my ($line) = slurp($file) =~ /\A(.*?)\bagainst\b/s;
    my $place = sprintf '%s: line %d', $file, 1 + ($line =~ tr/\n//);
    return "$place: there is no file $other: name one as seen from the folder of $file" if !-f $other;
    return sprintf "%s: docs/ladder.md: line %d: add to a table of \"The diffs\": | `diff %s %s` | what changes | %d |", $place, line_of('## The diffs'),
        $other, $file, changed(map { slurp($_) } $other, $file);
}

# What a header says that it is new against is a pair, too, and the other way round.
for my $file (glob 'steps/[0-9]*/*.cu') {
    my ($header)  = slurp($file) =~ m{\A\s*/\*(.*?)\*/}s;
    my ($against) = ($header // '') =~ /\bagainst\s+(?:\*\s+)?([\w.\/]+\.cu)\b/;
    my $paired    = join ' ', sort keys %{ $pairs{$file} // {} };
    next unless $against;
    my $other = beside($file, $against);
    is($paired, $other, "$file: new against a file that docs/ladder.md compares it with") or diag missing_row($file, $other);
}

like(missing_row('steps/03_unrolled/v3x4.cu', 'steps/03_unrolled/v3x2.cu'),
    qr{^steps/03_unrolled/v3x4.cu: line 4: docs/ladder.md: line \d+: add .*: \| `diff steps/03_unrolled/v3x2.cu steps/03_unrolled/v3x4.cu` \| what changes \| 8 \|$},
    'a pair that is missing: file, line, and the row to add');
like(missing_row('steps/03_unrolled/v3x4.cu', 'steps/03_unrolled/none.cu'), qr{: line 4: there is no file steps/03_unrolled/none.cu: }, 'and a file that is');

# It counts what it says: a line in the header is none, a line of the kernel is one, or two if it changed.
my $text = slurp('steps/01_interleaved/v0.cu');
is(changed($text, $text), 0, 'nothing changed');
is(changed($text, $text =~ s/New:/Old:/r =~ s/^ \* v0/ *\n * v0/mr), 0, 'a changed header');
is(changed($text, $text . "int one_more;\n"), 1, 'one line more');
is(changed($text, $text =~ s/__syncthreads\(\);/__syncwarp();/r), 2, 'one line changed');
done_testing();
