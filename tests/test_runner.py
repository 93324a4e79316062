"""tests/expectations.py: a program whose text says what must be found in it, and where that is wrong."""
import sys

import pytest
from common import ran, write

pytestmark = pytest.mark.more
KERNEL = "    __shared__ int tile[64];\n    tile[threadIdx.x] = 0;\n    __syncthreads();\n    tile[threadIdx.x] = 1;{}\n    data[threadIdx.x] = tile[threadIdx.x ^ 32];{}\n"
RACE = " /* EXPECT {}: race */"
# Kernel: what its two lines say, and what the runner says of it.
PLANTED = {"named": (RACE, RACE, ""), "one_of_both": (RACE.replace("EXPECT", "MAY"), " /* MAY {}: no such word */", ""), "unmarked": ("", "", "not asked for: "),
           "half": (RACE, "", "not asked for: "), "another_word": (RACE, " /* EXPECT {}: deadlock */", " is not named, as it should be: deadlock"),
           "a_note": (RACE.replace(" race", " note:"), RACE.replace("EXPECT", "MAY"), ""), "talks": (RACE, RACE, "not asked for: "), "unsaid": (RACE, RACE, "not said: a word"),
           "right": ("", "", ""), "twice": ("", "", "not printed, too often, or not in this order: twice ran"), "right_and_marked": (RACE, "", "status 0, and 1 is right"), "silent": ("", "", "not printed, too often, or not in this order: silent ran")}


def source():
    text = "/*\n * run: SIMT_STRICT=1 KERNEL 0..1\n * quiet: KERNEL(talks)\n * expect unsaid: a word\n * prints: KERNEL ran\n * prints: KERNEL ran\n */\n#include <cstdio>\n#include <cstring>\n"
    for name, (first, second, _) in PLANTED.items():
        body = KERNEL.format(first.format(name), second.format(name))
        if name in ("right", "right_and_marked", "silent", "twice"):
            body = body.replace("    data", "    __syncthreads();\n    data")
        text += f"__global__ void {name}(int *data)\n{{\n{body}}}\n"
    calls = "".join(f"    KERNEL({name})\n" for name in PLANTED)
    return text + f"""#define KERNEL(K) if (argc < 2) puts(#K); else if (!strcmp(argv[1], #K)) for (int i = 0; i < 2; i++) {{ K<<<1, 64>>>(data); cudaDeviceSynchronize(); if (strcmp(#K, "silent") || i) puts(#K " ran"); if (!strcmp(#K, "twice")) puts(#K " ran"); }}
int main(int argc, char **argv)
{{
    int *data;
    cudaMalloc(&data, 256);
{calls}}}
"""


def run(tmp_path, text):
    write(f"{tmp_path}/planted.cu", text)
    return ran(sys.executable, *"-m pytest -q -p expectations -p no:cacheprovider".split(), f"{tmp_path}/planted.cu", PYTHONPATH="tests")


def test_finds_a_kernel_that_is_not_listed(tmp_path):
    assert "the program lists other kernels than its text: right\n" in run(tmp_path, source().replace("KERNEL(right)", "if (argc > 1) KERNEL(right)")).stdout


def test_finds_what_is_planted(tmp_path):
    done = run(tmp_path, source())
    sections = {part.split(" ", 1)[0]: part for part in done.stdout.split("planted.cu: ")[1:]}
    for name, (_, _, says) in PLANTED.items():
        assert (name in sections) == bool(says), f"{name}: {done.stdout}{done.stderr}"
        assert says in sections.get(name, ""), f"{name}: {sections.get(name)}"
    assert f"{sum(not says for *_, says in PLANTED.values()) * 2 + 2} passed, {sum(bool(says) for *_, says in PLANTED.values())} failed, 0 skipped\n" in done.stdout
