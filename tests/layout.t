#!/usr/bin/env python3
# tier: test
"""Includes go one way: simulator, common, library, the steps in their order, the toolbox, the experiments, practice, tests. So do
symbols of object files. simulator/ is reached through simt.h and CUDA's own names alone; within it the list at the top of
docs/simulator.md has the order. Planted faults are found."""
import glob
import os
import re
import subprocess

from tap import done, ok

os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ORDER = ("simulator", "common", "library", "steps", "practice", "tests")
SEARCHED = ("common", "practice", "simulator", "steps", "library", "", "simulator/include")  # beside the file's own folder
# Each program brings its lesson, or its exercise: what calls it lies below.
BROUGHT = {"lesson", "launch", "course_call", "seed", "answers"}
# Programs of their own, which compile kernels.
TOOLS = {"simulator/rewrite.c", "simulator/merge.c", "simulator/extras/ptx.c", "simulator/extras/ptx.h"}


def place(path):
    """Where a file stands in the order."""
    found = re.match(r"steps/(?:(\d+)_|toolbox|(experiments))", path)
    return ORDER.index(path.split("/")[0]), (int(found[1]) if found[1] else 99 if found[2] else 98) if found else 0


def is_open(path):
    """Whether a file of simulator/ is for all: simt.h, and the headers that CUDA has, too."""
    return path == "simulator/simt.h" or path.startswith("simulator/include/") and "/simt_" not in path


def included(source, text):
    """The files of the repository that a file includes."""
    for quote, name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', text, re.M):
        paths = [os.path.normpath(os.path.join(folder, name)) for folder in [os.path.dirname(source)] * (quote == '"') + list(SEARCHED)]
        yield from [path for path in paths if path in FILES][:1]


def layers():
    """{file of simulator/: its place} in the list of docs/simulator.md; a header lies where its file does."""
    with open("docs/simulator.md") as page:
        listed = re.search(r"^## Which file does what$.*?^(- .*?)\n\n", page.read(), re.M | re.S)[1]
    named = {path: i for i, path in enumerate(re.findall(r"\(\.\./(simulator/[^)]+)\)", listed))}
    inner = {path for path in FILES if re.fullmatch(r"simulator/(?:extras/|time/)?[^/]+\.[ch]", path)} - TOOLS
    return {path: named.get(path, named.get(path[:-2] + ".c")) for path in inner}, named.keys() - FILES


def include_problems(files):
    found = []
    for source, text in files.items():
        for target in included(source, text):
            if place(target) > place(source):
                found.append(f"{source} includes {target}, of a folder above it")
            elif target.startswith("simulator/") and not source.startswith("simulator/") and not is_open(target):
                found.append(f"{source} includes {target}: simt.h is what simulator/ shows")
            elif LAYER.get(source) is not None and LAYER.get(target) is not None and LAYER[target] < LAYER[source]:
                found.append(f"{source} includes {target}, of a layer above it")
    return found


def symbols_of(paths):
    """{object: (the names that it defines alone for the whole program, those that it needs)}"""
    found = {path: (set(), set()) for path in paths}
    for line in subprocess.run(["nm", "-P", "-g", "-A", *paths], capture_output=True, text=True, check=True).stdout.splitlines():
        path, (name, kind) = line.split(".o: ")[0] + ".o", line.split(".o: ")[1].split()[:2]
        if kind in "TDBR" or kind == "U":
            found[path][kind == "U"].add(name)
    return found


def symbol_problems(symbols):
    """symbols: {source: (defined, needed)}"""
    owners, found = {}, []
    for source, (defined, _) in symbols.items():
        for name in defined:
            owners.setdefault(name, set()).add(source)
    for source, (_, needed) in symbols.items():
        for name in sorted(needed & owners.keys() - BROUGHT):
            owner = min(owners[name], key=place)
            if place(owner) > place(source):
                found.append(f"{source} needs {name} of {owner}, of a folder above it")
            elif owner.startswith("simulator/") and not source.startswith("simulator/") and source.endswith(".c") and name not in INTERFACE and name[0] != "_":
                found.append(f"{source} needs {name} of {owner}: simt.h is what simulator/ shows")
            elif LAYER.get(source) is not None and LAYER.get(owner) is not None and LAYER[owner] < LAYER[source]:
                found.append(f"{source} needs {name} of {owner}, of a layer above it")
    return found


FILES = {}
for path in glob.glob("**", recursive=True):
    if path.endswith((".c", ".h", ".cu", ".cuh")) or path.startswith("simulator/include/") and os.path.isfile(path):
        if path.split("/")[0] in ORDER and "/build/" not in path:
            with open(path) as file:
                FILES[path] = file.read()
LAYER, gone = layers()
INTERFACE = set(re.findall(r"\b((?:simt_|cuda[A-Z]|nccl[A-Z])\w+)\(", "".join(FILES["simulator/" + name] for name in ("simt.h", "include/cuda_runtime_api.h", "include/nccl.h"))))
unlisted = sorted(path for path, layer in LAYER.items() if layer is None)
ok(not unlisted and not gone, "docs/simulator.md lists the files of simulator/", unlisted + sorted(gone))
known = include_problems(FILES)
ok(not known, "no include leads to a folder or a layer above, or past simt.h", "\n".join(known))

