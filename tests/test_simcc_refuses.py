r"""What simcc refuses, and what the simulator stops: by name, with file and line, in one line. The command line."""
import os
import re
import shutil

import pytest
from common import ROOT, cuda_home, nvcc, read, right, run, script, write

pytestmark = pytest.mark.more
SIMCC = f"{ROOT}/simulator/simcc"
CLANG = "clang" in run("${CXX:-g++} --version")[0]
MAIN = "int main() { k<<<2, 64>>>(3); return 0; }"


def makes(scratch, source, options=""):
    """-> the program."""
    write(f"{scratch}/program.cu", source)
    right(f"{SIMCC} {options} {scratch}/program.cu -o {scratch}/program")
    return f"{scratch}/program"


def refuses(ok, scratch, line, message, source, more=""):
    """Status 1, file, line and reason, then more; and nothing is written."""
    write(f"{scratch}/refused.cu", source)
    output, status = run(f"{SIMCC} {scratch}/refused.cu -o {scratch}/refused")
    ok(status == 1 and re.fullmatch(rf"simcc: {re.escape(scratch)}/refused\.cu:{line}: {message}.*\n{more}", output), f"line {line}: {message}", f"status {status}\n{output}")
    ok(not os.path.exists(f"{scratch}/refused"), "nothing is written")


ARGUMENTS = ", ".join(map(str, range(1, 1026)))
KNOWN = [  # in one line and no more: the simulator knows them, but not how to run them
    ("inline PTX", 3, r"inline PTX: vabsdiff4\.u32\.u32\.u32\.add is not supported",
     '__global__ void k(int *p)\n{\n    asm volatile("mov.u32 %0, %%laneid; vabsdiff4.u32.u32.u32.add %0, %0, %0, %0;" : "=r"(*p));\n}\n'),
    ("a PTX declaration", 3, r"inline PTX: \.reg \.b32 is not supported", '__global__ void k(int *p)\n{\n    asm("{ .reg .b32 t<4>; }" ::: "memory");\n}\n'),
    ("clusters without a body", 2, "__cluster_dims__ is needed where the kernel has its body", "\n__global__ void __cluster_dims__(2, 1, 1) k();\n"),
    ("a kernel that waits for its own launches", 5, r"cudaDeviceSynchronize\(\) in a kernel is gone since CUDA 12",
     "__global__ void a() {}\n__global__ void b()\n{\n    a<<<1, 1>>>();\n    cudaDeviceSynchronize();\n}\n"),
    ("a kernel that returns something", 1, "a __global__ function must return void", "__global__ int k(int *p)\n{\n    return *p;\n}\n"),
    ("a brace that is missing", 3, r"this \{ has no partner", "#include <cstdio>\n__global__ void k(int n)\n{\n    if (n > 3) {\n        n++;\n}\nint main()\n{\n    k<<<1, 1>>>(3);\n}\n"),
    ("a brace that is missing in the host's part", 2, r"this \{ has no partner", "__global__ void k() {}\nint main() {\n    k<<<1, 1>>>();\n"),
    ("a parenthesis that is missing", 5, r"this \( has no partner", "__global__ void k(int n) {}\nint main()\n{\n    int n = 3;\n    k<<<1, 1>>>(n;\n    if (n) { n = 4; }\n}\n"),
    ("a bracket that is missing", 4, r"this \[ has no partner", "__global__ void k(int *x)\n{\n    if (threadIdx.x < 3) {\n        x[threadIdx.x = 3;\n    }\n}\n"),
    ("a launch of what is no kernel", 4, "twice is no kernel: __global__ is missing", "void twice(int *x) { *x *= 2; }\nint main()\n{\n    twice<<<1, 1>>>(nullptr);\n}\n"),
    ("a launch of a function of the device", 2, "f is no kernel: __global__ is missing", "template <class T> __device__ void f(T *x) { *x *= 2; }\nvoid g(int *x) { f<int><<<1, 1>>>(x); }\n"),
    ("shared memory without a size", 3, "a __shared__ array needs a size, or extern in front", "__global__ void k()\n{\n    __shared__ float x[];\n}\n"),
    ("scrambled quasi-random numbers", 4, "Sobol's numbers of 64 bits, or scrambled, are not supported: curandStateSobol32 is",
     "#include <curand.h>\nvoid f(curandGenerator_t *g)\n{\n    curandCreateGenerator(g, CURAND_RNG_QUASI_SCRAMBLED_SOBOL32);\n}\n"),
    ("the driver API", 4, r"the driver API \(cu\.\.\.\) is not supported", "#include <cuda.h>\nint main()\n{\n    CUdevice d;\n    cuInit(0);\n}\n"),
    ("mipmaps", 3, "mipmaps are not supported", "void f()\n{\n    cudaMipmappedArray_t m;\n}\n"),
    ("a graph that launches itself", 3, "a graph that a kernel launches is not supported",
     "__global__ void k()\n{\n    cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);\n}\n"),
    ("texture references", 2, r"texture and surface references are gone since CUDA 12: cudaCreateTextureObject\(\)", "#include <cstdio>\ntexture<float, 2, cudaReadModeElementType> picture;\n"),
    ("surface references", 1, "texture and surface references are gone", "static surface<void, 2> picture;\n"),
    ("texture references, bound", 3, "texture and surface references are gone", "void f(float *p)\n{\n    cudaBindTexture(0, t, p, 64);\n}\n"),
    ("a launch without an end", 2, r"this <<< has no >>>\(", "__global__ void k() {}\nint main() { k<<<1, 2>>; }\n"),
    ("a launch without a kernel", 1, "no kernel before <<<", "int main() { + <<<1, 2>>>(); }\n"),
    ("dynamic shared memory with a size", 3, "extern __shared__ takes an array without a size", "__global__ void k()\n{\n    extern __shared__ float x[32];\n}\n"),
    ("a kernel of many parameters", 1, "a kernel of more than 1024 parameters is not supported", f"__global__ void k(int a,\n{', '.join(f'char a{k}' for k in range(1, 10001))}) {{}}\n"),
    ("a launch of many arguments", 2, "a kernel of more than 1024 parameters", f"template <class... A> __global__ void k(A...) {{}}\nint main() {{ k<<<1, 1>>>({ARGUMENTS}); }}\n"),
    ("a kernel that is called like a function", 6, r"k is a kernel: did you mean k<<<grid, block>>>\(\.\.\.\)\?",
     "__global__ void k(int *p) { *p = 1; }\nint main()\n{\n    int *p = 0;\n    if (p == 0)\n        k(p);\n}\n"),
    ("a kernel of a template that is called so", 2, "k is a kernel: did you mean k<<<grid, block>>>", "template <class T> __global__ void k(T *p) { *p = 1; }\nvoid f(int *p) { k<int>(p); }\n"),
    ("an odd shared declaration", 1, "this __shared__ declaration", "__global__ void k() { __shared__ float (*p)[3]; }\n"),
    ("a header of a library", 2, r"cublas_v2\.h is not supported \(", "#include <cstdio>\n#include <cublas_v2.h>\n"), ("a header, with what stands in for it", 1, r"cuda_awbarrier\.h is not supported \(mbarriers in C; cuda/barrier is supported\)", "#include <cuda_awbarrier.h>\n"),
    ("a header of crt", 2, r"crt/mma\.h is not supported \(", "#include <cstdio>\n#include <crt/mma.h>\n")]
