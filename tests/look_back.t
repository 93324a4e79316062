#!/usr/bin/env perl
# tier: more
# scan_array waits for what other blocks publish, and a mistake there shows only if they publish
# late: under a shuffled schedule the simulator makes them. So each mistake in the look-back must be
# caught under one of eight schedules, and the kernel as it is must be right under all.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $folder = 'steps/toolbox/scan';
my $file   = "$folder/scan_array.cu";

# what is wrong; where, with {braces} around what is said; what is said instead
my @mutants = (
    ['whatever is in a slot is taken',           ', {status == AGGREGATE || status == PREFIX})', 'true'],
    ["an earlier launch's status is taken",      '{(unsigned)(w >> 32) - stamp(epoch, NOTHING)}', '(unsigned)(w >> 32) & 3'],
    ['what is there is taken, in spite of gaps', '({~published << (31 - nearest) != 0})', 'published == 0'],
    ['nothing is waited for',                    '({~published << (31 - nearest) != 0})', 'false'],
    ['31 tiles at a time',                       'tile -= {32}', '31'],
    ['33 tiles at a time',                       'tile -= {32}', '33'],
    ['the nearest prefix is left out',           '= {lane <= nearest} ?', 'lane < nearest'],
    ['one more than the nearest prefix',         '= {lane <= nearest} ?', 'lane <= nearest + 1'],
    ['the farthest prefix instead',              '? {__ffs(prefixes) - 1} :', '31 - __clz(prefixes)'],
    ['looks back once only',                     '({prefixes == 0})', 'false'],
    ['a prefix is published as a sum of one tile',  'tile), {stamp(epoch, PREFIX)}, ', 'stamp(epoch, AGGREGATE)'],
    ['a sum of one tile is published as a prefix',  'tile), {stamp(epoch, AGGREGATE)}, ', 'stamp(epoch, PREFIX)'],
    ['a prefix without the tiles before',        ', {before + aggregate}', 'aggregate'],
    ['all launches have one number',             '(word)({epoch + 1})', 'epoch'],
);

run("cp -r steps library $scratch/");
make_switch();
my ($text) = run("cat $file");
my %said;    # where -> an expression that says what the mutant asks for
for my $k (0 .. $#mutants) {
    my (undef, $where, $instead) = @{ $mutants[$k] };
    my ($original) = $where =~ /\{(.*)\}/;
    $said{$where} = "(mutated($k) ? $instead : " . ($said{$where} // $original) . ')';
}
for my $where (sort keys %said) {
    my ($before, $original, $after) = $where =~ /(.*)\{(.*)\}(.*)/;
    is($text =~ s/\Q$before$original$after\E/$before$said{$where}$after/g, 1, "scan_array.cu says $original");
}
open my $copy, '>', "$scratch/$file" or die "$scratch/$file: $!";
print $copy $text;
close $copy;
my $program = "$scratch/look_back";
my ($output, $status) = build_switched($program, $folder, $file);
is($status, 0, 'it is built with switches') or diag $output;

# Many small tiles, more than the GPU has room for at once; then other numbers in the same slots. Fewer show most mistakes,
# in half of the time, so they are tried first.
sub scan {
    my ($mutant, $seed, $n) = @_;
    return run("MUTANT=$mutant $guard $program --check -v scan_array -n $n -b 32 --sms 16 --pattern huge --schedule $seed");
}

my ($first, @others) = ([1, '40K,20K'], map { [$_, '80K,40K'] } 1 .. 8);
for ($first, @others[0, 4]) {
    ($output, $status) = scan(-1, @$_);
    is($status, 0, "as it is: right under schedule $_->[0], n = $_->[1]") or diag $output;
}
for my $k (0 .. $#mutants) {
    my ($how, $where) = '';
    for ($first, @others) {
        ($output, $status) = scan($k, @$_);
        ($how) = $output =~ /\b(wrong|deadlock|race|never ends)\b/ if $status == 1;
        $how //= '';
        $where = "under schedule $_->[0], n = $_->[1]";
        last if $how ne '';
    }
    ok($how ne '', "$mutants[$k][0]: caught" . ($how ne '' ? " $where: $how" : ''));
}
done_testing();
