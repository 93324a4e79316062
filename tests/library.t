#!/usr/bin/env perl
# tier: test more
# The library: what its headers promise (tests/library/*.cu), the examples,
# the same bits in every order, make install, and the recorded runs that its plan stands on.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $folder = 'library';

# A program that prints TAP itself: each of its lines counts here.
sub contract {
    my ($command, $how, $program) = @_;
    my ($output, $status) = run("$command build/$backend/" . ($program // 'library_contract'));
    ok(!$1, "$how: $2") while $output =~ /^(not )?ok \d+ - (.*)/mg;
    like($output, qr/^1\.\.\d+$/m, "$how: to the end") or diag $output;
    is($status, 0, "$how: exit status") or diag $output;
    return $output;
}
contract('', 'contract') if in_tier('test');
if (in_tier('more')) {
    contract('SIMT_SCHEDULE=5', 'contract, another order') if $backend eq 'sim' && in_tier('nightly');
    contract('', 'types', 'library_types');
    contract('', 'exact', 'library_exact');
    contract('SIMT_SCHEDULE=5', 'exact, another order', 'library_exact 56') if $backend eq 'sim' && in_tier('nightly');
}
# Rows, columns and segments. Every schedule gives the same bits. (The library with switches, below, runs in another order.)
my %bits;
if ($backend eq 'sim' && in_tier('more')) {
    my @but_for_tiles = qw(rows columns short blocks slots shifted plans starts means specials sizes segments order);
    for ([0], in_tier('nightly') ? ([1], [2], [3, @but_for_tiles], [4, @but_for_tiles]) : ()) {
        my ($order, @tests) = @$_;
        my %here = contract("SIMT_SCHEDULE=$order", "rows, order $order", "library_rows part @tests") =~ /^# bits of (\w+): (\w+)$/mg;
        $bits{$_} //= $here{$_} for sort keys %here;
        is($here{$_}, $bits{$_}, "rows, $_: the same bits in order $order") for $order ? sort keys %here : ();
    }
    if (in_tier('nightly')) {
        contract('', 'rows, every shape and type', 'library_rows');
        contract('SIMT_SMS=40', 'rows, 40 SMs', 'library_rows part large');
        for my $sms (20, 46, 84, 170) {    # as GPUs of 7.5, 8.x and 12 have
            contract("SIMT_SMS=$sms", "$sms SMs", $_) for 'library_contract', 'library_rows part plans slots segments';
        }
        contract('SIMT_SMS=1', 'rows, a single SM', 'library_rows part rows blocks slots plans segments');
    }
}
contract('', 'rows', 'library_rows') if $backend ne 'sim';
# Several GPUs: of the simulator, as many as one says, in several orders.
if ($backend eq 'sim') {
    contract("SIMT_GPUS=$_->[0] SIMT_SCHEDULE=$_->[1]", "$_->[0] GPUs, schedule $_->[1]", 'library_all') for in_tier('test') ? [2, 7] : (), in_tier('more') ? ([1, 0], [3, 2]) : (), in_tier('nightly') ? ([2, 0], [8, 3]) : ();
}
if ($backend eq 'sim' && in_tier('more')) {
    # sum_mpi with one rank, and CUDA functions that fail: each is noticed, and nothing that did not run is timed.
    my $one_rank = 'tests/library/one_rank';
    my ($output, $status) = run("for file in $one_rank/failures.c steps/14_many_gpus/sum_mpi.c; do \${CC:-gcc} -std=c11 -D_GNU_SOURCE -Wall -Wextra -Icommon -I. "
        . "-Isteps -Isimulator -Isimulator/include -I$one_rank -c \$file -o $scratch/\$(basename \$file .c).o || exit 1; done; $link "
        . "$scratch/sum_mpi.o $scratch/failures.o @{[map {qq(build/sim/library/$_.o)} qw(sum_f32 sum_exact sum_f32_plan sum_all sum_all_comm)]} "
        . "build/sim/libcommon.a -Wl,--wrap=cudaSetDevice,--wrap=cudaGraphLaunch -o $scratch/sum_mpi -lm");
    is($output . $status, '0', 'sum_mpi with one rank');
    my $timed = qr/us for each sum one after another, .* us in a graph$/m;
    my $refused = qr/^sum_mpi: rank 0: CUDA refused, .*$/m;
    for my $way ('', '--nccl') {
        my $mpi = "$scratch/sum_mpi -n 1K --sums 300 $way";
        ($output, $status) = run($mpi);
        is($status, 0, "sum_mpi $way: status");
        like($output, $timed, "sum_mpi $way: it takes the time") or diag $output;
        # The first launch of the graph, and the first and the last that are timed. Of a choice of the device: those of sums.
        for ((map {"FAIL=cudaGraphLaunch FAIL_AT=$_"} 0, 1, 3), map {"FAIL=cudaSetDevice FAIL_AT=$_"} 8 .. 12) {
            ($output, $status) = run("$_ $mpi");
            is($status, 1, "$_ sum_mpi $way: status");
            like($output, $refused, "$_ sum_mpi $way: one line") or diag $output;
            unlike($output, $timed, "$_ sum_mpi $way: no time");
        }
    }
}

my ($output, $status);
if (in_tier('test')) {
    ($output, $status) = run("build/$backend/$folder/example");
    is("$status $output", "0 all right: 750000\n", 'the example');

    # The contract counts the workspace's words; here are the bytes that the header names.
    my @named = slurp("$folder/sum_f32.h") =~ /([\d,]+) bytes with 132 SMs, ([\d,]+) with 4[.]/;
    is("@named" =~ tr/,//dr, join(' ', map { 8 * (64 * $_ + 1) } 132, 4), 'sum_f32.h: bytes of a workspace');
}
if (in_tier('more')) {
    ($output, $status) = run("build/$backend/$folder/example_rows");
    is("$status $output", "0 row 0: the sum is 18, the largest is number 1\nrow 1: the sum is 4, the largest is number 2\n", 'the example of rows');
    for (['exact 3', qr/3 arrays/], ['exact many', qr/many arrays/], ['exact 112 none', qr/"none"/], ['rows nonsense', qr/usage/]) {
        my ($arguments, $why) = @$_;
        ($output, $status) = run("build/$backend/library_$arguments");
        is($status, 2, "library_$arguments: exit status");
        like($output, qr/\Alibrary_\w+: [^\n]*$why[^\n]*\n\z/, "library_$arguments: one line");
    }
}

# The order of warps and lanes changes no bit; a sum that cancels would show it.
if ($backend eq 'sim') {
    my @seeds = in_tier('nightly') ? (0 .. 3) : (0, 3);
    for my $step (grep { in_tier('more') && $_->{name} =~ /vectorized|single_pass|clusters|library|types/ } @steps) {
        my %errors;
        my $sizes = $step->{name} =~ /types/ ? '3000,50000' : '3000,50000,150000';    # its variants are many
        for my $seed (@seeds) {
            run("$step->{program} --check -n $sizes --pattern cancel --schedule $seed --csv $scratch/bits.csv");
            push @{ $errors{"$_->{variant} n=$_->{n}"} }, $_->{rel_err} for rows("$scratch/bits.csv");
        }
        for my $what (sort keys %errors) {
            my @different = grep { $_ ne $errors{$what}[0] } @{ $errors{$what} };
            ok(@{ $errors{$what} } == @seeds && !@different, "$step->{name} $what: the same bits in @{[scalar @seeds]} orders");
        }
    }

    # The contracts see a library that breaks them: file, what stands there, what instead (M is true for this group of faults
    # alone), who notices. One library has them all, each group behind a switch, since compiling it takes longest.
    my @groups = (
         ['contract', ['library/parts/slots.h', 'slots.room; i += blockDim.x', '(M ? 0 : slots.room); i += blockDim.x', 'the last epoch leaves all slots empty']],
         ['contract', ['library/sum_f32.cu', '|| w->memory == NULL', '|| (!M && w->memory == NULL)', 'a workspace without memory']],
         ['types', ['library/parts/types.h', 'slots.slot[i * words + w], i < count', 'slots.slot[i * words + (M ? 0 : w)], i < count', 'sum_f64: sums across the end'],
                   ['library/sum_f32.cu', 'plan->blocks * SLOT_WORDS(sum_of<T>)', 'plan->blocks * (M ? 1 : SLOT_WORDS(sum_of<T>))', 'sum_i32: a workspace one byte too small'],
                   ['library/parts/types.h', 'return __bfloat162float(x);', 'return M ? __half2float(__ushort_as_half(__bfloat16_as_ushort(x))) : __bfloat162float(x);', 'sum_bf16: around']],
         ['exact', ['library/parts/window.h', 't->fine += sign *', 't->fine += (M ? -sign : sign) *', 'some around the window'],
                   ['library/parts/window.h', 'others |= 1u << k;', 'others |= (M ? 2u : 1u) << k;', 'one window'],
                   ['library/parts/partial.h', '(lower << (64 - gone) != 0)', '(!M && lower << (64 - gone) != 0)', 'halfway between two floats']],
         ['exact', ['library/parts/partial.h', 'most = (int128)n << 23', 'most = M ? 0 : (int128)n << 23', 'far below the window'],
                   ['library/parts/exact.h', '| flags << (32 - FLAGS)', '| (M ? 0 : flags << (32 - FLAGS))', 'NaN and infinities'],
                   ['library/parts/accumulators.h', 'carried >>= 32;', 'carried = M ? 0 : carried >> 32;', 'accumulators that must carry']],
         ['exact', ['library/parts/accumulators.h', 'a[BEYOND][threadIdx.x] += sign', 'a[BEYOND][threadIdx.x] += M ? 0 : sign', 'accumulators that carry beyond the last']],
         ['exact', ['library/parts/partial.h', '((made << 1) + passed) ^ passed', '((made << 1) + (M ? 0 : passed)) ^ (M ? 0 : passed)', 'subnormals']],
         ['exact', ['library/parts/accumulators.h', '__syncwarp(); /* in front of the atomics', 'if (!M) __syncwarp(); /* ', 'a few outside the window']],
         ['exact', ['library/parts/exact.h', '__syncthreads(); /* after the sums', 'if (!M) __syncthreads(); /* ', 'sum_f32() and sum_f32_exact() in turn']],
         ['exact', ['library/sum_exact.cu', 'place == 0 || sum.flags & HAS_LIMBS', 'place == 0 || (M ? limbs_matter(sum, place, n) : (sum.flags & HAS_LIMBS) != 0)', 'limbs that are not needed']],
         ['exact', ['library/parts/window.h', '((count) == 8 ? 27 : 26)', '(M ? 30 : (count) == 8 ? 27 : 26)', 'the window is full']],    # as lesson 13 has it
         ['exact', ['library/parts/partial.h', 'units >> min(from, 127)', 'M && from >= 96 ? 0 : units >> min(from, 127)', 'units and limbs overlap']],
         ['all',   ['library/sum_all.cu', '(s->in == NULL && s->n > 0)', '(!M && s->in == NULL && s->n > 0)', 'in is NULL']],
         ['all',   ['library/sum_all.cu', 'all->dead != SUM_F32_OK ? all->dead : check(&shares[i])', '!M && all->dead != SUM_F32_OK ? all->dead : check(&shares[i])', 'by slots: from then on it says so'],
                   ['library/sum_all.cu', 'if (isnan(sum))', 'if (!M && isnan(sum))', 'by slots: a lost peer is reported'],
                   ['library/sum_all.cu', 'sum.y == mark_of(number) * ranks', 'M || sum.y == mark_of(number) * ranks', 'by NCCL: a sum that is none'],
                   ['library/parts/peer_slots.h', 'epoch == 0 ? 2 : epoch', 'epoch == 0 ? (M ? 1 : 2) : epoch', 'and the epochs go on from 2']],
         ['rows errors', ['library/reduce_rows.cu', 'w->memory == NULL)', '(!M && w->memory == NULL))', 'a workspace without memory']],
         ['rows errors', ['library/reduce_rows.cu', 'm->stride < m->columns ||', '(!M && m->stride < m->columns) ||', 'a stride below the columns']],
         ['rows plans rows slots specials', ['library/reduce_share.h', 'rank < p.head + p.tail', 'rank < p.head + p.tail - (M && p.tail > 0 ? 1 : 0)', 'rows of 34 by the kernels of long ones'],
                   ['library/reduce_meet.h', 'next - begin < m.slots', 'next - begin < (M && m.slots > SLOTS * by ? SLOTS * by : m.slots)', 'rows, each by more blocks than one reads the slots of at once'],
                   ['library/reduce_rows.cu', 'k / UNIT * UNIT * lanes', 'k / UNIT * UNIT * (M ? 1 : lanes)', 'rows of 136 in shared memory'],
                   ['library/reduce_operators.h', 'a >= b || a != a ? a : b', 'a >= b || (!M && a != a) ? a : b', 'NaN, infinities, -0, ties, the largest floats: rows of 5']],
         ['rows specials sizes', ['library/reduce_operators.h', 'return isinf(first) ? 0.0f : first', 'return !M && isinf(first) ? 0.0f : first', 'NaN, infinities, -0, ties, the largest floats: rows of 64'],
                   ['library/reduce_operators.h', 'return __uint_as_float(unit)', 'return M ? 1.0f : __uint_as_float(unit)', 'numbers around 1e+30']],
         ['rows blocks rows', ['library/reduce_rows.cu', 'parts == 1 ? columns', 'M || parts == 1 ? columns', 'few long rows, by several blocks'],
                   ['library/reduce_operators.h', '(x - p) * (x - p)', '(x - (M ? 0.0f : p)) * (x - (M ? 0.0f : p))', 'rows of 100']],
         ['rows starts', ['library/reduce_rows.cu', 'if (turn > 0)', 'if (!M && turn > 0)', 'rows of 33004: the same bits']],
         ['rows means', ['library/reduce_operators.h', 'op.origin = isfinite', 'op.origin = !M && isfinite', 'variances about means']],
         ['rows specials', ['library/reduce_operators.h', 'return a < b ? a : b', 'return !M && a < b ? a : b', 'NaN, infinities, -0, ties, the largest floats: rows of 64']],
         ['rows rows', ['library/reduce_rows.cu', 'row < rows ? row : rows - 1', 'M || row < rows ? row : rows - 1', 'rows of']],
         ['rows short', ['library/reduce_share.h', 'if (i + w / WORDS < end)', 'if (M || i + w / WORDS < end)', 'thousands of rows of 3']],
         ['rows short', ['library/reduce_rows.cu', 'x, places, op.pivot(first[r], n)', 'x, places, op.pivot(first[r], M ? n + 1 : n)', 'thousands of rows of 4']],
         ['rows short', ['library/reduce_rows.cu', '(first_row + g * apart) * MOST', '(first_row + g * (M ? 1 : apart)) * MOST', 'thousands of rows of 1']],
         ['rows short', ['library/reduce_columns.cu', '(unsigned)(n - taken))', 'M ? (unsigned)AT_ONCE : (unsigned)(n - taken))', 'thousands of columns of 3']],
         ['rows short', ['library/reduce_columns.cu', 'at += AT_ONCE * stride', 'at += (M ? 0 : AT_ONCE * stride)', 'thousands of columns of 20']],
         ['rows blocks', ['library/reduce_meet.h', 'i < m.slots ? count_of(i)', 'M || i < m.slots ? count_of(i)', 'few long rows, by several blocks']],
         ['rows blocks', ['library/reduce_rows.cu', 'before == parts - 1;', 'M ? mine == 0 : before == parts - 1;', 'few long rows, by several blocks']],    # which has no place
         ['rows blocks', ['library/reduce_meet.h', 'm.of[i * m.stride + j * m.apart] = 0;', 'if (!M) m.of[i * m.stride + j * m.apart] = 0;', 'few long rows, by several blocks']],
         ['rows blocks', ['library/reduce_meet.h', 'missing |= w[k][j] == 0', 'missing |= !M && w[k][j] == 0', 'few long rows, by several blocks']],
         ['rows columns', ['library/reduce_columns.cu', 'taken, (unsigned)left)', 'taken, M ? (unsigned)at_once : (unsigned)left)', 'columns of 3']],
         ['rows blocks', ['library/reduce_columns.cu', 'merges[0] = before == in_team - 1;', 'merges[0] = M ? mine == first : before == in_team - 1;', 'few columns, by several blocks']],
         ['rows blocks', ['library/reduce_columns.cu', 'atomicInc(&tickets[first], in_team - 1)', '(M ? atomicAdd(&tickets[first], 1) : atomicInc(&tickets[first], in_team - 1))', 'few columns, by several blocks']],
         ['rows tiles', ['library/reduce_columns.cu', 'atomicInc(&tickets[1], teams - 1)', '(M ? atomicAdd(&tickets[1], 1) : atomicInc(&tickets[1], teams - 1))', 'columns by 32 lanes']],
         ['rows tiles', ['library/reduce_columns.cu', 'teams, team};', 'teams, M ? 0 : team};', 'columns by 32 lanes']],
         ['rows shifted', ['library/reduce_columns.cu', 'c + shift < N', '(M || c + shift < N)', 'columns of 130 from any start']],
         ['rows shifted', ['library/reduce_columns.cu', 'local.bits == (1u << N) - 1', '(M || local.bits == (1u << N) - 1)', 'columns of 130 from any start']],
         ['rows shifted', ['library/reduce_columns.cu', 'first % 2 == 1 ? first', '!M && first % 2 == 1 ? first', 'columns of 12']],
         # One operator and one width: whoever thins out the cases has to leave this pair.
         ['rows tiles', ['library/reduce_columns.cu', 'all.second, rows, out', 'all.second, rows + (M && lanes == 16 ? 1 : 0), out', 'columns by 16 lanes']],
         ['rows segments', ['library/reduce_meet.h', '2 * block + (block == last)', '2 * block + (!M && block == last)', 'segments of three, and one of 60,000'],
                   ['library/reduce_segments.cu', 'offsets[i] > offsets[i + 1]', '!M && offsets[i] > offsets[i + 1]', 'offsets that decrease'],
                   ['library/reduce_whole.h', 'return !__syncthreads_or(is_large)', 'return !__syncthreads_or(is_large) != (M && blockIdx.x == 0)', 'segments of every size'],
                   ['library/reduce_segments.cu', 'place) != cudaSuccess ||', 'place) != cudaSuccess || (M && cudaPeekAtLastError() != cudaSuccess) ||', 'an older error'],
                   ['library/reduce_segments.cu', '(size_t)offsets[i] > n ||', '(!M && (size_t)offsets[i] > n) ||', 'a negative offset']],
         ['rows segments', ['library/reduce_segments.cu', 'joined(op, open, left[w].part[HEAD])', '(M ? left[w].part[HEAD] : joined(op, open, left[w].part[HEAD]))', 'segments of three, and one of 60,000'],
                   ['library/reduce_whole.h', 'if (its_n', 'if (!M && its_n', 'segments of every size'],
                   ['library/reduce_tile.h', '|| open.place == NO_PLACE', '|| (!M && open.place == NO_PLACE)', 'of all that tie in several tiles, the first'],
                   ['library/reduce_tile.h', 'open.place += e', 'open.place += M ? 0 : e', 'of two that are the largest, the first']],
         ['rows segments', ['library/reduce_segments.cu', 'p.open = nothing_seen(op);', 'if (!M) p.open = nothing_seen(op);', 'segments of every size'],
                   ['library/reduce_whole.h', '> EVEN_BYTES / sizeof(T)', '> (M ? 1000 : 1) * EVEN_BYTES / sizeof(T)', 'segments of 300, and one of 20,000'],
                   ['library/reduce_tile.h', 'lane >= first + away', 'lane >= (M ? away : first + away)', 'segments of every size'],
                   ['library/reduce_tile.h', '~lane_places_before(to)', '(M ? 0 : ~lane_places_before(to))', 'segments of three, and one of 60,000']],
         ['rows segments', ['library/reduce_segments.cu', 'its_n <= most', 'its_n <= (M ? most / 10 : most)', 'segments of 20,000, and empty ones between'],
                   ['library/reduce_whole.h', 'end - n < mine.to)', '(M || end - n < mine.to))', 'segments of 40,000'],
                   ['library/reduce_whole.h', 'at / mine.part', 'at / mine.part + M', 'segments of 3000, and two of 100,000']],
         ['rows segments', ['library/reduce_segments.cu', 'offsets[mine + 1] - start', 'offsets[mine + 1] - start - (M && mine == 5 ? 1000 : 0)', 'segments of 20,000, and empty ones between'],
                   ['library/reduce_whole.h', '0 - (start + skipped)', '0 - (start + (M ? 0 : skipped))', 'segments of 40,000']]);
    run("cp -r steps library $scratch/");
    make_switch();
    for my $k (0 .. $#groups) {
        my (undef, @faults) = @{ $groups[$k] };
        for (@faults) {
            my ($file, $text, $instead) = @$_;
            my $source = slurp("$scratch/$file");
            $instead =~ s/\bM\b/mutated(@{[$k + 1]})/g;
            is($source =~ s/\Q$text\E/$instead/, 1, "$file has the place for a fault");
            spew("$scratch/$file", $source);
        }
    }
    # And without each of their barriers, one at a time: the files that no step calls. (mutations.t does it for all others.)
    my @barriers;
    for my $file (in_tier('more') ? map {"$folder/$_"} qw(sum_all.cu reduce_state.h reduce_meet.h reduce_common.h reduce_whole.h reduce_rows.cu reduce_columns.cu reduce_segments.cu) : ()) {
        push @barriers, map { { %$_, file => $file } } switches($file, 1 + @groups + @barriers);
    }
    # The file that a group's faults are compiled with, and what makes its object.
    my %file_of = (contract => 'sum_f32', types => 'sum_f32', exact => 'sum_exact', all => 'sum_all');
    my $broken = sub {
        my ($named, @faults) = @{ $groups[$_[0]] };
        my ($reduce) = map { $_->[0] =~ m{library/(reduce_\w+)\.cu} } @faults;
        return $file_of{ (split ' ', $named)[0] } // $reduce // 'reduce_rows';
    };
    my $compile = sub {
        return "simulator/simcc -g1 -include $scratch/switch.h -Icommon -Isimulator -I$scratch/steps -I$scratch -c $scratch/$folder/$_[0].cu -o $scratch/$_[0].o";
    };
    my @chosen = grep { in_tier($groups[$_][1][1] =~ /slots\.room/ ? 'test' : 'more') } 0 .. $#groups;
    my %objects = map { $broken->($_) => 1 } @chosen;
    for (sort keys %objects) {
        my ($output, $status) = run($compile->($_));
        is($status, 0, "$_.cu compiles with all faults") or diag $output;
    }
    my (%controlled, %right);
    for my $k (@chosen) {
        my ($named, @faults) = @{ $groups[$k] };
        my ($contract, @tests) = split ' ', $named;
        my $compiled = $broken->($k);
        my @others = map {"build/sim/$folder/$_.o"} 'sum_f32_plan', $compiled ne 'sum_f32' ? 'sum_f32' : (), $contract eq 'all' ? 'sum_all_comm' : ();
        push @others, map {"build/sim/steps/13_exact/$_.o"} $contract eq 'exact' ? qw(accumulators cached_accumulators doubles cpu_exact) : ();
        push @others, map {"build/sim/$folder/$_.o"} grep { $_ ne $compiled } qw(reduce_rows reduce_columns reduce_segments reduce_plan reduce_depth) if $contract eq 'rows';
        my $faulty = "$scratch/${contract}_$compiled";
        run("$link $scratch/$compiled.o @others build/sim/tests/library/$contract.o build/sim/libcommon.a $scratch/switch.o -o $faulty -lm");
        my $tests = $contract eq 'rows' ? "part @tests" : $contract eq 'exact' ? join ' ', 240, map {"'$_->[3]'"} @faults
            : $contract eq 'types' ? join ' ', map { $_->[3] =~ /^(\w+)/ } @faults : '';
        # Where blocks wait, a GPU with a place for one, on which none may wait for a block that has not begun; and one
        # with two places and another order.
        my @gpus = $compiled =~ /rows|columns/ && "@tests" eq 'blocks' ? ('SIMT_SMS=1 SIMT_SM_BLOCKS=1', 'SIMT_SMS=2 SIMT_SM_BLOCKS=1 SIMT_SCHEDULE=1')
            : $contract eq 'all' ? 'SIMT_GPUS=2' : '';
        # With no fault, it is not the switches that are noticed; and another order changes no bit. By day make test has tried
        # the contract so; and tiles, which take long, are tried by the faults of other widths.
        for my $gpu ($controlled{"$faulty @gpus"}++ || $contract eq 'contract' && !in_tier('test') ? () : @gpus) {
            my %of_all = map { $_ => 1 } grep { $_ ne 'tiles' || in_tier('nightly') } map { my (undef, @of_one) = split ' ', $groups[$_][0]; @of_one } grep { $broken->($_) eq $compiled } @chosen;
            ($output, $status) = run("MUTANT=0 SIMT_SCHEDULE=3 $gpu $faulty " . ($contract eq 'rows' && $gpu eq '' ? "part @{[sort keys %of_all]}" : $tests));
            is($status, 0, "$contract, $compiled.cu: without a fault it passes") or diag $output;
            my %here = $gpu =~ /SMS/ ? () : $output =~ /^# bits of (\w+): (\w+)$/mg;
            is($here{$_}, $bits{$_}, "rows, $_: the same bits in another order") for grep { exists $bits{$_} } sort keys %here;
        }
        # To the end only where it counts what else is right: else until each fault has been noticed.
        my @noticed = "@tests" eq 'tiles' ? qr/\A\z/ : map {qr/^not ok \d+ - \Q$_->[3]\E/} @faults;
        for my $gpu (@gpus) {
            (undef, $output, $status) = until_said("env MUTANT=@{[$k + 1]} $gpu $faulty $tests", @noticed);
            last if $status;
        }
        isnt($status, 0, "$contract: the faults are noticed");
        push @{ $right{"@tests"} }, $output =~ /^ok \d+ - (.*)/mg;
        # The simulator ends a program at some faults: then the others of a group would not be tried.
        my $ended = @faults == 1 ? '|^simulator: (?!note:)' : '';
        like($output, qr/^not ok \d+ - \Q$_->[3]\E$ended/m, "$contract: $_->[3]") or diag $output for @faults;
    }
    # Rows that are staged, and turned, are among the starts; teams of blocks among the tiles; and on one SM a warp has several
    # tiles in which many segments end.
    my $reduce = "$guard $scratch/reduce";
    my @ways   = ("SIMT_SCHEDULE=0 $reduce part blocks segments", "$reduce part starts", "SIMT_SMS=1 $reduce segments", "$reduce part tiles",
        map {"SIMT_SCHEDULE=$_ $reduce part blocks segments"} 1 .. 4);
    my $said = qr/^simulator: .*?\b(race|deadlock|without having arrived|reads shared memory|outside of an array)\b|^not ok \d+ - (.*)/;
    if (@barriers) {
        ($output, $status) = run("$link " . join(' ', (map {"$scratch/reduce_$_.o"} qw(rows columns segments)), map {"build/sim/$_.o"} "$folder/sum_f32", "$folder/sum_f32_plan", "$folder/reduce_plan", "$folder/reduce_depth", 'tests/library/rows')
            . " build/sim/libcommon.a $scratch/switch.o -o $scratch/reduce -lm");
        is($status, 0, 'rows, columns and segments with switches around their barriers') or diag $output;
        for my $how (@ways[0 .. (in_tier('nightly') ? $#ways : 2)]) {
            my ($seen, $output) = until_said("env SIMT_STRICT=1 MUTANT=0 $how", $said);
            is($seen, '', 'with all barriers they pass') or diag $output;
        }
    }
    for my $k (0 .. $#barriers) {
        my ($file, $line, $text) = @{ $barriers[$k] }{qw(file line text)};
        my $where = unseen($barriers[$k]);
        my @these = $file =~ /sum_all/ ? map {"SIMT_GPUS=2 SIMT_SCHEDULE=$_ $guard $scratch/all_sum_all"} 0 .. 4 : $where ? @ways[0, 4] : @ways;
        my ($seen, $output) = ('', '');
        for my $how (@these) {
            ($seen, $output) = until_said("env SIMT_STRICT=1 MUTANT=@{[1 + @groups + $k]} $how", $said);
            last if $seen ne '';
        }
        ok(($seen eq '') == ($where ne ''), "$file:$line: without $text: " . ($where ? 'not seen, as docs/robustness.md says' : "caught: $seen")) or diag $output;
    }
    my ($named) = slurp('docs/robustness.md') =~ /^## Barriers, each taken out\n(.*?)^## /ms;
    is(join(' ', sort map { unseen($_) eq 'nowhere' ? $_->{file} : () } @barriers), join(' ', sort grep {m{/(?:reduce_|sum_all)}} $named =~ /^\| \[[^]]+\]\(\.\.\/([^)]+)\)/mg),
        'docs/robustness.md names each removal that passes') if @barriers;
    my %of_tiles = map { $_ => 1 } @{ $right{tiles} // [] };
    ok($of_tiles{"columns by $_ lanes, and by teams of blocks"}, "rows, columns by $_ lanes: right with the fault of 16 lanes") for in_tier('more') ? (8, 32) : ();
}

done_testing(), exit unless in_tier('more');

# ---- the recorded runs ----
my $results = 'results/h200';
my (%best, %chosen);
for my $row (rows("$results/tune.csv")) {
    my $at = "$row->{n} $row->{cache}";
    $best{$at} = $row->{us} if !defined $best{$at} || $row->{us} < $best{$at};
    $chosen{$at} = $row->{us} if $row->{chosen};
}
cmp_ok(scalar keys %best, '>=', 50, 'tune.csv has times at many n');
for my $at (sort { $a <=> $b } map { (split)[0] } grep {/cold/} keys %best) {
    my @share = map { $chosen{"$at $_"} ? $chosen{"$at $_"} / $best{"$at $_"} : 9 } qw(cold warm);
    ok($share[0] + $share[1] < 2 * 1.15, sprintf 'n = %d: the plan is near the best, cold %.2f, warm %.2f', $at, @share);
}
my %rows;
for my $row (rows('results/h200/tune_rows.csv')) {    # the last that was recorded, by the plans of today
    push @{ $rows{"$row->{operator} $row->{of} $row->{columns} $row->{n}"} }, $row;
}
my @off = grep {
    my ($least) = sort { $a <=> $b } map { $_->{us} } @{ $rows{$_} };
    !grep { $_->{chosen} && $_->{us} <= 1.1 * $least } @{ $rows{$_} };
} sort keys %rows;
cmp_ok(scalar keys %rows, '>=', 400, 'tune_rows.csv has times of many shapes');
cmp_ok(@off / keys %rows, '<', 0.05, 'the plan of rows and columns is within a tenth of the best, but for few shapes') or diag join "\n", @off;
my %seen;
for my $row (rows("$results/compare.csv")) {
    $seen{"$row->{rival} $row->{launch} $row->{cache} $row->{n}"} = 1 if $row->{offset} == 0;
    next if $row->{low} <= $row->{ratio} && $row->{ratio} <= $row->{high};
    fail("compare.csv: n = $row->{n} against $row->{rival}: the ratio lies in its interval");
}
for my $launch (qw(graph plain single)) {
    for my $cache (qw(cold warm)) {
        is(scalar grep({ $seen{"cub $launch $cache " . 2**$_} } 0 .. 31), 32, "compare.csv: CUB, $launch, $cache, 2^0 to 2^31");
    }
}
my ($about) = run("cat $results/machine.json");
like($about, qr/"$_": "?[^",\s]/, "machine.json says $_") for qw(commit date gpu cccl newer_cccl);

# ---- the exact sum's kernels for more than library_exact has: its contract by plans that take nothing else ----
my ($plans, $exact_plan) = slurp("$folder/sum_f32_plan.c") =~ /\A(.*?)(^struct sum_f32_plan sum_exact_plan\(.*)\z/ms;
for my $loads (in_tier('nightly') ? (2, 4, 8, 16) : ()) {    # 2: as on a GPU without clusters
    my $none = { 2 => '0', 4 => '128 \* K|256 \* K', 8 => '\d+ \* K|4 \* M', 16 => '\d+ \* [KM]' }->{$loads};
    spew("$scratch/plan.c", $plans . $exact_plan =~ s/n <= 4 \* K\b/n == 0/r =~ s/&& clusters/&& false/r =~ s/n <= (?:$none)\b/false/gr);
    run("\${CC:-gcc} -std=c11 -I$folder -Icommon -Isteps -Isimulator/include -c $scratch/plan.c -o $scratch/plan.o && $link $scratch/plan.o "
        . join(' ', map {"build/sim/$_.o"} "$folder/sum_exact", "$folder/sum_f32", 'tests/library/exact', map {"steps/13_exact/$_"} qw(accumulators cached_accumulators doubles cpu_exact))
        . " build/sim/libcommon.a -o $scratch/planned -lm");
    ($output, $status) = run("$scratch/planned 56");
    my @failed = $output =~ /^not ok \d+ - (.*)/mg;    # these kernels need slots
    is("$status @failed", '1 8 bytes are enough for 4096 floats', "the exact sum by the kernel with $loads loads") or diag $output;
    like($output, qr/^ok \d+ - far below the window$/m, 'and all of its contract');
}

# ---- make install ----

my %template = slurp("$folder/pkgconfig.in") =~ /^\[(\w+)\]\n([^\[]*)/mg;
is(join(' ', sort keys %template), 'reduce_rows sum_f32 sum_f32_all', 'pkgconfig.in: three packages');
for (sort keys %template) {
    like($template{$_}, qr/^Name: $_\nDescription: .+\nVersion: [\d.]+\n(?:Requires|Cflags): /m, "$_.pc: a field a line, as pkg-config reads them");
}
like($template{reduce_rows}, qr/^Requires: sum_f32$/m, 'reduce_rows.pc names what it needs');
# (a .pc file) -> its variable cuda, its Cflags and its Libs, with every variable's value
sub flags_of {
    my ($config) = run("cat $_[0]");
    my %is = $config =~ /^(\w+)=(.*)$/mg;
    for (my $i = 0; $i < 3; $i++) { s/\$\{(\w+)\}/$is{$1}/g for values %is, $config }
    return ($is{cuda}, $config =~ /^Cflags: (.*)$/m, $config =~ /^Libs: (.*)$/m);
}
my $nvcc = quick_nvcc();
SKIP: {
    skip 'no nvcc here, or not by night', 26 unless $nvcc && in_tier('nightly');
    ($output, $status) = run("make BACKEND=cuda ARCH=sm_90 NVCC=$nvcc install PREFIX=$scratch/usr");
    is($status, 0, 'make install') or diag $output;
    unlike($output, qr/warning/i, 'make install: without a warning') or diag $output;
    my ($cuda, $cflags, $libs) = flags_of("$scratch/usr/lib/pkgconfig/sum_f32.pc");
    unlike("$cflags $libs", qr/[\$@]/, 'sum_f32.pc: every variable has a value');
    ($output, $status) = run("gcc -std=c11 -Wall $folder/example.c $cflags $libs -o $scratch/example");
    is($status, 0, 'a C program links with it') or diag $output;
    spew("$scratch/types.c", "#include <sum_types.h>\nint main(void) { size_t bytes; return sum_i32(0, 0, 0, 0, 0) + sum_f16(0, 0, 0, 0, 0)"
        . " + sum_bf16(0, 0, 0, 0, 0) + sum_f64(0, 0, 0, 0, 0) + sum_f32_workspace_bytes(&bytes); }\n");
    ($output, $status) = run("gcc -std=c11 -Wall -Wextra -Werror $scratch/types.c $cflags $libs -o $scratch/types");
    is($status, 0, 'and with the functions of the other types') or diag $output;

    ($output, $status) = run("gcc -std=c11 -Wall -Wextra -Werror $folder/example_rows.c $cflags $libs -o $scratch/rows");
    is($status, 0, 'and with those of rows') or diag $output;

    # sum_f32_all() where NCCL is; where it is not, it alone is left out.
    my $make = "make -s BACKEND=cuda ARCH=sm_90 NVCC=$nvcc";
    SKIP: {
        skip 'no NCCL here', 3 unless -e "$scratch/usr/include/sum_all.h";
        (undef, $cflags, $libs) = flags_of("$scratch/usr/lib/pkgconfig/sum_f32_all.pc");
        unlike("$cflags $libs", qr/[\$@]/, 'sum_f32_all.pc: every variable has a value');
        spew("$scratch/all.c", "#include <sum_all.h>\nint main(void) { struct sum_f32_share share = {0}; sum_f32_all_destroy(0);\n"
            . "return sum_f32_all_create(0, 0, 0, SUM_F32_BY_SLOTS, 1) + sum_f32_all(0, &share) + sum_f32_all_wait(0, &share) + sum_f32_all_status(0); }\n");
        ($output, $status) = run("gcc -std=c11 -Wall -Wextra -Werror $scratch/all.c $cflags $libs -o $scratch/all");
        is($status, 0, 'a C program links with sum_f32_all()') or diag $output;
        skip 'no MPI here', 1 if (run('command -v mpicc'))[1] != 0;
        ($output, $status) = run("mpicc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Icommon -I. $cflags -fsyntax-only steps/14_many_gpus/sum_mpi.c");
        is($status, 0, 'sum_mpi.c compiles') or diag $output;
    }
    ($output, $status) = run("$make NCCL_HOME=$scratch/none -n build/cuda/libsum_f32.a");
    is($status, 0, 'the library is built without NCCL');
    unlike($output, qr/sum_all/, 'but for sum_f32_all()');
    ($output, $status) = run("$make NCCL_HOME=$scratch/none install-all PREFIX=$scratch/none");
    is($status, 0, 'make install without NCCL');
    like($output, qr/\A[^\n]*no NCCL here[^\n]*left out\n\z/, 'make install without NCCL: one line');
    for (["NCCL_HOME=$scratch/none", qr/needs NCCL.*NCCL_HOME=FOLDER/], ['MPICC=none', qr/needs (MPI|NCCL)/]) {
        my ($without, $line) = @$_;
        ($output, $status) = run("$make $without sum_mpi");
        isnt($status, 0, "make $without sum_mpi");
        like($output, qr/\Amake: sum_mpi $line.*\nmake\S*: \*\*\* .*\n\z/, "make $without sum_mpi: one line says what it needs");
    }
    ($output, $status) = run("make -s BACKEND=cuda ARCH=sm_90 NVCC=$nvcc install 'PREFIX=/opt/a|b c' 'DESTDIR=$scratch/not yet'");
    is($status, 0, 'make install: names with blanks and bars') or diag $output;
    like(slurp("$scratch/not yet/opt/a|b c/lib/pkgconfig/sum_f32.pc"), qr{\Aprefix=/opt/a\|b c\n}, 'sum_f32.pc says where it will be');
    ok(-s "$scratch/not yet/opt/a|b c/lib/libsum_f32.a", 'and the library is there');
    skip 'there is a GPU here', 5 if (run('nvidia-smi -L'))[0] =~ /^GPU/;
    ($output, $status) = run("LD_LIBRARY_PATH=$cuda/lib64 $scratch/example");
    is("$status $output", "77 example: no GPU, or no memory on it\n", 'and says so where there is no GPU');
    for (['with_torch.py sums', 2, qr/usage/], ["with_torch.py sums $scratch/x.csv libsum_f32.so 1K", 2, qr/usage/]) {
        my ($command, $expected, $line) = @$_;
        ($output, $status) = run("tools/measure/$command");
        is($status, $expected, "$command: exit status");
        like($output, qr/\A[^\n]*$line[^\n]*\n\z/, "$command: one line");
    }
}
done_testing();
