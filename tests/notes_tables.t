#!/usr/bin/env python3
# tier: more
"""What the tables and values of tools/pages/notes.py compute, from made-up results that can be worked
out by hand, and what stands there before anything was measured. Tables that only print what a CSV
holds are compared in notes.t: the pages of this repository with its results."""
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import run_notes
import synthetic
import tap
from run_notes import PAGE, has, notes, one_number, read, refused, table, values, write
from tap import ok

COUNTERS = ("step,variant,n,block,grid,pass,kernel,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
            "shared_st_wavefronts,simt_efficiency,branch_efficiency,barriers,shuffles,votes,atomics,reductions,inst_per_warp\n")


def rows(name, *rows):
    """Rows of (variant, n, µs, and what else), in the format of a run."""
    synthetic.write_rows(f"{run_notes.root}/results/{name}.csv", [
        {"step": "x", "variant": variant, "n": n, "median_us": us, "block": 256, "grid": 1, "cache": "cold", "launch": "plain", **more}
        for variant, n, us, more in rows], "a" if name == "sim/runs" else "w")


def nothing_yet():
    for name, file in (("flight", "sweep.csv"), ("targets", "compare.csv"), ("softmax", "softmax.csv"), ("why:v0", "counters.csv"),
                       ("experiment:levels", "experiments/levels.csv"), ("experiment:known_wrong:x", "experiments/errata.txt"),
                       ("passes", "passes.csv")):
        made = table(f"{name} toy")
        ok(made[0].startswith("*Not measured yet: ") and f"results/toy/{file}" in made[0], f"{name}: not measured yet: {file}", made)
    values({f"toy {marker}": "–" for marker in (
        "sweep latency_ns", "compare 1K cold graph cub ratio", "softmax warp 1K 256M gbps", "counter v0 shuffles",
        "experiment levels l2 cycles")})
    rows("sim/runs", ("ticket", 1024, "", {}), ("slots", 1024, "", {}))
    write("steps/09_single_pass/README.md", "")
    has("sizes:v0,ticket,slots toy", "| [01](../steps/01_interleaved/README.md) | v0 |",
        "*Not measured yet on toy: ticket, slots: `./run_all.sh --out results/toy` writes results/toy.*")
    has("step:09_single_pass toy", "*Not measured yet on toy: 09_single_pass: ")
    values({"toy ticket 1M median_us": "–", "toy v0/ticket 1M median_us": "–"})


def newer():
    """What the sources have, and a folder does not: a line below the tables of all that it has, and in make notes."""
    write("steps/02_sequential/lesson.c", "    &variant_v2, &variant_v2b, &variant_v2_wrong, &variant_v2_cpu, &variant_v2_most, NULL,\n")
    write("steps/02_sequential/v2_wrong.cu", "extern const struct variant variant_v2_wrong = {\n    .flags = KNOWN_WRONG,\n};\n")
    write("steps/02_sequential/v2_most.cu", "extern const struct variant variant_v2_most = {\n    .task = &maximum_task,\n};\n")
    write("steps/02_sequential/v2_cpu.c", "const struct variant variant_v2_cpu = {\n    .flags = ON_CPU,\n};\n")
    write("steps/toolbox/vote/lesson.c", "    &variant_vote_new, NULL,\n")
    run_notes.program.results.use_root(run_notes.root)
    line = "*Not measured yet on toy: v2b, v2_cpu: `./run_all.sh --out results/toy` writes results/toy.*"
    for name, wanted in ("ladder", line), ("step:02_sequential", line.replace("v2_cpu", "v2_cpu, v2_most")), ("errors", line), ("depths", line):
        ok(table(f"{name} toy")[-1] == wanted, f"{name}: what came later; other answers than sums in the step's own", table(f"{name} toy"))
    ok(table("work sim")[-1] == line.replace("./run_all.sh --out results/toy", "make counters-sim COUNTERS=results/toy/counters.csv").replace("toy", "sim"), "work: what came later", table("work sim"))
    ok("Not measured" not in "".join(table("step:01_interleaved toy")), "step: nothing of another", table("step:01_interleaved toy"))
    has("lesson:v2,v2b toy", "| v2 |", "*Not measured yet on toy: v2b: ")
    has("why:vote_new toy", "*Not measured yet")
    write("results/sim/counters.csv", "variant\nv2\nvote_new\n")
    listed = notes().stdout.splitlines()
    ok(all(entry in listed for entry in ("not measured yet on toy: v2b, v2_cpu, v2_most of 02_sequential: ./run_all.sh --out results/toy",
                                         "not measured yet on sim: v2b, v2_cpu, v2_most of 02_sequential: make counters-sim COUNTERS=results/sim/counters.csv",
                                         "not measured yet on toy: vote_new of vote: ./run_all.sh --out results/toy",
                                         "not counted yet on sim: v2b, v2_most of 02_sequential: make counters-sim COUNTERS=results/sim/counters.csv")), "make notes lists them", listed)
    for name in ("steps/02_sequential", "steps/toolbox/vote"):
        shutil.rmtree(f"{run_notes.root}/{name}")
    os.remove(run_notes.root + "/results/sim/counters.csv")


