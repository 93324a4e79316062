#!/usr/bin/env perl
# tier: more
# The simulator's counts against a GPU's (results/h200/counters.csv, written by `make counters`), for each
# variant, pass, size and block that both have: equal, but for the counts listed below, each with its reason.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $file = 'results/h200/counters.csv';

# The programs: all, or those named: tests/counters.t 03_unrolled
my %named  = map  { $_ => 1 } @ARGV;
my @chosen = grep { !@ARGV || $named{ $_->{name} } } @programs;

# Where the counts differ, and why: what nvcc makes of the source, looked up in the SASS. The pages show these reasons beside
# the figures. Efficiency: by more than 5 points.
my (%grid_sync, %polling, %other_efficiency, %compiled);
for my $row (rows('tools/pages/differences.csv')) {
    for my $variant (split ' ', $row->{variants}) {
        $grid_sync{$variant}        = 1           if $row->{kind} eq 'grid_sync';
        $polling{$variant}          = 1           if $row->{kind} eq 'polls';
        $other_efficiency{$variant} = $row->{why} if $row->{kind} eq 'efficiency';
        next if $row->{kind} ne 'compiled';
        $compiled{$variant}{$_} = $row->{why} for split ' ', $row->{counts};
    }
}
$polling{$_} = 1 for qw(one_gpu host nccl nvlink_slots);

# Counts that do depend on the order of warps and lanes, and why.
my %by_order = (
    compact_atomic      => 'who draws which place, and so which sectors a warp writes',
    compact_warp_atomic => 'the same',
    masks_groups        => '__activemask(): who happens to be there',
);

# A loop over 40 values, 32 lanes at a time: in the SASS it is unrolled, and the lanes with one
# value left go another way than those with two.
my %unrolled = ('sum_f32 20000' => 'shared_ld_wavefronts');

# All blocks that meet in grid.sync() are there at once, each thread with a stack of its own: more
# than this many are too many memory mappings for Linux.
my $most_resident_threads = 32000;

BAIL_OUT("$file is missing: make counters, on a GPU with Nsight Compute, writes it") unless -s $file;
my ($sms) = slurp('results/h200/machine.json') =~ /"sm_count": (\d+)/ or BAIL_OUT('results/h200/machine.json does not say how many SMs the GPU has');
my @rows = rows($file);

# Wrong on purpose: the status is 1; but 20,000 halves are summed rightly, by luck.
my %wrong = map { $_ => 1 } qw(v6_volatile cooperative_source half_naive bfloat16_naive);

# (program, n, block, variants) -> {variant}[pass - 1]{column}, from the two tables of --counters
sub simulated {
    my ($program, $n, $block, $sms, @variants) = @_;
    my $names = join ',', @variants;
    my ($output, $status) = run("$program --counters --sms $sms -n $n -b $block -v $names");
    is($status, (grep { $wrong{$_} && !(/naive/ && $n == 20000) } @variants) ? 1 : 0, "$program -n $n -b $block -v $names") or diag $output;
    my (undef, $global, $other) = split /^(?:Global|Shared) memory:/m, $output;
    my %passes;
    for (grep { /^\S+ +\S+ +\d+ +\d/ } split /\n/, $global) {
        my ($variant, undef, $pass, @cells) = split;
        @{$passes{$variant}[$pass - 1]}{qw(gld_requests gld_sectors per_load gst_requests gst_sectors)} = @cells;
    }
    for (grep { /^\S+ +\S+ +\d+ +\d/ } split /\n/, $other) {
        my ($variant, undef, $pass, @cells) = split;
        @{$passes{$variant}[$pass - 1]}{qw(shared_ld_wavefronts shared_st_wavefronts worst barriers shuffles
            atomics simt_efficiency)} = @cells;
    }
    return \%passes;
}