FOUND = [  # by the compiler: its first error in one line, then all of it
    ("too much static shared memory", 3, ".*more than 49152 bytes of static shared memory", "__global__ void k(char *p)\n{\n    __shared__ char s[80 * 1024];\n    p[0] = s[1];\n}\n"),
    ("an unknown intrinsic", 3, "'__vabsdiff4' is declared neither in the program nor by the simulator", "__global__ void k(unsigned *p)\n{\n    *p = __vabsdiff4(p[0], p[1]);\n}\n"),
    ("an unknown kernel", 3, "'k' is declared neither", "int main()\n{\n    k<<<1, 2>>>(3);\n}\n"),
    ("wrong C++", 3, "the compiler refuses this: (invalid conversion|cannot initialize)", 'int main()\n{\n    int x = "a";\n}\n'),
    ("a wrong argument", 4, "the compiler refuses this: (invalid conversion|no matching function)", '__global__ void k(int) {}\nint main()\n{\n    k<<<1, 2>>>("a");\n}\n'),
    ("one launch argument", 2, "the compiler refuses this: no match", "__global__ void k() {}\nint main() { k<<<1>>>(); }\n"),
    ("a structure in a shuffle", 4, r".*__shfl_sync\(\) takes numbers, half and bfloat16", "struct S { short a, b; };\n__global__ void k(S *s)\n{\n    *s = __shfl_sync(~0u, *s, 0);\n}\n"),
    ("a shape that no tensor core has", 5, ".*wmma: half, __nv_bfloat16",
     "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k()\n{\n    wmma::fragment<wmma::accumulator, 16, 8, 16, float> f;\n    wmma::fill_fragment(f, 0.0f);\n}\n"),
    ("the size of an asynchronous copy", 3, r".*cp\.async\.cg 16", '__global__ void k(unsigned s, float *p)\n{\n    asm("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(s), "l"(p));\n}\n'),
    ("too large for a group", 5, ".*groups shuffle types of at most 32 bytes", "#include <cooperative_groups.h>\nstruct S { char a[33]; };\n__global__ void k(S *s)\n{\n"
     "    *s = cooperative_groups::tiled_partition<4>(cooperative_groups::this_thread_block()).shfl(*s, 0);\n}\n"),
    ("larger parameters than CUDA takes", 5, ".*more than 32764 bytes of parameters", "struct S { char x[32765]; };\n__global__ void k(int, S) {}\nint main()\n{\n    k<<<1, 1>>>(1, S());\n}\n"),
    ("an end that is missing", "[23]", "the compiler refuses this: expected", "__global__ void k() {\n    int a[2] = {1, 2}\n}\n")]


