#!/usr/bin/env perl
# The simulator's counts against those of the GPU (results/h200/counters.csv, written by
# `make counters`), for each variant, pass, size and block that both have: equal, but for the
# counts listed below, each with its reason.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $recorded = 'results/h200/counters.csv';

# Where the compiled code does more than the kernel's own lines say. In the SASS,
# grid.sync() is code of NVIDIA's library, inlined: two BAR.SYNC; between them one
# thread of each block adds to a counter (VOTEU, ATOM, SHFL: as one for all its lanes)
# and then reads the counter (LD.STRONG) until all blocks have come: once at least, and
# how often depends on the run.
my %grid_sync = map { $_ => 1 } qw(cooperative cooperative_source);

# Where the SIMT efficiency may differ by more than 5 points: ours counts each basic block
# once, the GPU each instruction.
my %other_efficiency = (
    v0 => 'tid % (2 * stride) is some twenty instructions with all lanes at work',
    atomic_per_block => 'if (tid % 32 == 0) is no branch: @!P0 STS, all lanes count as at work',
    two_pass         => 'the same as in atomic_per_block',
    vector_x1        => 'the same, and one tile for each block: little else happens',
    vector_x16       => 'the same in its second launch, where most threads have nothing to read',
    flagged_slots    => 'lanes whose slots have come are idle while the others poll, more or less often',
    load             => 'the same as in flagged_slots',
    (map { $_ => 'the same as in flagged_slots' } qw(load_cs load_no_l1 load_evict_first load_256b)),
    (map { $_ => 'the same as in flagged_slots' } qw(float int32 double fixed_range accumulators in_register doubles sum_f32_exact)),
    (map { $_ => 'on the GPU all lanes poll the barrier of their stage, and so are at work' } qw(bulk_4x8k bulk_4x16k bulk_6x32k bulk_3x64k)),
    sum_f16          => 'one_cluster: lanes above those that still add are idle, and the GPU counts each instruction',
    sum_bf16         => 'the same',
    half_naive       => 'one thread adds up what the block has: unrolled on the GPU, so it takes fewer instructions',
    bfloat16_naive   => 'the same',
    sum_f32          => 'the same, and many of its instructions come before the first load, all lanes at work',
);

# The toolbox. In the SASS `if (lane == 0)` is a predicate, and so all lanes count as at work; in
# `transpose` it is g++ that makes branches, of ?:, where nvcc has a SEL.
my %predicate = map { $_ => 'if (lane == 0) is no branch' } qw(broadcast_shared compact compact_atomic compact_shared
    compact_warp_atomic masks_shared masks_tail masks_width redux redux_groups redux_shared redux_shuffle scan_block
    scan_block_exclusive scan_two_pass softmax_block softmax_cluster vote vote_any_all vote_any_all_groups
    vote_any_all_shared vote_groups vote_shared width_sum width_sum_groups);
%other_efficiency = (%other_efficiency, %predicate, transpose => 'see above');