# (row of the GPU, counts of the simulator) -> what differs
sub differences {
    my ($gpu, $sim) = @_;
    my $sync = $grid_sync{$gpu->{variant}} ? $gpu->{grid} : 0;
    my %expected = (
        (map { $_ => $sim->{$_} } qw(gld_requests gld_sectors gst_requests gst_sectors shared_ld_wavefronts
            shared_st_wavefronts)),
        # ours are a block's, the GPU's each warp's of it
        barriers => ($sim->{barriers} + 2 * $sync) * int(($gpu->{threads} + 31) / 32),
        shuffles => $sim->{shuffles} + 2 * $sync,
    );
    my %seen = (%$gpu, shuffles => $gpu->{shuffles} + $gpu->{votes});
    # Each of our atomics is made by one lane, and so is a request. RED is one without an answer.
    $expected{atomics} = $sim->{atomics} + $sync;
    $seen{atomics} += $gpu->{reductions};
    for my $polled ($sync ? qw(gld_requests gld_sectors) : ()) {
        $expected{$polled} = $seen{$polled} if $seen{$polled} >= $sim->{$polled} + $sync;
    }
    if (my $column = $unrolled{"$gpu->{variant} $gpu->{n}"}) {
        $expected{$column} = $seen{$column} if $seen{$column} == $sim->{$column} + 1;
    }
    # at the least, each warp's 16 bytes for each lane, and one exchange of each warp
    for my $polled ($polling{$gpu->{variant}} ? qw(gld_requests gld_sectors shuffles) : ()) {
        my $bytes = $gpu->{variant} =~ /half|f16|float16/ ? 2 : 4;
        my $least = int($gpu->{n} * $bytes / ($polled eq 'gld_requests' ? 512 : 32));
        $least = int($gpu->{grid} * $gpu->{threads} / 32) if $polled eq 'shuffles' || $gpu->{variant} =~ /^bulk/;    # the copy engine makes none
        $expected{$polled} = $seen{$polled} if $seen{$polled} >= $least && $sim->{$polled} >= $least;
    }
    return map { "$_: $expected{$_}, on the GPU $seen{$_}" } grep { $expected{$_} != $seen{$_} } sort keys %expected;
}

# (what differs) -> whether another compiler than the recorded one explains it: by half a percent at most
our $same_compiler = same_compiler();

sub by_compiler {
    my ($ours, $theirs) = $_[0] =~ /: (\d+), on the GPU (\d+)/ or return 0;
    return !$same_compiler && abs($ours - $theirs) <= 0.005 * $theirs;
}