@pytest.mark.parametrize("line, message, source, more", [pytest.param(*case[1:], more, id=case[0]) for cases, more in ((KNOWN, ""), (FOUND, r"(?:.*\n)*.*: error: .*\n(?:.*\n)*"))
                                                         for case in cases])
def test_a_program(ok, scratch, line, message, source, more):
    refuses(ok, scratch, line, message, source, more)


@pytest.mark.parametrize("header, line, message", [(header, 3, rf".*({re.escape(header)}|cuda/std/\S+) (is not supported|here)") for header in ("curand_mtgp32.h", "thrust/mr/new.h", "cuda/latch")]
                         + [("mine.cuh", 3, r".*no header mine\.cuh here")])
def test_headers(ok, scratch, header, line, message):
    """Whether the toolkit is installed or not."""
    refuses(ok, scratch, line, message, f"// the first line\n#include <cuda_runtime.h>\n#include {'<%s>' % header if '/' in header or 'mtgp' in header else '%r' % header}\n".replace("'", '"'), r"(?:.*\n)*")


def test_headers_in_cpp(ok, scratch):
    write(f"{scratch}/refused.cpp", "#include <cuda_runtime.h>\n#include <cublas_v2.h>\n")
    ok.refused(f"{SIMCC} -c {scratch}/refused.cpp -o {scratch}/x.o", 1, rf"^simcc: {scratch}/refused\.cpp:2: cublas_v2\.h is not supported \(cuBLAS\)$")


def test_each_header_of_a_toolkit(ok, scratch):
    """Is ours, or refused by name: none is taken from one that is installed."""
    table = read("simulator/toolkit_headers.txt").partition("\n\n")[2]
    listed = {name for line in table.splitlines() for name in "".join(re.findall("[<=~:] (.*)", line)).split()}

    def not_known(*names):
        return [name for name in names if not os.path.exists(f"simulator/include/{name}") and name not in listed]
    ok.equal([name for name in sorted(listed) if os.path.exists(f"simulator/include/{name}")], [], "no header is both ours and in the list")
    ok.equal(not_known("driver_functions.h", "cufft.h", "planted.h"), ["planted.h"], "a header that is neither is found")
    folder = f"{cuda_home(scratch)}/include" if nvcc() else ""
    if not os.path.exists(f"{folder}/cuda_runtime_api.h"):
        return ok.skip("those of a toolkit", "none is here")
    there = [os.path.relpath(f"{place}/{name}", folder) for place, _, names in os.walk(folder) for name in names
             if re.search(r"\.hp?p?$", name) and re.fullmatch(r"\.|crt|nvtx3|Open.*|cooperative_groups", os.path.relpath(place, folder))]
    ok(len(there) > 100 and not not_known(*there), "each is ours or refused", not_known(*there))


