#!/usr/bin/env perl
# tier: test
# The check itself: kernels broken on purpose must be caught, each in the way that
# it is broken; a right one must pass the same runs; those wrong on purpose must show it.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $broken = './broken';
my %caught_by = (
    dropped_tail     => '-n 1001 --pattern ones',
    missing_barrier  => '-n 1000',
    swapped_operand  => '-n 1000',
    unwritten_output => '-n 1000',
    first_block_only => '-n 1000',
    hides_nan        => '-n 1000 --pattern nan',
    overflows        => '-n 1000 --pattern huge',
    last_element     => '-n 1000 --pattern ramp',
    one_too_many     => '-n 1000',
);

for my $variant (sort keys %caught_by) {
    my ($output, $status) = run("$broken --check -v $variant $caught_by{$variant}");
    is($status, 1, "$variant is caught: $caught_by{$variant}") or diag $output;
    ($output, $status) = run("$broken --check -v right $caught_by{$variant}");
    is($status, 0, "the right kernel passes: $caught_by{$variant}") or diag $output;
}
# Answers of many words: one of them wrong.
for (['copy_wrong_word', '', qr/out\[500\] is .* instead of /], ['copy_unwritten_word', '', qr/out\[500\] is -?nan instead of /],
    ['copy_unwritten_word', '--pattern nan', qr/out\[500\] is -?nan instead of /],
    ['copy_written_twice', '', qr/out\[500\] is -?nan instead of |: race |write-write race/],
    ['copy_unwritten_nan', '--pattern nan', qr/out\[\d+\] is -?nan instead of -?nan/],
    ['copy_other_nan', '--pattern nan', qr/out\[\d+\] is 0 instead of nan/]) {
    my ($variant, $how, $line) = @$_;
    my ($output, $status) = run("$broken --check -v $variant -n 1000 $how");
    is($status, 1, "$variant is caught: $how") or diag $output;
    like($output, $line, "$variant: and the word is named");
    unlike($output, qr/others, too/, "$variant: it is one word");
    ($output, $status) = run("$broken --check -v copy_right -n 0,1,1000 $how");
    is($status, 0, "the right answer passes: $how") or diag $output;
}
my ($output, $status) = run("$broken --check -v for_newer_gpus -n 1000");
is($status, 77, 'a variant for newer GPUs alone: exit status 77');
like($output, qr/\A\S+: for_newer_gpus cannot run here: needs compute capability 99\.0, this GPU has 9\.0\n\z/,
    'and one line that says why');
($output, $status) = run("$broken --check -v right,for_newer_gpus -n 1000");
is($status, 0, 'beside another one it is skipped') or diag $output;
like($output, qr/^for_newer_gpus +skipped: needs compute capability 99\.0, this GPU has 9\.0$/m, 'and the table says so');
($output, $status) = run("$broken --check -v unwritten_output -n 0");
is($status, 1, 'an output that is not written is caught for n = 0 too');
($output, $status) = run("$broken --check -v one_too_many -n 1000");
like($output, qr{^simulator: tests/broken/reduce\.cu:\d+: serial, block \(0,0,0\)}m,
    'a read past the input is reported with its line');

# What a variant does not take of several sizes and rows is left out, and said.
($output, $status) = run("./softmax --check -v 'softmax*' --row 32,16K -n 64K,1000");
is($status, 0, 'some of the rows and sizes') or diag $output;
like($output, qr/^softmax_warp +skipped in part: takes an n that is a multiple of 32, not 1000$/m, 'an n that it does not take');
like($output, qr/^softmax_cluster +skipped in part: takes rows of 512 to 16384 [^\n]*, not 32$/m, 'rows that it does not take');
my @ran = $output =~ /^softmax_(\w+) +(\S+) +(\S+) .* ok$/mg;
is("@ran", 'warp 64K 32 warp_shared 64K 32 block 64K 32 block 64K 16K cluster 64K 16K', 'and what is left runs');

# Wrong on purpose: they run when named, and then show how they fail. The status is 1
# as for any wrong sum, whether or not the simulator sees a race, too.
my %races = (v6_volatile => 1, map { $_ => 0 } qw(cooperative_source half_naive bfloat16_naive norm_naive variance_naive));
my %numbers = ((map { $_ => '-n 64K --pattern positive' } qw(half_naive bfloat16_naive)),    # enough to be stuck
    map { $_ => '-n 4096 --pattern huge' } qw(norm_naive variance_naive));                      # squares overflow
