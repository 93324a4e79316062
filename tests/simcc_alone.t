#!/usr/bin/env perl
# tier: more
# simcc as a compiler driver: C++ libraries that declare more, several files, nvcc's options, odd names, CUB's own headers; and
# the folder simulator/ by itself, in other hands.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $simcc = 'simulator/simcc';
my $compiler = (run('${CXX:-g++} --version'))[0] =~ /clang/ ? 'clang' : 'gcc';
my $nvcc = nvcc();

my $main = 'int main() { k<<<2, 64>>>(3); return 0; }';

# ---- a C library that declares more ----

# A function of the simulator's headers that takes C's own types alone, and whose name begins neither as reserved names nor
# as CUDA's do: a later C library may declare it, and <cmath> overload it. They do so here, before the headers and after.
{
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
        (my $output, $status) = run("$check -fsyntax-only $scratch/later.cpp");
        is($status, 0, "functions of CUDA by the names of others: $when") or diag $output;
    }
    spew("$scratch/api.c", join '', (map {"#include <$_>\n"} qw(cuda_runtime.h curand.h nccl.h math_constants.h)), "int main(void) { return 0; }\n");
    (my $output, $status) = run("\${CC:-gcc} -std=c2x -Wall -Wextra -pedantic -Werror -Isimulator/include -fsyntax-only $scratch/api.c");
    is($status, 0, 'C23 takes the headers for C') or diag $output;
}

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
# In place of nvcc in a Makefile, whichever variable names it: make hands that on in the environment.
{
    my $made = "$scratch/made";
    mkdir $made or die;
    spew("$made/Makefile", "FLAGS = -O3 -arch=sm_80 -Xcompiler '-Wall,-O2 -fopenmp'\nprog: main.o k.o c.o d.o\n\t\$(CC) \$(FLAGS) \$^ -o \$@ -L/usr/local/cuda/lib64 -lcudart -lcublas\n"
        . "%.o: %.cu\n\t\$(NVCC) \$(FLAGS) -dc \$< -o \$@\n%.o: %.c\n\t\$(CC) \$(FLAGS) -c \$< -o \$@\n%.o: %.cpp\n\t\$(CXX) \$(FLAGS) -x cu -c \$< -o \$@\n"
        . "lib.a: k.o\n\t\$(CC) -lib \$^ -o \$@\nown: main.o c.o d.o lib.a\n\t\$(CC) -dlink \$^ -o link.o\n\tgcc \$^ link.o -o \$@ -L\$(CUDA_PATH)/lib64 -lcudart -lgomp\n");
    spew("$made/main.cu", "#include <cstdio>\nint k();\nint d();\nextern \"C\" int c(void);\nint main() { printf(\"%d\\n\", k() + c() + d()); }\n");
    spew("$made/k.cu", "__device__ int x;\n__global__ void set(int *p) { *p = x = 1; }\nint k() { int *p, h; cudaMalloc(&p, 4); set<<<1, 1>>>(p); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); return h; }\n");
    spew("$made/c.c", "int c(void) { return 10; }\n");
    spew("$made/d.cpp", "__global__ void none() {}\nint d() { none<<<1, 1>>>(); return cudaDeviceSynchronize() + 100; }\n");
    my ($output, $status) = run("cd $made && PATH=$here/simulator:\$PATH make -s CC=simcc CXX=simcc NVCC=simcc && ./prog");
    is($output . $status, "111\n0", 'make CC=simcc CXX=simcc NVCC=simcc');
    ($output, $status) = run("cd $made && CUDA_PATH=\$($here/$simcc --toolkit) && make -s own CC=$here/$simcc NVCC=\$CUDA_PATH/bin/nvcc CUDA_PATH=\$CUDA_PATH && ./own");
    is($output . $status, "111\n0", '... and --toolkit, a folder as CUDA_PATH names one, for who links by gcc');
    like((run("$simcc --version"))[0], qr/^Cuda compilation tools, release 13\.0, /m, '--version, as Makefiles read it');
    like((run("cd $made && $here/$simcc -MM k.cu"))[0], qr/\Ak\.o: k\.cu/, '-MM prints what a file depends on');
    is((run("cd $made && $here/$simcc -E c.c | tail -n 1"))[0], "int c(void) { return 10; }\n", '-E prints the text');
  SKIP: {
        skip 'no cmake here, or not by night', 1 unless in_tier('nightly') && (run('cmake --version'))[1] == 0;
        spew("$made/CMakeLists.txt", "cmake_minimum_required(VERSION 3.18)\nproject(made LANGUAGES C CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nadd_library(kernels SHARED k.cu)\nset_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\n"
            . "set_source_files_properties(d.cpp PROPERTIES LANGUAGE CUDA)\nadd_executable(made main.cu c.c d.cpp)\ntarget_link_libraries(made PRIVATE kernels CUDA::cudart)\n");
        ($output, $status) = run("cd $made && (CUDACXX=$here/$simcc cmake -B by_cmake . && make -C by_cmake) >cmake.out 2>&1; by_cmake/made");
        is($output . $status, "111\n0", 'CUDACXX=simcc cmake') or diag slurp("$made/cmake.out");
    }
}