def runs():
    v0, v1 = 8 + (1 << 20) / 1e5, 8 + (1 << 20) / 2e5
    values({"toy v0 1M row_ns": f"{v0 * 1000 / 32768:.3g}", "toy v0 1M life_us": f"{v0 * 77 * 8 / 4097:.2f}",
            "toy v0/v1 1M median_us": f"{v0 / v1:.2f}", "toy v0-v1 1M median_us": f"{v0 - v1:.2f}", "toy machine l2_bytes MiB": "30 MiB"})
    has("step:05_warp_shuffle toy", "| block_reduce | 1M | 6.75 |", "| block_reduce | 16M |")
    has("step:05_warp_shuffle sim", "| [05](../steps/05_warp_shuffle/README.md) | block_reduce |")
    synthetic.write_toolbox(run_notes.root + "/results/toy")
    has("toolbox:vote,vote_shared toy", "| vote | 10.0 | 160 | 2560 | 839 | 75.0 | 1.00× |",
        "| vote_shared | 20.0 | 320 | 5120 | 419 | 75.0 | 2.00× |")
    has("toolbox:soft@1K,soft@8K toy", "| soft@8K | 40.0 | 640 | 10240 | 210 | 75.0 | 1.33× |")
    has("sizes:vote toy", "| [vote](../steps/toolbox/vote/README.md) | vote |")
    values({"toy soft@8K/vote 16M median_us": "4.00"})


def write_counters(votes=2, sim_sectors=800, task="task", n=65536):
    write("results/toy/counters.csv", COUNTERS + "".join(
        f"{step},{name},{n},256,9,{k},{name},{1000 + 256 * k},400,9,9,5,6,0.91,6{k}.44,72,40,{votes},3,4,55\n"
        for step, name in (("01_interleaved", "v0"), ("01_interleaved", "v1"), ("02_sequential", "v2"), ("vote", "vote")) for k in (1, 2)))
    write("results/sim/counters.csv", "variant,n,block,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
          f"shared_st_wavefronts,barriers,shuffles,atomics,simt_efficiency,{task}\nv0,65536,256,2768,{sim_sectors},18,18,10,12,18,84,14,0.9,sum\n"
          "vote,65536,256,1,2,3,4,5,6,7,8,9,0.9,vote\n")


