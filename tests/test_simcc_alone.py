r"""simcc as a compiler driver: C++ libraries that declare more, several files, nvcc's options, odd names, CCCL's headers that are refused; and the folder
simulator/ by itself, in other hands."""
import glob
import os
import re
import shlex

import pytest
from common import ROOT, cuda_home, nvcc, read, right, run, script, write

pytestmark = pytest.mark.more
SIMCC = shlex.quote(f"{ROOT}/simulator/simcc")
CLANG = "clang" in run("${CXX:-g++} --version")[0]


def files(folder, texts):
    for name, text in texts.items():
        write(f"{folder}/{name}", text)
    return shlex.quote(folder)


# ---- a C library that declares more ----

@pytest.fixture(scope="module")
def declared():
    """A function of the simulator's headers that takes C's own types alone, and whose name begins neither as reserved names nor as CUDA's do: a later C
    library may declare it, and <cmath> overload it -> declarations of a library, of the standard, and calls."""
    headers = [path[len("simulator/include/"):] for depth in ("*", "*/*", "*/*/*") for path in glob.glob(f"simulator/include/{depth}") if os.path.isfile(path)]
    write("build/tests/headers.cpp", "".join(f'#include "{name}"\n' for name in ["simt_first.h", *headers]))
    text = right(f"{CHECK} -E build/tests/headers.cpp")
    own = "".join(part.partition("\n")[2] for part in re.split(r"^# \d+ ", text, flags=re.M) if part.startswith('"simulator/include'))
    for pattern, instead in (r'"(?:\\.|[^"\\])*"', ""), (r"__attribute__\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)", ""), (r"extern\s+\{", ""):
        own = re.sub(pattern, instead, own)
    while True:  # bodies, classes, namespaces
        own, found = re.subn(r"\{[^{}]*\}", ";", own)
        if not found:
            break
    library, standard, calls, seen = "", "", "", set()
    for name, parameters in re.findall(r"\b([a-z]\w*)\s*\(([^()]*)\)\s*;", own):
        if re.match(r"simt_|cuda|cu[A-Z]|curand|nccl|make_|atomic[A-Z]", name):
            continue
        number = "unsigned" if name[0] == "u" else "float" if name[-1] == "f" else "double"
        parameters = re.sub(r",?\s*_NONE\.\.\.", "", parameters)
        types = [re.sub(r"\s+", "", re.sub(r"\b(?:_[A-Z]|T)\b", number, re.sub(r"\w+\s*$", "", word), count=1)) for word in parameters.split(",")] if parameters else []
        if name in seen or not all(re.fullmatch(r"(?:unsigned|int|long|float|double)\**", word) for word in types):
            seen.add(name)
            continue
        seen.add(name)
        result = "long" if not types else "void" if "*" in types[-1] else types[0]
        pointers = [f"({word})nullptr" for word in types if "*" in word]
        library += f'extern "C" {result} {name}({", ".join(types)}) noexcept;\n'
        if re.match(r"\w+$", " ".join(types)):
            standard += (f"namespace later {{\nusing ::{name};\nconstexpr long double {name}(long double x) {{ return x; }}\n"
                         + (f"constexpr float {name}(float x) {{ return x; }}\n" if name[-1] != "f" else "")
                         + f"template <class T> constexpr std::enable_if_t<std::is_integral<T>::value, double> {name}(T) {{ return 0; }}\n}}\nusing later::{name};\n")
        for value in ("2", "2u", "2.0f", "2.0") if types else [""]:
            calls += f"    (void){name}({', '.join([value] * (len(types) - len(pointers)) + pointers)});\n"
    assert calls.count("(void)") > 24
    return library, standard, f"int main()\n{{\n{calls}}}\n"


CHECK, FIRST = "${CXX:-g++} -std=gnu++17 -Wall -Wextra -Werror -Isimulator/include/. -x c++", '#include "simt_first.h"\n'
MINE = ('static float rcbrtf(float x) { return x; }\nextern "C" double rcbrt(double);\ntemplate <class T> T cospi(T x) { return x; }\n'
        "struct mine { double rsqrt; int umin; double rhypot(double); };\ndouble mine::rhypot(double umax) { return umax + rsqrt + umin; }\n")


