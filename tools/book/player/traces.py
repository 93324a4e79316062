#!/usr/bin/env python3
"""traces.py [FOLDER | --check | --programs]: traces kernels on the simulator, for the player: FOLDER/NAME.js of each
name below (build/player/traces, if no folder is given), each a file of JavaScript that a page from disk
can load, too. In it are the traces as --trace wrote them, compressed, and the sources that they name.

--check runs nothing: are the markers of all pages, <!-- player: NAME VARIANT [VARIANT] -->, of traces
that this file makes? `make player` does that first, then makes the traces that are older than their programs.
--programs lists the programs that are traced.
Exit status: 0 done; 1 a program failed, or a page asks for a trace that is not made; 2 usage.
"""
import base64
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..")
sys.dont_write_bytecode = True
sys.path.insert(1, os.path.join(ROOT, "tools", "pages"))
from page_markdown import Problem, page_names, read, run, without_code, write

# Name: the runs in it: program, variants, n, threads of a block, blocks, other options.
ONE_SM = "--sms 1"  # a grid that is sized by the device is small, too
TRACES = {
    "01_interleaved": [("step01", "v0,v1", "64K", 256, "0"), ("step01", "v0,v1", "1000", 256, "3"), ("step01", "v0,v1", "64", 64, "0")],
    "02_sequential": [(program, variants, n, threads, blocks)
                      for n, threads, blocks in (("64K", 256, "0"), ("1000", 256, "3"), ("64", 64, "0"))
                      for program, variants in (("step01", "v0,v1"), ("step02", "v2"))],
    "03_unrolled": [(program, variants, n, threads, "0") for n, threads in (("64K", 256), ("512", 64))
                    for program, variants in (("step02", "v2"), ("step03", "v3x2,v3x4,v3x8,v4,v5"))],
    "04_shared": [(program, variants, n, threads, "0") for n, threads in (("64K", 256), ("512", 64))
                  for program, variants in (("step03", "v3x8"), ("step04", "v6,v6_interleaved,v6_volatile"))],
    "05_warp_shuffle": [("step04", "v6", "64K", 256, "0"), ("step05", "v7,v7_atomic,v7_warps", "64K", 256, "0"),
                        ("step05", "atomic_per_warp,atomic_per_block,block_reduce", "4096", 256, "0", ONE_SM),
                        ("step04", "v6", "1024", 64, "0"),
                        ("step05", "v7,v7_atomic,v7_warps,atomic_per_warp,atomic_per_block,block_reduce", "1024", 64, "0", ONE_SM)],
    "06_two_pass": [("step06", "two_pass", "1024", 64, "0", ONE_SM), ("step06", "two_pass", "8K", 256, "0", ONE_SM)],
    "07_cooperative": [("step07", "cooperative,cooperative_source", "512", 64, "0,1", ONE_SM), ("step07", "cooperative", "8K", 256, "0,1", ONE_SM)],
    "08_vectorized": [("step08", "vector_x1,vector_x2,vector_x4,vector_x8", "8K", 64, "0", ONE_SM), ("step08", "vector_x1,vector_x4", "32K", 256, "0", ONE_SM)],
    "09_single_pass": [("step09", "ticket,flagged_slots,fixed_point", "8K", 64, "0,3", "--sms 2")],  # on one, block 0 has no other to wait for
    "10_clusters": [("step10", "cluster_8", "8K", 64, "0,1", ONE_SM), ("step10", "cluster_16", "16K", 64, "0", ONE_SM), ("step10", "clusters", "32K", 64, "0", ONE_SM)],
    "11_library": [("step11", "sum_f32", "1024", 64, "0", ONE_SM), ("step11", "sum_f32", "64K", 256, "0", ONE_SM)],
    "15_operators": [("step15", "reduce_sum,maximum,argmax", "1024", 64, "0", ONE_SM)],
    "16_rows": [("step16", "row_thread,row_warp,row_lanes,column_lanes", "128", 512, "0", ONE_SM + " --row 8"),
                ("step16", "row_thread,row_lanes,row_stream", "448", 64, "0", ONE_SM + " --row 7"),
                ("step16", "ragged_warp,ragged_even", "576", 64, "0", ONE_SM + " --row 8 --lengths random")],
    "exchange": [("exchange", "broadcast,broadcast_shared,rotate,rotate_shared,butterfly,butterfly_shared", "256", 32, "0", ONE_SM)],
    "transpose": [("transpose", "transpose,transpose_shared,transpose_swizzle,transpose_conflict", "1024", 32, "0", ONE_SM)],
    "scan": [("scan", "scan_warp,scan_warp_shared,scan_block,scan_block_shared", "512", 128, "0", ONE_SM)],
}


def variants_of(name):
    return {variant for run in TRACES[name] for variant in run[1].split(",")}