# Toolbox: what nvcc makes of the source (looked up in the SASS), so that these counts differ.
my $wide       = 'words side by side are moved 16 bytes at a time: LDS.128, STS.128';
my $computed   = 'the mask is computed, and each vote brings a REDUX.OR, or each kernel a few, to know it';
my $aggregated = 'an atomic of several lanes: VOTEU, REDUX, and one ATOMG or RED for the warp';
my $of_shared  = 'the GPU tells atomics on global memory alone, and a request of a warp is one';
my $order      = 'where a run begins in out[] depends on the order of the blocks';
my $one_row    = 'one of a tile\'s 8 rows is stored float by float, always: 7 STG.128 and 4 STG.32';
my $two_words  = 'a shuffle of 8 bytes is two of 4';
my $together   = 'one thread reads halves side by side, several at once';
my $pieces     = 'the compiler moves a struct of 24 bytes in two pieces, we member by member';
my $limbs      = 'ten lanes add a limb each: one request';
my $no_units   = "$two_words; and no REDUX for units that are known to be 0";
my $cut        = 'where a tile is cut, VOTEs besides (not looked up)';
my %of_structs = (shared_ld_wavefronts => $pieces, shared_st_wavefronts => $pieces);
my %compiled = (
    (map { $_ => {shuffles => $two_words} } qw(int32 sum_i32 double sum_f64)),
    (map { $_ => {shared_ld_wavefronts => 'in blocks of 13 warps three more (not looked up)'} } qw(sum_f16 sum_bf16)),
    fixed_range => {%of_structs, shuffles => $cut},
    (map { $_ => {%of_structs, shuffles => $no_units, atomics => $limbs} } qw(accumulators in_register)),
    (map { $_ => \%of_structs } qw(doubles sum_f32_exact)),
    (map { $_ => {shared_ld_wavefronts => $together} } qw(half_naive bfloat16_naive)),
    broadcast_shared    => {shared_ld_wavefronts => $wide, shared_st_wavefronts => $wide},
    transpose_conflict  => {shared_ld_wavefronts => $wide},
    width_rotate_groups => {shuffles => $computed},
    width_sum_groups    => {shuffles => $computed},
    vote                => {shuffles => $computed},
    vote_any_all        => {shuffles => $computed},
    redux               => {shuffles => $computed},
    scan_array          => {gst_requests => $one_row, gst_sectors => $one_row,
                            gld_requests => 'it polls', gld_sectors => 'it polls'},
    scan_two_pass       => {gst_requests => $one_row, gst_sectors => $one_row},
    compact             => {gst_requests => $order, gst_sectors => $order, shared_ld_wavefronts => $order,
                            shuffles => $aggregated},
    compact_shared      => {gst_requests => $order, gst_sectors => $order, shared_ld_wavefronts => $order,
                            shuffles => $aggregated},
    compact_warp_atomic => {gst_sectors => $order, shuffles => $aggregated},
    compact_atomic      => {gst_sectors => $order, shuffles => $aggregated, atomics => $aggregated},
    match               => {atomics => $of_shared},
    match_shared        => {atomics => $of_shared},
    match_global        => {atomics => $of_shared},
    match_global_each   => {atomics => $of_shared},
    masks_width         => {shuffles => $aggregated, atomics => $aggregated},
    map { $_ => {shuffles => $aggregated} } qw(masks_tail masks_count masks_groups masks_half masks_shared),
);

# Block 0 reads the slots of the others until all have posted: how often depends on the run,
# here and there.
my %polling = map { $_ => 1 } qw(flagged_slots clusters load load_cs load_no_l1 load_evict_first load_256b
    bulk_4x8k bulk_4x16k bulk_6x32k bulk_3x64k sum_f32 half bfloat16 float int32 double
    sum_f16 sum_bf16 sum_i32 sum_f64 fixed_range accumulators in_register doubles sum_f32_exact one_gpu host nccl nvlink_slots);

# Step 14 has not been under Nsight Compute yet.
my %not_profiled = map { $_ => 1 } qw(one_gpu host nccl nvlink_slots);

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

BAIL_OUT("$recorded is missing: make counters, on a GPU with Nsight Compute, writes it") unless -s $recorded;
(my $about = $recorded) =~ s/csv$/json/;
my ($provenance) = run("cat $about");
my ($sms)        = $provenance =~ /"sm_count": (\d+)/ or BAIL_OUT("$about does not say how many SMs the GPU has");

# Specimens: the status is 1; but 20,000 halves are summed rightly, by luck.
my %wrong = map { $_ => 1 } qw(v6_volatile cooperative_source half_naive bfloat16_naive);

# (program, n, block, variants) -> {variant}[pass - 1]{column}, from the two tables of --counters
sub simulated {
    my ($program, $n, $block, @variants) = @_;
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
    # at the least, each warp's 16 bytes for each lane
    for my $polled ($polling{$gpu->{variant}} ? qw(gld_requests gld_sectors) : ()) {
        my $bytes = $gpu->{variant} =~ /half|f16|float16/ ? 2 : 4;
        my $least = int($gpu->{n} * $bytes / ($polled eq 'gld_requests' ? 512 : 32));
        $least = int($gpu->{grid} * $gpu->{threads} / 32) if $gpu->{variant} =~ /^bulk/;    # the copy engine makes none
        $expected{$polled} = $seen{$polled} if $seen{$polled} >= $least && $sim->{$polled} >= $least;
    }
    return map { "$_: $expected{$_}, on the GPU $seen{$_}" } grep { $expected{$_} != $seen{$_} } sort keys %expected;
}