def counters():
    write_counters()
    has("counter:gld_requests toy", "v0 1,256 · v1 1,256 · v2 1,256")
    has("counter:simt_efficiency toy", "v0 91.0 % · ")
    has("why:vote toy", "| one run, n = 64K", "Where the simulator counts something else:", "- *shuffles and votes* of vote: the mask is computed")
    has("why:v0,ticket toy", "| one sum, n = 64K, blocks of 256 | v0 |", "| launches | 2 |", "| load requests | 2,768 |", "| load sectors | 800 |",
        "| barriers | 18 |", "| shuffles and votes | 84 |", "| atomics | 14 |", "| SIMT efficiency, % | 91.0 (simulator 90.0) |",
        "*Not profiled yet: ticket: `make counters`")
    write("results/toy/passes.csv", "step,kernel,n,pass,grid,duration_us\n01,v0,1M,1,77,10\n01,v0,1M,2,1,2\n01,v0,1M,3,1,1\n")
    values({"toy counter v0 gld_requests": "1,256", "toy counter v0/v1 gld_requests": "1.00", "toy counter ticket shuffles": "–",
            "toy launch v0 1M rest": "3.00", "toy launch v0 1M life": "80.0", "toy vote 1M issue_us": f"{55 * 7 * 8 / 77 / 4 / 1000:.3g}"})
    of_sim = {"grid": 9, "gld_requests": 2768, "gst_requests": 18, "gst_sectors": 18, "shared_ld_wavefronts": 10, "shared_st_wavefronts": 12}
    rows("other/runs", ("v0", 65536, "", dict(of_sim, gld_sectors=800)), ("v1", 65536, "", dict(of_sim, gld_sectors=801)),
         ("v2", 65536, "", dict(of_sim, grid=8)), ("vote", 65536, "", dict(of_sim, task="vote")))
    write("results/other/machine.json", '{"backend": "sim"}')
    ok([line.split(" | ")[1:4] for line in table("beside:other toy")[2:]] == [["v0", "2,768", "800"], ["v1", "2,768", "800 / 801"]],
       "beside: one number or two; sums alone, of equal grids", table("beside:other toy"))
    for message, marker in (("holds no price of v0", "counter:price"), ("holds nothing for n = 7", "why:v0@7")):
        refused(message, f"<!-- table: {marker} toy -->\n<!-- end -->\n")
    has("why:v0 toy")
    write_counters(votes=3, sim_sectors=801)
    lines = notes("--check").stdout
    ok("+| load sectors | 800 (simulator 801) |" in lines and "+| shuffles and votes | 86 (simulator 84) |" in lines,
       "counts that changed are noticed", lines)
    for message, change in (("results/toy/counters.csv cannot be read", {"n": "many"}), ("results/sim/counters.csv is of an older layout", {"task": "x"})):
        write_counters(**change)
        refused(message, "<!-- table: why:v0 toy -->\n<!-- end -->\n")
    write_counters()


def printed_figures():
    n, rest = 1 << 25, 1 << 17  # 2^25 floats read, 2^17 partial sums written
    figures = "document,section,gpu,variant,quantity,unit,value\n" + "".join(f"001,x,Old,{line}\n" for line in (
        "v0,time,ms,8", f"v0,bandwidth,GB/s,{4 * (n + rest) / 8e6}", "v1,time,ms,2.004", f"v1,bandwidth,GB/s,{4 * (n + rest) / 2.004e6}",
        "gtx1060,theory,GB/s,100"))
    write("results/published/figures.csv", figures)
    has("beside:published:v0,v1 toy", f"| v0 | 8.00 | 16.8 | 16.8 | 1.00× | {8 + (1 << 28) / 1e5:.0f} | ", "| v1 | 2.00 | 67.2 | 67.2 | 3.99× | ")
    values({"published v0 time": "8", "published v0/v1 time": "3.99", "published v0 block_share": "256", "published v1 speedup": "3.99"})
    refused("figures.csv holds no price of v0", one_number("published v0 price"))
    write("results/published/figures.csv", figures.replace("2.004\n", "fast\n"))
    refused("figures.csv: line 4: value is not a number: fast", one_number("published v0 time"))


def experiments():
    rows("toy/experiments/grid_sync", *((name, 512, us, {"grid": 2}) for name, us in
                                        (("barriers_1", 5), ("barriers_17", 21), ("launches_2", 4), ("launches_18", 36))))
    has("experiment:grid_sync toy", "| 256 | 2 | 1.00 | 2.00 | – | – |")
    write("results/toy/experiments/experiments.json", '{"sm_count": 2}')
    rows("toy/experiments/little", *((name, 1 << 20, 1, {"gbps": gbps}) for name, gbps in (("b2_f1", 8), ("b1_f2", 4), ("b1_v2", 40))))
    has("experiment:in_flight toy", "| 2 | 2 | 4.00–8.00 | 512 |", "| 8 | 1 | 40.0 | 410 |")
    rows("toy/experiments/unrolled", ("v4", 1 << 20, 8, {}), ("v5", 1 << 20, 2, {}), ("v4", 1 << 20, 6, {"launch": "graph"}))
    ok(table("experiment:unrolled:v5,v4 toy")[2:] == ["| v5 | 2.00 | – | – | – |", "| v4 | 8.00 | – | – | – |"], "rows in the order asked for")
    operation = "operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n"
    write("results/toy/experiments/shuffle_cost.csv", operation + "shuffle,1,1,1,6144,24.00,0.04\nshuffle,32,4,1,32768,128.00,0.5\nany,1,1,1,5120,20.00,0.4\n")
    has("experiment:shuffle_cost:any,shuffle toy", "| `__any_sync()` | 20.0 | – |", "| shuffle | 24.0 | 0.5 |")
    write("results/toy/experiments/levels.csv", "level,bytes,count,cycles,ns,gbps\nregisters,65536,1,,,\nl2,2048,1,200,100,8000\nmemory,4096,1,600,300,4000\n")
    write("results/toy/experiments/errata.txt", "$ ./errata -v twice -n 1\na\nexit status 0\n\n$ ./absent_lanes\n$b\nexit status 1\n\n")
    ok(table("experiment:known_wrong:twice toy") == ["```text", "$ ./errata -v twice -n 1", "a", "exit status 0", "```"], "known_wrong: one command")
    values({"toy experiment " + marker: expected for marker, expected in (
        ("unrolled v4 1M graph_us", "6.00"), ("unrolled v4 1M life_us", "128"), ("unrolled v4/v5 1M median_us", "4.00"),
        ("grid_sync launch-barrier 256 2", "1.00"), ("in_flight most_ns 2", "512"), ("levels l2/memory gbps", "2.00"),
        ("shuffle_cost shuffle/any latency", "1.20"), ("shuffle_cost ballot latency", "–"))})
    for marker, message in (("finnishes", "no table experiment:finnishes; there are "), ("unrolled:v9", "experiment unrolled has no row v9"),
                            ("shuffle_cost:balot", "has no operation balot"), ("known_wrong:thrice", "errata.txt has no command with thrice")):
        refused(message, f"<!-- table: experiment:{marker} toy -->\n<!-- end -->\n")