def test_cpp_beside_it(scratch):
    """Compiled by g++ alone with the headers' folder: driver_functions.h is in many a toolkit's folder, too."""
    write(f"{scratch}/beside.cpp", "#include <driver_functions.h>\n#include <vector_functions.h>\n#include <nvToolsExt.h>\nstruct P { float x; __host__ __device__ float twice() const { return 2 * x; } };\n"
          '__device__ __forceinline__ int f(float4 v) { return (int)v.x; }\nint beside() { cudaSetDevice(0); nvtxRangePush("all"); return f(make_float4(P{1}.twice(), 0, 0, 0)) + nvtxRangePop(); }\n')
    write(f"{scratch}/beside_main.cu", "#include <driver_functions.h>\n#include <texture_fetch_functions.h>\nint beside();\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); return beside() - 2; }\n")
    assert not right(f"${{CXX:-g++}} -Wall -Wextra -Werror $(simulator/simcc --includes) -c {scratch}/beside.cpp -o {scratch}/beside.o && "
                     f"{SIMCC} {scratch}/beside_main.cu {scratch}/beside.o -o {scratch}/beside && {scratch}/beside")


def test_what_cuda_13_removed(ok, scratch):
    """With a warning that says so."""
    write(f"{scratch}/gone.cu", "int main()\n{\n    cudaDeviceProp p;\n    cudaGetDeviceProperties(&p, 0);\n    int all = p.clockRate + p.deviceOverlap;\n    return cudaThreadSynchronize() + all;\n}\n")
    output = right(f"{SIMCC} {scratch}/gone.cu -o {scratch}/gone")
    for line, name, says in (5, "clockRate", "CUDA 13 removed this member"), (5, "deviceOverlap", "CUDA 13 removed this member"), (6, "cudaThreadSynchronize", r"CUDA 13 removed this function: call cudaDeviceSynchronize\(\)"):
        ok(re.search(rf"^\S+gone\.cu:{line}:\d+: warning: .*\b{name}\b.*{says}", output, re.M), name, output)


def test_openmp(ok, scratch):
    """As nvcc's options hand it on."""
    program = makes(scratch, "#include <omp.h>\n__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }\nint main()\n{\n    int *p, h[128], n = 0;\n    cudaMalloc(&p, sizeof h);\n"
                    "#pragma omp parallel for num_threads(4) reduction(+ : n)\n    for (int i = 0; i < 4; i++) k<<<1, 32>>>(p + 32 * i), n += omp_get_num_threads();\n"
                    "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n    return n != 16 || h[127] != 31;\n}\n", "-Xcompiler -fopenmp")
    ok.equal(run(program), ("", 0), "compiled and linked")
    said = run(f"SIMT_STATS=1 {program}")[0]
    ok(re.fullmatch(r"simulator: 4 launches of 128 threads; 128 accesses in \S+ s of the processor, \S+ million a second\n", said), "SIMT_STATS=1 says how many there were", said)


def test_a_compiler_without_an_end(ok, scratch):
    """A program that would keep it busy for hours: simcc allows 300 s, here a second must do."""
    write(f"{scratch}/refused.cu", "template <int N, int K> struct Many { static constexpr long v = Many<N - 1, 2 * K>::v + Many<N - 1, 2 * K + 1>::v; };\n"
          "template <int K> struct Many<0, K> { static constexpr long v = K; };\n__global__ void k(long *p) { *p = Many<28, 1>::v; }\n")
    output, status = run(f"ulimit -t 1; {SIMCC} {scratch}/refused.cu -o {scratch}/refused")
    ok(status == 1 and re.search("^simcc: .*the compiler takes too long, or too much memory, and was ended$", output, re.M), "said so", output)


# ---- what is refused when running ----

def test_who_decides_on_the_status(ok, scratch):
    """A program that looks at the assertion's error does; a crash in host code is the program's own."""
    program = makes(scratch, "#include <cassert>\n#include <cstdio>\n__global__ void k(int n) { assert(n > 3); }\nint main(int argc, char **)\n{\n"
                    "    if (argc > 1) *(volatile int *)nullptr = 5;\n    k<<<2, 64>>>(3);\n    puts(cudaGetErrorName(cudaDeviceSynchronize()));\n}\n")
    output, status = run(program)
    ok(status == 0 and re.fullmatch(r"simulator: \S+:3: k, .* assertion `n > 3' failed\ncudaErrorAssert\n", output), "cudaErrorAssert, returned and looked at", output)
    output = run(f"{program} crash")[0]
    ok(re.search(r"^simulator: \S+:6: host code touches memory that is not there: the program's own mistake$", output, re.M), "a crash before any launch: whose it is", output)