my (%known, %far, %compared, %explained);
my @rows = rows($recorded);
for my $program (@programs) {
    my %here = map { $_->{variant} => 1 } grep { $_->{runs_here} } variants($program->{program});    # CUB is nvcc's alone
    my @recorded = grep { $_->{step} eq $program->{name} && $here{ $_->{variant} } } @rows;
    my %together;    # variants that ran on the same n in blocks of the same size
    $together{"$_->{n} $_->{block}"}{ $_->{variant} } = 1 for @recorded;
    for my $row (@recorded) {
        my ($variant, $n, $block, $pass) = @$row{qw(variant n block pass)};
        next if $grid_sync{$variant} && $row->{grid} * $block > $most_resident_threads;
        my @variants = grep { !$grid_sync{$_} || $grid_sync{$variant} } sort keys %{ $together{"$n $block"} };
        my $sim = ($known{"$program->{name} $n $block"} //= simulated($program->{program}, $n, $block, @variants))->{$variant};
        my $what = "$variant, n = $n, block $block, pass $pass of " . @{$sim // []};
        my @different = $sim && $sim->[$pass - 1] ? differences($row, $sim->[$pass - 1]) : 'not simulated';
        @different = grep { !(/^(\w+):/ && $compiled{$variant}{$1} && ++$explained{"$variant $1"}) } @different;
        ok(!@different, "$what: all counts equal") or diag join "\n", @different;
        next unless $sim && $sim->[$pass - 1];
        my $points = abs(100 * $row->{simt_efficiency} - $sim->[$pass - 1]{simt_efficiency});
        $far{$variant} = 1 if $points > 5;
        ok($points <= 5 || $other_efficiency{$variant}, sprintf '%s: SIMT efficiency within 5 points', $what)
            or diag "$points points";
        $compared{$variant}++;
    }
}
is(join(' ', sort keys %far), join(' ', sort keys %other_efficiency), 'no explanation without need');
is(join(' ', sort keys %explained), join(' ', sort map { my $v = $_; map {"$v $_"} keys %{$compiled{$v}} } keys %compiled),
    'nor one of a count');

# Nothing was left out but what launches no kernel of ours, and the specimens of the toolbox, which
# are no results anywhere.
for my $program (@programs) {
    for my $variant (grep { $_->{runs_here} && !$_->{on_cpu} && !$_->{roof} } variants($program->{program})) {
        is(!$compared{ $variant->{variant} }, !!$not_profiled{ $variant->{variant} }, "$variant->{variant} was compared, or is to be") if $variant->{task} eq 'sum' || !$variant->{specimen};
    }
}

# The comparison can fail: one count more or less is seen.
my ($row) = grep { $_->{variant} eq 'v6_interleaved' } @rows;
my $sim = $known{"$row->{step} $row->{n} $row->{block}"}{v6_interleaved}[$row->{pass} - 1];
for my $column (qw(gld_requests gld_sectors gst_requests gst_sectors shared_ld_wavefronts shared_st_wavefronts
    atomics barriers shuffles)) {
    is(scalar differences({%$row, $column => $row->{$column} + 1}, $sim), 1, "$column: one more is noticed");
}

# Counts do not depend on the order in which warps and lanes run.
for ((map { [$_, 20000] } @steps), (map { [$_, 4096] } @tools)) {    # 4096: whole rows and tiles
    my ($program, $n) = @$_;
    my @tables = map { my ($output) = run("$program->{program} --counters -n $n --schedule $_"); $output } 0, 1, 2;
    s/.*?Global memory//s for @tables;
    my $polling = join '|', keys %polling, keys %by_order;
    s/^(?:$polling) .*\n//mg for @tables;
    ok($tables[0] eq $tables[1] && $tables[0] eq $tables[2], "$program->{name}: the same counts in three orders");
}

my ($output) = run('./step01 --counters -n 65536 -b 256');
like($output, qr/^v0 +64K +1 +24320 +65280 /m, 'the numbers of the README: 24,320 requests, 65,280 sectors');
done_testing();
