#!/usr/bin/env python3
# Who may know whom: no include, and no symbol of an object file, leads from a folder to one
# above it, and simulator/ is reached through simt.h and CUDA's own names alone. Steps include
# earlier ones alone, and library/ headers of steps alone; through several files, too. No files and
# no folders include each other in a circle. Within simulator/ the list at the top of
# docs/simulator.md has the order. Planted faults must be found.
import collections
import glob
import os
import re
import shutil
import subprocess
import tempfile

from tap import done, ok

# From the bottom up.
FOLDERS = ("simulator", "common", "library", "steps", "practice", "tests")
# Where the compiler looks for headers, beside the folder of the file itself.
SEARCHED = ("common", "practice", "simulator", "steps", "", "simulator/include")
# What a folder may leave to those above it: each program brings its lesson, or its exercise.
LEFT_OPEN = {("common", "lesson"), ("practice", "criteria"), ("practice", "launch"), ("practice", "course_call"), ("practice", "seed"), ("practice", "answers")}


def is_open_header(path):
    """Whether a file of simulator/ is for all: simt.h, and the headers that CUDA has, too."""
    return path == "simulator/simt.h" or (path.startswith("simulator/include/") and "/simt_" not in path)


def step_of(path):
    """The number of the step that a file belongs to, or None."""
    found = re.match(r"steps/(\d+)_", path)
    return found and int(found[1])


def rises(source, target):
    if source.startswith("library/") and step_of(target) is not None and target.endswith(".h"):
        return False  # a header of a step that the library shows: step_problems() looks closer
    return FOLDERS.index(source.split("/")[0]) < FOLDERS.index(target.split("/")[0])


# ---- includes ----

def included(root, source):
    """The files of the repository that a file includes."""
    with open(os.path.join(root, source)) as file:
        found = re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">]+)[">]', file.read(), re.M)
    for quote, name in found:
        folders = [os.path.dirname(source)] * (quote == '"') + list(SEARCHED)
        paths = [os.path.normpath(os.path.join(folder, name)) for folder in folders]
        yield from [path for path in paths if os.path.isfile(os.path.join(root, path))][:1]


def include_problems(root):
    problems = []
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "**"), recursive=True)):
            source = os.path.relpath(path, root)
            for target in included(root, source) if path.endswith((".c", ".h", ".cu")) else ():
                if rises(source, target):
                    problems.append(f"{source} includes {target}, of a folder above it")
                elif target.startswith("simulator/") and folder != "simulator" and not is_open_header(target):
                    problems.append(f"{source} includes {target}: simt.h is what simulator/ shows")
    return problems


def step_problems(root):
    """Steps that include later ones, and headers of the library's steps that include the library: over any number of files."""
    files = sorted(os.path.relpath(path, root) for folder in ("steps", "library")
                   for path in glob.glob(os.path.join(root, folder, "**"), recursive=True) if path.endswith((".c", ".h", ".cu")))
    includes = {source: [target for target in included(root, source) if target.startswith(("steps/", "library/"))] for source in files}

    def ways(source):
        """{file: the files on a shortest way to it} of all that a file includes."""
        found, new = {source: []}, [source]
        while new:
            file = new.pop(0)
            for target in includes[file]:
                if target not in found:
                    found[target] = found[file] + [target]
                    new.append(target)
        return found

    problems = []
    for source in files:
        for target, way in ways(source).items():
            through = f" (through {' and '.join(way[:-1])})" if way[:-1] else ""
            if step_of(source) is not None and (step_of(target) or 0) > step_of(source):
                problems.append(f"{source} includes {target}, of a later step{through}")
            elif source.startswith("library/") and target.startswith("library/") and any(step_of(file) is not None for file in way):
                problems.append(f"{source} includes {target}, of the library, through a step: a circle{through}")
    return problems


def place_of(path):
    """A folder of one lesson, topic or exercise; else the folder at the top."""
    return "/".join(path.split("/")[:2 if path.startswith(("steps/", "steps/toolbox/", "practice/exercises/", "practice/solutions/")) else 1])


