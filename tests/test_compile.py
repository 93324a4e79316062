"""Every program compiles for the GPU, where nvcc is there, without a word; and without a driver it says so. The first step is built whole; of the
others the kernels alone, to machine code: their host code is what the simulator's build compiles. (The library's test builds the library.)"""
import glob
import os
import re

import pytest
from common import EXPERIMENTS, PROGRAMS, cuda_home, nvcc, quick_nvcc, run, write
from mutants import as_one

pytestmark = [pytest.mark.skipif(not nvcc(), reason="no nvcc here")]
WHOLE, BUILD = "step01", "build/cuda-sm_90"  # that of BACKEND=cuda may be for another GPU
RIVALS = glob.glob("library/compare/*.cu") + glob.glob("steps/14_many_gpus/compare/*.cu") + [f"steps/00_baselines/{name}.cu" for name in ("cub", "thrust")]
MORE = [program.folder for program in PROGRAMS if re.search("shared|masks", program.name)]


def compiles(ok, what, command):
    output, status = run(command)
    ok(status == 0 and "warning" not in output.lower(), f"{what} compiles without a warning", f"{command}\n{output}")


@pytest.fixture(scope="module")
def includes(scratch):
    return f"-D_CG_LIMIT_INCLUDED_DEPENDENCIES -Icommon -Isimulator -Isteps -I. -I{cuda_home(scratch)}/include/cccl"


def kernels(ok, scratch, includes, what, path, kind="cubin", options="", arch=90):
    compiles(ok, f"{what} for sm_{arch}", f"{quick_nvcc()} -std=c++20 -arch=sm_{arch} {options} {includes} -{kind} {path} -o {scratch}/out.{kind}")


@pytest.mark.nightly
@pytest.mark.parametrize("by_script", [False, True])
def test_a_step_is_built_whole(ok, by_script):
    """On some machines nvcc is a script that calls the real one, and no headers lie beside it: make finds them for what is in C, too."""
    build, made = (f"{BUILD}-by_script", ["common/machine.o", "steps/01_interleaved/v0.o"]) if by_script else (BUILD, [WHOLE])
    compiles(ok, made, f"make BACKEND=cuda ARCH=sm_90 NVCC={quick_nvcc() if by_script else nvcc()} BUILD={build} {' '.join(f'{build}/{name}' for name in made)}")


@pytest.mark.nightly
@pytest.mark.parametrize("arch", [75, 86, 89, 120])
def test_the_library_for_other_gpus(ok, scratch, includes, arch):
    """Whose SMs hold fewer threads, or that came later; as far as this nvcc knows them."""
    if not re.search(rf"^compute_{arch}$", run(f"{nvcc()} --list-gpu-arch")[0], re.M):
        pytest.skip("this nvcc does not know it")
    for path in glob.glob("library/reduce_*.cu") + ["library/sum_f32.cu", "library/sum_exact.cu"]:
        kernels(ok, scratch, includes, path, path, arch=arch)


@pytest.mark.parametrize("folder", [pytest.param(program.folder, marks=pytest.mark.more if program.folder in MORE else pytest.mark.nightly) for program in PROGRAMS])
def test_the_kernels_of_a_program(ok, scratch, includes, folder):
    write(f"{scratch}/all.cu", as_one([path for path in sorted(glob.glob(f"{folder}/*.cu")) if os.path.basename(path) not in ("cub.cu", "thrust.cu")]))
    kernels(ok, scratch, includes, folder, f"{scratch}/all.cu", options=f"-I{folder}")


@pytest.mark.nightly
@pytest.mark.parametrize("path", [f"steps/experiments/{name}.cu" for name in EXPERIMENTS] + glob.glob("tests/broken/*.cu"))
def test_the_kernels_of_an_experiment(ok, scratch, includes, path):
    kernels(ok, scratch, includes, path, path)


@pytest.mark.nightly
def test_the_rivals(ok, scratch, includes):
    """CUB's many kernels only as far as PTX: a third of the time."""
    write(f"{scratch}/all.cu", as_one(RIVALS))
    folders = " ".join(sorted({f"-I{os.path.dirname(path)}" for path in RIVALS}))
    kernels(ok, scratch, includes, " ".join(RIVALS), f"{scratch}/all.cu", "ptx", f"-Isteps/14_many_gpus {folders}")


@pytest.mark.more
@pytest.mark.parametrize("path", glob.glob("library/compare/*.c") + glob.glob("steps/14_many_gpus/compare/*.c"))
def test_the_rivals_host_code(ok, scratch, includes, path):
    compiles(ok, path, f"gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror {includes} -I{cuda_home(scratch)}/include -fsyntax-only {path}")


@pytest.mark.nightly
def test_no_driver(ok):
    if run("nvidia-smi -L")[0].startswith("GPU"):
        pytest.skip("there is a GPU here")
    ok.refused(f"make -s BACKEND=cuda ARCH=sm_90 BUILD={BUILD} {BUILD}/{WHOLE} >/dev/null; {BUILD}/{WHOLE}", 77, f"driver.*make BACKEND=sim {WHOLE}\\b")