@pytest.mark.parametrize("when", [FIRST, "#include <math.h>\nLIBRARY" + FIRST, FIRST + "LIBRARY", "#include <cmath>\nLIBRARYSTANDARD" + FIRST, FIRST + "LIBRARYSTANDARD", FIRST + MINE],
                         ids=["no such library", "C before", "C after", "C++ before", "C++ after", "a program's own functions"])
def test_functions_by_the_names_of_others(scratch, declared, when):
    library, standard, main = declared
    write(f"{scratch}/later.cpp", when.replace("LIBRARY", library).replace("STANDARD", standard) + main)
    right(f"{CHECK} -fsyntax-only {scratch}/later.cpp")


def test_headers_for_c(scratch):
    write(f"{scratch}/api.c", "".join(f"#include <{name}>\n" for name in ("cuda_runtime.h", "curand.h", "nccl.h", "math_constants.h")) + "int main(void) { return 0; }\n")
    right(f"${{CC:-gcc}} -std=c2x -Wall -Wextra -pedantic -Werror -Isimulator/include -fsyntax-only {scratch}/api.c")


# ---- several files, as nvcc takes them ----

@pytest.fixture(scope="module")
def odd(scratch):
    """Two of CUDA that share a __device__ variable, one of C++, one of C, in a folder of an odd name."""
    return files(f"{scratch}/it's \"odd\" $HOME", {
        "a.cu": '#include <cstdio>\n#include "b.h"\nextern __device__ int shared_by_two;\nextern "C" int from_c(int);\nint from_cpp(int);\n'
                "__global__ void k(int *p) { shared_by_two = 5; *p = twice(shared_by_two); }\nint main()\n{\n    int *p, h;\n    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n"
                '    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n    h += from_c(1) + from_cpp(2) + VALUE;\n    printf("%d\\n", h);\n    return h != 10 + 101 + 202 + 1000;\n}\n',
        "b.cu": '#include "b.h"\n__device__ int shared_by_two;\n__device__ int twice(int x) { return 2 * x; }\n', "b.h": "__device__ int twice(int x);\n",
        "c.c": "int from_c(int x) { return x + 100; }\n", "d.cpp": "#include <cuda_runtime.h>\nint from_cpp(int x) { int n = 0; cudaGetDeviceCount(&n); return x + 200 * n; }\n",
        "trap.cu": "__global__ void k() { __trap(); }\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }\n"})


def test_several_files(ok, scratch, odd):
    """nvcc's options with a blank, a compiler of several words, names with blanks and quotes."""
    ok.equal(run(f"cd {scratch} && CXX='env g++' {SIMCC} -rdc=true -arch sm_90 --std c++17 -ccbin g++ -Xcompiler -Wall,-DVALUE=1000 -Xlinker -s -t 2 --ptxas-options=-v "
                 f"--expt-relaxed-constexpr {odd}/a.cu {odd}/b.cu {odd}/c.c {odd}/d.cpp -o {odd}/'many files' && {odd}/'many files'"), ("1313\n", 0), "are linked, and right")
    ok.equal(run(f"cd {odd} && {SIMCC} -dc b.cu -MMD -MF 'a b.d' && {SIMCC} -DVALUE=1000 a.cu b.o c.c d.cpp && ./a.out"), ("1313\n", 0), "no output named: b.o, a.out; -dc compiles only")
    depends = run(f"cat {odd}/'a b.d'")[0]
    ok("b.h" in depends and "include/./vector_types.h" in depends, "a dependency file with a blank in its name has the headers, precompiled or not", depends)
    ok.equal(run(f"cd {odd} && {SIMCC} trap.cu -o trap && ./trap")[0], "simulator: trap.cu:1: k, block (0,0,0), thread (0,0,0): __trap()\n", "a fault is at the reader's own line")


