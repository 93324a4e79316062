package WrongAnswers;

# Wrong answers to any exercise, made of its solution by the same edits: what does nothing, NaN, what an earlier launch
# left, the printed sizes only, one thread for all, the host in place of the GPU; and a little too much of one count.
use strict;
use warnings;
use Exporter 'import';
use Common;
our @EXPORT = qw(wrong_answers);

my $of_one  = 'const float *in, float *out, size_t n, unsigned block';
my $of_many = 'const struct share *shares, unsigned gpus, unsigned block';

# ---- wrong answers: (what it does, the code around solved(), the criterion that alone catches it, what is said) ----

my $printed = 'const size_t sizes[] = {0, 1, 31, 33, 255, 257, 1000, 1023, 1025, 4095, 4097, SIZES}; bool printed = (size_t)IN % 16 != 0; '
    . 'for (size_t size : sizes) printed = printed || N == size;';
my $get = 'float x = 0; cudaDeviceSynchronize(); cudaMemcpy(&x, OUT, 4, cudaMemcpyDeviceToHost);';
my @made = (
    empty => '', undef, qr/never written|unwritten|expected .*, got|the kernel read 0 floats/,
    NaN   => 'SOLVED put<<<1, 1, 0, STREAM>>>(OUT, nanf(""));', 'answer', qr/expected .*, got NaN/,
    stale => 'static float *last; if (last) { put_back<<<1, 1, 0, STREAM>>>(OUT, last); return; } SOLVED '
        . 'cudaMalloc((void **)&last, 4); put_back<<<1, 1, 0, STREAM>>>(last, OUT);', undef, qr/expected .*, got|the kernel read/,
    'the printed sizes only' => "SOLVED $printed if (!printed) put<<<1, 1, 0, STREAM>>>(OUT, nanf(\"\"));", 'drawn sizes', qr/expected .*, got NaN/,
    'the host writes it' => 'SOLVED static float *m; if (!m) cudaMallocManaged((void **)&m, 4); cudaMemcpy(m, OUT, 4, cudaMemcpyDeviceToDevice); cudaDeviceSynchronize(); '
        . 'float x = *m; cudaMemcpy(OUT, &x, 4, cudaMemcpyHostToDevice);', undef, qr/it is the host that wrote the answer|launch\(\) copied 4 bytes to the host/,    # after it has read
    'the host reads managed memory' => 'SOLVED static float *m; if (!m) cudaMallocManaged((void **)&m, 4); cudaMemcpy(m, OUT, 4, cudaMemcpyDeviceToDevice); cudaDeviceSynchronize(); '
        . 'put<<<1, 1, 0, STREAM>>>(OUT, *m);', 'host reads', qr/launch\(\) copied 4 bytes to the host/,
    'the host finds it' => "SOLVED $get put<<<1, 1, 0, STREAM>>>(OUT, x);", 'host reads', qr/launch\(\) copied 4 bytes to the host/,
    'one thread does it all' => 'one_thread<<<1, block>>>(in, out, n, SHARE);', 'one thread', qr/only \d+ of the threads load|fewer than 16 threads load|one thread loads \d+ floats|the kernel read|counts?|at least/,
);

# What the reference computes, as code of the device: of the judge's, and of criteria.c.
my $references = slurp('practice/judge/references.c');
my %judges_own = $references =~ /^const struct reference (\w+) = \{"[^"]*",\s*\w+,\s*(\w+),/mg;