# A launch more of a kernel costs no function more: thousands in a file compile in seconds.
{
    my @functions;
    for my $launches (10, 60) {
        spew("$scratch/launches.cu", "__global__ void one(int *p) { *p = 1; }\ntemplate <class T, int N> __global__ void many(T *p, T x) { *p = x + N; }\nint main()\n{\n    int *p;\n    cudaMalloc(&p, 4);\n"
            . "    one<<<1, 1>>>(p);\n    many<int, 3><<<1, 1>>>(p, 4);\n" x $launches . "}\n");
        push @functions, scalar(() = (run("$simcc -c $scratch/launches.cu -o $scratch/launches.o && nm $scratch/launches.o"))[0] =~ / [tTwWV] /g);
    }
    is($functions[1], $functions[0], 'launches of one kernel share their code') or diag "@functions";
}
{
    script("$scratch/slow", "[ \"\$1\" = --version ] || sleep 1.5\nexec g++ \"\$@\"\n");
    mkdir "$scratch/temporary";
    my (undef, $status) = run("TMPDIR=$scratch/temporary CXX=$scratch/slow $simcc tests/simcc/nbody.cu -o $scratch/x & sleep 0.7; kill -TERM \$!; wait \$!");
    is($status, 143, 'an interrupted simcc: exit status');
    is(join(' ', glob "$scratch/temporary/* simulator/build/new-*"), '', 'an interrupt leaves no temporary folder');
    script("$scratch/slow", "case \" \$* \" in *' -c '*) sleep 5.5 ;; esac\nexec g++ \"\$@\"\n");
    my ($said) = run("CXX=$scratch/slow script -qec '$simcc -c tests/simcc/vector_add.cu -o $scratch/x.o' /dev/null");
    is($said, "simcc: compiles tests/simcc/vector_add.cu\r\n", 'a compile of more than five seconds says what it does, on a terminal');
}

# A compiler that makes no precompiled headers.
script("$scratch/plain_g++", "case \" \$* \" in *' c++-header '*) exit 1 ;; esac\nexec g++ \"\$@\"\n");
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
    my ($output, $status) = run("$simcc -I$cccl tests/simt/cub_blocks.cu -o $scratch/cub");
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
        ($output, $status) = run("$simcc -I$cccl $scratch/refused.cu -o $scratch/refused");
        is($status, 1, "$header, which is there: status 1");
        like($output, qr/\Asimcc: \S+refused\.cu:2: $message\n\z/, "$header: refused by name");
    }
}

done_testing(), exit unless in_tier('nightly');

# ---- the folder alone ----

# tools/suites.py: a suite of four programs, each of which comes out in its own way.
for my $name (qw(data driver runs wrong)) {
    run("mkdir -p $scratch/suite/cuda/$name");
    spew("$scratch/suite/cuda/$name/Makefile", "main: main.cu\n\t\$(CUDA_DIR)/bin/nvcc main.cu -o main\n");
    spew("$scratch/suite/cuda/$name/main.cu", 'int main() { ' . ($name eq 'driver' ? 'cuInit(0); ' : '') . 'return ' . ($name eq 'wrong' ? 3 : 0) . "; }\n");
    spew("$scratch/suite/cuda/$name/run", './main' . ($name eq 'data' ? " ../../data/x\n" : "\n"));
}
($output, $status) = run("tools/suites.py $scratch/suite");
is($output, <<'END', 'suites.py: what is built, what ran, and why not') or diag $output;
cuda/data: built: its data are not in the checkout: ../../data/x
cuda/driver: not built: simcc: main.cu:1: the driver API (cu...) is not supported: the runtime's (cuda...) is
cuda/runs: ran
cuda/wrong: built: status 3, no word
4 programs, 3 built, 1 ran, 1 with nothing to run
END

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
ok(-s (glob "$scratch/alone/*/build/*/libcudart_static.a")[0], 'simulator/ alone: built in itself');
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
done_testing();
