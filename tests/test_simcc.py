"""simcc and programs in other styles than the lessons'. Each file of tests/simcc is a test of its own (make test has no time for all; by night come those
of textures, random numbers and tensor cores, which change little); here is what is asked of them besides."""
import glob
import re

import pytest
from common import nvcc, quick_nvcc, read, right, run, write
from mutants import as_one

PROGRAMS = sorted(glob.glob("tests/simcc/*.cu"))
# Those that name something from the root, as ::x, or whose first line has options for nvcc. (tests/gpu runs all.)
ALONE = [path for path in PROGRAMS if re.search(r"(?<![\w>])::\w|\A// nvcc: ", read(path))]


@pytest.mark.nightly
@pytest.mark.skipif(not nvcc(), reason="no nvcc here")
@pytest.mark.parametrize("path", ["all others", *ALONE])
def test_they_are_cuda(scratch, path):
    """nvcc's front end takes them, too."""
    if path not in ALONE:
        path = f"{scratch}/all.cu"
        write(path, as_one([name for name in PROGRAMS if name not in ALONE]))
    no_code = "-fdevice-syntax-only" if "--fdevice-syntax-only" in run(f"{nvcc()} --help")[0] else ""
    options = re.match(r"// nvcc: ((?:-[a-km-z]\S* ?)*)|", read(path))[1] or ""
    command = f"{quick_nvcc()} -std=c++20 --extended-lambda -arch=sm_90 -I. -Itests/simcc {options} {no_code} -ptx {path} -o /dev/null"
    right(command)


@pytest.mark.more
@pytest.mark.parametrize("standard", ["c++14", "c++20"])
@pytest.mark.parametrize("program", ["cooperative_groups", "host_part"])
def test_older_and_newer_standards(scratch, standard, program):
    """Than the default, which is that of nvcc: without a word, too."""
    assert run(f"simulator/simcc -std={standard} tests/simcc/{program}.cu -o {scratch}/{standard} && {scratch}/{standard} >/dev/null 2>&1") == ("", 0)


@pytest.mark.more
def test_macros_of_a_program(scratch):
    """They do not get into the headers. (T and U, and VALUE of CUB, do into CUDA's own.)"""
    headers = sorted(path for path in glob.glob("simulator/include/**", recursive=True) if re.search(r"\.cuh$|\.h$|/ptx$", path) and "/simt_" not in path)
    names = [*"ABCDEFGHIJKLMNOPQRSVWXYZ", *"BINS BLOCK COUNT NONE NUMBER SIZE STAGES THREADS TILE TYPE WARP WIDTH".split()]
    write(f"{scratch}/macros.cu", "".join(f"#include <{path[len('simulator/include/'):]}>\n" for path in headers) + "static_assert(K == 8 && SIZE == 8);\n")
    assert run(f"simulator/simcc {' '.join(f'-D{name}=8' for name in names)} -c {scratch}/macros.cu -o {scratch}/macros.o") == ("", 0)


@pytest.mark.more
def test_a_system_that_gives_few_addresses(ok, scratch):
    assert run(f"simulator/simcc -g1 tests/simcc/vector_add.cu -o {scratch}/vector_add") == ("", 0)
    right(f"ulimit -v 1000000; {scratch}/vector_add")
    for limit in "-v 420000", "-v 100000", "-s 64":
        ok.refused(f"ulimit {limit}; {scratch}/vector_add", 1, rf"simulator: the shell's limit is too low: ulimit {limit}, and \d+ is needed")
    ok.refused("OMP_NUM_THREADS=100000 build/sim/step01 -n 1000 2>&1 >/dev/null", 1, r"host code needs more stack than there is \(ulimit -s\): .*OMP_NUM_THREADS")