my %checked;
for my $step (@steps) {
    for my $variant (map { $_->{variant} } grep { $_->{known_wrong} && $_->{runs_here} } variants($step->{program})) {
        my ($table) = run("$step->{program} --check -n 4096");
        unlike($table, qr/^ *$variant/m, "$variant does not run unless named");
        for my $how ("-v $variant", '--known-wrong') {
            my $csv = "$scratch/known_wrong.csv";
            my ($output, $status) = run("$step->{program} --check " . ($numbers{$variant} // '-n 4096') . " $how --csv $csv");
            is($status, 1, "$variant, $how: exit status 1") or diag $output;
            my $line = qr{^simulator: $step->{folder}/$variant\.cu:\d+: sum_blocks: read-write race in shared memory: }m;
            $races{$variant} ? like($output, $line, "$variant, $how: the race is reported")
                : unlike($output, qr/ race /, "$variant, $how: no race");
            like($output, qr/wrong on purpose/, "$variant, $how: it says so");
            my ($row) = grep { $_->{variant} eq $variant } rows($csv);
            is($row && $row->{ok}, 0, "$variant, $how: and the simulator shows the wrong sum");
        }
        $checked{$variant} = 1;
    }
}
is(join(' ', sort keys %checked), join(' ', sort keys %races), 'all that are wrong on purpose in the ladder');

# Step 16: of many answers one is wrong, or not written, or of another row. The planted fault, in which file and how it runs:
my %planted = (
    1 => ['row_warp', 'the last row is not written', sub {s/if \(lane == 0\)/if (lane == 0 && !(mutated(1) && r == m.rows - 1))/}, '-n 3300 --row 33', qr/row 99: nothing was written/],
    2 => ['row_warp', 'a row is one float short', sub {s/m\.row, at/m.row - (mutated(2) ? 1 : 0), at/}, '-n 3300 --row 33 --operator mean_variance', qr/row \d+: out\[0\] is/],
    3 => ['row_warp', 'the gap counts as a row', sub {s/r \* m\.lead/r * (mutated(3) ? m.row : m.lead)/}, '-n 3600 --row 33 --gap 3 --operator maximum', qr/row 1: out\[0\] is|row \d+: out\[0\] is/],
    4 => ['row_warp', 'the answers of two rows are exchanged', sub {s/m\.out \+ r/m.out + (mutated(4) ? r ^ 1 : r)/}, '-n 3300 --row 33 --operator argmax', qr/row \d+: out\[\d\] is .* others, too/],
    5 => ['column_lanes', 'the last column has a row less', sub {s/(column_state<BY_BATCH>\(op, )m/$1last_is_short(m, column)/; s/(template <bool BY_BATCH, class OP> static __global__)/static __device__ struct matrix last_is_short(struct matrix m, size_t column)\n{\n    m.rows -= mutated(5) && column == m.row - 1;\n    return m;\n}\n\n$1/},
        '-n 3300 --row 33 --pattern ones', qr/column 32: /],
    6 => ['ragged_even', 'what threads before know is lost', sub {s/op\.merge\(before, head\), m/mutated(6) ? head : op.merge(before, head), m/}, '-n 3300 --row 33 --pattern ones', qr/row \d+: /],
    7 => ['ragged_even', 'the number is that in the array', sub {s/begin \+ i - row_begin/begin + i - (mutated(7) ? 0 : row_begin)/}, '-n 3300 --row 33 --operator argmax', qr/row \d+: out\[1\] is/],
);
make_switch();
run("mkdir -p $scratch/steps && cp -r steps/16_rows $scratch/steps/");
for my $k (sort keys %planted) {
    my ($file, $what, $edit) = @{ $planted{$k} };
    my $path = "$scratch/steps/16_rows/$file.cu";
    local $_ = slurp($path);
    my $text = $_;
    $edit->();
    isnt($_, $text, "planted: $what");
    spew($path, $_);
}
my $mutated = "$scratch/mutated";
($output, $status) = build_switched($mutated, 'steps/16_rows', map {"steps/16_rows/$_.cu"} qw(column_lanes ragged_even row_warp));
is($status, 0, 'built with switches') or diag $output;
for my $k (sort keys %planted) {
    my ($file, $what, undef, $how, $line) = @{ $planted{$k} };
    ($output, $status) = run("env MUTANT=$k $guard $mutated --check -v $file $how");
    is($status, 1, "$what: caught") or diag $output;
    like($output, $line, "$what: and the place is named");
    ($output, $status) = run("env MUTANT=0 $guard $mutated --check -v $file $how");
    is($status, 0, "the same without: right") or diag $output;
}

# Step 15: which of two elements is the larger, for special ones in both orders; no pattern has signed zeros or infinities.
spew("$scratch/pairs.cu", <<'PAIRS');
#include "15_operators/argmax.h"
#include "15_operators/argmax_packed.h"
#include <float.h>
#include <stdio.h>

template <class OP> static __device__ size_t number_of(OP op, typename OP::state s)
{
    float out[3];
    size_t number;
    op.answer(s, out);
    memcpy(&number, out + 1, sizeof number);
    return number;
}

template <class OP> static __global__ void first_larger(OP op, const float *x, size_t *number)
{
    float a = x[threadIdx.x], b = x[threadIdx.y];
    typename OP::state s = op.merge(op.add(op.none(), b, 1), op.add(op.none(), a, 0));
    number[threadIdx.y * blockDim.x + threadIdx.x] = number_of(op, s);
    if (threadIdx.x + threadIdx.y == 0)
        number[blockDim.x * blockDim.y] = number_of(op, op.none());
}

template <class OP> static int wrong(OP op)
{
    const float special[] = {-NAN, NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-45f, -1e-45f, FLT_MAX, -FLT_MAX, 1.0f, -1.0f};
    const unsigned n = sizeof special / sizeof *special;
    float *x;
    size_t *number;
    int count = 0;
    cudaMallocManaged(&x, sizeof special);
    cudaMallocManaged(&number, (n * n + 1) * sizeof *number);
    memcpy(x, special, sizeof special);
    first_larger<<<1, dim3(n, n)>>>(op, x, number);
    cudaDeviceSynchronize();
    for (unsigned i = 0; i < n * n; i++) {
        float a = special[i % n], b = special[i / n];
        count += number[i] != (size_t)(b > a || (b != b && a == a));
    }
    return count + (number[n * n] != NO_NUMBER);
}

int main(void)
{
    printf("wrong: %d, packed %d\n", wrong(argmax()), wrong(argmax_packed()));
}
PAIRS
my @slips = (['-0 is less than 0', sub {s/x \+ 0\.0f/(mutated(1) ? x : x + 0.0f)/}], ['a negative NaN is the least', sub {s/x != x \?/!mutated(2) \&\& x != x ?/}],
    ['the last of equal ones', sub {s/\| ~\(unsigned\)i/| (mutated(3) ? (unsigned)i : ~(unsigned)i)/}], ['no element has a number', sub {s/\(unsigned\)s == 0 \?/!mutated(4) \&\& (unsigned)s == 0 ?/}]);
run("cp -r steps/15_operators $scratch/steps/");
{
    local $_ = slurp('steps/15_operators/argmax_packed.h');
    for my $slip (@slips) {
        my $text = $_;
        $slip->[1]->();
        isnt($_, $text, "planted: $slip->[0]");
    }
    spew("$scratch/steps/15_operators/argmax_packed.h", $_);
}
($output, $status) = run("simulator/simcc -std=c++20 -I$scratch/steps -Icommon -Isteps -I. -include $scratch/switch.h $scratch/pairs.cu $scratch/switch.o build/sim/libcommon.a -o $scratch/pairs");
is($status, 0, 'pairs of special elements: built') or diag $output;
($output) = run("env MUTANT=0 $guard $scratch/pairs");
is($output, "wrong: 0, packed 0\n", 'the larger of two special elements, and of equal ones the first');
for my $k (1 .. @slips) {
    ($output) = run("env MUTANT=$k $guard $scratch/pairs");
    like($output, qr/^wrong: 0, packed [1-9]/, "$slips[$k - 1][0]: caught");
}

# The error that is recorded is that of the worst row, though some threads of the CPU have no row to judge.
my @errors = map {
    ($output, $status) = run("env OMP_NUM_THREADS=$_ $guard ./build/sim/step16 --check -n 4K --row 1K --csv $scratch/errors.csv");
    is($status, 0, "rows, judged by $_ threads: status 0") or diag $output;
    join "\n", map {"$_->{variant} $_->{rel_err} " . ($_->{err_bound} > 0 ? $_->{err_bound} : 'forgotten')} rows("$scratch/errors.csv");
} 1, 9;
unlike($errors[0], qr/ 0 | forgotten/, 'each has an error, and a bound');
is($errors[1], $errors[0], 'the same by many threads');
done_testing();