def check_markers():
    for page in page_names(ROOT):
        for number, line in enumerate(without_code(read(os.path.join(ROOT, page))).split("\n"), 1):
            if "<!-- player:" not in line:
                continue
            marker = re.fullmatch(r"<!-- player: (\w+)((?: \w+){1,2}) -->", line)
            if not marker:
                raise Problem(f"{page}:{number}: not <!-- player: NAME VARIANT [VARIANT] --> on a line of its own")
            if marker[1] not in TRACES:
                raise Problem(f"{page}:{number}: no traces \"{marker[1]}\"; there are {', '.join(TRACES)}")
            for variant in marker[2].split():
                if variant not in variants_of(marker[1]):
                    raise Problem(f"{page}:{number}: no trace of \"{variant}\" in {marker[1]}; there are {', '.join(sorted(variants_of(marker[1])))}")


def trace(program, variants, n, threads, blocks, options=""):
    """The text that --trace writes."""
    path = os.path.join(ROOT, "build", "sim", program)
    if not os.path.exists(path):
        raise Problem(f"no program build/sim/{program}: make player builds it")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "trace.csv")
        done = subprocess.run([path, "-v", variants, "-n", n, "-b", str(threads), "--trace", file, "--trace-blocks", blocks] + options.split(),
                              cwd=ROOT, capture_output=True, text=True)
        if not os.path.exists(file):  # a kernel that is wrong on purpose has status 1, and its trace is what one wants to see
            raise Problem(f"{program} -v {variants}: {(done.stderr.strip() or done.stdout.strip() or 'no trace').splitlines()[-1]}")
        with open(file, encoding="utf-8") as lines:
            return lines.read()


def split(text):
    """The runs of a trace: (variant, n, block, their text), in order."""
    version, header, *lines = text.splitlines(keepends=True)
    runs = {}
    for line in lines:
        key = re.match(r"(?:# \w+ )?([^,]+,[^,]+,\d+)", line)
        runs.setdefault(key[1], []).append(line)
    for key, its_lines in runs.items():
        variant, n, block = key.split(",")
        yield variant, int(n), int(block), version + header + "".join(its_lines)


def packed(text):
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


def source(name, folder):
    """The file that a trace names by name alone: the program's own, if there is one."""
    found = glob.glob(os.path.join(ROOT, folder, name)) or [
        path for pattern in ("steps/*/", "steps/toolbox/*/", "library/", "common/", "simulator/include/")
        for path in sorted(glob.glob(os.path.join(ROOT, pattern, name)))]
    if not found:
        return None
    return {"path": os.path.relpath(found[0], ROOT), "text": read(found[0])}


def folder_of(program):
    found = glob.glob(os.path.join(ROOT, "steps", program[4:] + "_*")) if program.startswith("step") else [os.path.join(ROOT, "steps", "toolbox", program)]
    return os.path.relpath(found[0], ROOT)


def descriptions(program):
    """What each variant does, in a line."""
    done = subprocess.run([os.path.join(ROOT, "build", "sim", program), "--list"], capture_output=True, text=True)
    return dict(re.findall(r"^(\w+) +(.*)$", done.stdout, re.M))


def data(name):
    runs, sources, what = [], {}, {}
    for program, *rest in TRACES[name]:
        what.setdefault(program, descriptions(program) if os.path.exists(os.path.join(ROOT, "build", "sim", program)) else {})
        for variant, n, block, text in split(trace(program, *rest)):
            threads = int(re.search(r"^# block .*: threads=(\d+)", text, re.M)[1])
            runs.append({"program": program, "variant": variant, "what": what[program].get(variant, ""), "n": n, "block": block,
                         "threads": threads, "packed": packed(text)})
            for file in sorted(set(re.findall(r",([^,]+):\d+,\d+,\d+,\d+$", text, re.M))):
                key = f"{program}/{file}"
                found = source(file, folder_of(program))
                if found:
                    sources[key] = found
    return {"runs": runs, "sources": sources}


def is_fresh(path, name):
    """Is it newer than all that it is made of? A program is newer than its sources."""
    made_of = [__file__] + [os.path.join(ROOT, "build", "sim", program) for program, *_ in TRACES[name]]
    return os.path.exists(path) and all(os.path.exists(other) and os.path.getmtime(other) < os.path.getmtime(path) for other in made_of)


def main(arguments):
    if arguments == ["--check"]:
        check_markers()
        return 0
    if arguments == ["--programs"]:
        print(*sorted({program for runs in TRACES.values() for program, *_ in runs}), sep="\n")
        return 0
    if len(arguments) > 1 or (arguments and arguments[0].startswith("-")):
        print("usage: tools/book/player/traces.py [FOLDER | --check | --programs]", file=sys.stderr)
        return 2
    folder = arguments[0] if arguments else os.path.join(ROOT, "build", "player", "traces")
    check_markers()
    os.makedirs(folder, exist_ok=True)
    for name in TRACES:
        path = os.path.join(folder, name + ".js")
        if not is_fresh(path, name):
            write(path, "(window.playerTraces = window.playerTraces || {})[%s] = %s;\n" % (json.dumps(name), json.dumps(data(name), separators=(",", ":"))))
    write(os.path.join(folder, "names.js"), "window.playerNames = %s;\n" % json.dumps(list(TRACES)))
    return 0


if __name__ == "__main__":
    run(main)