def test_a_race_that_was_harmless_before(ok, scratch):
    """A note of a pair of lines does not hide the error that they make later, nor do notes of many lines."""
    many = "".join(f"    p[{k}] = 1;\n" for k in range(45))
    program = makes(scratch, f"__global__ void k(int *p, int n)\n{{\n    p[64 + threadIdx.x / 2] = 1 + n * (int)threadIdx.x;\n{many}}}\nint main()\n{{\n    int *p;\n    cudaMalloc(&p, 512);\n"
                    "    for (int n = 0; n < 3; n++) k<<<1, 64>>>(p, n);\n    cudaDeviceSynchronize();\n}\n")
    output, status = run(program)
    ok(status == 1 and re.fullmatch(r"(simulator: note: \S+:3: k: write-write race .*\n)(simulator: note: .*\n){19}simulator: \S+:3: k: write-write race .*\n", output), "20 notes, and then the error, once", output)


NOBODY_KNOWS = r"note: \?: \?, .*waits at another, \?: or at this one, which the compiler may have put at two addresses"


@pytest.mark.parametrize("before, status, message", [("", 1, r"stops\.cu:6: k, .*waits at another, \S*stops\.cu:4"), ('strip "$p";', 0, NOBODY_KNOWS), ("PATH=/nonexistent", 0, NOBODY_KNOWS)])
def test_faults_without_names_for_places(ok, scratch, before, status, message):
    """Stripped, or no addr2line: gcc may make two barriers of one, so that is no error. A folder's name is no shell's. (Of two branches that are the same clang makes one.)"""
    write(f"{scratch}/stops.cu", f"__global__ void k(int)\n{{\n    if (threadIdx.x < 5)\n        __syncthreads(), __threadfence();\n    else\n        __threadfence(), __syncthreads();\n}}\n{MAIN}\n")
    os.makedirs(f"{scratch}/it's `touch x`", exist_ok=True)
    output, got = run(f'cd {scratch} && p="it\'s \\`touch x\\`/stops" && {SIMCC} stops.cu -o "$p" && {{ {before} "$p"; }}')
    ok(got == status and re.search(rf"^simulator: {message}\n\Z", output, re.M), "two barriers at once: found", output)
    ok(not os.path.exists(f"{scratch}/x"), "a name of a folder is not run")


# ---- the command line ----

OVER = "would overwrite my.cu, which is read: name another file"


@pytest.fixture(scope="module")
def over(scratch):
    """A folder of sources, which stay as they are."""
    folder = f"{scratch}/over"
    for name in "my.cu other.cu c.c my.o my.a mine.h -my.cu".split():
        write(f"{folder}/{name}", "int x;\n")
    os.symlink("my.cu", f"{folder}/link")
    os.link(f"{folder}/my.cu", f"{folder}/linked")
    os.mkdir(f"{folder}/folder")
    return folder


@pytest.mark.parametrize("arguments, says", [
    ("", "no .cu file given: simcc FILE.cu -o PROG"), ("missing.cu -o x", "missing.cu: no such file"), ("my.cu -o", "-o needs a value"), ("my.cu -arch", "-arch needs a value"),
    ("-c my.cu other.cu -o x", "-c with -o takes one file, not 2"), ("-ptx my.cu -o x", "-ptx: no code for a GPU is made here"), ("main.py my.cu -o x", "main.py: neither a source nor an object file"),
    *((f"my.cu -{to}", f"-{to} {OVER}") for to in ("o my.cu", "o ./my.cu", "o $PWD/my.cu", "o link", "o folder/../linked", "MF my.cu")),
    ("-c my.cu -o link", f"-o link {OVER}"), ("my.cu -omy.cu", f"-o my.cu {OVER}"), ("my.cu c.c --output-file=c.c", f"-o c.c {OVER}".replace("my.cu", "c.c")),
    ("my.cu my.o -o my.o", f"-o my.o {OVER}".replace("my.cu", "my.o")), ("my.cu ./my.a -o my.a", f"-o my.a {OVER}".replace("my.cu", "./my.a")),
    ("my.cu -o other.cu", "-o other.cu would overwrite a source: name another file"), ("my.cu -MMD -MF mine.h", "-MF mine.h would overwrite a source: name another file"),
    ("my.cu -o ''", "-o needs a name"), ("my.cu --output-file=", "--output-file needs a name"), ("my.cu -MF ''", "-MF needs a name"), ("my.cu -o folder", "-o folder: this is a folder"),
    ("my.cu -o none/x", "-o none/x: there is no folder none"), ("my.cu none.o", "none.o: no such file"), ("-my.cu", "-my.cu looks like an option: write ./-my.cu"),
    ("my.cu -", "-: a file is needed, and no standard input")])