def circle_problems(root):
    """Files, and folders, that include each other, over any number of others. Headers of steps that the library shows are no
    way from folder to folder: step_problems() looks at these file by file."""
    files, folders = collections.defaultdict(set), collections.defaultdict(set)
    for folder in FOLDERS:
        for path in sorted(glob.glob(os.path.join(root, folder, "**"), recursive=True)):
            source = os.path.relpath(path, root)
            for target in included(root, source) if path.endswith((".c", ".h", ".cu")) else ():
                if not source.startswith("simulator/include/"):  # these have CUDA's names, and include each other as CUDA's do
                    files[source].add(target)
                if place_of(source) != place_of(target) and not (source.startswith("library/") and step_of(target) is not None):
                    folders[place_of(source)].add(place_of(target))

    def circle(arrows, start):
        """The shortest way from start to itself, or None."""
        ways = [[start]]
        seen = set()
        for way in ways:
            for target in sorted(arrows.get(way[-1], ())):
                if target == start:
                    return way + [start]
                if target not in seen:
                    seen.add(target)
                    ways.append(way + [target])
        return None

    problems = []
    for arrows in (files, folders):
        in_one = set()
        for start in sorted(arrows):
            way = None if start in in_one else circle(arrows, start)
            if way:
                in_one |= set(way)
                problems.append("a circle: " + " includes ".join(way))
    return problems


# ---- the layers of simulator/ ----

def layers(root):
    """{file of simulator/: its place} in the list at the top of docs/simulator.md; and what is wrong with the list."""
    with open(os.path.join(root, "docs/simulator.md")) as page:
        listed = re.search(r"^## Which file does what$.*?^(- .*?)\n\n", page.read(), re.M | re.S)[1]
    named = re.findall(r"\(\.\./(simulator/[^)]+)\)", listed)
    place = {path: i for i, path in enumerate(named)}
    tools = {"simulator/rewrite.c", "simulator/merge.c", "simulator/extras/ptx.c", "simulator/extras/ptx.h"}
    there = {os.path.relpath(path, root) for folder in ("simulator", "simulator/extras")
             for path in glob.glob(os.path.join(root, folder, "*.[ch]"))} - tools
    for path in there - place.keys():
        if path.endswith(".h") and path[:-2] + ".c" in place:  # a header lies where its file does
            place[path] = place[path[:-2] + ".c"]
    problems = [f"docs/simulator.md: {path} is twice in the list" for path in place if named.count(path) > 1]
    problems += [f"docs/simulator.md: {path} is not in the list" for path in sorted(there - place.keys())]
    return place, problems + [f"docs/simulator.md: there is no {path}" for path in sorted(place.keys() - there)]


def layer_problems(root):
    place, problems = layers(root)
    return problems + [f"{source} includes {target}, of a layer above it" for source in sorted(place.keys()) if os.path.isfile(os.path.join(root, source))
                       for target in included(root, source) if place.get(target, len(place)) < place[source]]


def symbol_layer_problems(root, objects):
    """The same of what the object files call."""
    place, _ = layers(root)
    owners = {name: source for source, path in objects if source in place for name in known_symbols[path, os.stat(path).st_mtime_ns][0]}
    return [f"{source} needs {name} of {owners[name]}, of a layer above it" for source, path in sorted(objects) if source in place
            for name in sorted(known_symbols[path, os.stat(path).st_mtime_ns][1] & owners.keys()) if place[owners[name]] < place[source]]


# ---- symbols ----

known_symbols = {}  # (object file, when it was written) -> the names that it defines alone for the whole program, those that it needs


def read_symbols(objects):
    """All that are not known yet at once: nm takes longer to start than to read."""
    new = {path: (set(), set()) for path, written in objects if (path, written) not in known_symbols}
    listing = subprocess.run(["nm", "-P", "-g", "-A", *new], capture_output=True, text=True, check=True).stdout if new else ""
    for path, symbol in (line.split(".o: ", 1) for line in listing.splitlines()):
        defined, needed = new[path + ".o"]
        name, kind, *_ = symbol.split()
        if kind == "U":
            needed.add(name)
        elif kind not in "VWuvw":  # those stand for templates and inline functions, in any object
            defined.add(name)
    known_symbols.update({(path, written): new[path] for path, written in objects if path in new})


def built(root, build="build/sim"):
    """(source, object) of all that is compiled and still there."""
    for suffix in (".c", ".cu"):
        for path in glob.glob(os.path.join(root, build, "**", "*.o"), recursive=True):
            source = os.path.relpath(path, os.path.join(root, build))[:-2] + suffix
            if source.split("/")[0] in FOLDERS and os.path.isfile(os.path.join(root, source)):
                yield source, path


