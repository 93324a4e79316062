#!/usr/bin/env perl
# tier: test
# gdb on a kernel: the session shown in docs/simulator.md, typed again. Each line shown
# there must come ("…" stands for anything).
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my ($gdb) = run('command -v gdb');
plan skip_all => 'no gdb here' unless $gdb =~ /gdb/;
open my $page, '<', 'docs/simulator.md' or die;
my ($session) = do { local $/; <$page> } =~ /^\$ [^\n]* gdb \.\/step01\n(.*?)^```/ms;
ok($session, 'docs/simulator.md shows a session') or BAIL_OUT('nothing to try');

my @exchanges = grep {/\S/} split /^\(gdb\) /m, $session;
cmp_ok(scalar @exchanges, '>', 3, 'with several commands');
my $script = "set pagination off\nset debuginfod enabled off\nset width 0\n";
for (@exchanges) {
    my ($command) = /^(.*)\n/;
    $script .= "echo \\n-----\\n\n$command\n";
}
open my $file, '>', "$scratch/session" or die;
print $file $script . "kill\n";
close $file;
my ($output) = run("gdb -q -batch -x $scratch/session build/sim/step01");
my (undef, @answers) = split /^-----\n/m, $output;
for my $i (0 .. $#exchanges) {
    my ($command, @lines) = split /\n/, $exchanges[$i];
    ok(@lines > 0, "$command: something is shown");
    for my $line (@lines) {
        my $pattern = join '.*', map {quotemeta} split /\Q…\E/, $line;
        like($answers[$i] // '', qr/^$pattern$/m, "$command: $line") or diag $output;
    }
}
done_testing();
