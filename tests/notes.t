#!/usr/bin/env python3
"""tools/pages/notes.py: writes the tables of the notes from results/, notices each number
that was changed by hand, and refuses what it cannot read without writing anything."""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import synthetic
import tap
from tap import ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NOTES = os.path.join(ROOT, "plots", "notes.py")


def notes(*arguments):
    return subprocess.run([sys.executable, NOTES, "--root", root, *arguments], capture_output=True, text=True)


def write(page, text):
    path = os.path.join(root, page)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(text)


def read(page):
    with open(os.path.join(root, page)) as file:
        return file.read()


def refused(what, message, step_page):
    """Puts this page beside a README.md with work to do: neither may be written."""
    write("README.md", UNWRITTEN)
    write(STEP, step_page)
    result = notes()
    ok(result.returncode == 1, f"{what}: status 1", result)
    ok(re.fullmatch(r"notes\.py: [^\n]*\n", result.stderr), f"{what}: one line", result.stderr)
    ok(message in result.stderr, f"{what}: it says so", result.stderr)
    ok(read("README.md") == UNWRITTEN and read(STEP) == step_page, f"{what}: nothing is written")
    ok(notes("--check").returncode == 1, f"{what}: --check finds it too")


STEP = "steps/05_warp_shuffle/README.md"
UNWRITTEN = """# Ladder
<!-- table: ladder toy -->
<!-- end -->
Between.
<!-- table: machine toy --><!-- end -->
<!-- table: work sim -->
old
<!-- end -->
v6 is <!-- value: toy v6 16M speedup -->1<!-- end --> times as fast as v0; the roof
is <!-- value: toy machine read_gbps -->?<!-- end --> GB/s. Last words.
"""

