"""Includes go one way: simulator, common, library, the steps in their order, the toolbox, the experiments, practice, tests. So do
symbols of object files. simulator/ is reached through simt.h and CUDA's own names alone; within it the list at the top of
docs/simulator.md has the order. And what a contributor adds is whole: a variant is in its lesson's list, and its descriptor has what it
needs; what is missing is reported with file, line and what to do, before anything is built."""
import functools
import glob
import os
import re
import shutil

from common import ROOT, edited, ran, read

import tree

ORDER = ("simulator", "common", "library", "steps", "practice", "tests")
SEARCHED = ("common", "practice", "simulator", "steps", "library", "", "simulator/include")  # beside the file's own folder
# Each program brings its lesson, or its exercise: what calls it lies below.
BROUGHT = {"lesson", "launch", "course_call", "seed", "answers"}
# Programs of their own, which compile kernels.
TOOLS = {"simulator/rewrite.c", "simulator/merge.c", "simulator/extras/ptx.c", "simulator/extras/ptx.h"}
PLANTED = "steps/planted.h", "steps/09_single_pass/planted.h", "steps/12_types/planted.h", "steps/toolbox/planted.h"
FOLDER, PAST, ABOVE = "of a folder above it", "simt.h is what simulator/ shows", "of a layer above it"


def place(path):
    """Where a file stands in the order."""
    found = re.match(r"steps/(?:(\d+)_|toolbox|(experiments))", path)
    return ORDER.index(path.split("/")[0]), (int(found[1]) if found[1] else 99 if found[2] else 98) if found else 0


@functools.lru_cache(None)
def files():
    """{path: text}"""
    found = [path for path in glob.glob("**", recursive=True) if path.split("/")[0] in ORDER and "/build/" not in path
             and (path.endswith((".c", ".h", ".cu", ".cuh")) or path.startswith("simulator/include/") and os.path.isfile(path))]
    return {**{path: read(path) for path in found}, **dict.fromkeys(PLANTED, "")}


@functools.lru_cache(None)
def layers():
    """{file of simulator/: its place} in the list of docs/simulator.md; a header lies where its file does; and what it lists that is gone."""
    listed = re.search(r"^## Which file does what$.*?^(- .*?)\n\n", read("docs/simulator.md"), re.M | re.S)[1]
    named = {path: i for i, path in enumerate(re.findall(r"\(\.\./(simulator/[^)]+)\)", listed))}
    inner = {path for path in files() if re.fullmatch(r"simulator/(?:extras/|time/)?[^/]+\.[ch]", path)} - TOOLS
    return {path: named.get(path, named.get(path[:-2] + ".c")) for path in inner}, named.keys() - files()


@functools.lru_cache(None)
def interface():
    return set(re.findall(r"\b((?:simt_|cuda[A-Z]|nccl[A-Z])\w+)\(", "".join(files()["simulator/" + name] for name in ("simt.h", "include/cuda_runtime_api.h", "include/nccl.h"))))


def why_not(source, target, is_shown):
    """Why a file may not reach another one, or None. is_shown: simulator/ shows it to all."""
    layer, _ = layers()
    inside = source.startswith("simulator/") or not target.startswith("simulator/")
    return (FOLDER if place(target) > place(source) else PAST if not inside and not is_shown
            else ABOVE if None not in (layer.get(source), layer.get(target)) and layer[target] < layer[source] else None)


def include_problems(texts):
    found = []
    for source, text in texts.items():
        for quote, name in re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', text, re.M):
            paths = [os.path.normpath(os.path.join(folder, name)) for folder in [os.path.dirname(source)] * (quote == '"') + list(SEARCHED)]
            for target in [path for path in paths if path in files()][:1]:
                shown = target == "simulator/simt.h" or target.startswith("simulator/include/") and "/simt_" not in target  # the headers that CUDA has, too
                found += [f"{source} includes {target}: {why}" for why in [why_not(source, target, shown)] if why]
    return found


@functools.lru_cache(None)
def symbols():
    """{source: (the names that it defines alone for the whole program, those that it needs)}"""
    objects = {path[len("build/sim/"):-2]: path for path in glob.glob("build/sim/**/*.o", recursive=True)}
    sources = {path: base + kind for base, path in objects.items() for kind in (".c", ".cu") if base + kind in files()}
    found = {source: (set(), set()) for source in sources.values()}
    for line in ran("nm", "-P", "-g", "-A", *sorted(sources)).stdout.splitlines():
        path, (name, kind) = line.split(".o: ")[0] + ".o", line.split(".o: ")[1].split()[:2]
        if kind in "TDBRU":
            found[sources[path]][kind == "U"].add(name)
    return found


def symbol_problems(of):
    owners, found = {}, []
    for source, (defined, _) in of.items():
        for name in defined:
            owners.setdefault(name, set()).add(source)
    for source, (_, needed) in of.items():
        for name in sorted(needed & owners.keys() - BROUGHT):
            owner = min(owners[name], key=place)
            why = why_not(source, owner, not source.endswith(".c") or name in interface() or name[0] == "_")
            found += [f"{source} needs {name} of {owner}: {why}"] if why else []
    return found


def test_includes_go_one_way(ok):
    layer, gone = layers()
    unlisted = sorted(path for path, at in layer.items() if at is None)
    ok(not unlisted and not gone, "docs/simulator.md lists the files of simulator/", unlisted + sorted(gone))
    ok.equal(include_problems(files()), [], "no include leads to a folder or a layer above, or past simt.h")


