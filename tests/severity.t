#!/usr/bin/env perl
# tier: more
# The simulator's three severities: what is legal runs without a word (tests/simt/legal.cu); what is
# wrong by the memory model alone is noted once and goes on (tests/simt/formal_ub.cu), or ends with SIMT_STRICT=1;
# what is wrong ends the program, or only the launch with SIMT_GO_ON=1, with a list at the end.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

delete @ENV{qw(SIMT_STRICT SIMT_GO_ON)};
spew("$scratch/go_on.cu", <<'END');
#include <cstdio>
__global__ void past_end(int *p) { p[threadIdx.x + 60] = 1; }
__global__ void unwritten(int *p)
{
    __shared__ int tile[64];
    p[threadIdx.x] = tile[threadIdx.x];
}
__global__ void races(int *p)
{
    p[threadIdx.x / 2] = threadIdx.x;
}
__global__ void waits(volatile int *p)
{
    if (threadIdx.x == 3)
        while (p[0] != -1)
            ;
    __syncthreads();
}
__global__ void overflows(int *p, int n)
{
    volatile char frame[8192];
    frame[n] = 1;
    if (n < 100)
        overflows(p, n + 1);
    p[0] = frame[n];
}
__global__ void right(int *p) { p[threadIdx.x] = 5; }
int main()
{
    int *p, first = 0;
    cudaMalloc(&p, 64 * sizeof *p);
    cudaMemset(p, 0, 64 * sizeof *p);
    past_end<<<2, 64>>>(p);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    unwritten<<<1, 64>>>(p);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    races<<<1, 64>>>(p);
    waits<<<1, 64>>>(p);
    overflows<<<1, 1>>>(p, 0);
    p[0] = 7;
    right<<<1, 64>>>(p);
    cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
    printf("in the end: %d\n", first);
    return 0;
}
END
my @build = ((map {"simulator/simcc -g1 tests/simt/$_.cu -o $scratch/$_"} qw(legal formal_ub silent false_negatives)), "simulator/simcc -g1 $scratch/go_on.cu -o $scratch/go_on");
is((run($_))[1], 0, $_ =~ s{.*/}{}r . ' compiles') or BAIL_OUT('simcc failed') for @build;

for my $seed (0 .. (in_tier('nightly') ? 7 : 1)) {
    my ($output, $status) = run("SIMT_STRICT=1 $guard $scratch/legal $seed");
    is($status, 0, "legal programs, schedule $seed") or diag $output;
    is(scalar(() = $output =~ /^ok /mg), $output =~ /^1\.\.(\d+)/m ? $1 : -1, "all of them, schedule $seed");
    unlike($output, qr/^simulator/m, "without a word, schedule $seed") or diag $output;
}