with tempfile.TemporaryDirectory() as root:
    synthetic.write_gpu(root + "/results/toy")
    synthetic.write_sim(root + "/results/sim")

    # ---- what it writes ----
    write("README.md", UNWRITTEN)
    write(STEP, "<!-- table: step:05_warp_shuffle toy -->\n<!-- end -->\n"
                "<!-- table: step:05_warp_shuffle sim -->\n<!-- end -->\n")
    result = notes("--check")
    ok(result.returncode == 1 and "README.md" in result.stderr, "--check finds unwritten tables", result)
    ok(read("README.md") == UNWRITTEN, "--check writes nothing")
    result = notes()
    ok(result.returncode == 0 and result.stderr == "", "status 0", result)
    page, step = read("README.md"), read(STEP)

    def us(fixed, thousands, n):  # the synthetic model
        return fixed + n / (1000 * thousands)
    v0, v6 = us(8, 100, 1 << 24), us(6, 950, 1 << 24)
    ok("Between." in page and page.endswith("Last words.\n"), "the text around stays", page)
    ok(len(re.findall(r"^\| \[0", page.split("Between")[0], re.M)) == 17, "the ladder has a row for each variant",
       page)
    row = re.search(r"^\| \[04\]\(steps/04_shared/README\.md\) \| v6 \|.*$", page, re.M)
    ok(row and f"| {v6:.1f} |" in row[0] and f"| {4 * (1 << 28) / us(6, 950, 1 << 28) / 1e3:.0f} |" in row[0]
       and f"| {v0 / v6:.2f} |" in row[0], "with time, bandwidth and speedup", row)
    ok(f"speedup -->{v0 / v6:.2f}<!-- end --> times" in page, "a value stands in its sentence", page)
    ok("NVIDIA Toy: driver 1.2.3, CUDA 98.0, CUB of CCCL 97.0.1; 2001-02-03, commit abc1234" in page,
       "the machine is told", page)
    ok(f"| v0 | {32 * (1 / 8 + 1 / 64):.2f} |" in page, "requests per 32 elements")
    ok("µs" not in page[page.index("work sim"):page.index("v6 is")], "no time in the simulator's table")
    ok("| block_reduce | 16M |" in step and "| block_reduce | 4M |" not in step, "a step's table", step)
    ok("[05](README.md) | block_reduce" in step, "links start from the page they are on", step)
    ok(f"| {us(5, 600, 1 << 20):.2f} |" in step and f"| {us(5, 600, 1 << 20) / 4:.3g} |" in step,
       "times alone and in a graph", step)
    result = notes("--check")
    ok(result.returncode == 0 and result.stderr == "", "then --check agrees", result)
    notes()
    ok((read("README.md"), read(STEP)) == (page, step), "writing again changes nothing")

    # ---- the simulator's files ----
    os.makedirs(root + "/simulator/include")
    os.makedirs(root + "/simulator/build/gcc")
    for name in ("README.md", "build/gcc/simt.a"):  # neither is a file to be read for how it works
        with open(f"{root}/simulator/{name}", "wb") as file:
            file.write(b"\xff\n")
    for name, text in (("engine.h", "/* engine.h: what all\n * share. And more. */\n"), ("engine.c", "/* engine.c: runs. */\n"),
                       ("fibre.c", "/* fibre.c: stacks. */\n"), ("access.c", "/* access.c: loads. */\n"),
                       ("warp.c", "/* warp.c: lanes. */\n"), ("simcc", "#!/bin/sh\n# simcc: compiles.\n"),
                       ("include/cuda.h", "/* cuda.h: words. */\n\n\n")):
        with open(f"{root}/simulator/{name}", "w") as file:
            file.write(text)
    sizes = "<!-- table: files simulator -->\n<!-- end -->\n"
    write(STEP, sizes)
    result = notes()
    ok("| what all share | 2 |\n" in read(STEP) and "| **6** |\n" in read(STEP) and "| **all** |  | **11** |" in read(STEP),
       "the simulator's files and their lines", read(STEP))
    with open(root + "/simulator/warp.c", "a") as file:
        file.write("\n")
    result = notes("--check")
    ok(result.returncode == 1 and f"{STEP}: line " in result.stderr, "a line more is noticed", result)
    with open(root + "/simulator/new.c", "w") as file:
        file.write("int x;\n")
    refused("a file that doesn't say what it is", "simulator/new.c: line 1: the first comment", sizes)
    write(STEP, step)

    # ---- levels of memory ----
    levels = "<!-- table: experiment:levels toy -->\n<!-- end -->\n"
    write(STEP, levels)
    result = notes()
    ok(result.returncode == 0 and "*Not measured yet: `make experiments`" in read(STEP), "levels: not measured yet", read(STEP))
    synthetic.write_levels(root + "/results/toy")
    result = notes()
    ok("| L2 cache | 30 MiB | 234 | 120 | 6100 |" in read(STEP) and "| registers, in each SM | 64 KiB | – | – | – |" in read(STEP),
       "levels: sizes, latencies, bandwidths", read(STEP))
    write(STEP, step)

    # ---- what --check notices ----
    for what, old, new in (("a number in a table", f"| {v6:.1f} |", "| 1.23 |"),
                           ("a number in a sentence", f"-->{v0 / v6:.2f}<!--", "-->99<!--"),
                           ("a text in a table", "| two_pass |", "| two_passes |")):
        write("README.md", page.replace(old, new, 1))
        line = page[:page.index(old)].count("\n") + 1
        result = notes("--check")
        ok(page.count(old) > 0 and result.returncode == 1, f"{what}, changed by hand: status 1", result)
        ok(f"README.md: line {line}: has " in result.stderr, f"{what}: the line is named", result.stderr)
    rows = page.split("\n")
    write("README.md", "\n".join(rows[:5] + rows[6:]))
    result = notes("--check")
    ok(result.returncode == 1 and "README.md: line 6: " in result.stderr, "a row that was removed", result)

    # ---- what it refuses ----
    refused("no end", f"{STEP}: line 2: no <!-- end -->", "x\n<!-- table: ladder toy -->\n| 1 |\n")
    refused("a marker before the end", f"{STEP}: line 1: no <!-- end -->",
            "<!-- table: ladder toy -->\n<!-- table: ladder toy -->\n<!-- end -->\n")
    refused("a value at the beginning of a line", f"{STEP}: line 2: a line that begins with a value",
            "x\n  <!-- value: toy v0 16M gbps -->1<!-- end -->\n")
    refused("a value at the beginning of an item", f"{STEP}: line 2: a line that begins with a value",
            "x\n1. <!-- value: toy v0 16M gbps -->1<!-- end -->\n")
    refused("an end alone", f"{STEP}: line 2: <!-- end --> without", "x\n<!-- end -->\n")
    refused("an unknown table", f"{STEP}: line 1: no table leader; there are ", "<!-- table: leader toy -->\n<!-- end -->\n")
    refused("a table without a folder", "a table takes a name and a folder", "<!-- table: ladder -->\n<!-- end -->\n")
    refused("an unknown step", "holds no step 99_none", "<!-- table: step:99_none toy -->\n<!-- end -->\n")
    refused("no such results", "no folder results/h900; ./run_all.sh makes it", "<!-- table: ladder h900 -->\n<!-- end -->\n")
    refused("counts of a GPU", "holds no counts", "<!-- table: work toy -->\n<!-- end -->\n")
    refused("an unknown variant", "holds no gbps of v99 at 16M", "a <!-- value: toy v99 16M gbps -->1<!-- end -->\n")
    refused("a size not measured", "holds no gbps of v0 at 3M", "a <!-- value: toy v0 3M gbps -->1<!-- end -->\n")
    refused("an unknown column", "holds no price of v0", "a <!-- value: toy v0 16M price -->1<!-- end -->\n")
    refused("a broken size", '"16X" is not a size', "a <!-- value: toy v0 16X gbps -->1<!-- end -->\n")
    refused("an unknown key", "holds no price", "a <!-- value: toy machine price -->1<!-- end -->\n")

    # ---- a GPU's own counters ----
    columns = "step,variant,n,block,grid,pass,kernel,gld_requests,gld_sectors,gst_requests,gst_sectors," \
              "shared_ld_wavefronts,shared_st_wavefronts,simt_efficiency,branch_efficiency"
    launches = [f"01_interleaved,v{i},65536,256,{grid},{number},v{i},{1000 * i + grid},{20 * grid},{grid},8,7,6,"
                f"0.98{i},6{i}.44" for i in range(3) for number, grid in ((1, 256), (2, 1))]

    def profiled(lines, sim_grid=256, sim_sectors=5140):
        write("results/gpu/counters.csv", "\n".join([columns] + lines) + "\n")
        write("results/gpu/counters.json", '{"gpu": "NVIDIA Toy", "ncu": "1.2", "date": "2001-02-03T04:05:06Z", "commit": "abc"}')
        rows = [f"01_interleaved,v{i},sim,sim,65536,256,{sim_grid},uniform,,,,,,,,,0,1,1,{2000 * i + 257},{sim_sectors},257,16,"
                f"14,12,0,0,0,1" for i in range(3)]
        write("results/other/01_interleaved.csv", ",".join(synthetic.HEADER) + "\n" + "\n".join(rows) + "\n")
        write("results/other/machine.json", '{"backend": "sim"}')

    page = "".join(f"<!-- table: {name} gpu -->\n<!-- end -->\n" for name in
                   ("profiled", "counter:gld_requests", "counter:simt_efficiency", "counter:branch_efficiency", "beside:other"))
    profiled(launches)
    write(STEP, page)
    write("README.md", "")
    result, text = notes(), read(STEP)
    ok(result.returncode == 0, "counters: status 0", result)
    for line in ("\nProfiled on an NVIDIA Toy with Nsight Compute 1.2, 2001-02-03, commit abc.\n",
                 "\nv0 256 · v1 1,256 · v2 2,256\n", "\nv0 98.0 % · v1 98.1 % · v2 98.2 %\n",
                 "\nv0 60.4 % · v1 61.4 % · v2 62.4 %\n", "| v1 | 2,257 | 5,140 | 257 | 16 | 14 | 12 |\n"):
        ok(line in text, "counters: " + line.strip(), text)
    profiled(launches, sim_sectors=5141)
    notes()
    ok("| v1 | 2,257 | 5,140 (simulator 5141) | 257 |" in read(STEP), "a count that differs is shown as two", read(STEP))
    profiled(launches, sim_grid=128)
    refused("other grids on GPU and simulator", "no variant in common", "<!-- table: beside:other gpu -->\n<!-- end -->\n")
    refused("an unknown counter", "holds no price of v0", "<!-- table: counter:price gpu -->\n<!-- end -->\n")
    refused("no counters", "results/toy/counters.csv cannot be read", "<!-- table: counter:gld_requests toy -->\n<!-- end -->\n")
    profiled(launches[:2])
    refused("no v1", "holds no gld_requests of v1", "<!-- table: counter:gld_requests gpu -->\n<!-- end -->\n")
    profiled([line.replace("65536", "many") for line in launches])
    refused("a word for n", "results/gpu/counters.csv cannot be read", "<!-- table: counter:gld_requests gpu -->\n<!-- end -->\n")

    # ---- figures of the source documents, and a lesson's tables ----
    header = "document,section,gpu,variant,quantity,unit,value\n"
    n, rest = 1 << 25, 1 << 17  # 2^25 floats read, 2^17 partial sums written
    figures = [f"001,v0,Old,v0,time,ms,8", f"001,v0,Old,v0,bandwidth,GB/s,{4 * (n + rest) / 8e6}", "001,v6,Old,v6,time,ms,2.004",
               f"001,v6,Old,v6,bandwidth,GB/s,{4 * (n + rest) / 2.004e6}", "maker,sheet,Old,gtx1060,theory,GB/s,100",
               "001,v0,Old,v0,branch,events,26214400", "001,v0,Old,v0,inst_per_warp,n,380.875000"]

    def printed(lines):
        write("results/published/figures.csv", header + "\n".join(lines) + "\n")
        write("results/published/shuffles.csv", "threads,thread,value,read\n35,32,33,0\n35,0,1,17\n64,0,1,17\n")

    printed(figures)
    profiled(launches)
    page = ("<!-- table: beside:published:v0,v6 toy -->\n<!-- end -->\n<!-- table: shuffles:35 published -->\n<!-- end -->\n"
            "v0 took <!-- value: published v0 time -->?<!-- end --> ms, <!-- value: published v0/v6 time -->?<!-- end --> times v6's, "
            "a block's share was <!-- value: published v0 block_share -->?<!-- end -->.\n"
            "<!-- table: sizes:v0,v6 toy -->\n<!-- end -->\n"
            "Ratio <!-- value: toy v0/v6 16M median_us -->?<!-- end -->, <!-- value: toy v0-v6 16M median_us -->?<!-- end --> µs, "
            "<!-- value: gpu counter v2/v1 gld_requests -->?<!-- end -->\n")
    write(STEP, page)
    write("README.md", "")
    result, text = notes(), read(STEP)
    ok(result.returncode == 0, "published: status 0", result)
    last0, last6 = us(8, 100, 1 << 28), us(6, 950, 1 << 28)
    for line in (f"| v0 | 8.00 | 16.8 | 16.8 | 1.00× | {last0:.0f} | ", f"| v6 | 2.00 | 67.2 | 67.2 | 3.99× | {last6:.0f} | ",
                 "| thread | 32 | 0 |", "| reads | 0 | 17 |", "time -->8<!-- end --> ms, ", "time -->3.99<!-- end --> times",
                 "block_share -->256<!-- end -->.", f"median_us -->{v0 / v6:.2f}<!-- end -->, ", f"median_us -->{v0 - v6:.0f}<!-- end --> µs",
                 "gld_requests -->1.80<!-- end -->", f"| {last0 / last6:.2f}× |"):
        ok(line in text, "published: " + line.strip(), text)
    ok(notes("--check").returncode == 0, "published: then --check agrees")
    write(STEP, text.replace("time -->8<!--", "time -->9<!--"))
    result = notes("--check")
    ok(result.returncode == 1 and f"{STEP}: line 13: has v0 took" in result.stderr, "a printed figure changed in a note", result.stderr)
    write(STEP, text)
    printed([line.replace("time,ms,8", "time,ms,7") for line in figures])
    result = notes("--check")
    ok(result.returncode == 1 and "line 4: has | v0 | 8.00" in result.stderr and "line 13: has v0 took" in result.stderr,
       "a printed figure changed in results/published", result.stderr)
    refused("a figure nobody printed", "figures.csv holds no price of v0", "a <!-- value: published v0 price -->1<!-- end -->\n")
    refused("shuffles of no block", "holds nothing of 33 threads", "<!-- table: shuffles:33 published -->\n<!-- end -->\n")
    refused("no counter printed", "holds no counter of v6", "<!-- table: nvprof:v6 gpu -->\n<!-- end -->\n")
    refused("a row of an unknown variant", "holds no variant v99", "<!-- table: sizes:v99 toy -->\n<!-- end -->\n")
    printed(figures[:2] + ["001,v6,Old,v6,time,ms,fast"])
    refused("a word for a figure", "figures.csv: line 4: value is not a number: fast", "a <!-- value: published v0 time -->1<!-- end -->\n")

    # ---- every counter, GPU and simulator beside each other ----
    more = columns + ",barriers,shuffles,votes,atomics,reductions,inst_per_warp"

    def beside(sim_atomics):
        write("results/gpu/counters.csv", more + "\n" + "".join(
            f"05_warp_shuffle,toy,20000,128,9,{number},toy,100,400,9,9,5,6,0.91,99.5,36,40,2,3,4,55\n" for number in (1, 2)))
        write("results/sim/counters.csv", "variant,n,block,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
              f"shared_st_wavefronts,barriers,shuffles,atomics,simt_efficiency\ntoy,20000,128,200,801,18,18,10,12,18,84,{sim_atomics},0.9\n")

    beside(14)
    write(STEP, "<!-- table: why:toy@20000 gpu -->\n<!-- end -->\n")
    result, text = notes(), read(STEP)
    ok(result.returncode == 0, "why: status 0", result)
    for line in ("one sum, n = 20,000, blocks of 128 | toy |", "| launches | 2 |", "| load requests | 200 |", "| load sectors | 800 (simulator 801) |",
                 "| barriers | 18 |", "| shuffles and votes | 84 |", "| atomics | 14 |", "| instructions per warp | 55.0 |",
                 "| SIMT efficiency, % | 91.0 (simulator 90.0) |"):
        ok(line in text, "why: " + line, text)
    beside(15)
    result = notes("--check")
    ok(result.returncode == 1 and "now | atomics | 14 (simulator 15) |" in result.stderr, "a count that changed", result.stderr)
    refused("a variant that was not profiled", "has no v9 at n = 20000", "<!-- table: why:v9@20000 gpu -->\n<!-- end -->\n")
    refused("a size that was not profiled", "holds nothing for n = 7", "<!-- table: why:toy@7 gpu -->\n<!-- end -->\n")

    # ---- the toolbox: other questions than a sum ----
    tools = "steps/08_warp_toolbox/vote.md"
    write("README.md", "<!-- table: ladder toy -->\n<!-- end -->\n<!-- table: errors toy -->\n<!-- end -->\n")
    write(STEP, "")
    notes()
    ladder_alone = read("README.md")

    def profiled_tool(variant):
        write("results/gpu/counters.csv", more + "".join(f"\n08_warp_toolbox,{variant},{n},{block},9,1,vote,100,400,9,9,5,6,0.91,99.5,36,40,2,3,4,55"
                                                         for n, block in ((20000, 128), (65536, 256))) + "\n")
    profiled_tool("other")
    write("steps/08_warp_toolbox/vote.cu", 'static struct variant v[] = {{.name = "vote", 1},\n{.name =\n"vote_shared", 1}, {"soft", 1}};\n')
    toolbox = ("<!-- table: toolbox:vote,vote_shared toy -->\n<!-- end -->\nT <!-- value: toy vote 256M median_us -->?<!-- end --> µs, "
               "<!-- value: toy soft@8K/vote 16M median_us -->?<!-- end -->, <!-- value: gpu counter vote shuffles -->?<!-- end -->\n"
               "<!-- table: why:vote@20000 gpu -->\n<!-- end -->\n")
    write(tools, toolbox)
    result, text = notes(), read(tools)
    ok(result.returncode == 0 and "*Not measured yet: `./run_all.sh`, on a GPU, writes results/toy/08_warp_toolbox.csv.*" in text
       and "median_us -->–<!--" in text and "soft@8K/vote 16M median_us -->–<!--" in text and "shuffles -->–<!--" in text
       and "*Not profiled yet: `make counters`" in text, "the toolbox: not measured yet", (result, text))
    synthetic.write_toolbox(root + "/results/toy")
    profiled_tool("vote")
    write("results/sim/counters.csv", read("results/sim/counters.csv") + "vote,20000,128,100,400,9,9,5,6,9,42,7,0.9\n")
    write("results/toy/counters.csv", read("results/gpu/counters.csv"))
    write(tools, toolbox + "issued: <!-- value: toy vote 1M issue_us -->?<!-- end -->\n<!-- table: toolbox:soft@1K,soft@8K toy -->\n<!-- end -->\n<!-- table: step:08_warp_toolbox toy -->\n<!-- end -->\n")
    result, text = notes(), read(tools)
    ok(result.returncode == 0, "the toolbox: status 0", result)
    for line in ("| vote | 10.0 | 160 | 2560 | 839 | 75.0 | 1.00× |", "| vote_shared | 20.0 | 320 | 5120 | 419 | 75.0 | 2.00× |",
                 "| soft@1K | 30.0 |", "| soft@8K | 40.0 | 640 | 10240 | 210 | 75.0 | 1.33× |", "T <!-- value: toy vote 256M median_us -->2560<!--",
                 "16M median_us -->4.00<!--", "shuffles -->40<!--", "| one run, n = 20,000, blocks of 128 | vote |", "| shuffles and votes | 42 |",
                 "| soft@8K | 1M | 40.0 |", "1M issue_us -->0.01<!--"):
        ok(line in text, "the toolbox: " + line, text)
    ok(read("README.md") == ladder_alone, "the toolbox: no part of the ladder, nor of the errors", read("README.md"))
    refused("a variant with rows, and none named", "holds no median_us of soft at 16M", "a <!-- value: toy soft 16M median_us -->1<!-- end -->\n")
    refused("a row that was not measured", "holds no times of soft@2K", "<!-- table: toolbox:soft@2K toy -->\n<!-- end -->\n")
    refused("a tool that is none", "holds no variant hammer", "<!-- table: toolbox:vote,hammer toy -->\n<!-- end -->\n")

    def broken(what, message, change):
        synthetic.write_gpu(root + "/results/broken")
        path = root + "/results/broken/01_interleaved.csv"
        with open(path) as file:
            lines = file.read().split("\n")
        with open(path, "w") as file:
            file.write("\n".join(change(lines)))
        refused(what, "results/broken/01_interleaved.csv: " + message, "<!-- table: ladder broken -->\n<!-- end -->\n")

    broken("a broken CSV line", "line 3: 28 fields, the header has 29",
           lambda lines: lines[:2] + [lines[2][:-1]] + lines[3:])
    broken("a word for a number", "line 3: runs is not a number: many",
           lambda lines: lines[:2] + [lines[2].replace(",9,", ",many,", 1)] + lines[3:])
    broken("a missing column", "line 1: the header has no column gbps",
           lambda lines: [lines[0].replace("gbps", "speed")] + lines[1:])
    broken("an empty CSV", "line 1: the header has no column step", lambda lines: [])
    with open(root + "/results/toy/machine.json", "w") as file:
        file.write("{")
    write("README.md", "<!-- table: machine toy -->\n<!-- end -->\n")
    write(STEP, "")
    result = notes()
    ok(result.returncode == 1 and "toy/machine.json cannot be read" in result.stderr, "a broken machine.json", result)
    ok(notes("--chekc").returncode == 2, "an unknown option: status 2")

# ---- this repository ----
with tempfile.TemporaryDirectory() as folder:
    result = subprocess.run([os.path.join(ROOT, "results", "counters_sim.sh"), folder + "/counters.csv"], capture_output=True, text=True)
    with open(os.path.join(ROOT, "results/sim/counters.csv")) as file:
        recorded = file.read()
    with open(folder + "/counters.csv") as file:
        ok(file.read() == recorded, "results/sim/counters.csv is what the programs count today: make counters-sim", result.stderr)
result = subprocess.run([sys.executable, NOTES, "--check"], capture_output=True, text=True)
ok(result.returncode == 0, "the notes of this repository agree with results/", result.stderr)

tap.done()