def symbol_problems(objects, interface):
    """interface: the names of simulator/ that all may use from C."""
    owners, of_object = collections.defaultdict(set), {}
    written = {path: os.stat(path).st_mtime_ns for _, path in objects}
    read_symbols(written.items())
    for source, path in objects:
        of_object[source] = known_symbols[path, written[path]]
        for name in of_object[source][0]:
            owners[name].add(source)
    problems = []
    for source, (_, needed) in sorted(of_object.items()):
        folder = source.split("/")[0]
        for name in sorted(needed & set(owners)):
            if (folder, name) in LEFT_OPEN:
                continue
            if all(rises(source, owner) for owner in owners[name]):
                problems.append(f"{source} needs {name} of {min(owners[name])}, of a folder above it")
            elif (folder != "simulator" and source.endswith(".c")  # what a kernel calls, simcc brings
                  and all(owner.startswith("simulator/") for owner in owners[name])
                  and name not in interface and not name.startswith("__")):  # __assert_fail(): libc's
                problems.append(f"{source} needs {name} of {min(owners[name])}: simt.h is what simulator/ shows")
    return problems


# ---- this repository ----

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INTERFACE = set()
for name in ("simt.h", "include/cuda_runtime_api.h", "include/nccl.h"):
    with open(os.path.join(ROOT, "simulator", name)) as header:
        INTERFACE |= set(re.findall(r"\b((?:simt_|cuda[A-Z]|nccl[A-Z])\w+)\(", header.read()))

known = include_problems(ROOT)
ok(not known, "no include leads to a folder above, or past simt.h", "\n".join(known))
known_steps = step_problems(ROOT)
ok(not known_steps, "no step includes a later one, and what the library includes of steps does not include the library", "\n".join(known_steps))
known_circles = circle_problems(ROOT)
ok(not known_circles, "no files and no folders include each other in a circle", "\n".join(known_circles))
sources = {f"{folder}/{name}" for folder in ("simulator", "simulator/extras", "common") for name in os.listdir(os.path.join(ROOT, folder))
           if name.endswith((".c", ".h"))}
ok(any("simulator/simt.h" in included(ROOT, source) for source in sources if source.startswith("common/")), "common/ includes simt.h")

objects = list(built(ROOT))
missing = {source for source in sources if source.endswith(".c")} - {source for source, _ in objects} - {"simulator/rewrite.c", "simulator/merge.c", "simulator/extras/ptx.c"}
ok(not missing, "all of simulator/ and common/ is built (make BACKEND=sim all)", "\n".join(sorted(missing)))
found = symbol_problems(objects, INTERFACE)
ok(not found, "no symbol leads to a folder above, or past simt.h", "\n".join(found))

known_layers = layer_problems(ROOT)
ok(not known_layers, "no include within simulator/ leads to a layer above", "\n".join(known_layers))
climbing = symbol_layer_problems(ROOT, objects)
ok(not climbing, "no symbol within simulator/ leads to a layer above", "\n".join(climbing))

# A program contains of simulator/extras/ only what it calls.
extras = {name for source, path in objects if source.startswith("simulator/extras/") for name in known_symbols[path, os.stat(path).st_mtime_ns][0]}
programs = {name: set(re.findall(r" [TDB] (\w+)$", subprocess.run(["nm", os.path.join(ROOT, "build/sim", name)], capture_output=True, text=True, check=True).stdout, re.M))
            for name in ("step01", "step14")}
ok(extras and not extras & programs["step01"], "step01 contains nothing of simulator/extras/", sorted(extras & programs["step01"]))
ok("ncclAllReduce" in extras & programs["step14"] and "simt_mma_sync" not in programs["step14"], "step14 contains the stand-in for NCCL, and no more of it")

# ---- planted faults ----