@pytest.fixture(scope="module")
def made(scratch):
    """A program with a Makefile for nvcc, and one for cmake."""
    return files(f"{scratch}/made", {
        "Makefile": "FLAGS = -O3 -arch=sm_80 -Xcompiler '-Wall,-O2 -fopenmp'\nprog: main.o k.o c.o d.o\n\t$(CC) $(FLAGS) $^ -o $@ -L/usr/local/cuda/lib64 -lcudart -lcublas\n"
                    "%.o: %.cu\n\t$(NVCC) $(FLAGS) -dc $< -o $@\n%.o: %.c\n\t$(CC) $(FLAGS) -c $< -o $@\n%.o: %.cpp\n\t$(CXX) $(FLAGS) -x cu -c $< -o $@\n"
                    "lib.a: k.o\n\t$(CC) -lib $^ -o $@\nown: main.o c.o d.o lib.a\n\t$(CC) -dlink $^ -o link.o\n\tgcc $^ link.o -o $@ -L$(CUDA_PATH)/lib64 -lcudart -lgomp\n",
        "main.cu": '#include <cstdio>\nint k();\nint d();\nextern "C" int c(void);\nint main() { printf("%d\\n", k() + c() + d()); }\n', "c.c": "int c(void) { return 10; }\n",
        "k.cu": "__device__ int x;\n__global__ void set(int *p) { *p = x = 1; }\n"
                "int k() { int *p, h; cudaMalloc(&p, 4); set<<<1, 1>>>(p); cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost); return h; }\n",
        "d.cpp": "__global__ void none() {}\nint d() { none<<<1, 1>>>(); return cudaDeviceSynchronize() + 100; }\n",
        "CMakeLists.txt": "cmake_minimum_required(VERSION 3.18)\nproject(made LANGUAGES C CXX CUDA)\nfind_package(CUDAToolkit REQUIRED)\nadd_library(kernels SHARED k.cu)\n"
                          "set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON)\nset_source_files_properties(d.cpp PROPERTIES LANGUAGE CUDA)\n"
                          "add_executable(made main.cu c.c d.cpp)\ntarget_link_libraries(made PRIVATE kernels CUDA::cudart)\n"})


def test_in_place_of_nvcc(ok, made):
    """In a Makefile, whichever variable names it: make hands that on in the environment."""
    ok.equal(run(f"cd {made} && PATH={shlex.quote(ROOT)}/simulator:$PATH make -s CC=simcc CXX=simcc NVCC=simcc && ./prog"), ("111\n", 0), "make CC=simcc CXX=simcc NVCC=simcc")
    ok.equal(run(f"cd {made} && CUDA_PATH=$({SIMCC} --toolkit) && make -s own CC={SIMCC} NVCC=$CUDA_PATH/bin/nvcc CUDA_PATH=$CUDA_PATH && ./own"), ("111\n", 0),
             "and --toolkit, a folder as CUDA_PATH names one, for who links by gcc")
    ok(re.search(r"^Cuda compilation tools, release 13\.0, ", run(f"{SIMCC} --version")[0], re.M), "--version, as Makefiles read it")
    ok(run(f"cd {made} && {SIMCC} -MM k.cu")[0].startswith("k.o: k.cu"), "-MM prints what a file depends on")
    ok.equal(run(f"cd {made} && {SIMCC} -E c.c | tail -n 1")[0], "int c(void) { return 10; }\n", "-E prints the text")


@pytest.mark.nightly
def test_cmake(made):
    if run("cmake --version")[1]:
        pytest.skip("no cmake here")
    assert right(f"cd {made} && (CUDACXX={SIMCC} cmake -B by_cmake . && make -C by_cmake) >cmake.out 2>&1; by_cmake/made || cat cmake.out") == "111\n"


def test_launches_share_their_code(scratch):
    """A launch more of a kernel costs no function more: thousands in a file compile in seconds."""
    def functions(launches):
        write(f"{scratch}/launches.cu", "__global__ void one(int *p) { *p = 1; }\ntemplate <class T, int N> __global__ void many(T *p, T x) { *p = x + N; }\nint main()\n{\n    int *p;\n"
              "    cudaMalloc(&p, 4);\n" + "    one<<<1, 1>>>(p);\n    many<int, 3><<<1, 1>>>(p, 4);\n" * launches + "}\n")
        return len(re.findall(" [tTwWV] ", right(f"{SIMCC} -c {scratch}/launches.cu -o {scratch}/launches.o && nm {scratch}/launches.o")))
    assert functions(10) == functions(60)