def library():
    """The sweep: a latency of 1 µs, 77 SMs, a roof of 1260 GB/s; ratios; a roof of 4000 GB/s."""
    synthetic.write_sweep(run_notes.root + "/results/toy")
    has("flight toy", "| 16 | 14 | 584–599 | 50.0 | 1260 | 2106 |", "| 8 | 10 | 292–299 | 24.9 | 631 | 2110 |")
    row = synthetic.compare_row
    write("results/toy/compare.csv", synthetic.COMPARE + row(4096, 0.9) + row(4096, 0.951, "warm") + row(8192, 0.8) + row(16384, 0.7) + row(8192, 0.6, "warm")
          + row(8191, 1.25) + row(1024, 1.5, offset=3))
    has("targets toy", "| 2^12 | ≤ 0.95 | 0.900 at 2^12 | 1 of 1 | **0.951** ✗ at 2^12 | 0 of 1 |",
        "| 2^13 … 2^14 | ≤ 0.75 | **0.800** ✗ at 2^13 | 1 of 2 | 0.600 at 2^13 | 2 of 2 |")
    write(PAGE, read(PAGE).replace("**0.800** ✗", "0.749"))
    ok(notes("--check").returncode == 1, "a ratio made better by hand is noticed")
    synthetic.write_softmax(run_notes.root + "/results/toy")
    has("softmax toy", "| 32 | 3800 · 95.0 | 3640 · 91.0 | 400 · 10.0 | – | 3200 · 80.0 | 1.19× |")
    values({"toy " + key: number for key, number in (
        ("sweep latency_ns", "1000"), ("sweep predicted_kb", "16.0"), ("sweep measured_kb", "32.0"), ("sweep gain_pct", "5.09"), ("sweep law:16", "1262"),
        ("sweep least:16", "584"), ("sweep blocks:1", "1000"), ("compare 8K cold graph cub ratio", "0.800"), ("compare 4K cold graph cub gbps", "1.82"),
        ("softmax best 1K 256M pct_roof", "95.0"),
        ("softmax torch/best 32 256M median_us", "1.19"), ("softmax block 16K 256M block_ns", "571139"))})
    for marker, message in (("sweep tile:3", "the sweep has no tile:3"), ("compare 16K warm graph cub ratio", "holds no ratio of 16K warm graph cub"),
                            ("softmax warp 4K 256M gbps", "no gbps of a softmax of warp"),
                            ("softmax warp 1K 256M us", "no column us")):
        refused(message, one_number("toy " + marker))
    write("results/toy/sweep.csv", read("results/toy/sweep.csv").replace(",1260\n", ",fast\n"))
    refused("is not what ./step08 --demo prints", "<!-- table: flight toy -->\n<!-- end -->\n")


with tempfile.TemporaryDirectory() as run_notes.root:
    write("README.md", "")
    synthetic.write_gpu(run_notes.root + "/results/toy")
    synthetic.write_sim(run_notes.root + "/results/sim")
    for test in (nothing_yet, newer, runs, counters, printed_figures, experiments, library):
        test()
tap.done()