def test_symbols_go_one_way(ok):
    missing = {path for path in files() if re.match(r"(simulator|simulator/extras|common)/[^/]+\.c$", path)} - TOOLS - symbols().keys()
    ok(not missing, "all of simulator/ and common/ is built (make BACKEND=sim all)", sorted(missing))
    ok.equal(symbol_problems(symbols()), [], "no symbol leads to a folder or a layer above, or past simt.h")
    # A program contains of simulator/extras/ only what it calls.
    extras = set().union(*(defined for source, (defined, _) in symbols().items() if source.startswith("simulator/extras/")))
    step01, step14 = (set(re.findall(r" [TDB] (\w+)$", ran("nm", "build/sim/" + name).stdout, re.M)) for name in ("step01", "step14"))
    ok(extras and step01 and not extras & step01, "step01 contains nothing of simulator/extras/", sorted(extras & step01))
    ok("ncclAllReduce" in extras & step14 and "simt_mma_sync" not in step14, "step14 contains the stand-in for NCCL, and no more of it")


def test_planted_includes(ok):
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
        ok(len(found) == (wanted is not None) and (wanted or "") in "".join(found), f"{source}: {line.strip()}: {wanted or 'nothing to complain of'}", found)


def test_planted_symbols(ok):
    known, step = symbol_problems(symbols()), {"steps/09_single_pass/planted.cu": ({"of_step"}, set())}
    for source, name, wanted in (
            ("simulator/planted.c", "complain", FOLDER), ("simulator/planted.c", "of_step", FOLDER), ("common/planted.c", "of_step", FOLDER),
            ("library/planted.c", "of_step", FOLDER), ("common/planted.c", "race_report", PAST), ("common/planted.c", "simt_random", PAST),
            ("simulator/scheduler.c", "race_report", ABOVE), ("simulator/race.c", "simt_wait", None), ("common/planted.c", "simt_launch_count", None),
            ("common/planted.c", "cudaGetLastError", None), ("steps/12_types/planted.c", "ncclAllReduce", None), ("steps/12_types/planted.c", "of_step", None)):
        found = [one for one in symbol_problems({**symbols(), **step, source: (symbols().get(source, (set(), 0))[0], {name})}) if one not in known]
        ok(len(found) == (wanted is not None) and (wanted or "") in "".join(found), f"{source}: a call of {name}(): {wanted or 'nothing to complain of'}", found)


# ---- variants ----

NEEDED = {"name": "what -v takes, as in .name = \"{name}\"", "what": "one line for --list", "launch": "the function that queues the sum"}


def variant_problems(root):
    """What is wrong with lists and descriptors, a line each: file, line, and what to do."""
    found = []
    for path, listed in tree.lists(root).items():
        folder, lesson = os.path.dirname(path), os.path.relpath(path, root)
        defined = tree.variants(folder)
        found += [f"{lesson}: line {line}: no file of {os.path.dirname(lesson)}/ defines variant_{name}: write it, or take it from the list"
                  for name, line in listed.items() if name not in defined]
        for name, variant in defined.items():
            place_of = f"{os.path.relpath(variant.path, root)}: line {variant.line}: variant_{name}"
            if name not in listed:
                found.append(f"{place_of} is not in the list of {lesson}: declare it there, and add &variant_{name} to variants[]")
            if not variant.is_plain:
                continue
            found += [f"{place_of} has no .{field}: {what.format(name=name)}" for field, what in NEEDED.items() if field not in variant.fields]
            if variant.fields.get("name", f'"{name}"') != f'"{name}"':
                found.append(f"{place_of} has .name = {variant.fields['name']}: it must be \"{name}\", by which results and pages find it")
            if re.match("NULL|NVCC_ONLY", variant.fields.get("launch", "")) and "why_not" not in variant.fields:
                found.append(f"{place_of} has no .why_not: one line, why it cannot run on the simulator")
    return found


def test_variants_are_whole(ok):
    ok.equal(variant_problems(ROOT), [], "each variant is in its lesson's list, and its descriptor is whole")
    listed = tree.names(ROOT)
    ok(len(listed) >= 24 and listed["03_unrolled"][:2] == ["v3x2", "v3x4"] and all(listed.values()), "the lists are read", listed)


def test_planted_variants(ok, tmp_path):
    for folder in ("03_unrolled", "00_baselines", "10_clusters"):
        shutil.copytree(f"steps/{folder}", f"{tmp_path}/steps/{folder}")
    ok.equal(variant_problems(str(tmp_path)), [], "all is well")
    variant, lesson, last = "03_unrolled/v3x4.cu", "03_unrolled/lesson.c", r"v3x4.cu: line 4\d: variant_v3x4 "
    for file, old, new, wanted in (
            (lesson, "&variant_v3x4, ", "", last + "is not in the list of steps/03_unrolled/lesson.c: declare it there, and add &variant_v3x4 to variants"),
            (variant, "extern const struct variant", "static const struct other", r"lesson.c: line \d+: no file of steps/03_unrolled/ defines variant_v3x4: write it, or take it from the list$"),
            *((variant, f"    .{field} = ", "    // ", last + rf"has no \.{field}: {what.partition(',')[0]}") for field, what in NEEDED.items()),
            (variant, '"v3x4"', '"v3x8"', last + r'has \.name = "v3x8": it must be "v3x4"'),
            ("00_baselines/cub.cu", ".why_not", "// ", r"cub.cu: line \d+: variant_cub has no \.why_not: one line, "),
            ("10_clusters/lesson.c", "    &variant_bulk_4x16k,\n", "", r"steps/10_clusters/bulk.cu: line \d+: variant_bulk_4x16k is not in the list")):
        with edited(f"{tmp_path}/steps/{file}", (old, new)):
            found = variant_problems(str(tmp_path))
        ok(len(found) == 1 and re.search(wanted, found[0]), f"{file} without {old}", found)
