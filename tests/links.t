#!/usr/bin/env perl
# Every link of the notes leads to a file that is there, and every anchor to a heading.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;
use File::Basename qw(dirname);

sub text {
    open my $file, '<:encoding(UTF-8)', $_[0] or die "$_[0]: $!";
    local $/;
    return <$file> =~ s/^```.*?^```//gmsr;    # what stands in code is no link
}

# GitHub's rule: lower case, spaces to dashes, the rest of the punctuation gone.
sub anchors {
    return map { lc =~ s/[^\w\- ]//gr =~ s/ /-/gr } text($_[0]) =~ /^#+ +(.*?) *$/mg;
}

my @notes = grep { !m{^build/} } split /\n/, `git ls-files --cached --others --exclude-standard '*.md'`;
cmp_ok(@notes, '>=', 9, 'there are notes');
for my $note (@notes) {
    my $broken = '';
    for my $target (text($note) =~ /\]\(([^)\s]+)\)/g) {
        next if $target =~ /^https?:/;
        my ($path, $anchor) = split /#/, $target;
        my $file = $path ? dirname($note) . "/$path" : $note;
        $broken .= " $target" unless -e $file && (!defined $anchor || grep { $_ eq $anchor } anchors($file));
    }
    is($broken, '', "$note: every link leads somewhere");
}
done_testing();
