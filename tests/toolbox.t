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

# ---- the masks ----

# The toolbox's masks: each slip is found out on the simulator, at its line; their right twins, and
# other right uses of __activemask() and coalesced_threads(), pass under every schedule.
$ENV{SIMT_STRICT} = 1;    # some of these are wrong by the memory model alone

for (['masks_full_tail', 1, qr/reads lane 16, which has returned: undefined/],
    ['masks_full_tail -b 100', 1, qr/reads lane 16, which does not exist: undefined/],
    ['masks_branch', 1, qr/reads lane 16, which has returned: undefined/],
    ['masks_caller', 1, qr/with mask 0x0000ffff, which does not name the calling lane/],
    ['masks_source', 1, qr/reads lane 16, which its mask 0x0000ffff does not name/],
    ['masks_edge', 1, qr/wrong as expected/],
    ['masks_twelve', 1, qr/with width 12: it must be 1, 2, 4, 8, 16 or 32/],
    ['masks_no_syncwarp', 1, qr/read-write race in shared memory/],
    ['masks_activemask', 0, qr/right this time, by luck/]) {
    my ($variant, $expected, $message) = @$_;
    my ($name) = split ' ', $variant;
    $message = qr/^simulator: steps\/toolbox\/masks\/$name\.cu:\d+: $name\b.*$message/m if $name !~ /edge|activemask/;
    my ($output, $status) = run("./masks --check -n 1000 -v $variant");
    is($status, $expected, "$variant: exit status $expected");
    like($output, $message, "$variant: it is found out");
}

# __activemask() may give any group that holds the caller: from a schedule's seed.
my $luck = 0;
for my $seed (1 .. 20) {
    my ($output) = run("./masks --check -n 100 -v masks_activemask --schedule $seed");
    $luck++ if $output =~ /by luck/;
}
cmp_ok($luck, '<=', 4, 'masks_activemask: found out under nearly every schedule');
for my $seed (1 .. 20) {
    my ($output, $status) = run("./masks --check -n 100,4097 --schedule $seed");
    is($status, 0, "the right ones, schedule $seed") or diag $output;
}
($output, $status) = run("simulator/simcc tests/simcc/warp_aggregated.cu -o $scratch/warp_aggregated");
is($status, 0, 'simcc compiles warp_aggregated.cu') or diag $output;
for my $seed (0 .. 20) {
    ($output) = run("SIMT_SCHEDULE=$seed $scratch/warp_aggregated");
    is($output, "compacted\n", "warp-aggregated atomics, schedule $seed");
}
done_testing();