def test_a_slow_compiler(ok, scratch):
    script(f"{scratch}/slow", 'exec g++ "$@"\n')
    run(f"CXX={scratch}/slow {SIMCC} -c tests/simcc/vector_add.cu -o {scratch}/x.o")  # builds its headers
    script(f"{scratch}/slow", '[ "$1" = --version ] || sleep 1.5\nexec g++ "$@"\n')
    os.mkdir(f"{scratch}/temporary")
    status = run(f"TMPDIR={scratch}/temporary CXX={scratch}/slow {SIMCC} tests/simcc/nbody.cu -o {scratch}/x & sleep 0.7; kill -TERM $!; wait $!")[1]
    ok.equal(status, 143, "an interrupted simcc: exit status")
    ok.equal(os.listdir(f"{scratch}/temporary") + glob.glob("simulator/build/new-*"), [], "an interrupt leaves no temporary folder")
    script(f"{scratch}/slow", "case \" $* \" in *' -c '*) sleep 5.5 ;; esac\nexec g++ \"$@\"\n")
    ok.equal(run(f"CXX={scratch}/slow script -qec '{SIMCC} -c tests/simcc/vector_add.cu -o {scratch}/x.o' /dev/null")[0], "simcc: compiles tests/simcc/vector_add.cu\r\n",
             "a compile of more than five seconds says what it does, on a terminal")


def test_a_compiler_that_makes_no_precompiled_headers(scratch):
    """They are read as text, and nothing is said."""
    script(f"{scratch}/plain_g++", "case \" $* \" in *' c++-header '*) exit 1 ;; esac\nexec g++ \"$@\"\n")
    assert not re.search("^mv: ", right(f"CXX={scratch}/plain_g++ {SIMCC} tests/simcc/vector_add.cu -o {scratch}/plain && {scratch}/plain"), re.M)


def test_a_header_with_a_kernel(ok, scratch):
    """In a folder with a space, with nvcc's options and an object file."""
    folder = f"{scratch}/my kernels"
    files(folder, {"add.cuh": "#pragma once\ntemplate <class T> __global__ void add(T *p) { extern __shared__ T s[]; s[0] = N; *p += s[0]; }\n"
                              "inline void run_add(int *p) { add<<<1, 1, sizeof(int)>>>(p); }\n",
                   "main.cu": '#include "add.cuh"\n#include TEXT\nint main()\n{\n    int *p;\n    cudaMallocManaged(&p, 4);\n    *p = 1;\n    run_add(p);\n    cudaDeviceSynchronize();\n'
                              "    return *p != 42 || text()[0] != 'a';\n}\n", "../text.h": 'inline const char *text() { return "a b"; }\n'})
    ok.equal(run(f"{SIMCC} -O3 -arch=sm_80 -gencode arch=compute_80,code=sm_80 -lineinfo --extended-lambda -Xcompiler -Wall -I {scratch} '-DTEXT=\"text.h\"' -D N=41 -std=c++17 "
                 f"'{folder}/main.cu' -c -o '{scratch}/main.o'"), ("", 0), "nvcc's options, a header with a launch, names with spaces, an older C++")
    ok.equal(run(f"{SIMCC} -I{scratch} -DTEXT='\"text.h\"' -DN=41 '{folder}/main.cu' -o '{folder}/main' -lm && '{folder}/main'"), ("", 0), "and it runs")
    write(f"{folder}/add.cuh", '__global__ void add(int *p)\n{\n    asm("bra there;");\n}\n')
    ok.equal(run(f"{SIMCC} -I{scratch} -DTEXT='\"text.h\"' '{folder}/main.cu' -o '{scratch}/x'")[0], f"simcc: {folder}/add.cuh:3: inline PTX: bra is not supported\n", "a header is named where it is to blame")