my (%known, %far, %compared, %explained);
for my $program (@chosen) {
    my %here = map { $_->{variant} => 1 } grep { $_->{runs_here} } variants($program->{program});    # CUB is nvcc's alone
    my @recorded = grep { $_->{step} eq $program->{name} && $here{ $_->{variant} } } @rows;
    my %together;    # variants that ran on the same n in blocks of the same size
    $together{"$_->{n} $_->{block}"}{ $_->{variant} } = 1 for @recorded;
    for my $row (@recorded) {
        my ($variant, $n, $block, $pass) = @$row{qw(variant n block pass)};
        next if $grid_sync{$variant} && $row->{grid} * $block > $most_resident_threads;
        my @variants = grep { !$grid_sync{$_} || $grid_sync{$variant} } sort keys %{ $together{"$n $block"} };
        my $sim = ($known{"$program->{name} $n $block $sms"} //= simulated($program->{program}, $n, $block, $sms, @variants))->{$variant};
        my $what = "$variant, n = $n, block $block, pass $pass of " . @{$sim // []};
        my @different = $sim && $sim->[$pass - 1] ? differences($row, $sim->[$pass - 1]) : 'not simulated';
        @different = grep { !(/^(\w+):/ && $compiled{$variant}{$1} && ++$explained{"$variant $1"}) } @different;
        @different = grep { !by_compiler($_) } @different;
        ok(!@different, "$what: all counts equal") or diag join "\n", @different;
        next unless $sim && $sim->[$pass - 1];
        my $points = abs(100 * $row->{simt_efficiency} - $sim->[$pass - 1]{simt_efficiency});
        $far{$variant} = 1 if $points > 5;
        ok($points <= 5 || $other_efficiency{$variant} || !$same_compiler, sprintf '%s: SIMT efficiency within 5 points', $what)
            or diag "$points points";
        $compared{$variant}++;
    }
}
SKIP: {
    skip 'the differences that are explained are those of the recorded compiler, and of all programs', 2 if !$same_compiler || @ARGV;
    is(join(' ', sort keys %far), join(' ', sort keys %other_efficiency), 'no explanation without need');
    is(join(' ', sort keys %explained), join(' ', sort map { my $v = $_; map {"$v $_"} keys %{$compiled{$v}} } keys %compiled),
        'nor one of a count');
}

# Nothing was left out that is recorded. What is not, came later, and is listed: but for what launches no kernel of
# ours, and the wrong kernels of the toolbox, which are no results anywhere.
my %profiled = map { $_->{variant} => 1 } @rows;
for my $program (@chosen) {
    for my $variant (grep { $_->{runs_here} && !$_->{on_cpu} && !$_->{roof} } variants($program->{program})) {
        my $name = $variant->{variant};
        ok($compared{$name}, "$name was compared") if $profiled{$name};
        note "$name of $program->{name} is not profiled yet: make counters, on a GPU" if !$profiled{$name} && ($variant->{task} eq 'sum' || !$variant->{known_wrong});
    }
}
cmp_ok(scalar keys %compared, '>=', 100, 'most variants were compared') unless @ARGV;

# The comparison can fail: one count more or less is seen.
if (!@ARGV) {
    my ($row) = grep { $_->{variant} eq 'v6_interleaved' } @rows;
    my $sim = $known{"$row->{step} $row->{n} $row->{block} $sms"}{v6_interleaved}[$row->{pass} - 1];
    for my $column (qw(gld_requests gld_sectors gst_requests gst_sectors shared_ld_wavefronts shared_st_wavefronts
        atomics barriers shuffles)) {
        is(scalar differences({%$row, $column => $row->{$column} + 1}, $sim), 1, "$column: one more is noticed");
    }
}

{
    local $same_compiler = 0;
    ok(by_compiler('shared_st_wavefronts: 6560, on the GPU 6552'), 'another compiler: one in a thousand more passes');
    ok(!by_compiler($_), "another compiler: $_: noticed") for 'barriers: 110, on the GPU 100', 'not simulated';
}

# Counts do not depend on the order in which warps and lanes run.
for my $program (@chosen) {
    my $n = $program->{folder} =~ m{^steps/toolbox/} ? 4096 : 20000;    # 4096: whole rows and tiles
    my @tables = map { my ($output) = run("$program->{program} --counters -n $n --schedule $_"); $output } 0, 1, 2;
    s/.*?Global memory//s for @tables;
    my $polling = join '|', keys %polling, keys %by_order;
    s/^(?:$polling) .*\n//mg for @tables;
    ok($tables[0] eq $tables[1] && $tables[0] eq $tables[2], "$program->{name}: the same counts in three orders")
        or diag 'a variant that polls, and so counts otherwise in each run, gets a line in tools/pages/differences.csv, of kind polls';
}

# results/sim is what is counted today, runs.csv and counters.csv: of steps that have branches, shared memory, shuffles and
# lanes that part, which another order of lanes would change.
sub stale {
    my ($counts, $now, @recorded) = @_;
    return map {"$_->{variant}, n = $_->{n}"} grep { my ($old, $row) = ($_, $now->{"$_->{variant} $_->{n} $_->{block}"});
        $row && grep { $row->{$_} ne $old->{$_} } @$counts } @recorded;
}
my @all = qw(gld_requests gld_sectors gst_requests gst_sectors shared_ld_wavefronts shared_st_wavefronts atomics barriers shuffles simt_efficiency);
for (['08', 'runs', '-n 1K,64K', 'simt_efficiency'], ['15', 'runs', '-n 1K,64K', 'simt_efficiency'], ['01', 'counters', '--sms 132 -n 65536 -b 256', @all],
    ['04', 'counters', '--sms 132 -n 65536 -b 256', @all]) {
    my ($step, $file, $options, @counts) = @$_;
    my ($program) = grep { $_->{name} =~ /^${step}_/ } @chosen or next;
    next if !$same_compiler;
    run("$program->{program} --counters $options --csv $scratch/now.csv");
    my %now      = map { ("$_->{variant} $_->{n} $_->{block}" => $_) } rows("$scratch/now.csv");
    my @recorded = grep { $_->{step} eq $program->{name} } rows("results/sim/$file.csv");
    is(join('; ', stale(\@counts, \%now, @recorded)), '', "results/sim/$file.csv, $program->{name}: counted by the simulator as it is; else: make counters-sim COUNTERS=results/sim/counters.csv");
    $_->{$counts[-1]} .= 1 for values %now;
    cmp_ok(scalar stale(\@counts, \%now, @recorded), '>=', 2, "$program->{name}: and other counts are noticed");
}

my ($output) = run('./step01 --counters -n 65536 -b 256');
like($output, qr/^v0 +64K +1 +24320 +65280 /m, 'the numbers of the README: 24,320 requests, 65,280 sectors');
done_testing();
