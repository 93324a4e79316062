#!/usr/bin/env python3
"""The tables of tools/pages/notes.py for steps 08 to 11: sweep.csv, tune.csv, compare.csv and trials/;
what stands there before anything was measured; and that a number changed by hand is noticed."""
import sys
import tempfile

sys.dont_write_bytecode = True
import run_notes
import synthetic
import tap
from run_notes import notes, write
from tap import ok


def made(*markers):
    """What stands between the markers afterwards, a list; or the message."""
    write("docs/page.md", "".join(f"<!-- table: {marker} toy -->\n<!-- end -->\n" if kind == "table" else
                                  f"x <!-- value: toy {marker} -->?<!-- end -->\n"
                                  for kind, marker in (marker.split(" ", 1) for marker in markers)))
    result = notes()
    with open(root + "/docs/page.md") as file:
        return result.stderr if result.returncode else [line for line in file.read().split("\n") if "table:" not in line][:-1]


def value(marker):
    lines = made("value " + marker)
    return lines if isinstance(lines, str) else lines[0].split("-->")[1].split("<!--")[0]


with tempfile.TemporaryDirectory() as root:
    run_notes.root = root
    synthetic.write_gpu(root + "/results/toy")

    # ---- nothing measured yet ----
    for name in ("flight", "tiles", "tune", "targets", "ratios", "rivals", "awkward", "sum_errors", "compared"):
        lines = made("table " + name)
        ok(lines[0].startswith("*Not measured yet: `make compare`, on a GPU, writes results/toy/"), f"{name}: not measured yet", lines)
    ok("tools/measure/profile.sh" in made("table profile")[0], "profile: not measured yet", made("table profile"))
    write("results/toy/profile.csv", "kernel,n,us,gbps,pct_of_peak,l2_hit_pct,issue_pct\ncub,1024,1,2,50,0,9\n")
    ok(made("table profile")[2] == "| 1K | cub | 1.00 | 2.00 | 50.0 | 0 | 9.00 |", "profile: a kernel", made("table profile"))
    ok("tools/measure/errors.sh" in made("table draws")[0], "draws: not measured yet", made("table draws"))
    write("results/toy/errors.csv", "variant,n,seed,error\ncub,1024,1,3\ncub,1024,2,4\nsum_f32,1024,1,0.5\n")
    ok(made("table draws")[2:4] == ["| 1K | cub | 2 | 3.00 | 4.00 | 3.54 |", "| 1K | sum_f32 | 1 | 0.5 | 0.5 | 0.5 |"],
       "draws: least, greatest, root mean square", made("table draws"))
    for marker in ("sweep latency_ns", "compare 1K cold graph cub ratio", "trial 16 warm a+0/b"):
        ok(value(marker) == "–", f"{marker}: not measured yet", value(marker))
    ok("holds no variant ticket" in made("table sizes:v0,ticket"), "no such variant: a message")
    write("steps/09_single_pass/reduce.cu", 'x = {{"ticket", "a"}, {"slots", "b"}};\n')
    ok("|  | ticket | – | – | – | – | – | – | – |" in made("table sizes:v0,ticket"),
       "a step that has not run: a row of dashes", made("table sizes:v0,ticket"))
    ok("|  | slots | – | – | – | – | – | – |" in made("table launched:v0,slots"), "and alone and in a graph", made("table launched:v0,slots"))
    ok(value("v0 1M row_ns") == f"{(8 + (1 << 20) / 1e5) * 1000 / 32768:.3g}", "row_ns: of 32 floats", value("v0 1M row_ns"))
    ok(value("v0 1M life_us") == f"{(8 + (1 << 20) / 1e5) * 77 * 8 / 4097:.2f}", "life_us: 77 SMs, 8 blocks on each", value("v0 1M life_us"))
    ok(value("ticket 1M median_us") == "–" and value("v0/ticket 1M median_us") == "–", "its values are dashes", value("ticket 1M median_us"))
    ok("./run_all.sh" in made("table step:09_single_pass")[0], "its table is a line", made("table step:09_single_pass"))
    ok("holds no variant tickets" in made("table sizes:v0,tickets"), "a slip of the pen is a message all the same")
    ok("holds no step 10_single" in made("table step:10_single"), "of a step, too", made("table step:10_single"))

    # ---- the softmax of the toolbox: a roof of 4000 GB/s ----
    ok(made("table softmax")[0].startswith("*Not measured yet: `make softmax`") and made("table softmaxed")[0].startswith("*Not")
       and value("softmax warp 1K 256M gbps") == "–", "softmax: not measured yet", made("table softmax"))
    synthetic.write_softmax(root + "/results/toy")
    lines = made("table softmax")
    ok(len(lines) == 12 + 1 and "| 32 | 3800 · 95.0 | 3640 · 91.0 | 400 · 10.0 | – | 3200 · 80.0 | 1.19× |" in lines
       and "| 16K | – | – | 3760 · 94.0 | 3600 · 90.0 | 3200 · 80.0 | 1.18× |" in lines, "softmax: a line for each row", lines)
    ok(made("table softmax:1M") == lines, "softmax: at another n", made("table softmax:1M"))
    ok("holds" in made("table softmax:2M") or "has no n = 2M" in made("table softmax:2M"), "softmax: an n that is not there", made("table softmax:2M"))
    ok("PyTorch 2.11.0+toy; 2001-02-03, commit abc1234" in made("table softmaxed")[0], "softmaxed: where and when", made("table softmaxed"))
    for marker, expected in (("best 1K 256M pct_roof", "95.0"), ("best 16K 256M gbps", "3760"), ("torch 32 1M gbps", "3200"),
                             ("torch/best 32 256M median_us", "1.19"), ("torch 8K 256M pct_roof", "80.0"),
                             ("block 16K 256M block_ns", "571139")):
        ok(value("softmax " + marker) == expected, f"softmax {marker}", value("softmax " + marker))
    ok("no gbps of a softmax of warp in rows of 4K" in made("value softmax warp 4K 256M gbps"), "softmax: what a warp does not take: a message")
    ok("no block_ns of a softmax of torch" in made("value softmax torch 1K 256M block_ns"), "softmax: PyTorch's blocks are not known: a message")
    ok("no column us" in made("value softmax warp 1K 256M us"), "softmax: no such column: a message")

    # ---- the sweep: a latency of 1 µs, 77 SMs, a roof of 1260 GB/s ----
    synthetic.write_sweep(root + "/results/toy")
    flight = made("table flight")
    ok("| 16 | 14 | 584–599 | 50.0 | 1260 | 2106 |" in flight and "| 8 | 10 | 292–299 | 24.9 | 631 | 2110 |" in flight,
       "flight: the ways' span, and Little's law up to the roof", flight)
    ok("| 1 | 1024 |  |  |  |  |" in made("table tiles") and "| 16 | 1260 | 1260 | 1260 | 1260 | 1260 |" in made("table tiles"),
       "tiles: a column for each block", made("table tiles"))
    for marker, expected in (("latency_ns", "1000"), ("predicted_kb", "16.0"), ("measured_kb", "32"), ("tile", "1260"), ("flight", "1199"),
                             ("gain_pct", "5.09"), ("law:16", "1262"), ("least:16", "584"), ("flight:16", "599"), ("tile:1", "1024"), ("blocks:1", "1000")):
        got = value("sweep " + marker)
        ok(got == expected or float(got) == float(expected), f"sweep {marker}", got)
    ok("the sweep has no tile:3" in made("value sweep tile:3"), "a tile that was not tried: a message", made("value sweep tile:3"))
    write("results/toy/sweep.csv", "question,threads,loads,blocks_per_sm,bytes_in_flight,bytes_per_block,us,gbps\ntile,64,1,1,1024,1024,1,fast\n")
    ok("is not what ./step08 --demo prints" in made("table flight"), "another sweep.csv: a message", made("table flight"))

    # ---- the plans ----
    header = "n,cache,kind,loads,threads,blocks,chosen,us\n"
    plans = [f"1024,{cache},{kind},4,64,{blocks},{chosen},{us}" for cache, times in (("cold", (2, 1.5, 3)), ("warm", (1, 1.25, 2)))
             for (kind, blocks, chosen), us in zip((("block", 1, 0), ("cluster", 8, 1), ("blocks", 9, 0)), times)]
    write("results/toy/tune.csv", header + "\n".join(plans + ["1024,cold,block,8,32,1,0,1.75", "1536,cold,block,4,64,1,1,9"]) + "\n")
    ok(made("table tune")[2:] == ["| 1K | one cluster, 8 × 64 × 4 | 1.75 | 1.50 | 3.00 | 1.50 | 1.00 | 1.25 | 2.00 | 1.25 |", "<!-- end -->"],
       "tune: the best of each kind, and the one chosen", made("table tune"))

    # ---- the comparison ----
    row = synthetic.compare_row
    write("results/toy/compare.csv", synthetic.COMPARE + row(4096, 0.9) + row(4096, 0.951, "warm") + row(8192, 0.8) + row(16384, 0.7)
          + row(8192, 0.6, "warm") + row(8192, 0.94, "cold", "plain") + row(8192, 0.96, "cold", "single")
          + row(1 << 31, 0.98, errors=(0.125, 4)) + row(1 << 31, 0.98, "warm") + row(1 << 31, 0.9, "cold", "graph", "cub_newer", errors=(0.125, 8))
          + row(1 << 31, 0.5, "cold", "single", "thrust") + row(8191, 1.25) + row(1024, 1.5, offset=3) + row(1024, 1.125, offset=1))
    ok(made("table targets")[2:-1] == ["| 2^12 | ≤ 0.95 | 0.900 at 2^12 | 1 of 1 | **0.951** ✗ at 2^12 | 0 of 1 |",
                                       "| 2^13 … 2^14 | ≤ 0.75 | **0.800** ✗ at 2^13 | 1 of 2 | 0.600 at 2^13 | 2 of 2 |",
                                       "| 2^31 | ≤ 0.985 | 0.980 at 2^31 | 1 of 1 | 0.980 at 2^31 | 1 of 1 |"],
       "targets: the worst of each range, marked where it is missed", made("table targets"))
    ok("| 2^13 | 0.75 | **0.800** ✗ | 0.600 | 0.95 | 0.940 | – | **0.960** ✗ | – |" in made("table ratios"), "ratios: each size", made("table ratios"))
    ok("| 2G | cold | 9.80 | 0.980 | 0.900 | – | – | – | 0.500 |" in made("table rivals"), "rivals: others, too", made("table rivals"))
    ok(made("table awkward")[2:-1] == ["| 2^k ± 1, 3·2^k, 1111111 | 1 | 1.250 at 8,191 | – | – | – |",
                                       "| 2^k, 1 to 3 floats past an aligned address | 2 | 1.500 at 1,024 | – | – | – |"],
       "awkward: the worst", made("table awkward"))
    ok("| 2G | 0.125 | 4.00 | 8.00 | – | 0.5 |" in made("table sum_errors"), "sum_errors", made("table sum_errors"))
    for marker, expected in (("8K cold graph cub ratio", "0.800"), ("2G cold graph cub ours_us", "9.80"),
                             ("4K cold graph cub gbps", "1.82"), ("4K cold graph cub theory_pct", "0.0")):
        ok(value("compare " + marker) == expected, f"compare {marker}", value("compare " + marker))
    ok("holds no ratio of cub, graph, warm at 16K" in made("value compare 16K warm graph cub ratio"), "a pair that was not compared: a message")
    write("results/toy/compare.json", '{"gpu": "Toy", "cccl": "3.0.1", "newer_cccl": 3001004, "date": "2026-01-02T", "commit": "abc"}')
    ok("CUB of CCCL 3.0.1, newer CUB of CCCL 3.1.4; 2026-01-02, commit abc." in made("table compared")[0], "compared: which versions", made("table compared"))

    # ---- trials: both ways from one file ----
    write("results/toy/trials/1.csv", "16,0,cub,0,0,0,0,2.00,1\n16,0,a,0,64,8,132,1.00,.5\n16,0,a,0,32,8,132 p4,0.75,.5\n")
    write("results/toy/trials/2.csv", "16,0,cub,0,0,0,0,4.00,1\n16,0,a.b,1,64,8,132 p4,1.00,.25\n16,0,a.b,1,64,8,132 p0,3.00,.75\n")
    for marker, expected in (("a+0/cub", "0.375"), ("a+0@64x8/cub", "0.5"), ("a.b/cub", "0.25"), ("a.b+1@p0-a.b@p4", "2.00")):
        ok(value(f"trial 16 warm {marker}") == expected, f"trial {marker}", value(f"trial 16 warm {marker}"))
    ok("has no file with a/a.b at 2^16, warm" in made("value trial 16 warm a/a.b"), "two ways of two files: a message")

    # ---- trials of the toolbox ----
    for name in ("8_look_back", "9_match"):
        ok(made("table trial:" + name)[0].startswith(f"*Not measured yet: results/toy/trials/{name}.csv"), f"{name}: not measured yet", made("table trial:" + name))
    ok(value("trial 9_match match/each 1K ones us") == "–", "its values, too")
    ok("no table of the trial 7_copy; there are 8_look_back, 9_match" in made("table trial:7_copy"), "no such table: a message")
    write("results/toy/trials/8_look_back.csv", "kind,rows,threads,nap_ns,slot_bytes,reread,us,gbps\ncub,,,,,,800,2500\n"
          "look_back,16,256,0,8,all,600,3333\nlook_back,8,256,0,128,missing,400,5000\nlook_back,8,128,0,128,missing,1,1\nlook_back,8,256,500,8,all,1,1\n")
    ok(made("table trial:8_look_back")[2:-1] == ["| 8 | 128 | those missing | 0 | 400 | 5000 | 0.5 |", "| 16 | 8 | all 32 | 0 | 600 | 3333 | 0.75 |"],
       "8_look_back: blocks of 256 and short rests", made("table trial:8_look_back"))
    write("results/toy/trials/9_match.csv", "variant,n,pattern,us\nmatch,1024,ones,4\nmatch,1024,uniform,8\neach,1024,ones,16\n")
    ok(made("table trial:9_match")[:1] + made("table trial:9_match")[2:-1] == ["| variant | µs, ones, 1K | µs, uniform, 1K |", "| match | 4.00 | 8.00 |", "| each | 16.0 | – |"],
       "9_match: a row for each variant", made("table trial:9_match"))
    for marker, expected in (("each/match 1K ones us", "4.00"), ("each 1K ones us", "16.0"), ("each 1K ones row_ns", "500")):
        ok(value("trial 9_match " + marker) == expected, "9_match " + marker, value("trial 9_match " + marker))
    ok("holds no each of uniform at 1K" in made("value trial 9_match each 1K uniform us"), "9_match: what was not tried: a message")
    ok("no column ms" in made("value trial 9_match each 1K ones ms"), "9_match: no such column: a message")

    # ---- planted faults ----
    made("table targets", "value trial 16 warm a+0/cub")
    with open(root + "/docs/page.md") as file:
        page = file.read()
    ok(notes("--check").returncode == 0, "--check agrees with what was written")
    for what, old, new in (("a ratio", "**0.800** ✗", "0.749"), ("a trial", "-->0.375<", "-->0.350<")):
        write("docs/page.md", page.replace(old, new))
        result = notes("--check")
        ok(old in page and result.returncode == 1 and "docs/page.md: line " in result.stderr, f"{what} made better by hand is noticed", result)

tap.done()
