#!/usr/bin/env python3
"""The tables of tools/pages/notes.py that show results/FOLDER/experiments: what they compute, and
what stands there before anything was measured."""
import sys
import tempfile

sys.dont_write_bytecode = True
import run_notes
import tap
from run_notes import notes, write
from tap import ok

HEADER = ("step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,pct_roof,rel_err,"
          "err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,shared_st_wavefronts,atomics,"
          "barriers,shuffles,simt_efficiency\n")


def row(variant, n, us, gbps=1, block=256, grid=1, cache="cold", launch="plain"):
    return f"x,{variant},cuda,Toy,{n},{block},{grid},uniform,{cache},{launch},{us},{us},{us},15,{gbps},50,1e-8,1e-6,1,,,,,,,,,,\n"


def made(name, marker="table: experiment:{} toy"):
    """What stands between the markers afterwards, or the message."""
    write("docs/page.md", f"{'' if marker[0] == 't' else 'It is'} <!-- {marker.format(name)} -->\n<!-- end -->\n")
    result = notes()
    with open(root + "/docs/page.md") as file:
        text = file.read()
    inside = text[text.index("-->") + 3:text.index("<!-- end")]
    return result.stderr if result.returncode else inside.strip("\n")


def value(arguments):
    return made(arguments, "value: toy experiment {}")


def values(what, expected):
    found = {words: value(words) for words in expected}
    ok(found == expected, f"{what}: the values", found)