my $names;
for my $program (qw(formal_ub silent)) {
    my (%lines, $number);
    for (split /^/, slurp("tests/simt/$program.cu")) {
        $number++;
        push @{ $lines{$1} }, $number if m{/\* NOTE (\w+) \*/};
    }
    my $word = $program eq 'silent' ? 'nothing, or its lines' : 'its lines';
    ($names) = run("$scratch/$program");
    my @right = grep {/^right_/} split /\n/, $names;
    is(join(' ', sort grep { !/^right_/ } split /\n/, $names), join(' ', sort keys %lines), "every kernel of $program.cu has a line to be noted");
    cmp_ok(scalar keys %lines, '>=', 9, 'a dozen of them, or nearly');
    for my $name (sort keys %lines, @right) {
        for my $seed (0, in_tier('nightly') && $program eq 'formal_ub' ? (1, 2) : 2) {
            my ($output, $status) = run("$guard $scratch/$program $name $seed");
            is($status, 0, "$name, schedule $seed: goes on");
            my @notes = $output =~ /^simulator: note: (.*)/mg;
            my %noted = map { $_ => 1 } map {/$program\.cu:(\d+)/g} @notes;
            is_deeply([grep { !$noted{$_} } @{ $lines{$name} // [] }], [], "$name, schedule $seed: $word are noted") or diag $output;
            unlike($output, $lines{$name} ? qr/^simulator: (?!note: )/m : qr/^simulator: /m, "$name, schedule $seed: nothing worse") or diag $output;
            is(scalar @notes, scalar(keys %{ { map { $_ => 1 } @notes } }), "$name, schedule $seed: each once");
        }
        my ($output, $status) = run("SIMT_STRICT=1 $guard $scratch/$program $name");
        is($status, $lines{$name} ? 1 : 0, "$name with SIMT_STRICT=1: its status");
        unlike($output, qr/note:/, "$name with SIMT_STRICT=1: no note");
        my $line = join '|', @{ $lines{$name} // next };
        like($output, qr/^simulator: .*$program\.cu:(?:$line)\b/m, "$name with SIMT_STRICT=1: its line");
    }
}

# Whether a race, or a read of what nothing has written, matters is tried: another value there, and the same memory is
# left. The twins of these leave another.
spew("$scratch/tried.cu", <<'END');
#include <cstdio>
#include <cstring>
__global__ void levels(int *level, int *changed, int now, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != now)
        return;
    for (int e = 1; e <= 3; e++) {
        int w = (v * 5 + 7 * e) % n;
        if (level[w] == -1) {
            level[w] = now + 1;
            *changed = 1;
        }
    }
}
__global__ void parents(int *parent, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (parent[v / 2] == -1)
        parent[v / 2] = v;
}
__global__ void neighbours(float *x, float *y, int n)
{
    __shared__ float tile[65];
    int i = threadIdx.x;
    tile[i] = x[i];
    __syncthreads();
    if (i < n - 1)
        y[i] = tile[i + 1];
}
__global__ void all_neighbours(float *x, float *y) { y[threadIdx.x] = x[threadIdx.x + 1]; }
__global__ void even(int *count)
{
    int c = 0;
    if (threadIdx.x % 2 == 0) {
        c = 1;
        for (int d = 16; d > 0; d /= 2)
            c += __shfl_down_sync(0x55555555, c, d);
    }
    __syncwarp();
    if (threadIdx.x == 0)
        *count = c;
}
__global__ void says(float *x) { printf("%d\n", x[0] > 1); }
int main(int argc, char **argv)
{
    enum { N = 128 };
    int *p, h[N];
    const char *what = argc > 1 ? argv[1] : "";
    cudaMalloc(&p, 4 * N * sizeof *p);
    memset(h, -1, sizeof h);
    h[0] = 0;
    if (!strcmp(what, "levels")) {
        cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
        for (int changed = 1, now = 0; changed; now++) {
            cudaMemset(p + N, 0, sizeof *p);
            levels<<<2, 64>>>(p, p + N, now, N);
            cudaMemcpy(&changed, p + N, sizeof changed, cudaMemcpyDeviceToHost);
        }
    } else if (!strcmp(what, "parents")) {
        cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);
        parents<<<2, 64>>>(p, N);
    } else if (!strcmp(what, "even")) {
        even<<<1, 32>>>(p);
    } else {
        float *x;
        cudaMalloc(&x, N * sizeof *x);
        cudaMemset(x, 0, 40 * sizeof *x);
        if (!strcmp(what, "neighbours"))
            neighbours<<<1, 64>>>(x, (float *)p, 40);
        else if (!strcmp(what, "all_neighbours"))
            all_neighbours<<<1, 64>>>(x, (float *)p);
        else
            says<<<1, 1>>>(x + 50);
    }
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
}
END
is((run("simulator/simcc $scratch/tried.cu -o $scratch/tried"))[1], 0, 'tried.cu compiles');
for (['levels', 0, 'simulator: note: [^\n]*read-write race in global memory[^\n]*tried with the value from before the write, too, the launch left the same\)'],
    ['parents', 1, 'simulator: [^\n]*read-write race in global memory: [^\n]*, no barrier[^\n]*between$'],
    ['neighbours', 0, 'simulator: note: [^\n]* reads memory that nothing has written, and does not use it'],
    ['all_neighbours', 1, 'simulator: [^\n]* reads global memory that no thread or copy has written, and none does later: it is not initialised$'],
    ['even', 1, 'simulator: [^\n]* reads lane 1, which its mask 0x55555555 does not name: undefined, and the value is used'],
    ['says', 1, 'simulator: [^\n]* reads global memory that no thread or copy has written, and none does later: it is not initialised$']) {
    my ($name, $expected, $message) = @$_;
    my ($output, $status) = run("$guard $scratch/tried $name");
    is($status, $expected, "$name: status $expected");
    like($output, qr/^$message/m, "$name: " . ($expected ? 'wrong' : 'noted')) or diag $output;
    unlike($output, qr/^simulator: (?!note)/m, "$name: and nothing worse") unless $expected;
    is($output =~ s/^cudaSuccess$//mg, $expected && $name ne 'parents' ? '' : 1, "$name: printed once");
    is((run("SIMT_STRICT=1 $guard $scratch/tried $name"))[1], 1, "$name with SIMT_STRICT=1");
}

# Message passing by volatile or relaxed accesses: without a fence the older value may come, which is tried. A thread that
# then reads again is right.
spew("$scratch/relaxed.cu", <<'END');
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#define KERNEL(NAME) __global__ void NAME(volatile int *d)
__device__ int wait_for(volatile int *p, int value)
{
    while (*p != value)
        ;
    return 1;
}
KERNEL(no_fence) /* wrong: nor between the two reads$ */
{
    if (blockIdx.x == 0)
        d[1] = 5, d[0] = 1;
    else
        d[2 + blockIdx.x] = wait_for(d, 1) + d[1]; // THERE no_fence
}
KERNEL(no_first_fence) /* wrong: no __threadfence\(\) between the two writes$ */
{
    if (blockIdx.x == 0)
        d[1] = 5, d[0] = 1;
    else if (threadIdx.x == 0) {
        wait_for(d, 1);
        __threadfence();
        d[2 + blockIdx.x] = d[1]; // THERE no_first_fence
    }
}
KERNEL(no_second_fence) /* note: no __threadfence\(\) after the flag was read; hardware seldom */
{
    if (blockIdx.x == 0) {
        d[1] = 5;
        __threadfence();
        d[0] = 1;
    } else
        d[2 + blockIdx.x] = wait_for(d, 1) + d[1]; // THERE no_second_fence
}
KERNEL(fences) /* */
{
    if (blockIdx.x == 0) {
        d[1] = 5;
        __threadfence();
        d[0] = 1;
    } else {
        wait_for(d, 1);
        __threadfence();
        d[2 + blockIdx.x] = d[1];
    }
}
KERNEL(not_used) /* note: but with that value this launch left the same */
{
    if (blockIdx.x == 0)
        d[1] = 5, d[0] = 1;
    else if (wait_for(d, 1) + d[1] > 0) // THERE not_used
        d[2 + blockIdx.x] = 1;
}
KERNEL(relaxed_atomics) /* wrong: nor between the two reads$ */
{
    cuda::atomic_ref<int, cuda::thread_scope_device> data((int &)d[1]), flag((int &)d[0]);
    if (blockIdx.x == 0) {
        data.store(5, cuda::memory_order_relaxed);
        flag.store(1, cuda::memory_order_relaxed);
    } else {
        while (flag.load(cuda::memory_order_relaxed) == 0)
            ;
        d[2 + blockIdx.x] = data.load(cuda::memory_order_relaxed); // THERE relaxed_atomics
    }
}
KERNEL(own_grid_barrier) /* wrong: no __threadfence\(\) between the two writes */
{
    d[64 + blockIdx.x * blockDim.x + threadIdx.x] = blockIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((int *)d, 1);
        wait_for(d, gridDim.x);
    }
    __syncthreads();
    unsigned next = (blockIdx.x + 1) % gridDim.x;
    d[1024 + blockIdx.x * blockDim.x + threadIdx.x] = d[64 + next * blockDim.x + threadIdx.x]; // THERE own_grid_barrier
}
KERNEL(look_back_in_one_word) /* */
{
    volatile unsigned long long *slots = (volatile unsigned long long *)d;
    unsigned long long before = 0;
    if (blockIdx.x > 0)
        while (((before = slots[blockIdx.x - 1]) >> 32) == 0)
            ;
    slots[blockIdx.x] = 1ull << 32 | ((unsigned)before + blockIdx.x);
}
KERNEL(look_back_in_two) /* wrong: no __threadfence\(\) between the two writes */
{
    int before = 0;
    if (blockIdx.x > 0) {
        wait_for(&d[64 + blockIdx.x - 1], 1);
        before = d[blockIdx.x - 1]; // THERE look_back_in_two
    }
    d[blockIdx.x] = before + blockIdx.x + 1;
    d[64 + blockIdx.x] = 1;
}
KERNEL(lost_update) /* wrong: one of two such updates may be lost */
{
    d[0] = d[0] + 1; // THERE lost_update
}
KERNEL(lock_without_fences) /* wrong: nor between the two reads$ */
{
    while (atomicCAS((int *)d, 0, 1) != 0)
        ;
    d[1] = d[1] + 1; // THERE lock_without_fences
    atomicExch((int *)d, 0);
}
KERNEL(lost_relaxed_update) /* wrong: one of two such updates may be lost */
{
    cuda::atomic_ref<int, cuda::thread_scope_device> x((int &)d[0]);
    x.store(x.load(cuda::memory_order_relaxed) + 1, cuda::memory_order_relaxed); // THERE lost_relaxed_update
}
KERNEL(takes_turns) /* */
{
    int v;
    while ((v = d[0]) != (int)blockIdx.x)
        ;
    d[0] = v + 1;
}
KERNEL(sets_a_hint) /* */
{
    if (d[0] < 3)
        d[0] = 3;
}
KERNEL(compares_and_swaps) /* */
{
    for (int old = d[0]; atomicCAS((int *)d, old, old + 1) != old; old = d[0])
        ;
}
int main(int argc, char **argv)
{
    int *data, h[6];
    cudaMalloc(&data, 1 << 14);
    cudaMemset(data, 0, 1 << 14);
#define RUN(NAME) if (strcmp(argv[1], #NAME) == 0) NAME<<<4, *#NAME == 'o' ? 32 : 1>>>(data);
    RUN(no_fence) RUN(no_first_fence) RUN(no_second_fence) RUN(fences) RUN(not_used) RUN(relaxed_atomics) RUN(own_grid_barrier)
    RUN(look_back_in_one_word) RUN(look_back_in_two) RUN(lost_update) RUN(lock_without_fences) RUN(lost_relaxed_update) RUN(takes_turns) RUN(sets_a_hint) RUN(compares_and_swaps)
    cudaMemcpy(h, data, sizeof h, cudaMemcpyDeviceToHost);
    if (argc > 2)
        printf("%d %d %d\n", h[0], h[1], h[3]);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
END
is((run("simulator/simcc $scratch/relaxed.cu -o $scratch/relaxed"))[1], 0, 'relaxed.cu compiles');
my (%message, %there, $at);
for (split /^/, slurp("$scratch/relaxed.cu")) {
    $at++;
    $message{$1} = $2 if m{^KERNEL\((\w+)\) /\* (.*?) ?\*/};
    $there{$1}   = $at if m{// THERE (\w+)};
}
for my $name (sort keys %message) {
    my ($degree, $words) = $message{$name} =~ /^(wrong|note): (.*)/;
    my ($output, $status) = run("$guard $scratch/relaxed $name");
    is($status, ($degree // '') eq 'wrong' ? 1 : 0, "$name: status");
    like($output, $degree ? qr/^simulator: @{[$degree eq 'note' ? 'note: ' : '']}\S+:$there{$name}: $name, .*$words/m : qr/\A\z/, "$name: what is said") or diag $output;
    is(scalar(() = $output =~ /^simulator:/mg), $degree ? 1 : 0, "$name: once") or diag $output;
    for my $seed (1 .. 3) {
        ($output) = run("SIMT_STRICT=1 SIMT_SCHEDULE=$seed $guard $scratch/relaxed $name");
        is($output, '', "$name, schedule $seed: no message");
    }
}
for my $name (qw(no_fence look_back_in_two lost_update)) { # and the value comes
    my %left = map { (run("SIMT_SCHEDULE=$_ $scratch/relaxed $name print"))[0] => 1 } 1 .. 20;
    cmp_ok(scalar keys %left, '>', 1, "$name: goes wrong visibly");
}

# Litmus tests: what PTX's model allows appears, what it forbids never does.
{
    my ($output, $status) = run("simulator/simcc -g1 tests/simt/litmus.cu -o $scratch/litmus && SIMT_STRICT=1 $guard $scratch/litmus");
    is($status, 0, 'litmus tests') or diag $output;
    cmp_ok(scalar(() = $output =~ /^ok /mg), '>=', 70, 'all of them');
}

# A plain read of what others change by atomicMin() and its kin is harmless where such an atomic is what it is read for
# (relax and visit of formal_ub.cu). These read it for another end.
spew("$scratch/one_way.cu", <<'END');
#include <cstdio>
#include <cstring>
#define I int i = blockIdx.x * blockDim.x + threadIdx.x
__global__ void only_read(int *m, int *)
{
    I;
    if (i < 100)
        atomicMax(&m[0], i);
    else if (m[0] < 50)  /* WRONG only_read */
        printf("low\n");
}
__global__ void after_the_last(int *m, int *y)
{
    I;
    atomicMax(&m[0], i);
    y[i] = m[0];  /* WRONG after_the_last */
}
__global__ void between(int *m, int *y)
{
    I;
    for (int round = 0; round < 2; round++) {
        atomicMax(&m[0], i + round);
        if (m[0] > 50)  /* WRONG between */
            y[i] = 1;
    }
}
__global__ void other_array(int *m, int *y)
{
    I;
    int limit = m[0];  /* WRONG other_array */
    atomicMax(&y[i % 4], limit + i);
    if (i % 7 == 0)
        atomicMax(&m[0], i);
}
__global__ void sums(int *m, int *)
{
    I;
    if (m[0] < 50)  /* WRONG sums */
        atomicAdd(&m[0], i);
}
__global__ void in_shared(int *, int *y)
{
    __shared__ int m;
    if (threadIdx.x == 0)
        m = 0;
    __syncthreads();
    if (m < (int)threadIdx.x)  /* WRONG in_shared */
        atomicMax(&m, threadIdx.x);
    __syncthreads();
    y[threadIdx.x] = m;
}
typedef void kernel_fn(int *, int *);
static const struct { const char *name; kernel_fn *kernel; } kernels[] = {
    {"only_read", only_read}, {"after_the_last", after_the_last}, {"between", between}, {"other_array", other_array}, {"sums", sums}, {"in_shared", in_shared}};
int main(int, char **argv)
{
    int *m, *y;
    cudaMalloc(&m, 1024);
    cudaMalloc(&y, 1024);
    cudaMemset(m, 0, 1024);
    cudaMemset(y, 0, 1024);
    for (auto &k : kernels)
        if (strcmp(k.name, argv[1]) == 0)
            k.kernel<<<4, 64>>>(m, y);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 3;
}
END
is((run("simulator/simcc $scratch/one_way.cu -o $scratch/one_way"))[1], 0, 'one_way.cu compiles');
my ($count, %wrong) = (0);
for (split /^/, slurp("$scratch/one_way.cu")) {
    $count++;
    $wrong{$1} = $count if m{/\* WRONG (\w+) \*/};
}
is(scalar keys %wrong, 6, 'six reads for another end');
for my $name (sort keys %wrong) {
    for my $seed (0, 3) {
        my ($output, $status) = run("SIMT_SCHEDULE=$seed $guard $scratch/one_way $name");
        is($status, 1, "$name, schedule $seed: status 1");
        like($output, qr/^simulator: (?!note).*read-write race in (?:global|shared) memory.*\bone_way\.cu:$wrong{$name}\b|^simulator: \S+one_way\.cu:$wrong{$name}: .*read-write race/m, "$name, schedule $seed: its read is wrong") or diag $output;
    }
}

# An access outside of a local array, by a function that has only a pointer to it: with simcc --locals.
spew("$scratch/locals.cu", <<'END');
#include <cstdio>
#include <cstring>
__device__ __noinline__ void fill(int *to, int n, int from = 0)
{
    for (int i = from; i < n; i++)
        to[i] = i; // WRONG past before three
}
__device__ __noinline__ int sum(const int *of, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += of[i]; // WRONG reads
    return s;
}
__global__ void past(int *data, int n)
{
    int a[8], b[8];
    fill(b, 8);
    fill(a, n + 1);
    data[threadIdx.x] = a[threadIdx.x % 8] + b[threadIdx.x % 8];
}
__global__ void before(int *data, int n)
{
    int a[8], b[8];
    fill(b, 8);
    fill(a, n, -1);
    data[threadIdx.x] = a[threadIdx.x % 8] + b[threadIdx.x % 8];
}
__global__ void three(int *data, int n)
{
    int a[3];
    fill(a, n / 2);
    data[threadIdx.x] = a[threadIdx.x % 3];
}
__global__ void reads(int *data, int n)
{
    int a[8];
    fill(a, n);
    data[threadIdx.x] = sum(a, n + 1);
}
__global__ void right(int *data, int n)
{
    __shared__ volatile int flag;
    int a[8];
    fill(a, n);
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 33)
        flag = 1;
    if (threadIdx.x == 1)
        while (flag == 0)
            ;
    data[threadIdx.x] = sum(a, n) + atomicAdd(&data[100], 1);
}
int main(int, char **argv)
{
    int *data;
    cudaMalloc(&data, 1024);
    cudaMemset(data, 0, 1024);
    struct { const char *name; void (*kernel)(int *, int); } all[] = {{"past", past}, {"before", before}, {"three", three}, {"reads", reads}, {"right", right}};
    for (auto &k : all)
        if (strcmp(k.name, argv[1]) == 0)
            k.kernel<<<2, 64>>>(data, 8);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
is((run("simulator/simcc --locals $scratch/locals.cu -o $scratch/locals"))[1], 0, 'locals.cu compiles with --locals');
my %outside = (past => [6, 'writes 4 bytes at byte 32 of its local variable a of 32 bytes'], before => [6, 'writes 4 bytes, 4 before its local variable a of 32 bytes'],
    three => [6, 'writes 4 bytes at byte 12 of its local variable a of 12 bytes'], reads => [12, 'reads 4 bytes at byte 32 of its local variable a of 32 bytes'], right => undef);
for my $name (sort keys %outside) {
    my ($line, $text) = @{ $outside{$name} // [] };
    for my $seed (0, 3) {
        my ($output, $status) = run("SIMT_SCHEDULE=$seed $guard $scratch/locals $name");
        is($status, $line ? 1 : 0, "--locals, $name, schedule $seed: its status");
        like($output, $line ? qr/\Asimulator: \S+locals\.cu:$line: $name, block \(\d,0,0\), thread \(\d+,0,0\): $text\n\z/ : qr/\A\z/, "--locals, $name, schedule $seed: one line, or none");
    }
}
like((run("SIMT_GO_ON=1 $guard $scratch/locals past"))[0], qr/^simulator: 1 finding in all:$/m, '--locals goes on, too');
is((run("simulator/simcc --locals -fsanitize=address $scratch/locals.cu -o $scratch/both"))[1], 2, '--locals beside a sanitizer: refused');

# 16 bytes at a multiple of 8: two doubles may lie there, a float4 may not.
my $pair = "struct pair { double x, y; };\n__global__ void k(double *d)\n{\n    pair *p = (pair *)(d + 1);\n    p[2 + threadIdx.x] = p[threadIdx.x];\n}\n"
    . "int main()\n{\n    double *d;\n    cudaMalloc(&d, 1024);\n    cudaMemset(d, 0, 1024);\n    k<<<1, 1>>>(d);\n    return cudaDeviceSynchronize();\n}\n";
(my $four = "float4 unused;\n$pair") =~ s/pair \*/float4 */g;
for ([$pair, 0, qr/\A\z/, 'two doubles'], ["float4 unused;\n$pair", 0, qr/\A\z/, 'two doubles beside a float4'],
    [$four, 1, qr/\Asimulator: \S+:6: k, [^\n]* 16 bytes at an address that is no multiple of 16: misaligned\n\z/, 'a float4']) {
    my ($source, $wrong, $said, $name) = @$_;
    spew("$scratch/wide.cu", $source);
    my ($output, $status) = run("simulator/simcc $scratch/wide.cu -o $scratch/wide && $scratch/wide");
    is($status, $wrong, "$name at a multiple of 8: status $wrong");
    like($output, $said, "$name at a multiple of 8: what is said");
}

SKIP: {
    skip 'other processors take 16 bytes anywhere', 2 unless `uname -m` =~ /x86_64/;
    spew("$scratch/wide.cu", "__global__ void k(float *p)\n{\n    *(float4 *)(p + 2) = make_float4(1, 2, 3, 4);\n}\n"
        . "int main()\n{\n    float *p;\n    cudaMalloc(&p, 64);\n    k<<<1, 1>>>(p);\n    return cudaDeviceSynchronize();\n}\n");
    my ($output, $status) = run("simulator/simcc $scratch/wide.cu -o $scratch/wide && $scratch/wide");
    is($status, 1, 'a float4 at a multiple of 8: status 1');
    like($output, qr/^simulator: \S+:3: k, [^\n]* 16 bytes at an address that is no multiple of 16: misaligned$/m, 'where the processor refuses it');
}

# What it does not see has a row in the page's table: if one is seen some day, the row shall go.
my %row;
for (split /^/, slurp('docs/simulator.md') =~ s/.*^## What it does not see$(.*?)^## .*/$1/msr) {
    $row{$1} = 1 if /^\| .*\| `(\w+)` \|$/;
}
($names) = run("$scratch/false_negatives");
is(join(' ', sort split /\n/, $names), join(' ', sort keys %row), 'docs/simulator.md: a row for each kernel of false_negatives.cu');
for my $name (split /\n/, $names) {
    for my $seed (0, 5) {
        my ($output, $status) = run("SIMT_STRICT=1 SIMT_SCHEDULE=$seed $guard $scratch/false_negatives $name");
        is($status, 0, "$name, schedule $seed: not seen");
        unlike($output, qr/simulator/, "$name, schedule $seed: nothing is said") or diag $output;
    }
}

# A program that is right in the natural order, and under some others: SIMT_EXPLORE finds one that is not.
spew("$scratch/order.cu", <<'END');
#include <cstdio>
__global__ void order(int *p)
{
    if (threadIdx.x % 32 == 0)
        p[1 + atomicAdd(&p[0], 1)] = threadIdx.x;
}
int main()
{
    int *p;
    cudaMallocManaged(&p, 64);
    p[0] = 0;
    order<<<1, 64>>>(p);
    cudaDeviceSynchronize();
    printf("first came %d\n", p[1]);
    return p[1] == 0 ? 0 : 3;
}
END
run("simulator/simcc $scratch/order.cu -o $scratch/order");
is((run("$scratch/order"))[1], 0, 'right in the natural order');
for ([20, 3, qr/^first came 32\nsimulator: schedule \d+ of 20: this is what was found \(SIMT_SCHEDULE=(\d+)\)\n\z/],
    [1, 0, qr/\Afirst came 0\nsimulator: 1 schedules tried, and nothing found\n\z/],
    ['many', 1, qr/\Asimulator: SIMT_EXPLORE=many: a number of schedules from 1 to 100000 is needed\n\z/]) {
    my ($wanted, $expected, $message) = @$_;
    my ($output, $status) = run("SIMT_EXPLORE=$wanted $scratch/order");
    is($status, $expected, "SIMT_EXPLORE=$wanted: the program's own status");
    like($output, $message, "SIMT_EXPLORE=$wanted: what was tried");
    is((run("SIMT_SCHEDULE=$1 $scratch/order"))[1], 3, 'the schedule that it names') if $expected == 3 && $output =~ $message;
}
is((run("SIMT_EXPLORE=2 ./step01 -n 1000 --csv - 2>/dev/null | grep -vc ,"))[0], "0\n", 'SIMT_EXPLORE: what goes to standard error stays out of standard output');
# As many at once as there are cores (where the input is no file): the same on one and on all.
for my $cores ('', "taskset -c \$(taskset -cp \$\$ | sed 's/.*: //; s/[-,].*//') ") {
    my ($output, $status) = run("SIMT_EXPLORE=20 ${cores}$scratch/order </dev/null");
    is("$output$status", (run("SIMT_EXPLORE=20 $scratch/order"))[0] . '3', 'SIMT_EXPLORE=20 on ' . ($cores ? 'one core' : 'all cores') . ': the same schedule');
}

my ($output, $status) = run("$guard $scratch/go_on");
is($status, 1, 'a fault ends the program');
like($output, qr/\Asimulator: \S+go_on\.cu:2: past_end, .*: writes 4 bytes at byte 256 of an allocation of 256 bytes, made at \S+go_on\.cu:\d+\n\z/, 'at once, if nobody says otherwise');
($output, $status) = run("SIMT_GO_ON=1 $guard $scratch/go_on");
is($status, 1, 'SIMT_GO_ON=1: status 1 in the end');
my @lines = (2, 6, 10, 15, 22, 40);
my ($list) = $output =~ /^simulator: 6 findings in all:\n(.*)/ms;
is_deeply([($list // '') =~ /^simulator: \d\. \S+go_on\.cu:(\d+): /mg], \@lines, 'SIMT_GO_ON=1: a list at the end') or diag $output;
like($output, qr/^unspecified launch failure\n.*^no error\n/ms, 'a launch that is abandoned returns an error, one that can go on does not');
like($output, qr/^in the end: 5$/m, 'the program goes on');

# Without the search for races all but the race is found.
($output, $status) = run("SIMT_RACES=0 SIMT_GO_ON=1 $guard $scratch/go_on");
is($status, 1, 'SIMT_RACES=0: status 1 in the end');
($list) = $output =~ /^simulator: 5 findings in all:\n(.*)/ms;
is_deeply([($list // '') =~ /^simulator: \d\. \S+go_on\.cu:(\d+): /mg], [grep { $_ != 10 } @lines], 'SIMT_RACES=0: the others are found') or diag $output;
($output, $status) = run("SIMT_RACES=no $scratch/go_on");
like($output, qr/\Asimulator: SIMT_RACES=no: 0 or 1 is needed\n\z/, 'SIMT_RACES=no: one line');
is($status, 1, 'SIMT_RACES=no: status 1');

# ---- a reader's first experiment: v2's barrier moves into its if. CUDA allows it, and the sum stays right ----

run("cp -r steps $scratch/");
make_switch();
my $v2 = "$scratch/steps/02_sequential/v2.cu";
my $text = slurp($v2);
is($text =~ s/^( *if \(tid < stride && .*\))\n(.*\n)( *__syncthreads\(\);)/$1 {\n$2$3 }/m, 1, 'v2.cu has an if, and a barrier after it');
spew($v2, $text);
($output, $status) = build_switched("$scratch/step02", 'steps/02_sequential', 'steps/02_sequential/v2.cu');
is($status, 0, 'step 02 with its barrier in the if') or diag $output;
my $skipped = qr{\S+/v2\.cu:25: (?:n0::)?sum_blocks, block \(\d+,0,0\), thread \(\d+,0,0\): waits at __syncthreads\(\), but thread 128 has returned without it};
for my $seed (0, 3) {
    ($output, $status) = run("MUTANT=0 $guard $scratch/step02 --schedule $seed");
    is($status, 1, "schedule $seed: status 1");
    like($output, qr/^simulator: $skipped$/m, "schedule $seed: one line says what was skipped") or diag $output;
    is(scalar(() = $output =~ /^simulator: /mg), 1, "schedule $seed: and no other") or diag $output;
}
($output, $status) = run("SIMT_STRICT=0 MUTANT=0 $guard $scratch/step02");
is($status, 0, 'SIMT_STRICT=0: the sums are right');
like($output, qr/^simulator: note: $skipped$/m, 'SIMT_STRICT=0: a note') or diag $output;
is(scalar(() = $output =~ /^simulator: /mg), 1, 'SIMT_STRICT=0: once') or diag $output;
done_testing();