sub as_device_code {
    my ($c) = @_;
    $c =~ s/^#include .*\n//mg;
    $c =~ s/^(?:static )?const struct (?:reference|criteria) \w+(?:\[\])? = \{.*?^?\};\n//msg;
    $c =~ s/^static const char \*const \w+\[\] = \{.*?\};\n//msg;
    return $c =~ s/^(?:static )?((?:size_t|void|float|double|int|bool|unsigned) \w+\()/static __device__ $1/mgr;
}

# (lesson, name) -> code that defines one_thread(), and the share, or nothing
sub one_thread {
    my ($lesson, $name) = @_;
    my $criteria = slurp("practice/exercises/$lesson/criteria.c");
    my ($row) = $criteria =~ /^(    \{\n        \.file = "\Q$name\E".*?^    \},)/ms;
    my ($reference) = $row =~ /\.reference = &(\w+)/;
    my $per_thread = $row =~ /\.per_thread = (\w+)/ ? $1 : 1;
    my ($code, $answer) = ($references, $judges_own{$reference});
    if (!$answer) {
        ($answer) = $criteria =~ /^static const struct reference\s+\Q$reference\E\s*=\s*\{(.*?)\};/ms or die "$lesson/$name: no reference $reference";
        $answer = $answer =~ /\.answer = (\w+)/ ? $1 : (split /,\s*/, $answer =~ s/"[^"]*"/""/r)[2];
        $code = $criteria;
    }
    my $share = $lesson eq '14_many_gpus' ? 'gpus' : "(size_t)block * $per_thread";
    return ("namespace reference_ {\n" . as_device_code($code) . "}\n"
        . "__global__ void one_thread(const float *in, float *out, size_t n, size_t share)\n{\n    if (threadIdx.x == 0)\n        reference_::$answer(in, n, share, out);\n}\n", $share);
}

# (lesson, name, solution, edit) -> the wrong answer
sub made {
    my ($lesson, $name, $solution, $code) = @_;
    my $many = $lesson eq '14_many_gpus';
    my ($row) = slurp("practice/exercises/$lesson/criteria.c") =~ /^(    \{\n        \.file = "\Q$name\E".*?^    \},)/ms;
    my ($sizes) = $row =~ /\.sizes = \{(.*?)\}/s;
    $sizes //= $row =~ /SHORT_ROWS/ ? '2, 34, 65, 97, 129, 161, 193, 225' : 0;
    $sizes = join ', ', $sizes, $row =~ /\.n = (\d+)/g, $row =~ /\.also = \{\d+, (\d+)/g;    # those of limits
    my ($before, $share) = $code =~ /one_thread/ ? one_thread($lesson, $name) : ('', 0);
    my %with = (SHARE => $share, SIZES => $sizes, $many
        ? (IN => 'shares[0].in', OUT => 'shares[0].out', N => 'all', STREAM => 'shares[0].stream', SOLVED => "((void (*)($of_many))solved)(shares, gpus, block); "
            . 'for (unsigned g = gpus; g-- > 0;) { cudaSetDevice(shares[g].device); cudaDeviceSynchronize(); }')
        : (IN => 'in', OUT => $name eq '4_segments' ? '(out + (n > 0))' : 'out', N => 'n', STREAM => '0', SOLVED => "((void (*)($of_one))solved)(in, out, n, block);"));
    # out[0] of the segments is the sum of nothing
    $code =~ s/\b(SHARE|SIZES|IN|OUT|N|STREAM|SOLVED)\b/$with{$1}/g;
    my $sum = $many ? "    size_t all = 0;\n    for (unsigned g = 0; g < gpus; g++)\n        all += shares[g].n;\n    cudaSetDevice(shares[0].device);\n" : '';
    return $before . ($solution =~ s/\blaunch\(/solved(/gr =~ s/extern "C" void solved/static void solved/r)
        . "\n__global__ void put(float *out, float x)\n{\n    *out = x;\n}\n__global__ void put_back(float *out, const float *from)\n{\n    *out = *from;\n}\n"
        . "extern \"C\" void launch(" . ($many ? $of_many : $of_one) . ")\n{\n$sum    $code\n}\n";
}

# What a block's answer is made of: of nothing, of two, of an element x[k]; and how many elements a thread has.
sub operator_of {
    my ($row) = @_;
    my ($reference) = $row =~ /\.reference = &(\w+)/;
    return (@{ {
        block_sums      => ['0.0f', 'a + b', 'x[k]'],
        block_alternate => ['0.0f', 'a + b', '(k % 2 ? -x[k] : x[k])'],
        block_least     => ['INFINITY', 'fminf(a, b)', 'fabsf(x[k])'],
    }->{$reference} }, $row =~ /\.per_thread = (\w+)/ ? $1 : 1);
}

# The tree of each block, a round in each launch: right, and there is no barrier in it.
sub tree_of_launches {
    my ($identity, $both, $term, $per_thread) = operator_of($_[0]);
    my $alternates = $term =~ /-x/ ? 1 : 0;
    return <<"END";
__device__ float both(float a, float b) { return $both; }
__global__ void one_round(float *in, float *out, size_t n, unsigned share, unsigned left, unsigned stride)
{
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share, tid = threadIdx.x, half = (left + 1) / 2;
    float *x = in + begin, v = $identity;
    if (left > blockDim.x) {
        for (unsigned k = tid; k < count; k += blockDim.x)
            v = both(v, $term);
        if (tid < count)
            x[tid] = v;
    } else if ($alternates && 2 * stride * tid + stride < count) {
        unsigned i = 2 * stride * tid;
        x[i] = stride == 1 ? x[i] - x[i + 1] : x[i] + x[i + stride];
    } else if (!$alternates && left > 1 && tid + half < left && tid + half < count) {
        x[tid] = both(x[tid], x[tid + half]);
    } else if (left == 1 && tid == 0) {
        out[blockIdx.x] = count > 0 ? x[0] : $identity;
    }
}
extern "C" void launch(float *in, float *out, size_t n, unsigned block)
{
    unsigned share = block * $per_thread, grid = n == 0 ? 1 : (n - 1) / share + 1, stride = 1;
    if (share > block)
        one_round<<<grid, block>>>(in, out, n, share, share, 0);
    for (unsigned left = block; left > 1; left = (left + 1) / 2, stride *= 2)
        one_round<<<grid, block>>>(in, out, n, share, left, stride);
    one_round<<<grid, block>>>(in, out, n, share, 1, block);
}
END
}

# A right sum, or the like, of each block by its first warp alone, with a barrier for show.
sub one_warp {
    my ($identity, $both, $term, $per_thread) = operator_of($_[0]);
    return <<"END";
__device__ float both(float a, float b) { return $both; }
__global__ void one_warp(float *in, float *out, size_t n, unsigned share)
{
    size_t begin = (size_t)blockIdx.x * share;
    unsigned count = n - begin < share ? (unsigned)(n - begin) : share, tid = threadIdx.x, lanes = blockDim.x < 32 ? blockDim.x : 32;
    unsigned mask = lanes < 32 ? (1u << lanes) - 1 : 0xffffffff;
    float *x = in + begin, v = $identity;
    __syncthreads();
    if (tid >= lanes)
        return;
    for (unsigned k = tid; k < count; k += lanes)
        v = both(v, $term);
    __syncwarp(mask);
    if (tid < count)
        x[tid] = v;
    __syncwarp(mask);
    for (unsigned left = lanes < count ? lanes : count; left > 1; left = (left + 1) / 2) {
        if (tid + (left + 1) / 2 < left)
            x[tid] = both(x[tid], x[tid + (left + 1) / 2]);
        __syncwarp(mask);
    }
    if (tid == 0)
        out[blockIdx.x] = count > 0 ? x[0] : $identity;
}
extern "C" void launch(float *in, float *out, size_t n, unsigned block)
{
    one_warp<<<n == 0 ? 1 : (n - 1) / (block * $per_thread) + 1, block>>>(in, out, n, block * $per_thread);
}
END
}

# ---- a little too much of one count, within the solution's first kernel ----

my %waste = (
    BARRIERS      => 'if (blockIdx.x == 0) __syncthreads();',
    SHUFFLES      => 'if (blockIdx.x == 0) __any_sync(__activemask(), 1);',
    ATOMICS       => 'if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(&wasted, 1.0f);',
    LOADED_FLOATS => 'for (unsigned k = 0; k < 4; k++) if (wasted_loads[(threadIdx.x * 8 + 256 * k) % 1024] == 1) wasted_too = 0;',
    STORED_FLOATS => 'if (blockIdx.x == 0 && threadIdx.x == 0) wasted_too = 1;',
    SHARED_FLOATS => '__shared__ float waste[32]; if (blockIdx.x == 0 && threadIdx.x == 0) waste[0] = 1;',
    CLUSTER_BARRIERS => 'cooperative_groups::this_cluster().sync();',
    LAUNCHES      => undef,
);
$waste{LOAD_SECTORS} = $waste{LOAD_REQUESTS} = $waste{LOADED_FLOATS};
$waste{STORE_SECTORS} = $waste{STORE_REQUESTS} = $waste{STORED_FLOATS};

sub wasteful {
    my ($solution, $what) = @_;
    return $solution =~ s/(^extern "C" void launch\([^)]*\)\n\{\n.*?)(^\}\n)/__global__ void one_more()\n{\n}\n$1    one_more<<<1, 1>>>();\n$2/mrs if $what eq 'LAUNCHES';
    my $kernel = qr{__global__ void (?:__\w+__\([\d, ]+\) )?\w+\([^)]*\)\n\{\n};
    my $unused = '__device__ float wasted, wasted_too, wasted_loads[1024];';
    return $solution =~ s/^($kernel)/$unused\n$1    $waste{$what}\n/mr if $solution =~ /^$kernel/m;
    # An operator's: the kernel is the lesson's.
    return $solution =~ s/^(struct \w+ \{\n.*? void answer\([^)]*\) const\n    \{\n)/$unused\n$1        $waste{$what}\n/msr;
}

# (lesson, name, solution) -> for each wrong answer: what it is, its source, the general criterion that catches it (or
# nothing: several may), and what is said
sub wrong_answers {
    my ($lesson, $name, $solution) = @_;
    my ($row) = slurp("practice/exercises/$lesson/criteria.c") =~ /^(    \{\n        \.file = "\Q$name\E".*?^    \},)/ms;
    my @all;
    return if $solution =~ /^double answers\[/m;
    for (my $i = 0; $i < @made; $i += 4) {
        my ($what, $code, $criterion, $says) = @made[$i .. $i + 3];
        next if $what =~ /one thread/ && $lesson eq '14_many_gpus';     # a reference does not know of shares
        next if $row =~ /all_read/ && $what !~ /empty|the host/;    # there is no answer
        push @all, $what, made($lesson, $name, $solution, $code), $criterion, $says;
    }
    push @all, 'one warp does it all', one_warp($row), undef, qr/threads that load: \d+, and it should be at least|only \d+ of the threads load/,
        'a launch for each round', tree_of_launches($row), undef, qr/barriers: 0, and it should be at least/ if $row =~ /BARRIERS, AT_LEAST/;
    my %counts = map { $_ => 1 } $row =~ /\{\s*(\w+), AT_MOST/g;
    push @all, "one more: $_", wasteful($solution, $_), undef, qr/at most|should be none/ for grep { exists $waste{$_} } sort keys %counts;
    return @all;
}
1;