@pytest.mark.parametrize("lanes, line", [(65, 5), (64, 9)])
def test_messages_are_at_the_readers_lines(ok, scratch, lanes, line):
    """In what is for the device alone (__CUDA_ARCH__) and after it."""
    write(f"{scratch}/arch.cu", "#include <cstdio>\n__global__ void k(int *p)\n{\n#if __CUDA_ARCH__ >= 700\n    p[threadIdx.x] = 1;\n#else\n    this is not even C++\n#endif\n"
          "    if (LANES == 64) p[64] = 2;\n}\nint main() { int *p; cudaMalloc(&p, 64 * sizeof *p); k<<<1, LANES>>>(p); puts(&__FILE__[0 * __LINE__]); return __LINE__ - 11; }\n")
    ok.refused(f"{SIMCC} -DLANES={lanes} {scratch}/arch.cu -o {scratch}/arch && {scratch}/arch", 1, rf"^simulator: \S+arch\.cu:{line}: k, .*: writes 4 bytes at byte 256 .*$")


def test_a_system_header_asks_for_the_device(ok, scratch):
    """As a build by CMake names those of other projects."""
    write(f"{scratch}/system/where.h", "#ifdef __CUDA_ARCH__\n#define ON_DEVICE 1\n#else\n#define ON_DEVICE 0\n#endif\n")
    write(f"{scratch}/where.cu", "#include <where.h>\n#include <cstdio>\n__global__ void k() { printf(\"%d\", ON_DEVICE); }\nint main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); printf(\"%d\\n\", ON_DEVICE); }\n")
    ok.equal(right(f"{SIMCC} -isystem {scratch}/system {scratch}/where.cu -o {scratch}/where && {scratch}/where"), "10\n", "the kernel, and the host")


def test_no_main(scratch):
    write(f"{scratch}/link.cu", "__device__ int x;\n")
    assert re.match(r"simcc: \S+link\.cu: this does not link: undefined (?:reference to|symbol:) .?main\W", right(f"{SIMCC} {scratch}/link.cu -o {scratch}/link", 1))


@pytest.mark.parametrize("header, message", [("cub/device/device_partition.cuh", r"cub/device/\S+ is not supported: of CUB what a block and a warp do is"), ("thrust/shuffle.h", r"thrust/shuffle\.h is not supported")])
def test_headers_of_cccl_that_are_there(ok, scratch, header, message):
    """Refused by name. (What CUB does in a block: tests/simt/cub_blocks.cu.)"""
    cccl = f"{cuda_home(scratch)}/include/cccl" if nvcc() else ""
    if not os.path.isdir(f"{cccl}/cub"):
        pytest.skip("no CCCL here: it comes with CUDA's toolkit")
    write(f"{scratch}/refused.cu", f"\n#include <{header}>\n")
    ok.refused(f"{SIMCC} -I{cccl} {scratch}/refused.cu -o {scratch}/refused", 1, rf"^simcc: \S+refused\.cu:2: {message}$")


# ---- the folder alone ----

@pytest.mark.nightly
def test_suites(ok, scratch):
    """simulator/suites.py: a suite of four programs, each of which comes out in its own way."""
    for name in "data", "driver", "runs", "wrong":
        files(f"{scratch}/suite/cuda/{name}", {"Makefile": "main: main.cu\n\t$(CUDA_DIR)/bin/nvcc main.cu -o main\n", "run": "./main ../../data/x\n" if name == "data" else "./main\n",
                                               "main.cu": f"int main() {{ {'cuInit(0); ' * (name == 'driver')}return {3 * (name == 'wrong')}; }}\n"})
    ok.equal(run(f"simulator/suites.py {scratch}/suite")[0], """cuda/data: built: its data are not in the checkout: ../../data/x
cuda/driver: not built: simcc: main.cu:1: the driver API (cu...) is not supported: the runtime's (cuda...) is
cuda/runs: ran
cuda/wrong: built: status 3, no word
4 programs, 3 built, 1 ran, 1 with nothing to run
""", "what is built, what ran, and why not")