objects = {path[len("build/sim/"):-2]: path for path in glob.glob("build/sim/**/*.o", recursive=True)}
sources = {base + kind: path for base, path in objects.items() for kind in (".c", ".cu") if base + kind in FILES}
missing = {path for path in FILES if re.match(r"(simulator|simulator/extras|common)/[^/]+\.c$", path)} - TOOLS - sources.keys()
ok(not missing, "all of simulator/ and common/ is built (make BACKEND=sim all)", sorted(missing))
by_object = symbols_of(sorted(sources.values()))
symbols = {source: by_object[path] for source, path in sources.items()}
known_symbols = symbol_problems(symbols)
ok(not known_symbols, "no symbol leads to a folder or a layer above, or past simt.h", "\n".join(known_symbols))

# A program contains of simulator/extras/ only what it calls.
extras = set().union(*(defined for source, (defined, _) in symbols.items() if source.startswith("simulator/extras/")))
step01, step14 = (set(re.findall(r" [TDB] (\w+)$", subprocess.run(["nm", "build/sim/" + name], capture_output=True, text=True, check=True).stdout, re.M))
                  for name in ("step01", "step14"))
ok(extras and not extras & step01, "step01 contains nothing of simulator/extras/", sorted(extras & step01))
ok("ncclAllReduce" in extras & step14 and "simt_mma_sync" not in step14, "step14 contains the stand-in for NCCL, and no more of it")

# ---- planted faults: a line in a file, or a call; and what is said ----

FOLDER, PAST, ABOVE = "of a folder above it", "simt.h is what simulator/ shows", "of a layer above it"
FILES.update({path: "" for path in ("steps/planted.h", "steps/09_single_pass/planted.h", "steps/12_types/planted.h", "steps/toolbox/planted.h")})
for source, line, wanted in (
        ("simulator/grid.c", '#include "message.h"', FOLDER), ("simulator/include/cuda_fp16.h", '#include "../../common/message.h"', FOLDER),
        ("simulator/simt.h", "  #  include <message.h>", FOLDER), ("simulator/race.c", '#include "planted.h"', FOLDER),
        ("simulator/example.cu", '#include "../tests/tap.h"', FOLDER), ("common/message.c", '#include "toolbox/planted.h"', FOLDER),
        ("library/launch.h", '#include "09_single_pass/planted.h"', FOLDER), ("library/launch.h", '#include "../steps/11_library/variant.cu"', FOLDER),
        ("steps/09_single_pass/planted.h", '#include "12_types/planted.h"', FOLDER), ("steps/12_types/planted.h", '#include "toolbox/planted.h"', FOLDER),
        ("tests/tap.h", '#include "../simulator/thread.h"', PAST), ("common/message.c", '#include "thread.h"', PAST),
        ("common/message.h", "#include <simt_kernels.h>", PAST), ("steps/12_types/planted.h", '#include "../../simulator/thread.h"', PAST),
        ("simulator/scheduler.c", '#include "race.h"', ABOVE), ("simulator/thread.h", '#include "hang_detector.h"', ABOVE),
        ("simulator/launch.c", '#include "queue.h"', ABOVE), ("simulator/race.c", '#include "scheduler.h"', None),
        ("common/message.c", '#include "simt.h"', None), ("common/message.c", "#include <cooperative_groups.h>", None),
        ("steps/toolbox/planted.h", '#include "12_types/planted.h"', None), ("steps/12_types/planted.h", '#include "library/launch.h"', None)):
    found = include_problems({source: line + "\n"})
    ok([wanted] * (wanted is not None) == [wanted for problem in found if wanted and wanted in problem] and len(found) == (wanted is not None),
       f"{source}: {line.strip()} is " + ("found" if wanted else "nothing to complain of"), found)
symbols["steps/09_single_pass/planted.cu"] = ({"of_step"}, set())
for source, name, wanted in (
        ("simulator/planted.c", "complain", FOLDER), ("simulator/planted.c", "of_step", FOLDER), ("common/planted.c", "of_step", FOLDER),
        ("library/planted.c", "of_step", FOLDER), ("common/planted.c", "race_report", PAST), ("common/planted.c", "simt_random", PAST),
        ("simulator/scheduler.c", "race_report", ABOVE), ("simulator/race.c", "simt_wait", None), ("common/planted.c", "simt_launch_count", None),
        ("common/planted.c", "cudaGetLastError", None), ("steps/12_types/planted.c", "ncclAllReduce", None), ("steps/12_types/planted.c", "of_step", None)):
    found = [problem for problem in symbol_problems({**symbols, source: (symbols.get(source, (set(), 0))[0], {name})}) if problem not in known_symbols]
    ok(len(found) == (wanted is not None) and (wanted or "") in "".join(found), f"{source}: a call of {name}() is " + ("found" if wanted else "nothing to complain of"), found)
done()