with tempfile.TemporaryDirectory() as root:
    run_notes.root = root
    write("results/toy/machine.json", "{}")
    ok(made("finishes") == "*Not measured yet: `make experiments`, on a GPU, writes results/toy/experiments.*",
       "nothing measured yet: a line says so", made("finishes"))
    ok("no experiment finnishes; there are unrolled, " in made("finnishes"), "no such experiment: a message", made("finnishes"))

    folder = "results/toy/experiments/"
    write(folder + "experiments.json", '{"gpu": "Toy", "sm_count": 2, "date": "2026-01-02T03", "commit": "abc"}')
    ok(made("machine").startswith("Measured on an Toy: ") and made("machine").endswith("2026-01-02, commit abc."), "where and when", made("machine"))
    ok(made("finishes").count("\n") == 1 and "finishes.csv" in made("finishes"), "a file is missing: one line names it", made("finishes"))

    write(folder + "finishes.csv", HEADER + row("narrow_atomic", 1024, 3) + row("wide_grid_sync", 1024, 4)
          + row("narrow_atomic", 1024, 1, cache="warm", launch="graph"))
    lines = made("finishes").split("\n")
    ok(lines[2:] == ["| alone | 1K | 3.00 | – | – | – | – | 4.00 |", "| in a graph | 1K | 1.00 | – | – | – | – | – |"], "finishes", lines)

    write(folder + "grid_sync.csv", HEADER + "".join(row(name, 512, us, grid=2, cache="warm") for name, us in
          (("barriers_1", 5), ("barriers_17", 21), ("launches_2", 4), ("launches_18", 36)))
          + row("barriers_1", 1024, 5, block=1024) + row("barriers_17", 1024, 29, block=1024))
    lines = made("grid_sync").split("\n")
    ok(lines[2:] == ["| 256 | 2 | 1.00 | 2.00 | – | – |", "| 1024 | 1 | 1.50 | – | – | – |"],
       "grid_sync: a sixteenth of the difference, each block size for itself", lines)

    values("grid_sync", {"grid_sync barrier 256 2": "1.00", "grid_sync launch-barrier 256 2": "1.00", "grid_sync barrier 1024 1": "1.50"})
    values("finishes", {"finishes narrow_atomic 1K median_us": "3.00", "finishes narrow_atomic 1K graph_us": "1.00",
                        "finishes wide_grid_sync/narrow_atomic 1K median_us": "1.33", "finishes narrow_atomic 1K life_us": "48.0"})
    ok("results/toy/experiments has no finishes wide_atomic 1K median_us" in value("finishes narrow_atomic-wide_atomic 1K median_us"),
       "a variant that is not there: a message", value("finishes narrow_atomic-wide_atomic 1K median_us"))
    ok("has no grid_sync launch 1024 1" in value("grid_sync launch 1024 1"), "not measured: a message", value("grid_sync launch 1024 1"))
    ok("has no finishes narrow_atomic 1K" in value("finishes narrow_atomic 1K"), "a word too few: a message", value("finishes narrow_atomic 1K"))
    ok("no values of experiment finnishes; there are unrolled, " in value("finnishes a 1K b"), "no such experiment: a message", value("finnishes a 1K b"))
    ok("little.csv" in value("little b1_f1 64M gbps"), "a file is missing: its name", value("little b1_f1 64M gbps"))

    write(folder + "little.csv", HEADER + row("b2_f1", 1 << 20, 1, gbps=8) + row("b1_f2", 1 << 20, 1, gbps=4) + row("b1_v2", 1 << 20, 1, gbps=40))
    ok(made("little").split("\n")[2] == "| 1 | – | 4.00 | – | – | – | 40.0 | – |", "little: a row for each number of blocks", made("little"))
    ok(made("in_flight").split("\n")[2:] == ["| 2 | 2 | 4.00–8.00 | 512 |", "| 8 | 1 | 40.0 | 410 |"],
       "in_flight: 2 KiB on each of 2 SMs at 8 bytes a ns are 512 ns", made("in_flight"))

    values("in_flight", {"in_flight least 2": "4.00", "in_flight most 2": "8.00", "in_flight most_ns 2": "512", "in_flight least_ns 2": "1024"})

    write(folder + "unrolled.csv", HEADER + row("v4", 1 << 20, 8) + row("v4", 1 << 28, 300, gbps=3600))
    ok(made("unrolled").split("\n")[2] == "| v4 | 8.00 | – | 300 | 3600 |", "unrolled", made("unrolled"))

    write(folder + "cold_warm.csv", HEADER + row("v6", 1 << 20, 8) + row("v6", 1 << 20, 4, cache="warm"))
    ok(made("cold_warm").split("\n")[2] == "| 1M | 4.19 | 8.00 | 4.00 | 2.00 |", "cold_warm", made("cold_warm"))

    values("cold_warm", {"cold_warm cold 1M median_us": "8.00", "cold_warm cold-warm 1M median_us": "4.00"})

    write(folder + "exchange.csv", "operation,warps,values,ok,cycles,cycles_a_round,per_cycle\n"
          + "".join(f"{op},1,1,1,6144,24.00,0.0417\n{op},32,4,1,32768,128.00,1.0000\n" for op in ("add", "shuffle", "shared", "shared_barrier")))
    ok(made("exchange").split("\n")[3] == "| shuffle | 24.0 | 1.00 |", "exchange: latency of one warp, rate of many", made("exchange"))

    ok(made("exchange:shared,add").split("\n")[2:] == ["| store, `__syncwarp()`, load, `__syncwarp()` | 24.0 | 1.00 |", "| addition | 24.0 | 1.00 |"],
       "exchange: operations by name", made("exchange:shared,add"))
    ok(value("exchange ballot latency") == "–" and "has no operation balot" in made("exchange:balot"), "not measured yet, and no such operation")
    write(folder + "votes.csv", "operation,warps,values,ok,cycles,cycles_a_round,per_cycle\nbarrier_8,8,1,1,5120,20.00,0.4\n")
    ok("| `__syncthreads()` alone, 8 warps | 20.0 | – |" in made("exchange"), "votes.csv beside it", made("exchange"))
    values("exchange", {"exchange shuffle latency": "24.0", "exchange add/shuffle rate": "1.00"})

    write(folder + "bytes.csv", "program,variant,n,kernel,duration_us,instructions,issue_pct,warps_pct,stalled_memory,stalled_barrier,"
          "cycles_between,load_mb,store_mb,l2_mb,dram_read_mb,dram_write_mb\nstep01,v0,1048576,v0,100,2000000,50,90,1,1,9,200,100,150,4.19,0\n")
    ok(made("bytes").split("\n")[2] == "| v0 | 100 | 2000 | 200 | 150 | 4.19 | 0 | 2.00 | 50.0 | 90.0 | 1.00 | 1.00 |",
       "bytes: 200 MB in 100 us are 2000 GB/s", made("bytes"))

    values("bytes", {"bytes v0 instructions": "2.00", "bytes v0 gld_gbps": "2000", "bytes v0/v0 issue_pct": "1.00"})

    write(folder + "levels.csv", "level,bytes,count,cycles,ns,gbps\nregisters,1024,1,,,\nl2,2048,1,200,100,8000\nmemory,4096,1,600,300,4000\n")
    values("levels", {"levels l2 cycles": "200", "levels l2/memory gbps": "2.00"})
    ok("has no levels registers gbps" in value("levels registers gbps"), "levels: what is not measured: a message", value("levels registers gbps"))

    write(folder + "reproducible.csv", "step,variant,n,runs,different\n05_x,atomic,1048576,10,7\n")
    ok(made("reproducible").split("\n")[2].endswith("| atomic | 10 | 7 |"), "reproducible", made("reproducible"))

    ok(made("unrolled:v4") == made("unrolled") and made("unrolled:v9").endswith("experiment unrolled has no row v9\n"),
       "chosen rows, and one that is not there", made("unrolled:v9"))
    write(folder + "unrolled.csv", HEADER + row("v4", 1 << 20, 8) + row("v5", 1 << 20, 2) + row("v4", 1 << 20, 6, cache="warm", launch="graph"))
    ok(made("unrolled:v5,v4").split("\n")[2:] == ["| v5 | 2.00 | – | – | – |", "| v4 | 8.00 | – | – | – |"], "in the order asked for", made("unrolled:v5,v4"))
    for arguments, wanted in (("unrolled v4 1M median_us", "8.00"), ("unrolled v4 1M graph_us", "6.00"), ("unrolled v4/v5 1M median_us", "4.00"),
                              ("bytes v0 gld_gbps", "2000"), ("bytes v0 load_mb", "200"), ("exchange shuffle latency", "24.0")):
        ok(value(arguments) == wanted, f"a value: {arguments}", value(arguments))
    for arguments, wanted in (("unrolled v9 1M median_us", "has no unrolled v9 1M median_us"), ("bytes v9 load_mb", "has no bytes v9 load_mb"),
                              ("exchange shuffle price", "has no exchange shuffle price"), ("nothing v4 1M median_us", "no values of experiment nothing")):
        ok(wanted in value(arguments) and value(arguments).count("\n") == 1, f"no value: {arguments}", value(arguments))

    write(folder + "errata.txt", "$ ./errata -v twice -n 1\na\nexit status 0\n\n$ ./absent_lanes\n$b\nexit status 1\n\n")
    ok(made("specimen:twice") == "```text\n$ ./errata -v twice -n 1\na\nexit status 0\n```", "specimen: one command", made("specimen:twice"))
    ok(made("specimen:absent_lanes").endswith("./absent_lanes\n$b\nexit status 1\n```"), "specimen: the last one", made("specimen:absent_lanes"))
    ok("errata.txt has no command with thrice" in made("specimen:thrice"), "specimen: none such, a message", made("specimen:thrice"))

tap.done()
