#!/usr/bin/env python3
"""tests/machines and tests/without_cuda: what they take for right, and what for wrong. (The machines themselves take an hour or
two: they are made by hand, and results/platforms has what came out.)"""
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tap import done, ok, skip

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
folder = tempfile.TemporaryDirectory()
output = folder.name + "/output"

for command, what, status, text, right in (
        ("step01", "a right run", 0, "all 4 sums within their bounds\n", True),
        ("step01", "another exit status", 1, "all 4 sums within their bounds\n", False),
        ("step01", "no verdict", 0, "v0 64K ok\n", False),
        ("test", "all pass", 0, "Files=52\nResult: PASS\n", True),
        ("test", "some fail", 0, "Files=52\nResult: FAIL\n", False),
        ("cuda90", "a build", 0, "  compiles common/cuda_errors.c\n", True),
        ("cuda90", "a warning", 0, "x.cu(3): warning #177-D: unused\n", False),
        ("practice", "solved after it was not", 0, "  WRONG  answer\n  solved: make practice shows the next\n", True),
        ("practice", "solved from the start", 0, "  solved: make practice shows the next\n", False),
        ("step01_refused", "one line", 2, "make: clang-14 has no _Float16: the simulator needs clang 15\nmake: *** [flags] Error 2\n", True),
        ("step01_refused", "many lines", 2, "make: clang-14: it needs\nerror: more\n", False)):
    with open(output, "w") as file:
        file.write(text)
    found = subprocess.run(["tests/machines", "judge", command, output, str(status)])
    ok((found.returncode == 0) == right, f"{command}: {what} is {'as expected' if right else 'noticed'}", found)

result = subprocess.run(["tests/machines", "nonesuch"], capture_output=True, text=True)
ok(result.returncode == 2 and result.stderr.startswith("tests/machines: there is no machine nonesuch; there are debian12 ") and
   result.stderr.count("\n") == 1, "a machine that is not there: one line, status 2", result)


def finds_header(*before):
    """Whether gcc finds CUDA's header by itself: here one lies in its search path."""
    environment = {**os.environ, "CPATH": folder.name}
    environment.pop("COVERED", None)
    return subprocess.run([*before, "gcc", "-E", "-x", "c", "-", "-o", "/dev/null"], input="#include <cuda_runtime_api.h>\n",
                          capture_output=True, text=True, env=environment)


with open(folder.name + "/cuda_runtime_api.h", "w") as file:
    file.write("\n")
if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0:
    ok(finds_header().returncode == 0, "gcc finds a header of CUDA in its search path")
    covered = finds_header("tests/without_cuda")
    ok(covered.returncode != 0 and "No such file" in covered.stderr, "under tests/without_cuda it does not", covered)
else:
    skip("tests/without_cuda", "no mount namespaces here")
done()