def test_the_command_line(over, arguments, says):
    """What is written must not be what is read, by whatever name, and must be writable: said before anything is compiled."""
    assert run(f"cd {over} && {SIMCC} {arguments}") == (f"simcc: {says}\n".replace("$PWD", over), 2)
    assert {read(f"{over}/{name}") for name in os.listdir(over) if name != "folder"} == {"int x;\n"}


def test_names_that_are_taken(ok, over, scratch):
    shutil.copytree(over, f"{scratch}/taken")
    ok.equal(run(f"cd {scratch}/taken && {SIMCC} -c ./-my.cu && ls ./-my.o"), ("./-my.o\n", 0), "a name that begins with - is compiled")
    ok(run(f"cd {scratch}/taken && {SIMCC} -c ./-my.cu -o /dev/null && ls -l /dev/null")[0].startswith("c"), "and /dev/null is written, not replaced")


@pytest.fixture(scope="module")
def later(scratch):
    folder = f"{scratch}/later"
    write(f"{folder}/main.cu", "int main() { return 0; }\n")
    write(f"{folder}/twice.cu", "int main() { return 1; }\n")
    write(f"{folder}/my.o", "int x;\n")
    script(f"{folder}/tool", '[ "$1" = -print-prog-name=objcopy ] && exec echo /nonexistent/objcopy\nexec gcc "$@"\n')
    script(f"{folder}/old", "echo Debian clang version 14.0.6\n")
    os.mkdir(f"{folder}/folder")
    return folder


@pytest.mark.parametrize("environment, arguments, line", [
    pytest.param("", "-lnothing main.cu -o x", r"main\.cu: this does not link: (?:cannot find|unable to find library|library not found:) -?l?nothing", id="a library that is not there"),
    pytest.param("", "main.cu twice.cu -o x", r"twice\.cu: this does not link: (?:multiple definition of|duplicate symbol:) .*main", id="two main()"),
    pytest.param("", "main.cu my.o -o x", r"main\.cu: this does not link: .", id="a file that is no object file"),
    pytest.param("CC=./tool", "-c main.cu", r"main\.cu: objcopy, of binutils, fails: .*/nonexistent/objcopy.*not found", id="no objcopy"),
    pytest.param("CC=none", "-c main.cu", r"none does not run: a C compiler is needed, gcc 12 or later; CC=\.\.\. names one\n\Z", id="no C compiler"),
    pytest.param("CXX=none", "-c main.cu", r"none does not run: a C\+\+ compiler is needed, g\+\+ 12 or later; CXX=\.\.\. names one\n\Z", id="no C++ compiler"),
    pytest.param("CXX=./old", "-c main.cu", r"\./old is older than clang 15: .*g\+\+ 12 or later, or clang 15 or later, is needed\n\Z", id="an old clang"),
    pytest.param("trap '' XFSZ && ulimit -f 0;", "-c main.cu", r"there is no room in /.*: TMPDIR=FOLDER names another place\n\Z", id="a full disk"),
    pytest.param("TMPDIR=$PWD/none", "-c main.cu", r"no temporary folder can be made in /\S*/none: TMPDIR=FOLDER names another place\n\Z", id="no TMPDIR")])
def test_what_stops_it_later(ok, later, environment, arguments, line):
    """The reason in one line first, and nothing left."""
    output, status = run(f"cd {later} && {environment} {SIMCC} {arguments}")
    ok(status == 1 and re.match(f"simcc: {line}", output), "said so in the first line", f"status {status}\n{output}")
    ok(not os.path.exists(f"{later}/x") and not os.path.exists(f"{later}/main.o"), "nothing is written")


def test_a_full_tmpdir(later):
    mount = f"unshare -m sh -c 'mount -t tmpfs -o size=20k none {later}/folder && \"$@\"' sh"
    if run(f"{mount} true")[1]:
        pytest.skip("nothing can be mounted here")
    output, status = run(f"cd {later} && {mount} env TMPDIR={later}/folder {SIMCC} -c main.cu")
    assert status == 1 and re.match(rf"simcc: main\.cu: .*there is no room in {later}/folder ", output), output
