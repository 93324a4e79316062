#!/usr/bin/env perl
# tier: more
# What simcc refuses, and what the simulator stops: by name, with file and line, in one line. The command line.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $simcc = 'simulator/simcc';
my $simulator = quoted(`pwd` =~ s/\n//r . '/simulator');
my $compiler = (run('${CXX:-g++} --version'))[0] =~ /clang/ ? 'clang' : 'gcc';
my $nvcc = nvcc();

# ---- what is refused when compiling ----

# (what it is, source, line, message)
sub refuses {
    my ($name, $source, $line, $message) = @_;
    my $file = "$scratch/refused.cu";
    spew($file, $source);
    unlink "$scratch/refused";
    my ($output, $status) = run("$simcc $file -o $scratch/refused");
    is($status, 1, "$name: status 1");
    like($output, qr/\Asimcc: \Q$file\E:$line: $message/, "$name: file, line and reason") or diag $output;
    ok(!-e "$scratch/refused", "$name: nothing is written");
    return $output;
}

# Sobol's numbers of more dimensions than there are: in one line, from a kernel and from the host.
for (['a kernel', "#include <curand_kernel.h>\n__global__ void k(curandDirectionVectors32_t *v, unsigned *x)\n{\n    curandStateSobol32 s;\n    curand_init(v[threadIdx.x], 0, &s);\n    x[threadIdx.x] = curand(&s);\n}\n"
    . "int main()\n{\n    curandDirectionVectors32_t *host, *v;\n    unsigned *x;\n    curandGetDirectionVectors32(&host, CURAND_DIRECTION_VECTORS_32_JOEKUO6);\n    cudaMalloc(&v, 33 * sizeof *v);\n    cudaMalloc(&x, 33 * sizeof *x);\n"
    . "    cudaMemcpy(v, host, 33 * sizeof *v, cudaMemcpyHostToDevice);\n    k<<<1, 33>>>(v, x);\n    return cudaDeviceSynchronize();\n}\n", qr/\Asimulator: \S+:5: k, block \(0,0,0\), thread \(32,0,0\): curand_init\(\) gets no direction vectors: the simulator has those of 32 dimensions\n\z/],
    ['the host', "#include <curand.h>\nint main()\n{\n    curandGenerator_t g;\n    curandCreateGenerator(&g, CURAND_RNG_QUASI_DEFAULT);\n    return curandSetQuasiRandomGeneratorDimensions(g, 40);\n}\n", qr/\Asimulator: curandSetQuasiRandomGeneratorDimensions\(\) of 40: the simulator has 32\n\z/]) {
    my ($who, $source, $line) = @$_;
    spew("$scratch/dimensions.cu", $source);
    my ($output, $status) = run("$simcc $scratch/dimensions.cu -o $scratch/dimensions && $scratch/dimensions");
    is($status, 1, "$who asks for too many dimensions: status 1");
    like($output, $line, "$who asks for too many dimensions: one line");
}

# These in one line and no more: the simulator knows them, but not how to run them.
my @known = (
    ['inline PTX', "__global__ void k(int *p)\n{\n    asm volatile(\"mov.u32 %0, %%laneid; vabsdiff4.u32.u32.u32.add %0, %0, %0, %0;\" : \"=r\"(*p));\n}\n", 3, 'inline PTX: vabsdiff4\.u32\.u32\.u32\.add is not supported'],
    ['a PTX declaration', "__global__ void k(int *p)\n{\n    asm(\"{ .reg .b32 t<4>; }\" ::: \"memory\");\n}\n", 3, 'inline PTX: \.reg \.b32 is not supported'],
    ['clusters without a body', "\n__global__ void __cluster_dims__(2, 1, 1) k();\n", 2, '__cluster_dims__ is needed where the kernel has its body'],
    ['a kernel that waits for its own launches', "__global__ void a() {}\n__global__ void b()\n{\n    a<<<1, 1>>>();\n    cudaDeviceSynchronize();\n}\n", 5, 'cudaDeviceSynchronize\(\) in a kernel is gone since CUDA 12'],
    ['a kernel that returns something', "__global__ int k(int *p)\n{\n    return *p;\n}\n", 1, 'a __global__ function must return void'],
    ['a brace that is missing', "#include <cstdio>\n__global__ void k(int n)\n{\n    if (n > 3) {\n        n++;\n}\nint main()\n{\n    k<<<1, 1>>>(3);\n}\n", 3, 'this \{ has no \}'],
    ['scrambled quasi-random numbers', "#include <curand.h>\nvoid f(curandGenerator_t *g)\n{\n    curandCreateGenerator(g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);\n}\n", 4, q{Sobol's numbers of 64 bits, or scrambled, are not supported: curandStateSobol32 is}],
    ['the driver API', "#include <cuda.h>\nint main()\n{\n    CUdevice d;\n    cuInit(0);\n}\n", 4, 'the driver API \(cu\.\.\.\) is not supported'],
    ['mipmaps', "void f()\n{\n    cudaMipmappedArray_t m;\n}\n", 3, 'mipmaps are not supported'],
    ['a graph that launches itself', "__global__ void k()\n{\n    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);\n}\n", 3, 'a graph that a kernel launches is not supported'],
    ['texture references', "#include <cstdio>\ntexture<float, 2, cudaReadModeElementType> picture;\n", 2, 'texture and surface references are gone since CUDA 12: cudaCreateTextureObject\(\)'],
    ['surface references', "static surface<void, 2> picture;\n", 1, 'texture and surface references are gone'],
    ['texture references, bound', "void f(float *p)\n{\n    cudaBindTexture(0, t, p, 64);\n}\n", 3, 'texture and surface references are gone'],
    ['a launch without an end', "__global__ void k() {}\nint main() { k<<<1, 2>>; }\n", 2, 'this <<< has no >>>\('],
    ['a launch without a kernel', "int main() { + <<<1, 2>>>(); }\n", 1, 'no kernel before <<<'],
    ['dynamic shared memory with a size', "__global__ void k()\n{\n    extern __shared__ float x[32];\n}\n", 3, 'extern __shared__ takes an array without a size'],
    ['a kernel of many parameters', "__global__ void k(int a,\n" . join(', ', map {"char a$_"} 1 .. 10000) . ") {}\n", 1, 'a kernel of more than 1024 parameters is not supported'],
    ['a launch of many arguments', "template <class... A> __global__ void k(A...) {}\nint main() { k<<<1, 1>>>(" . join(', ', 1 .. 1025) . "); }\n", 2, 'a kernel of more than 1024 parameters'],
    ['a kernel that is called like a function', "__global__ void k(int *p) { *p = 1; }\nint main()\n{\n    int *p = 0;\n    if (p == 0)\n        k(p);\n}\n", 6, 'k is a kernel: did you mean k<<<grid, block>>>\(\.\.\.\)\?'],
    ['a kernel of a template that is called so', "template <class T> __global__ void k(T *p) { *p = 1; }\nvoid f(int *p) { k<int>(p); }\n", 2, 'k is a kernel: did you mean k<<<grid, block>>>'],
    ['an odd shared declaration', "__global__ void k() { __shared__ float (*p)[3]; }\n", 1, 'this __shared__ declaration'],
);
for (@known) {
    like(refuses(@$_), qr/\A[^\n]*\n\z/, "$_->[0]: one line");
}

# Headers, whether the toolkit is installed or not.
for my $header (qw(curand_mtgp32.h thrust/mr/new.h cuda/latch)) {
    refuses($header, "// the first line\n#include <cuda_runtime.h>\n#include <$header>\n", 3,
        '.*(' . quotemeta($header) . '|cuda/std/\S+) (is not supported|here)');
}
# Each header of a toolkit is ours, or refused by name: none is taken from one that is installed.
my ($table) = slurp('simulator/toolkit_headers.txt') =~ /\n\n(.*)/s;
my %listed = map { $_ => 1 } map { /[<=~:] (.*)/ ? split ' ', $1 : () } split /\n/, $table;
sub not_known { return grep { !-e "simulator/include/$_" && !$listed{$_} } @_ }
is(join(' ', grep { -e "simulator/include/$_" } sort keys %listed), '', 'no header is both ours and in the list');
is(join(' ', not_known('driver_functions.h', 'cufft.h', 'planted.h')), 'planted.h', 'a header that is neither is found');
SKIP: {
    my $toolkit = ($nvcc ? cuda_home() : '') . '/include';
    skip 'no toolkit here', 2 unless -e "$toolkit/cuda_runtime_api.h";
    my @headers = map {s{^\Q$toolkit\E/}{}r} glob "$toolkit/*.h $toolkit/*.hpp $toolkit/{crt,nvtx3,Open*,cooperative_groups}/*.{h,hpp}";
    cmp_ok(scalar @headers, '>', 100, 'headers of a toolkit');
    is(join(' ', not_known(grep {-e "$toolkit/$_"} @headers)), '', 'each is ours or refused');
}
for my $header (qw(cublas_v2.h crt/mma.h)) {
    like(refuses($header, "#include <cstdio>\n#include <$header>\n", 2, quotemeta($header) . ' is not supported \\('), qr/\A[^\n]*\n\z/, "$header: one line");
}
spew("$scratch/refused.cpp", "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n");
is((run("$simcc -c $scratch/refused.cpp -o $scratch/x.o"))[0], "simcc: $scratch/refused.cpp:2: cublas_v2.h is not supported (cuBLAS)\n", 'the same in C++');

refuses('a header that is nowhere', "#include \"mine.cuh\"\n", 1, 'no header mine.cuh here');

# C++ beside it, compiled by g++ alone with the headers' folder: driver_functions.h is in many a toolkit's folder, too.
spew("$scratch/beside.cpp", "#include <driver_functions.h>\n#include <vector_functions.h>\n#include <nvToolsExt.h>\nstruct P { float x; __host__ __device__ float twice() const { return 2 * x; } };\n"
    . "__device__ __forceinline__ int f(float4 v) { return (int)v.x; }\nint beside() { cudaSetDevice(0); nvtxRangePush(\"all\"); return f(make_float4(P{1}.twice(), 0, 0, 0)) + nvtxRangePop(); }\n");
spew("$scratch/beside_main.cu", "#include <driver_functions.h>\n#include <texture_fetch_functions.h>\nint beside();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return beside() - 2; }\n");
{
    my ($output, $status) = run("\${CXX:-g++} -Wall -Wextra -Werror \$(simulator/simcc --includes) -c $scratch/beside.cpp -o $scratch/beside.o && $simcc $scratch/beside_main.cu $scratch/beside.o -o $scratch/beside && $scratch/beside");
    is($output . $status, '0', 'C++ that g++ compiles with our headers, beside CUDA');
}

{   # What CUDA 13 removed: with a warning that says so. OpenMP as nvcc's options hand it on.
    spew("$scratch/gone.cu", "int main()\n{\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n    int all = p.clockRate + p.deviceOverlap;\n    return cudaThreadSynchronize() + all;\n}\n");
    my ($output, $status) = run("$simcc $scratch/gone.cu -o $scratch/gone");
    is($status, 0, 'members that CUDA 13 removed are taken');
    like($output, qr/^\S+gone\.cu:5:\d+: warning: .*\b$_\b.*CUDA 13 removed this member/m, "$_: with a warning") or diag $output for qw(clockRate deviceOverlap);
    like($output, qr/^\S+gone\.cu:6:\d+: warning: .*\bcudaThreadSynchronize\b.*CUDA 13 removed this function: call cudaDeviceSynchronize\(\)/m, 'cudaThreadSynchronize(): with a warning') or diag $output;
    spew("$scratch/omp.cu", "#include <omp.h>\n__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }\nint main()\n{\n    int *p, h[128], n = 0;\n    cudaMalloc(&p, sizeof h);\n"
        . "#pragma omp parallel for num_threads(4) reduction(+ : n)\n    for (int i = 0; i < 4; i++) {\n        k<<<1, 32>>>(p + 32 * i);\n        n += omp_get_num_threads();\n    }\n"
        . "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n    return n != 16 || h[127] != 31;\n}\n");
    ($output, $status) = run("$simcc -Xcompiler -fopenmp $scratch/omp.cu -o $scratch/omp && $guard $scratch/omp");
    is($output . $status, '0', 'OpenMP by -Xcompiler, compiled and linked');
    like((run("SIMT_STATS=1 $guard $scratch/omp"))[0], qr/\Asimulator: 4 launches of 128 threads; 128 accesses in \S+ s of the processor, \S+ million a second\n\z/, 'SIMT_STATS=1 says how many there were');
}

# What the compiler finds: its first error in one line, then all of it.
my @compiler = (
    ['too much static shared memory', "__global__ void k(char *p)\n{\n    __shared__ char s[80 * 1024];\n    p[0] = s[1];\n}\n", 3, '.*more than 49152 bytes of static shared memory'],
    ['an unknown intrinsic', "__global__ void k(unsigned *p)\n{\n    *p = __vabsdiff4(p[0], p[1]);\n}\n", 3, "'__vabsdiff4' is declared neither in the program nor by the simulator"],
    ['an unknown kernel', "int main()\n{\n    k<<<1, 2>>>(3);\n}\n", 3, "'k' is declared neither"],
    ['wrong C++', "int main()\n{\n    int x = \"a\";\n}\n", 3, 'the compiler refuses this: (invalid conversion|cannot initialize)'],
    ['a wrong argument', "__global__ void k(int) {}\nint main()\n{\n    k<<<1, 2>>>(\"a\");\n}\n", 4, 'the compiler refuses this: (invalid conversion|no matching function)'],
    ['one launch argument', "__global__ void k() {}\nint main() { k<<<1>>>(); }\n", 2, 'the compiler refuses this: no match'],
    ['a structure in a shuffle', "struct S { short a, b; };\n__global__ void k(S *s)\n{\n    *s = __shfl_sync(~0u, *s, 0);\n}\n", 4, '.*__shfl_sync\(\) takes numbers, half and bfloat16'],
    ['a shape that no tensor core has', "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k()\n{\n    wmma::fragment<wmma::accumulator, 16, 8, 16, float> f;\n    wmma::fill_fragment(f, 0.0f);\n}\n", 5, '.*wmma: half, __nv_bfloat16'],
    ['the size of an asynchronous copy', "__global__ void k(unsigned s, float *p)\n{\n    asm(\"cp.async.cg.shared.global [%0], [%1], 8;\" ::\"r\"(s), \"l\"(p));\n}\n", 3, '.*cp\.async\.cg 16'],
    ['too large for a group', "#include <cooperative_groups.h>\nstruct S { char a[33]; };\n__global__ void k(S *s)\n{\n"
        . "    *s = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block()).shfl(*s, 0);\n}\n", 5, '.*groups shuffle types of at most 32 bytes'],
    ['larger parameters than CUDA takes', "struct S { char x[32765]; };\n__global__ void k(int, S) {}\nint main()\n{\n    k<<<1, 1>>>(1, S());\n}\n", 5, '.*more than 32764 bytes of parameters'],
    ['an end that is missing', "__global__ void k() {\n    int a[2] = {1, 2}\n}\n", '[23]', 'the compiler refuses this: expected'],
);
for (@compiler) {
    my $output = refuses(@$_);
    like($output, qr/\n.*: error: /, "$_->[0]: the compiler's own words follow");
}

# A program that would keep the compiler busy for hours: simcc allows 300 s, here a second must do.
spew("$scratch/refused.cu", "template <int N, int K> struct Many { static constexpr long v = Many<N - 1, 2 * K>::v + Many<N - 1, 2 * K + 1>::v; };\n"
    . "template <int K> struct Many<0, K> { static constexpr long v = K; };\n__global__ void k(long *p) { *p = Many<28, 1>::v; }\n");
{
    my ($output, $status) = run("ulimit -t 1; $simcc $scratch/refused.cu -o $scratch/refused");
    is($status, 1, 'a compiler without an end: status 1');
    like($output, qr/\Asimcc: .*the compiler takes too long, or too much memory, and was ended$/m, 'a compiler without an end: said so') or diag $output;
}

# ---- what is refused when running ----

# (what it is, source, what the one line must say)
sub stops {
    my ($name, $source, $message) = @_;
    spew("$scratch/stops.cu", $source);
    my ($output, $status) = run("$simcc $scratch/stops.cu -o $scratch/stops");
    is($status, 0, "$name compiles") or diag $output;
    ($output, $status) = run("$guard $scratch/stops");
    is($status, 1, "$name: status 1");
    like($output, qr/\Asimulator: $message\n\z/, "$name: one line") or diag $output;
}
my $main = 'int main() { k<<<2, 64>>>(3); return 0; }';
stops('a false assertion', "#include <assert.h>\n__global__ void k(int n)\n{\n    assert(n > threadIdx.x);\n}\n$main\n",
    qr/\S+stops\.cu:4: k, block \(0,0,0\), thread \(3,0,0\): assertion `n > threadIdx\.x' failed/);
stops('a trap', "__global__ void k(int n) { if (n == 3) __trap(); }\n$main\n", qr/\S+stops\.cu:1: k, block \(0,0,0\), thread \(0,0,0\): __trap\(\)/);
stops('tex2D() of layers', "__global__ void k(cudaTextureObject_t t, float *p) { *p = tex2D<float>(t, 0, 0); }\nint main()\n{\n    float *p;\n    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();\n"
    . "    cudaResourceDesc r = {};\n    cudaTextureDesc how = {};\n    cudaTextureObject_t t;\n    cudaMalloc(&p, 4);\n    cudaMalloc3DArray(&r.res.array.array, &d, make_cudaExtent(4, 4, 2), cudaArrayLayered);\n"
    . "    cudaCreateTextureObject(&t, &r, &how, 0);\n    k<<<1, 1>>>(t, p);\n    return cudaDeviceSynchronize();\n}\n",
    qr/\S+stops\.cu:1: k, block \(0,0,0\), thread \(0,0,0\): reads by tex2D\(\) an array of another kind: one with layers/);
{   # A program that looks at the assertion's error decides on its status; a crash in host code is the program's own.
    spew("$scratch/asks.cu", "#include <cassert>\n#include <cstdio>\n__global__ void k(int n) { assert(n > 3); }\nint main(int argc, char **)\n{\n"
        . "    if (argc > 1) *(volatile int *)nullptr = 5;\n    k<<<2, 64>>>(3);\n    puts(cudaGetErrorName(cudaDeviceSynchronize()));\n    return 0;\n}\n");
    my ($output, $status) = run("$simcc $scratch/asks.cu -o $scratch/asks");
    is($status, 0, 'a program with an assertion compiles') or diag $output;
    ($output, $status) = run("$guard $scratch/asks");
    is($status, 0, 'cudaErrorAssert, looked at: the program\'s own status');
    like($output, qr/\Asimulator: \S+asks\.cu:3: k, [^\n]* assertion `n > 3' failed\ncudaErrorAssert\n\z/, 'cudaErrorAssert: returned') or diag $output;
    ($output, $status) = run("$scratch/asks crash");
    like($output, qr/^simulator: \S+asks\.cu:6: host code touches memory that is not there: the program's own mistake$/m, 'a crash in host code, before any launch: whose it is');
}

# A kernel's name in a message, however it is declared.
my $store = '{ int *null = nullptr; null[threadIdx.x] = 1; }';
for (['namespace a { namespace b { template <class T, int N> __global__ void k(T)', '} }', 'a::b::k<int, 4>(0)', 'a::b::k<int, 4>'],
    ['namespace { __global__ void k(int)', '}', 'k<<<1, 1>>>(0)', '(anonymous namespace)::k'],
    ['template <class F> __global__ void k(F f)', '', 'k<<<1, 1>>>([] (int i) { return i; })', $compiler eq 'clang' ? '?' : 'k<main::{lambda(int)#2}>'],
    ['extern "C" __global__ void k(int)', '', 'k<<<1, 1>>>(0)', 'k']) {
    my ($head, $tail, $launch, $name) = @$_;
    $launch =~ s/\(0\)$/<<<1, 1>>>(0)/ unless $launch =~ /<<</;
    stops("the name $name", "$head $store $tail\nint main() { $launch; }\n",
        qr/\S+stops\.cu:1: @{[quotemeta($name) =~ s{2(?=\\\})}{\\d}r]}, block \(0,0,0\), thread \(0,0,0\): writes 4 bytes .*/);
}

# Thrust's algorithms are kernels: what a functor does wrong is found.
stops('a functor of Thrust that reads past the end', "#include <thrust/device_vector.h>\n#include <thrust/for_each.h>\nint main()\n{\n    thrust::device_vector<int> v(4);\n"
    . "    const int *p = thrust::raw_pointer_cast(v.data());\n    thrust::for_each(v.begin(), v.end(), [=] __device__(int &x) {\n        x = p[5];\n    });\n}\n",
    qr/\S+stops\.cu:8: .*: reads 4 bytes at byte 20 of an allocation of 16 bytes, made at \S+stops\.cu:5/);

# Without names for places (stripped, or no addr2line) faults are found as well; a folder's name is no shell's. (Of two
# branches that are the same clang makes one.)
spew("$scratch/stops.cu", "__global__ void k(int)\n{\n    if (threadIdx.x < 5)\n        __syncthreads(), __threadfence();\n    else\n        __threadfence(), __syncthreads();\n}\n$main\n");
mkdir "$scratch/it's \`touch x\`" or die;
for my $how (['', qr/stops\.cu:6: k, .*waits at another, \S*stops\.cu:4/], ['strip "$p";', qr/\?: \?, .*waits at another, \?/], ['PATH=/nonexistent', qr/\?: \?, .*waits at another, \?/]) {
    my ($before, $message) = @$how;
    my ($output, $status) = run("cd $scratch && p=\"it's \\\`touch x\\\`/stops\" && @{[quoted($ENV{PWD})]}/$simcc stops.cu -o \"\$p\" && { $before \"\$p\"; }");
    is($status, 1, "two barriers at once, $before: status 1");
    like($output, qr/^simulator: $message\n\z/m, "two barriers at once, $before: found") or diag $output;
}
ok(!-e "$scratch/x", 'a name of a folder is not run');

# ---- the command line ----

for (['', 'no .cu file given: simcc FILE.cu -o PROG'],
    ["$scratch/missing.cu -o $scratch/x", "$scratch/missing.cu: no such file"],
    ['tests/simcc/vector_add.cu -o', '-o needs a value'],
    ['tests/simcc/vector_add.cu -arch', '-arch needs a value'],
    ["-c tests/simcc/vector_add.cu tests/simcc/symbols.cu -o $scratch/x", '-c with -o takes one file, not 2'],
    ["-ptx tests/simcc/vector_add.cu -o $scratch/x", '-ptx: no code for a GPU is made here'],
    ["main.py tests/simcc/vector_add.cu -o $scratch/x", 'main.py: neither a source nor an object file']) {
    my ($output, $status) = run("$simcc $_->[0]");
    is($status, 2, "simcc $_->[0]: status 2");
    is($output, "simcc: $_->[1]\n", "simcc $_->[0]: one line");
}

# What is written must not be what is read, by whatever name, and must be writable: said before anything is compiled.
my $over = "$scratch/over";
mkdir $over or die;
spew("$over/$_", "int x;\n") for qw(my.cu other.cu c.c my.o my.a mine.h -my.cu);
symlink 'my.cu', "$over/link" or die;
link "$over/my.cu", "$over/linked" or die;
mkdir "$over/folder" or die;
for (['my.cu -o my.cu', '-o my.cu would overwrite my.cu, which is read: name another file'],
    (map { my ($file) = /^\S+ (.*)/; ["my.cu -$_", "-$_ would overwrite my.cu, which is read: name another file"] }
        'o ./my.cu', "o $over/my.cu", 'o link', 'o folder/../linked', 'MF my.cu'),
    ['-c my.cu -o link', '-o link would overwrite my.cu, which is read: name another file'],
    ['my.cu -omy.cu', '-o my.cu would overwrite my.cu, which is read: name another file'],
    ['my.cu c.c --output-file=c.c', '-o c.c would overwrite c.c, which is read: name another file'],
    ['my.cu my.o -o my.o', '-o my.o would overwrite my.o, which is read: name another file'],
    ['my.cu ./my.a -o my.a', '-o my.a would overwrite ./my.a, which is read: name another file'],
    ['my.cu -o other.cu', '-o other.cu would overwrite a source: name another file'],
    ['my.cu -MMD -MF mine.h', '-MF mine.h would overwrite a source: name another file'],
    ["my.cu -o ''", '-o needs a name'], ['my.cu --output-file=', '--output-file needs a name'], ["my.cu -MF ''", '-MF needs a name'],
    ['my.cu -o folder', '-o folder: this is a folder'], ['my.cu -o none/x', '-o none/x: there is no folder none'],
    ['my.cu none.o', 'none.o: no such file'],
    ['-my.cu', '-my.cu looks like an option: write ./-my.cu'], ['my.cu -', '-: a file is needed, and no standard input']) {
    my ($output, $status) = run("cd $over && $simulator/simcc $_->[0]");
    is($status, 2, "simcc $_->[0]: status 2");
    is($output, "simcc: $_->[1]\n", "simcc $_->[0]: one line");
}
is(join(' ', map { slurp($_) eq "int x;\n" ? s{.*/}{}r : 'OTHER' } sort grep {-f} glob "$over/*"),
    '-my.cu c.c link linked mine.h my.a my.cu my.o other.cu', 'and all files are as they were');
{
    my ($output, $status) = run("cd $over && $simulator/simcc -c ./-my.cu && ls ./-my.o");
    is($output . $status, "./-my.o\n0", 'a name that begins with - is compiled');
    ($output, $status) = run("cd $over && $simulator/simcc -c ./-my.cu -o /dev/null && ls -l /dev/null");
    like($output, qr/^c/, 'and /dev/null is written, not replaced');
}

# What stops it later: the reason in one line first, and nothing left.
spew("$over/main.cu", "int main() { return 0; }\n");
spew("$over/twice.cu", "int main() { return 1; }\n");
spew("$over/tool", "#!/bin/sh\n[ \"\$1\" = -print-prog-name=objcopy ] && exec echo /nonexistent/objcopy\nexec gcc \"\$@\"\n");
spew("$over/old", "#!/bin/sh\necho Debian clang version 14.0.6\n");
chmod 0755, "$over/tool", "$over/old";
for (['a library that is not there', '', '-lnothing main.cu -o x', 1, 'main\.cu: this does not link: (?:cannot find|unable to find library|library not found:) -?l?nothing'],
    ['two main()', '', 'main.cu twice.cu -o x', 1, 'twice\.cu: this does not link: (?:multiple definition of|duplicate symbol:) .*main'],
    ['a file that is no object file', '', 'main.cu my.o -o x', 1, 'main\.cu: this does not link: .'],
    ['no objcopy', 'CC=./tool', '-c main.cu', 1, 'main\.cu: objcopy, of binutils, fails: .*/nonexistent/objcopy.*not found'],
    ['no C compiler', 'CC=none', '-c main.cu', 1, 'none does not run: a C compiler is needed, gcc 12 or later; CC=\.\.\. names one\n\z'],
    ['no C++ compiler', 'CXX=none', '-c main.cu', 1, 'none does not run: a C\+\+ compiler is needed, g\+\+ 12 or later; CXX=\.\.\. names one\n\z'],
    ['an old clang', 'CXX=./old', '-c main.cu', 1, '\./old is older than clang 15: .*g\+\+ 12 or later, or clang 15 or later, is needed\n\z'],
    ['a full disk', "trap '' XFSZ && ulimit -f 0;", '-c main.cu', 1, 'there is no room in /[^\n]*: TMPDIR=FOLDER names another place\n\z'],
    ['no TMPDIR', "TMPDIR=$over/none", '-c main.cu', 1, "no temporary folder can be made in $over/none: TMPDIR=FOLDER names another place\\n\\z"]) {
    my ($what, $environment, $arguments, $expected, $line) = @$_;
    my ($output, $status) = run("cd $over && $environment $simulator/simcc $arguments");
    is($status, $expected, "$what: status $expected");
    like($output, qr/\Asimcc: $line/, "$what: said so in the first line") or diag $output;
    ok(!-e "$over/x" && !-e "$over/main.o", "$what: nothing is written");
}
SKIP: {
    my $mount = "unshare -m sh -c 'mount -t tmpfs -o size=20k none $over/folder && \"\$@\"' sh";
    skip 'nothing can be mounted here', 2 if (run("$mount true"))[1] != 0;
    my ($output, $status) = run("cd $over && $mount env TMPDIR=$over/folder $simulator/simcc -c main.cu");
    is($status, 1, 'a full TMPDIR: status 1');
    like($output, qr/\Asimcc: main\.cu: .*there is no room in $over\/folder /, 'a full TMPDIR: said so in the first line') or diag $output;
}
done_testing();