@pytest.mark.nightly
def test_the_folder_alone(ok, scratch, odd, monkeypatch):
    """A copy of the tracked files of simulator/, whatever its name, is all that a program needs. It is built there or, where that cannot be written (a file
    is in its place here), for this once."""
    alone, named = f"{scratch}/alone", "it's a \"simulator\" ü"
    name = shlex.quote(named)
    run(f"mkdir {alone} && tools/files.sh | grep -z ^simulator/ | xargs -0 tar -cf - | tar -xf - -C {alone} && cd {alone} && mv simulator {name}")
    files(alone, {"grid.cu": read("tests/simcc/cooperative_grid.cu"), "saxpy.cu": read("tests/simcc/saxpy_managed.cu"),
                  "trap.cu": "__global__ void k(int n) { if (n == 3) __trap(); }\nint main() { k<<<2, 64>>>(3); return 0; }\n"})

    def runs(*programs):
        for program in programs:
            output, status = run(f"cd {alone} && {name}/simcc {program} -o x && ./x")
            ok(status == 0 and not re.search("^sim", output, re.M), f"{program} compiles and runs", output)

    def built(pattern):
        return sorted(os.path.basename(path) for path in glob.glob(f"{alone}/{pattern}"))
    script(f"{scratch}/quick", 'exec gcc "$@" -O0\n')  # the simulator is built twice below: in half of the time
    for variable, value in ("CC", f"{scratch}/quick -pipe"), ("CDPATH", "."), ("MAKEFLAGS", "nw"):  # of several words; where cd prints; and make does nothing
        monkeypatch.setenv(variable, value)
    runs(f"saxpy.cu {odd}/c.c", "grid.cu")
    ok(os.path.getsize(glob.glob(f"{alone}/*/build/*/libcudart_static.a")[0]), "built in itself")
    ok.equal(run(f"cd {alone} && {name}/simcc trap.cu -o trap && ./trap")[0], "simulator: trap.cu:1: k, block (0,0,0), thread (0,0,0): __trap()\n", "a fault is at the reader's own line")

    # Under its own name, with what it has built. Three at once, when nothing is built yet; TMPDIR is in another file system, if there is one.
    ok.equal(run(f"cd {alone} && mv {name} simulator && rm -r simulator/build/rewriter-* && "
                 "for i in 1 2 3; do TMPDIR=/dev/shm simulator/simcc -c saxpy.cu -o $i.o || echo status $? & done; wait")[0], "", "three first calls at once")
    half_made = [re.match(r"\w+", path)[0] for pattern in ("headers*", "new*", "rewriter*") for path in built(f"simulator/build/{pattern}")] + built("*.o")
    ok.equal(half_made, ["headers"] * (not CLANG) + ["rewriter", "1.o", "2.o", "3.o"], "and nothing half made is left")
    run(f"rm {alone}/?.o")
    shown = re.findall(r"^```sh\n([^\n]+?) *(?:# exit status (\d))?\n```\n\n```output\n(.*?)^```", read("simulator/README.md"), re.M | re.S)
    ok(len(shown) > 1, "README.md shows two runs")
    for command, stated, text in shown:
        output, status = run(f"cd {alone} && {command}")
        if CLANG:  # it makes other basic blocks
            output, text = (re.sub(r"(?<=efficiency )[\d.]+", "", said) for said in (output, text))
        ok.equal((output, status), (text, int(stated or 0)), f"README.md: {command} prints what is shown")

    # What was built of other sources goes, and simcc is found by a link to it.
    run(f"cd {alone} && echo >>simulator/example.cu && mkdir bin && ln -s ../simulator/simcc bin/ && bin/simcc -c trap.cu && rm -r bin trap.o")
    ok.equal(len(built("simulator/build/rewriter-*")), 1, "a rewriter of older sources is removed")
    run(f"cd {alone} && mv simulator {name} && rm -rf {name}/build && touch {name}/build")
    runs("-fsanitize=undefined grid.cu")
    ok.equal(os.path.getsize(f"{alone}/{named}/build"), 0, "built for this once")
    run(f"cd {alone} && rm -rf {name}/build x trap example")
    ok.equal(built("*"), sorted(["grid.cu", named, "saxpy.cu", "trap.cu"]), "and nothing is written elsewhere")