with tempfile.TemporaryDirectory() as copy:
    for folder in FOLDERS:
        shutil.copytree(os.path.join(ROOT, folder), os.path.join(copy, folder), ignore=shutil.ignore_patterns("build", "*.md"))
    for folder in ("steps", "steps/toolbox"):
        with open(os.path.join(copy, folder, "planted.h"), "w") as file:
            file.write(f"/* planted.h: a header of {folder}/. */\n")
    for source, line, message in (
            ("simulator/grid.c", '#include "message.h"', "includes common/message.h, of a folder above"),
            ("simulator/include/cuda_fp16.h", '#include "../../common/message.h"', "includes common/message.h, of a folder above"),
            ("simulator/simt.h", "  #  include <message.h>", "includes common/message.h, of a folder above"),
            ("simulator/race.c", '#include "planted.h"', "includes steps/planted.h, of a folder above"),
            ("steps/planted.h", '#include "steps/toolbox/planted.h"', "includes steps/toolbox/planted.h, of a folder above"),
            ("simulator/example.cu", '#include "unit/tap.h"', "includes tests/unit/tap.h, of a folder above"),
            ("tests/unit/tap.h", '#include "../../simulator/thread.h"', "includes simulator/thread.h: simt.h is what"),
            ("common/message.c", '#include "thread.h"', "includes simulator/thread.h: simt.h is what"),
            ("common/message.h", "#include <simt_kernels.h>", "includes simulator/include/simt_kernels.h: simt.h is what"),
            ("common/message.c", '#include "planted.h"', "includes steps/planted.h, of a folder above"),
            ("common/message.c", '#include "../steps/toolbox/planted.h"', "includes steps/toolbox/planted.h, of a folder above"),
            ("library/launch.h", '#include "steps/toolbox/planted.h"', "includes steps/toolbox/planted.h, of a folder above"),
            ("library/launch.h", '#include "../steps/11_library/variant.cu"', "includes steps/11_library/variant.cu, of a folder above"),
            ("steps/planted.h", '#include "../steps/toolbox/planted.h"', "includes steps/toolbox/planted.h, of a folder above"),
            ("steps/planted.h", '#include "../simulator/thread.h"', "includes simulator/thread.h: simt.h is what"),
            ("common/message.c", '#include "simt.h"', None),
            ("steps/toolbox/planted.h", '#include "../steps/planted.h"', None),
            ("common/message.c", "#include <cooperative_groups.h>", None)):
        path = os.path.join(copy, source)
        with open(path) as file:
            text = file.read()
        with open(path, "a") as file:
            file.write(line + "\n")
        planted = [problem for problem in include_problems(copy) if problem not in known]
        with open(path, "w") as file:
            file.write(text)
        if message:
            ok(len(planted) == 1 and planted[0].startswith(f"{source} {message}"), f"{source}: {line.strip()} is found", planted)
        else:
            ok(not planted, f"{source}: {line.strip()} is nothing to complain of", planted)

    os.mkdir(os.path.join(copy, "docs"))
    shutil.copy(os.path.join(ROOT, "docs/simulator.md"), os.path.join(copy, "docs"))
    for source, line, message in (
            ("simulator/scheduler.c", '#include "race.h"', "simulator/scheduler.c includes simulator/race.h, of a layer above it"),
            ("simulator/thread.h", '#include "hang_detector.h"', "simulator/thread.h includes simulator/hang_detector.h, of a layer above it"),
            ("simulator/launch.c", '#include "queue.h"', "simulator/launch.c includes simulator/queue.h, of a layer above it"),
            ("simulator/new.c", '#include "thread.h"', "docs/simulator.md: simulator/new.c is not in the list"),
            ("simulator/race.c", '#include "scheduler.h"', None)):
        path = os.path.join(copy, source)
        text = open(path).read() if os.path.exists(path) else None
        with open(path, "a") as file:
            file.write(line + "\n")
        planted = [problem for problem in layer_problems(copy) if problem not in known_layers]
        if text is None:
            os.remove(path)
        else:
            with open(path, "w") as file:
                file.write(text)
        ok(planted == [message] * bool(message), f"{source}: {line} is {'found' if message else 'nothing to complain of'}", "\n".join(planted))

    # A reader of step 09 finds nothing of step 12, of step 10 nothing of step 11, and so on.
    for edits, expected in (
            ((("steps/11_library/lesson_workspace.h", "library/parts/types.h"),),
             "steps/11_library/lesson_workspace.h includes library/parts/types.h, of a later step"),
            ((("library/parts/slots.h", "14_many_gpus/peers.h"),),
             "library/parts/slots.h includes steps/14_many_gpus/peers.h, of a later step"),
            ((("steps/11_library/lesson_workspace.h", "library/kernels.h"),),
             "steps/11_library/variant.cu includes library/parts/types.h, of a later step "
             "(through steps/11_library/lesson_workspace.h and library/kernels.h)"),
            ((("library/parts/types.h", "library/sum_f32.h"),),
             "library/kernels.h includes library/sum_f32.h, of the library, through a step: a circle (through library/parts/types.h)"),
            ((("library/sum_f32.h", "library/launch.h"), ("library/launch.h", "library/parts/exact.h")),
             "steps/11_library/lesson_workspace.h includes library/parts/exact.h, of a later step "
             "(through library/sum_f32_plan.h and library/sum_f32.h and library/launch.h)"),
            ((("steps/14_many_gpus/nvlink_slots.cu", "11_library/lesson_workspace.h"),), None),
            ((("library/launch.h", "10_clusters/ring.h"),), None)):
        texts = {}
        for source, target in edits:
            with open(os.path.join(copy, source)) as file:
                texts[source] = file.read()
            with open(os.path.join(copy, source), "a") as file:
                file.write(f'#include "{target}"\n')
        planted = [problem for problem in step_problems(copy) if problem not in known_steps]
        for source, text in texts.items():
            with open(os.path.join(copy, source), "w") as file:
                file.write(text)
        what = " and ".join(f"{source}: {target}" for source, target in edits)
        if expected:
            ok(expected in planted, f"{what} is found", "\n".join(planted))
        else:
            ok(not planted, f"{what} is nothing to complain of", "\n".join(planted))

    for edits, expected in (
            ((("steps/toolbox/scan/{}", "steps/toolbox/match/planted.h"), ("steps/toolbox/match/{}", "steps/toolbox/scan/planted.h")),
             "a circle: steps/toolbox/match includes steps/toolbox/scan includes steps/toolbox/match"),
            ((("steps/toolbox/scan/{}", "steps/toolbox/match/planted.h"), ("steps/toolbox/match/{}", "steps/toolbox/vote/planted.h"), ("steps/toolbox/vote/{}", "steps/toolbox/scan/planted.h")),
             "a circle: steps/toolbox/match includes steps/toolbox/vote includes steps/toolbox/scan includes steps/toolbox/match"),
            ((("common/message.h", "../common/planted.h"), ("common/planted.h", "message.h")),
             "a circle: common/message.h includes common/planted.h includes common/message.h"),
            ((("steps/toolbox/scan/{}", "steps/toolbox/match/planted.h"),), None)):
        for place in ("steps/toolbox/scan", "steps/toolbox/match", "steps/toolbox/vote", "common"):
            with open(os.path.join(copy, place, "planted.h"), "w") as file:
                file.write("/* planted.h */\n")
        changed = {}
        for source, target in edits:
            source = source.format("lesson.c")
            with open(os.path.join(copy, source)) as file:
                changed[source] = file.read()
            with open(os.path.join(copy, source), "a") as file:
                file.write(f'#include "{target}"\n')
        planted = [problem for problem in circle_problems(copy) if problem not in known_circles]
        for source, text in changed.items():
            with open(os.path.join(copy, source), "w") as file:
                file.write(text)
        what = " and ".join(f"{source.format('lesson.c')}: {target}" for source, target in edits)
        ok(planted == [expected] * bool(expected), f"{what} is " + ("found" if expected else "no circle"), "\n".join(planted))

    def compiled(source, text):
        path = os.path.join(copy, "planted.o")
        subprocess.run([os.environ.get("CC", "gcc"), "-w", "-x", "c", "-", "-c", "-o", path], input=text, text=True, check=True)
        return [(source, path)]

    for source, name, message in (("simulator/scheduler.c", "race_report", "simulator/scheduler.c needs race_report of simulator/race.c, of a layer above it"),
                                  ("simulator/race.c", "simt_wait", None)):
        others = [(of, path) for of, path in objects if of != source]
        new = compiled(source, f"void {name}(void); void f(void) {{ {name}(); }}")
        read_symbols([(path, os.stat(path).st_mtime_ns) for _, path in new])
        planted = symbol_layer_problems(ROOT, others + new)
        ok(planted == [message] * bool(message), f"{source}: a call of {name}() is {'found' if message else 'nothing to complain of'}", "\n".join(planted))

    of_step = os.path.join(copy, "step.o")
    shutil.move(compiled("", "void of_step(void) {}")[0][1], of_step)
    for source, name, message in (
            ("simulator/planted.c", "complain", "of a folder above"),
            ("simulator/planted.c", "of_step", "of a folder above"),
            ("common/planted.c", "of_step", "of a folder above"),
            ("library/planted.c", "of_step", "of a folder above"),
            ("common/planted.c", "race_report", "simt.h is what"),
            ("common/planted.c", "simt_random", "simt.h is what"),
            ("common/planted.c", "simt_launch_count", None),
            ("common/planted.c", "cudaGetLastError", None),
            ("steps/planted.c", "ncclAllReduce", None),
            ("steps/planted.c", "complain", None),
            ("simulator/planted.c", "race_report", None)):
        planted = symbol_problems(objects + [("steps/step.c", of_step)] + compiled(source, f"void {name}(void); void f(void) {{ {name}(); }}"), INTERFACE)
        planted = [problem for problem in planted if problem not in found]
        if message:
            ok(len(planted) == 1 and planted[0].startswith(f"{source} needs {name} of ") and message in planted[0],
               f"{source}: a call of {name}() is found", planted)
        else:
            ok(not planted, f"{source}: a call of {name}() is nothing to complain of", planted)
done()
