#!/usr/bin/env perl
# simcc on programs in other styles than the lessons': each must compile, and be right
# under four schedules; where nvcc is, that proves them to be CUDA. Then what simcc
# refuses: by name, with file and line, in one line.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $simcc = 'simulator/simcc';
my $simulator = quoted(`pwd` =~ s/\n//r . '/simulator');
my $nvcc  = nvcc();
my $compiler = (run('${CXX:-g++} --version'))[0] =~ /clang/ ? 'clang' : 'gcc';
chomp(my $cores = `nproc`);

# ---- programs ----

my @programs = map { m{/(\w+)\.cu$} } sort glob 'tests/simcc/*.cu';
cmp_ok(scalar @programs, '>=', 15, 'there are programs to try');

# (what, command with {} for the name, programs): runs it for these, several at once
sub for_all {
    my ($what, $command, @programs) = @_;
    open my $pipe, '|-', "xargs -P$cores -I{} sh -c '($command) >$scratch/{}.$what 2>&1; echo \$? >$scratch/{}.$what.status'"
        or die;
    print $pipe "$_\n" for @programs;
    close $pipe;
}

sub compile { return "$simcc -g1 tests/simcc/$_[0].cu -o $scratch/$_[0]" }
if (!$all) {    # make test has no time for more
    @programs = grep { /^(?:device_printf|host_flags|streams_events|cg_reduce|single_pass|textures)$/ } @programs;
}
ahead(map { compile($_) } @programs);
my %said = map { $_ => (kept(compile($_)))[0] } @programs;
my @schedules = $all ? (0 .. 3) : (0, 3);
for_all("run$_", "SIMT_SCHEDULE=$_ $guard $scratch/{}", @programs) for @schedules;
for my $program (@programs) {
    is($said{$program}, '', "$program compiles without a word");
    for my $schedule (@schedules) {
        my $output = slurp("$scratch/$program.run$schedule");
        is(slurp("$scratch/$program.run$schedule.status"), "0\n", "$program is right under schedule $schedule") or diag $output;
        unlike($output, qr/^simulator: (?!note: the times between events)/m, "$program: nothing to complain of under schedule $schedule");
    }
}

# nvcc's front end takes them, too (make test-all): all at once, but for those that name something from the root, as ::x, or whose
# first line has options for nvcc. (tests/gpu/simcc.t runs them.)
SKIP: {
    skip 'no nvcc here', 1 unless $nvcc && $all;
    my @from_root = grep { slurp("tests/simcc/$_.cu") =~ m{(?<![\w>])::\w|\A// nvcc: }} @programs;
    my %alone = map { $_ => 1 } @from_root;
    my $no_code = `$nvcc --help` =~ /^--fdevice-syntax-only/m ? '-fdevice-syntax-only ' : '';    # not every nvcc has it
    spew("$scratch/all.cu", as_one(map {"tests/simcc/$_.cu"} grep { !$alone{$_} } @programs));
    for my $file ("$scratch/all.cu", map {"tests/simcc/$_.cu"} @from_root) {
        my ($options) = slurp($file) =~ m{\A// nvcc: ((?:-[a-km-z]\S* ?)*)};
        my ($output, $status) = kept("@{[quick_nvcc()]} -std=c++20 --extended-lambda -arch=sm_90 -I. " . ($options // '') . "$no_code-ptx $file -o /dev/null");
        is($status, 0, 'they are CUDA: ' . ($file =~ /simcc/ ? $file : 'all others')) or diag $output;
    }
}
like(slurp("$scratch/streams_events.run0"), qr/^simulator: note: the times between events are those of the simulation/m, 'a time of events comes with a note');

# Older and newer C++ than the default, which is that of nvcc: without a word, too.
for my $standard (qw(c++14 c++20)) {
    for my $program ($all ? qw(cg_reduce host_part) : ()) {
        my ($output, $status) = run("$simcc -std=$standard tests/simcc/$program.cu -o $scratch/$standard && $scratch/$standard >/dev/null 2>&1");
        is($output . $status, '0', "$program in $standard: not a word, and right");
    }
}

my $printed = slurp("$scratch/device_printf.run0");
like($printed, qr/^Hello thread 0 of block $_, f=1\.234500$/m, "printf in block $_") for 0 .. 2;
like($printed, qr/^timed: the clock went on$/m, 'clock64() and __func__');

# ---- a C library that declares more ----

# A function of the simulator's headers that takes C's own types alone, and whose name begins neither as reserved names nor
# as CUDA's do: a later C library may declare it, and <cmath> overload it. They do so here, before the headers and after.
if ($all) {
    my $check    = '${CXX:-g++} -std=gnu++17 -Wall -Wextra -Werror -Isimulator/include/. -x c++';
    my @headers = map { s{^simulator/include/}{}r } grep {-f} glob 'simulator/include/{,*/,*/*/}*';
    spew("$scratch/headers.cpp", join '', map {"#include \"$_\"\n"} 'simt_first.h', @headers);
    my ($text, $status) = run("$check -E $scratch/headers.cpp");
    is($status, 0, 'all headers together');
    my $own = join '', map {s/^.*\n//r} grep {m{\A"simulator/include}} split /^# \d+ /m, $text;
    $own =~ s/"(?:\\.|[^"\\])*"//g;
    $own =~ s/__attribute__\s*(\((?:[^()]|(?1))*\))//g;
    $own =~ s/extern\s+\{//g;
    1 while $own =~ s/\{[^{}]*\}/;/;    # bodies, classes, namespaces
    my ($library, $standard, $calls) = ('', '', '');
    my %seen;
    while ($own =~ /\b([a-z]\w*)\s*\(([^()]*)\)\s*;/g) {
        my ($name, $parameters) = ($1, $2);
        $parameters =~ s/,?\s*NONE\.\.\.//;
        next if $name =~ /^(?:simt_|cuda|cu[A-Z]|curand|nccl|make_|atomic[A-Z])/;
        my $number = $name =~ /^u/ ? 'unsigned' : $name =~ /f$/ ? 'float' : 'double';
        my @types = map { s/\w+\s*$//r =~ s/\b[A-Z]\b/$number/r =~ s/\s+//gr } split /,/, $parameters;
        next if $seen{$name}++ || grep { !/^(?:unsigned|int|long|float|double)\**$/ } @types;
        my $result = @types && $types[-1] =~ /\*/ ? 'void' : @types ? $types[0] : 'long';
        my @pointers = map { s/(.*)\*/($1*)nullptr/r } grep {/\*/} @types;
        $library .= "extern \"C\" $result $name(@{[join ', ', @types]}) noexcept;\n";
        $standard .= "namespace later {\nusing ::$name;\nconstexpr long double $name(long double x) { return x; }\n"
            . ($name =~ /f$/ ? '' : "constexpr float $name(float x) { return x; }\n")
            . "template <class T> constexpr std::enable_if_t<std::is_integral<T>::value, double> $name(T) { return 0; }\n}\nusing later::$name;\n" if "@types" =~ /^\w+$/;
        $calls .= "    (void)$name(" . join(', ', ($_) x (@types - @pointers), @pointers) . ");\n" for @types ? qw(2 2u 2.0f 2.0) : '';
    }
    cmp_ok(scalar keys %seen, '>', 12, 'and functions that a C library may have');
    my $program = "int main()\n{\n$calls}\n";
    my $first   = "#include \"simt_first.h\"\n";
    my $mine    = "static float rcbrtf(float x) { return x; }\nextern \"C\" double rcbrt(double);\ntemplate <class T> T cospi(T x) { return x; }\n"
        . "struct mine { double rsqrt; int umin; double rhypot(double); };\ndouble mine::rhypot(double umax) { return umax + rsqrt + umin; }\n";
    for (['no such library', $first], ['C before', "#include <math.h>\n$library$first"], ['C after', "$first$library"],
        ['C++ before', "#include <cmath>\n$library$standard$first"], ['C++ after', "$first$library$standard"],
        ["a program's own functions", "$first$mine"]) {
        my ($when, $headers) = @$_;
        spew("$scratch/later.cpp", $headers . $program);
        (my $output, $status) = kept("$check -fsyntax-only $scratch/later.cpp");
        is($status, 0, "functions of CUDA by the names of others: $when") or diag $output;
    }
    spew("$scratch/api.c", join '', (map {"#include <$_>\n"} qw(cuda_runtime.h curand.h nccl.h math_constants.h)), "int main(void) { return 0; }\n");
    (my $output, $status) = run("\${CC:-gcc} -std=c2x -Wall -Wextra -pedantic -Werror -Isimulator/include -fsyntax-only $scratch/api.c");
    is($status, 0, 'C23 takes the headers for C') or diag $output;
}

# ---- what is refused when compiling ----

# (what it is, source, line, message)
sub refused {
    my ($name, $source, $line, $message) = @_;
    my $file = "$scratch/refused.cu";
    spew($file, $source);
    unlink "$scratch/refused";
    my ($output, $status) = kept("$simcc $file -o $scratch/refused");
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
    my ($output, $status) = kept("$simcc $scratch/dimensions.cu -o $scratch/dimensions && $scratch/dimensions");
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
@known = @known[grep { $_ % 4 == 0 } 0 .. $#known] unless $all;
for (@known) {
    like(refused(@$_), qr/\A[^\n]*\n\z/, "$_->[0]: one line");
}

# Headers, whether the toolkit is installed or not.
for my $header (qw(curand_mtgp32.h), $all ? qw(thrust/mr/new.h cuda/latch) : ()) {
    refused($header, "// the first line\n#include <cuda_runtime.h>\n#include <$header>\n", 3,
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
for my $header ($all ? qw(cublas_v2.h crt/mma.h) : 'cublas_v2.h') {
    like(refused($header, "#include <cstdio>\n#include <$header>\n", 2, quotemeta($header) . ' is not supported \\('), qr/\A[^\n]*\n\z/, "$header: one line");
}
spew("$scratch/refused.cpp", "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n");
is((run("$simcc -c $scratch/refused.cpp -o $scratch/x.o"))[0], "simcc: $scratch/refused.cpp:2: cublas_v2.h is not supported (cuBLAS)\n", 'the same in C++');

refused('a header that is nowhere', "#include \"mine.cuh\"\n", 1, 'no header mine.cuh here');

# C++ beside it, compiled by g++ alone with the headers' folder: driver_functions.h is in many a toolkit's folder, too.
spew("$scratch/beside.cpp", "#include <driver_functions.h>\n#include <vector_functions.h>\n#include <nvToolsExt.h>\nstruct P { float x; __host__ __device__ float twice() const { return 2 * x; } };\n"
    . "__device__ __forceinline__ int f(float4 v) { return (int)v.x; }\nint beside() { cudaSetDevice(0); nvtxRangePush(\"all\"); return f(make_float4(P{1}.twice(), 0, 0, 0)) + nvtxRangePop(); }\n");
spew("$scratch/beside_main.cu", "#include <driver_functions.h>\n#include <texture_fetch_functions.h>\nint beside();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return beside() - 2; }\n");
{
    my ($output, $status) = run("\${CXX:-g++} -Wall -Wextra -Werror \$(simulator/simcc --includes) -c $scratch/beside.cpp -o $scratch/beside.o && $simcc $scratch/beside_main.cu $scratch/beside.o -o $scratch/beside && $scratch/beside");
    is($output . $status, '0', 'C++ that g++ compiles with our headers, beside CUDA');
}

{   # What CUDA 13 removed: with a warning that says so. OpenMP as nvcc's options hand it on.
    spew("$scratch/gone.cu", "int main()\n{\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n    return p.clockRate + p.deviceOverlap;\n}\n");
    my ($output, $status) = kept("$simcc $scratch/gone.cu -o $scratch/gone");
    is($status, 0, 'members that CUDA 13 removed are taken');
    like($output, qr/^\S+gone\.cu:5:\d+: warning: .*\b$_\b.*CUDA 13 removed this member/m, "$_: with a warning") or diag $output for qw(clockRate deviceOverlap);
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
@compiler = @compiler[grep { $_ % 4 == 0 } 0 .. $#compiler] unless $all;
for (@compiler) {
    my $output = refused(@$_);
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
    my ($output, $status) = kept("$simcc $scratch/stops.cu -o $scratch/stops");
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
    my ($output, $status) = kept("$simcc $scratch/asks.cu -o $scratch/asks");
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
    next unless $all || $name =~ /anonymous/;
    $launch =~ s/\(0\)$/<<<1, 1>>>(0)/ unless $launch =~ /<<</;
    stops("the name $name", "$head $store $tail\nint main() { $launch; }\n",
        qr/\S+stops\.cu:1: @{[quotemeta($name) =~ s{2(?=\\\})}{\\d}r]}, block \(0,0,0\), thread \(0,0,0\): writes 4 bytes .*/);
}

# Thrust's algorithms are kernels: what a functor does wrong is found.
stops('a functor of Thrust that reads past the end', "#include <thrust/device_vector.h>\n#include <thrust/for_each.h>\nint main()\n{\n    thrust::device_vector<int> v(4);\n"
    . "    const int *p = thrust::raw_pointer_cast(v.data());\n    thrust::for_each(v.begin(), v.end(), [=] __device__(int &x) {\n        x = p[5];\n    });\n}\n",
    qr/\S+stops\.cu:8: .*: reads 4 bytes at byte 20 of an allocation of 16 bytes, made at \S+stops\.cu:5/) if $all;

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
chmod 0755, "$over/tool";
for (['a library that is not there', '', '-lnothing main.cu -o x', 1, 'main\.cu: this does not link: (?:cannot find|unable to find library|library not found:) -?l?nothing'],
    ['two main()', '', 'main.cu twice.cu -o x', 1, 'twice\.cu: this does not link: (?:multiple definition of|duplicate symbol:) .*main'],
    ['a file that is no object file', '', 'main.cu my.o -o x', 1, 'main\.cu: this does not link: .'],
    ['no objcopy', 'CC=./tool', '-c main.cu', 1, 'main\.cu: objcopy, of binutils, fails: .*/nonexistent/objcopy.*not found'],
    ['no C compiler', 'CC=none', '-c main.cu', 1, 'none does not run: a C compiler is needed, gcc 12 or later; CC=\.\.\. names one\n\z'],
    ['no C++ compiler', 'CXX=none', '-c main.cu', 1, 'none does not run: a C\+\+ compiler is needed, g\+\+ 12 or later; CXX=\.\.\. names one\n\z'],
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

done_testing(), exit unless $all;    # make test has no time for more

# Several files, as nvcc takes them: two of CUDA that share a __device__ variable, one of C++, one
# of C; nvcc's options with a blank, a compiler of several words, names with blanks and quotes.
my $odd = "$scratch/it's \"odd\" \$HOME";
mkdir $odd or die;
spew("$odd/a.cu", "#include <cstdio>\n#include \"b.h\"\nextern __device__ int shared_by_two;\nextern \"C\" int from_c(int);\nint from_cpp(int);\n"
    . "__global__ void k(int *p) { shared_by_two = 5; *p = twice(shared_by_two); }\n"
    . "int main()\n{\n    int *p, h;\n    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n"
    . "    h += from_c(1) + from_cpp(2) + VALUE;\n    printf(\"%d\\n\", h);\n    return h != 10 + 101 + 202 + 1000;\n}\n");
spew("$odd/b.cu", "#include \"b.h\"\n__device__ int shared_by_two;\n__device__ int twice(int x) { return 2 * x; }\n");
spew("$odd/b.h", "__device__ int twice(int x);\n");
spew("$odd/c.c", "int from_c(int x) { return x + 100; }\n");
spew("$odd/d.cpp", "#include <cuda_runtime.h>\nint from_cpp(int x) { int n = 0; cudaGetDeviceCount(&n); return x + 200 * n; }\n");
chomp(my $here = `pwd`);
$here = quoted($here);
my $folder = quoted($odd);
{
    my $many  = quoted("$odd/many files");
    my $names = join ' ', map { quoted("$odd/$_") } qw(a.cu b.cu c.c d.cpp);
    my ($output, $status) = run("cd $scratch && CXX='env g++' $here/$simcc -rdc=true -arch sm_90 --std c++17 -ccbin g++ "
        . "-Xcompiler -Wall,-DVALUE=1000 -Xlinker -s -t 2 --ptxas-options=-v --expt-relaxed-constexpr $names -o $many && $many");
    is($status, 0, 'several files, odd names, options with blanks') or diag $output;
    is($output, "1313\n", '... are linked, and right');
    ($output, $status) = run("cd $folder && $here/$simcc -dc b.cu -MMD -MF 'a b.d' && $here/$simcc -DVALUE=1000 a.cu b.o c.c d.cpp && ./a.out");
    is($output . $status, "1313\n0", 'no output named: b.o, a.out; -dc compiles only');
    like(slurp("$odd/a b.d"), qr/b\.h/, 'a dependency file with a blank in its name');
    like(slurp("$odd/a b.d"), qr{include/\./vector_types\.h}, "... that has the headers, precompiled or not");
    spew("$odd/trap.cu", "__global__ void k() { __trap(); }\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n");
    ($output) = run("cd $folder && $here/$simcc trap.cu -o trap && ./trap");
    is($output, "simulator: trap.cu:1: k, block (0,0,0), thread (0,0,0): __trap()\n", 'a fault in such a folder is at the reader\'s own line');
}
{
    spew("$scratch/slow", "#!/bin/sh\n[ \"\$1\" = --version ] || sleep 1.5\nexec g++ \"\$@\"\n");
    chmod 0755, "$scratch/slow";
    mkdir "$scratch/temporary";
    my (undef, $status) = run("TMPDIR=$scratch/temporary CXX=$scratch/slow $simcc tests/simcc/nbody.cu -o $scratch/x & sleep 0.7; kill -TERM \$!; wait \$!");
    is($status, 130, 'an interrupted simcc: exit status');
    is(join(' ', glob "$scratch/temporary/* simulator/build/new-*"), '', 'an interrupt leaves no temporary folder');
}

# A compiler that makes no precompiled headers.
spew("$scratch/plain_g++", "#!/bin/sh\ncase \" \$* \" in *' c++-header '*) exit 1 ;; esac\nexec g++ \"\$@\"\n");
chmod 0755, "$scratch/plain_g++";
{
    my ($output, $status) = run("CXX=$scratch/plain_g++ $simcc tests/simcc/vector_add.cu -o $scratch/plain && $scratch/plain");
    is($status, 0, 'no precompiled headers: they are read as text') or diag $output;
    unlike($output, qr/^mv: /m, '... and nothing is said');
}

# A folder with a space, a header with a kernel in it, nvcc's options, an object file.
mkdir "$scratch/my kernels" or die;
spew("$scratch/my kernels/add.cuh", "#pragma once\ntemplate <class T> __global__ void add(T *p) { extern __shared__ T s[]; s[0] = N; *p += s[0]; }\n"
    . "inline void run_add(int *p) { add<<<1, 1, sizeof(int)>>>(p); }\n");
spew("$scratch/my kernels/main.cu", "#include \"add.cuh\"\n#include TEXT\nint main()\n{\n    int *p;\n    cudaMallocManaged(&p, 4);\n"
    . "    *p = 1;\n    run_add(p);\n    cudaDeviceSynchronize();\n    return *p != 42 || text()[0] != 'a';\n}\n");
spew("$scratch/text.h", "inline const char *text() { return \"a b\"; }\n");
my ($output, $status) = run("$simcc -O3 -arch=sm_80 -gencode arch=compute_80,code=sm_80 -lineinfo --extended-lambda -Xcompiler -Wall "
    . "-I $scratch '-DTEXT=\"text.h\"' -D N=41 -std=c++17 '$scratch/my kernels/main.cu' -c -o '$scratch/main.o'");
is($output . $status, '0', "nvcc's options, a header with a launch, names with spaces, an older C++");
($output, $status) = run("$simcc -I$scratch -DTEXT='\"text.h\"' -DN=41 '$scratch/my kernels/main.cu' -o '$scratch/my kernels/main' -lm && '$scratch/my kernels/main'");
is($output . $status, '0', 'and it runs');
spew("$scratch/my kernels/add.cuh", "__global__ void add(int *p)\n{\n    asm(\"bra there;\");\n}\n");
($output, $status) = run("$simcc -I$scratch -DTEXT='\"text.h\"' '$scratch/my kernels/main.cu' -o '$scratch/x'");
is($output, "simcc: $scratch/my kernels/add.cuh:3: inline PTX: bra is not supported\n", 'a header is named where it is to blame');

# Messages are at the reader's lines, in what is for the device alone and after it.
spew("$scratch/arch.cu", "#include <cstdio>\n__global__ void k(int *p)\n{\n#if __CUDA_ARCH__ >= 700\n    p[threadIdx.x] = 1;\n#else\n"
    . "    this is not even C++\n#endif\n    if (LANES == 64) p[64] = 2;\n}\nint main() { int *p; cudaMalloc(&p, 64 * sizeof *p); k<<<1, LANES>>>(p); puts(&__FILE__[0 * __LINE__]); return __LINE__ - 11; }\n");
for ([65, 5], [64, 9]) {
    my ($lanes, $line) = @$_;
    ($output, $status) = run("$simcc -DLANES=$lanes $scratch/arch.cu -o $scratch/arch && $scratch/arch");
    is($status, 1, "__CUDA_ARCH__: a body for the device runs");
    like($output, qr/\Asimulator: \S+arch\.cu:$line: k, .*: writes 4 bytes at byte 256 .*\n\z/, "__CUDA_ARCH__: line $line is named");
}

spew("$scratch/link.cu", "__device__ int x;\n");
($output, $status) = run("$simcc $scratch/link.cu -o $scratch/link");
is($status, 1, 'no main()');
like($output, qr/\Asimcc: \S+link\.cu: this does not link: undefined (?:reference to|symbol:) .?main\W/, 'no main(): said so');

# ---- CUB, with CCCL's own headers: of a block and of a warp ----

SKIP: {
    my $cccl = $nvcc ? cuda_home() . '/include/cccl' : '';
    skip "no CCCL here: it comes with CUDA's toolkit", 9 unless -d "$cccl/cub";
    my ($output, $status) = kept("$simcc -I$cccl tests/simt/cub_blocks.cu -o $scratch/cub");
    is($output . $status, '0', 'CUB: compiles without a word');
    for my $seed (0, 3) {
        ($output, $status) = run("SIMT_STRICT=1 SIMT_SCHEDULE=$seed $guard $scratch/cub");
        is($output . $status, "CUB in blocks: 0 wrong\n0", "CUB: right under schedule $seed");
    }
    my ($first) = grep { (split /^/, slurp('tests/simt/cub_blocks.cu'))[$_ - 1] =~ m{/\* TWICE \*/} } 1 .. 100;
    ($output, $status) = run("SIMT_STRICT=1 $scratch/cub twice");
    is($status, 1, 'CUB: a TempStorage used twice with no barrier between: status 1');
    like($output, qr{^simulator: tests/simt/cub_blocks\.cu:@{[$first + 1]}: twice: read-write race .* read at tests/simt/cub_blocks\.cu:$first,}m,
        'CUB: both lines are the reader\'s own');
    for (['cub/device/device_partition.cuh', 'cub/device/\S+ is not supported: of CUB what a block and a warp do is'], ['thrust/shuffle.h', 'thrust/shuffle\.h is not supported']) {
        my ($header, $message) = @$_;
        spew("$scratch/refused.cu", "\n#include <$header>\n");
        ($output, $status) = kept("$simcc -I$cccl $scratch/refused.cu -o $scratch/refused");
        is($status, 1, "$header, which is there: status 1");
        like($output, qr/\Asimcc: \S+refused\.cu:2: $message\n\z/, "$header: refused by name");
    }
}

# ---- the folder alone ----

# A copy of the tracked files of simulator/, whatever its name, is all that a program needs. It
# is built there or, where that cannot be written (a file is in its place here), for this once.
my $alone = "$scratch/alone/it's a \"simulator\" ü";
my $name  = quoted($alone =~ s{.*/}{}r);
run("mkdir $scratch/alone && tools/files.sh | grep -z ^simulator/ | xargs -0 tar -cf - | tar -xf - -C $scratch/alone && cd $scratch/alone && mv simulator $name");
spew("$scratch/alone/grid.cu", slurp('tests/simcc/cooperative_grid.cu'));
spew("$scratch/alone/saxpy.cu", slurp('tests/simcc/saxpy_managed.cu'));
spew("$scratch/alone/trap.cu", "__global__ void k(int n) { if (n == 3) __trap(); }\n$main\n");

sub alone_runs {
    my (@programs) = @_;
    for my $program (@programs) {
        ($output, $status) = run("cd $scratch/alone && $name/simcc $program -o x && ./x");
        is($status, 0, "simulator/ alone: $program compiles and runs") or diag $output;
        unlike($output, qr/^sim/m, "simulator/ alone: $program: nothing to complain of");
    }
}
my $cc = $ENV{CC};
spew("$scratch/quick", qq(#!/bin/sh\nexec gcc "\$@" -O0\n));    # the simulator is built twice below: in half of the time
chmod 0755, "$scratch/quick";
$ENV{CC}        = "$scratch/quick -pipe";    # of several words
$ENV{CDPATH}    = '.';            # where cd prints
$ENV{MAKEFLAGS} = 'nw';           # and make does nothing
alone_runs("saxpy.cu $folder/c.c", 'grid.cu');
ok(-s (glob "$scratch/alone/*/build/*/simt.a")[0], 'simulator/ alone: built in itself');
($output) = run("cd $scratch/alone && $name/simcc trap.cu -o trap && ./trap");
is($output, "simulator: trap.cu:1: k, block (0,0,0), thread (0,0,0): __trap()\n", 'simulator/ alone: a fault is at the reader\'s own line');

# Under its own name, with what it has built.
run("cd $scratch/alone && mv $name simulator");
# Three at once, when nothing is built yet; TMPDIR is in another file system, if there is one.
($output, $status) = run("cd $scratch/alone && rm -r simulator/build/rewriter-* && for i in 1 2 3; do TMPDIR=/dev/shm simulator/simcc -c saxpy.cu -o \$i.o || echo status \$? & done; wait");
is($output, '', 'simulator/ alone: three first calls at once') or diag $output;
is(join(' ', map {m{.*/(\w+)}} glob "$scratch/alone/simulator/build/{headers,new,rewriter}* $scratch/alone/*.o"), ($compiler eq 'clang' ? '' : 'headers ') . 'rewriter 1 2 3', '... and nothing half made is left');
unlink glob "$scratch/alone/?.o";
my $readme = slurp('simulator/README.md');
while ($readme =~ /^```sh\n([^\n]+?) *(?:# exit status (\d))?\n```\n\n```output\n(.*?)^```/msg) {
    my ($command, $stated, $shown) = ($1, $2 // 0, $3);
    ($output, $status) = run("cd $scratch/alone && $command");
    s/efficiency \K[\d.]+//g for $compiler eq 'clang' ? ($output, $shown) : ();    # it makes other basic blocks
    is($output, $shown, "README.md: $command prints what is shown");
    is($status, $stated, "README.md: $command: its exit status");
}
like($readme, qr/output.*output/s, 'README.md shows two runs');

# What was built of other sources goes, and simcc is found by a link to it.
run("cd $scratch/alone && echo >>simulator/example.cu && mkdir bin && ln -s ../simulator/simcc bin/ && bin/simcc -c trap.cu && rm -r bin trap.o");
is(scalar(() = glob "$scratch/alone/simulator/build/rewriter-*"), 1, 'a rewriter of older sources is removed');

run("cd $scratch/alone && mv simulator $name && rm -rf $name/build && touch $name/build");
alone_runs('-fsanitize=undefined grid.cu');
defined $cc ? $ENV{CC} = $cc : delete $ENV{CC};
delete @ENV{qw(CDPATH MAKEFLAGS)};
ok(!-s "$alone/build", 'simulator/ alone: built for this once');
run("cd $scratch/alone && rm -rf $name/build x trap example");
is(join(', ', sort map {s{.*/}{}r} glob "$scratch/alone/*"), "grid.cu, it's a \"simulator\" ü, saxpy.cu, trap.cu", 'and nothing is written elsewhere');

# A system that gives few addresses.
($output, $status) = run("ulimit -v 1000000; $scratch/vector_add");
is($status, 0, 'ulimit -v: a program runs') or diag $output;
($output, $status) = run("ulimit -v 420000; $scratch/vector_add");
is($status, 1, 'ulimit -v: less than it takes');
like($output, qr/\A[^\n]*(?:no memory|no room|no more of them|out of memory)[^\n]*\n\z/, 'ulimit -v: in one line') or diag $output;

($output, $status) = run("SIMT_SCHEDULE=fast $scratch/vector_add");
is($status, 1, 'a schedule that is no number');
like($output, qr/\Asimulator: SIMT_SCHEDULE=fast: a whole number from 0 is needed\n\z/, 'in one line');

done_testing();
