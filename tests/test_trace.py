"""--trace: the file it writes, how that agrees with --counters, the pictures drawn from it (tools/draw/traces.py), and what is refused."""
import collections
import csv
import glob
import os
import re

import pytest
from common import ROOT, read, right, rows, run, write

pytestmark = pytest.mark.more


class Trace:
    """What a command's --trace FILE holds: its text; its accesses, a dictionary each."""

    def __init__(self, ok, scratch, command):
        output, status = run(f"{command} --trace {scratch}/trace.csv")
        ok.equal(status, 1 if "v6_volatile" in command else 0, f"{command} --trace: {output}")
        self.text = read(f"{scratch}/trace.csv")
        self.accesses = list(csv.DictReader(line for line in self.text.splitlines() if not line.startswith("#")))

    def where(self, **wanted):
        return [row for row in self.accesses if all(row[name] == str(value) for name, value in wanted.items())]

    def share(self, variant, block):
        """What a block's line says of it."""
        return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", re.search(rf"^# block {variant},\d+,{block}: (.*)$", self.text, re.M)[1])}


@pytest.fixture
def trace(ok, scratch):
    return lambda command: Trace(ok, scratch, command)


def counted(scratch, command):
    run(f"{command} --counters --csv {scratch}/counts.csv")
    return {name: int(value) for name, value in rows(f"{scratch}/counts.csv")[0].items() if re.fullmatch(r"\d+", value or "")}


def column(accesses, name):
    return sorted({int(row[name]) for row in accesses})


def test_round_1_of_v0(ok, trace):
    """Every second thread reads its element and the next, and writes its own."""
    v0 = trace("./step01 -n 64 -b 64 -v v0")
    ok.equal(v0.text.splitlines()[0], "# trace 2", "the first line tells the version")
    done = [f"{row['kind']} {row['element']}" for row in v0.where(epoch=0, warp=1, lane=6)]
    ok.equal(done, ["load 38", "load 39", "store 38"], "what thread 38 does, in its order")
    ok(not any(lane % 2 for lane in column(v0.where(epoch=0), "lane")), "threads with odd numbers are idle")
    ok.equal(column(v0.where(epoch=0), "step"), [1, 2, 3], "three steps")
    ok.equal([(row["kind"], row["array"], row["element"]) for row in v0.accesses[-2:]], [("load", "in", "0"), ("store", "out", "0")], "at last the sum is written")
    source = read("steps/01_interleaved/v0.cu").splitlines()
    for line in {row["line"] for row in v0.accesses}:
        ok("idata[" in source[int(line.removeprefix("v0.cu:")) - 1], f"{line} has an access")


def test_barriers(ok, trace):
    """That a thread came through: before each round of v3x8 its block's, before v4's tree one."""
    def before_rounds(accesses):
        return list({int(row["epoch"]): int(row["block_barriers"]) for row in accesses if row["epoch"] != "0" and row["lane"] == row["warp"] == "0"}.values())

    v3x8 = trace("./step03 -n 512 -b 64 -v v3x8")
    first_store = v3x8.where(kind="store", epoch=0)[0]["line"]
    ok.equal(before_rounds(row for row in v3x8.accesses if row["line"] != first_store), [1, 2, 3, 4, 5, 6, 7], "v3x8: a barrier of the block before each round")
    ok.equal(before_rounds(trace("./step03 -n 512 -b 64 -v v4").accesses), [1] * 7, "v4: one barrier of the block")
    grid = trace("./step07 -n 4096 -b 64 --sms 1 -v cooperative")
    ok.equal(column(grid.accesses, "grid_barriers"), [0, 1], "cooperative: one barrier of the grid")
    ok.equal(column(grid.where(array="scratch", kind="load"), "grid_barriers"), [1], "cooperative: the partial sums are read after it")
    ok.equal(column(trace("./step10 -n 8192 -b 64 --sms 1 -v cluster_8").accesses, "cluster_barriers"), [0, 1, 2], "cluster_8: two barriers of the cluster")


def test_lanes_meet_again_and_race(ok, trace):
    """Lanes that skip rounds meet the others where the ways join. Of the race: the two threads and the word, and both accesses are in the trace."""
    volatile = trace("./step04 -n 512 -b 64 -v v6_volatile")
    shared = volatile.where(array="shared")
    tree = next(line for line in {row["line"] for row in shared} if {"load", "store"} <= {row["kind"] for row in shared if row["line"] == line})
    ok.equal(len(column(volatile.where(array="shared", line=tree), "step")), 18, "six rounds of three steps, with no barrier")
    word, met, before, text = re.search(r"^# race v6_volatile,512,0: shared,(\d+) 0,(\d+),writes,\S+ 0,(\d+),read,\S+ \| (.*)$", volatile.text, re.M).groups()
    ok(re.match(rf"steps/04_shared/v6_volatile\.cu:\d+: sum_blocks: read-write race in shared memory: thread \({met},0,0\) .* overwrites what thread \({before},0,0\)", text),
       "the line # race names the threads of the simulator's line", text)
    for thread, kind in (int(met), "store"), (int(before), "load"):
        ok(volatile.where(array="shared", element=word, kind=kind, warp=thread // 32, lane=thread % 32), f"thread {thread} has a {kind} of word {word} in the trace")


@pytest.mark.parametrize("command", ["./step01 -n 64 -b 64 -v v0", "./step01 -n 61 -b 64 -v v1", "./step02 -n 64 -b 64 -v v2", "./step03 -n 500 -b 64 -v v4",
                                     "./step04 -n 512 -b 64 -v v6_interleaved", "./step05 -n 1000 -b 64 -v block_reduce", "./step07 -n 64 -b 64 -v cooperative",
                                     "./step09 -n 1000 -b 64 -v fixed_point", "./step09 -n 1000 -b 64 -v ticket"])
def test_one_block_has_what_the_counters_count(ok, scratch, trace, command):
    made = trace(command)
    requests, sectors, words = (collections.defaultdict(set) for _ in range(3))
    for row in made.accesses:
        kind, warp, element = f"{row['array']} {row['kind']}" if row["array"] == "shared" else row["kind"], (row["step"], row["warp"]), int(row["element"] or 0)
        requests[kind].add(warp)
        sectors[kind].add((warp, element // 8))  # of 8 elements
        words[kind, warp, element % 32].add(element)

    def wavefronts(kind):
        """Of each request, those of the busiest bank."""
        return sum(max(len(words[kind, warp, bank]) for bank in range(32)) for warp in requests[kind])

    traced = {"gld_requests": len(requests["load"]), "gst_requests": len(requests["store"]), "gld_sectors": len(sectors["load"]), "gst_sectors": len(sectors["store"]),
              "shared_ld_wavefronts": wavefronts("shared load"), "shared_st_wavefronts": wavefronts("shared store"),
              "atomics": len(made.where(kind="atomic")), "shuffles": len(requests["shuffle"])}
    counts, share = counted(scratch, command), made.share(command.split()[-1], 0)
    ok.equal(traced, {name: counts[name] for name in traced}, f"{command}: the trace and the counters agree")
    names = [*traced, "barriers"]
    ok.equal({name: share[name] for name in names}, {name: counts[name] for name in names}, f"{command}: so does its line # block, barriers too")


@pytest.mark.parametrize("program, variant, blocks", [("./step05 -n 4096 -b 256", "v7_atomic", "0,1"), ("./step07 -n 4096 -b 256 --sms 1", "cooperative", "0,1,2,3,4,5,6,7"),
                                                      ("./step10 -n 4096 -b 64 --sms 1", "cluster_8", "0,1,2,3,4,5,6,7")])
def test_shares_of_blocks_add_up(ok, scratch, trace, program, variant, blocks):
    made, counts = trace(f"{program} --trace-blocks {blocks} -v {variant}"), counted(scratch, f"{program} -v {variant}")
    shares = [made.share(variant, block) for block in range(made.share(variant, 0)["grid"])]
    sums = {name: sum(share[name] for share in shares) for name in shares[0] if name != "grid" and name in counts}
    ok(sums and sums == {name: counts[name] for name in sums}, f"{variant}: {len(shares)} blocks add up to what --counters counts", f"{sums}\n{counts}")


def test_which_blocks_and_where(ok, scratch, trace):
    ok.equal(trace("./step01 -n 64 -b 64 -v v0 --offset 3").share("v0", 0)["in_at"], 12, "--offset 3: the array begins 12 bytes past a sector")
    two = trace("./step05 -n 1024 -b 64 -v atomic_per_block --trace-blocks 3,1")
    ok.equal(list(dict.fromkeys(row["block"] for row in two.accesses)), ["3", "1"], "blocks in the order in which they were asked for")
    ok.equal(trace("./step07 -n 1024 -b 64 --schedule 5").accesses, trace("./step07 -n 1024 -b 64").accesses, "a shuffled schedule changes nothing")
    both = run(f"./step01 -n 64,128 -b 64 --trace - 2>{scratch}/table")[0]
    ok.equal(sorted(set(re.findall(r"^(v\d),(\d+),", both, re.M))), [("v0", "128"), ("v0", "64"), ("v1", "128"), ("v1", "64")], "--trace -: on standard output")


REFUSED = [("--trace /nowhere/at/all.csv", r'cannot write the trace "/nowhere/at/all\.csv".*standard output'), ("--trace ''", "cannot write the trace"),
           ("--trace", "--trace needs a value"), ("--trace-blocks 0", "--trace FILE"), ("--trace x --trace-blocks y", '--trace-blocks "y": it takes a whole number'),
           ("--trace x --trace-blocks 0,,1", '--trace-blocks ""'), (f"--trace x --trace-blocks {','.join(map(str, range(1, 18)))}", "more than 16 blocks"),
           ("--trace - --csv -", 'both write to "-"'), ("--sms 0", '--sms "0": it takes a whole number from 1 to 256')]


def test_refused(ok, scratch):
    """An earlier file stays as it was."""
    for options, says in REFUSED:
        ok.refused(f"./step01 {options}", 2, says)
    write(f"{scratch}/kept.csv", "earlier\n")
    right(f"./step01 -n 64 -b 64 --trace {scratch}/kept.csv --trace-blocks 0,9", 2, r"^\S*step01: --trace-blocks: no first launch had a block 9 .*\n\Z")
    ok(read(f"{scratch}/kept.csv") == "earlier\n" and not glob.glob(f"{scratch}/*tmp*"), "and nothing is written")


def test_players_have_their_traces(ok, scratch):
    """The markers of the pages ask for traces that the player has; one that does not is found."""
    right("tools/book/player/traces.py --check")
    player = "tools/book/player/traces.py"
    for name in player, "tools/pages/page_markdown.py":
        write(f"{scratch}/pages/{name}", read(name), executable=True)
    for marker in "player: 01_interlaced v0 v1", "player: 01_interleaved v0 v99", "player: 01_interleaved":
        write(f"{scratch}/pages/docs/page.md", f"# A page\n\n<!-- {marker} -->\n")
        ok.refused(f"{scratch}/pages/{player} --check", 1, r"docs/page\.md:3: ")


class TestPictures:
    @pytest.fixture(scope="class")
    def copy(self, scratch):
        """A repository whose programs are ours, each by a link, so that one can be another for a while."""
        folder = f"{scratch}/repository"
        run(f"mkdir -p {folder}/build/sim {folder}/plots && cp -r tools steps library common {folder} && ln -s {ROOT}/build/sim/* {folder}/build/sim")
        return folder

    def replaced(self, copy, program, text):
        """The program is a script of bash's for as long as the next drawing takes."""
        os.remove(f"{copy}/build/sim/{program}")
        if text:
            write(f"{copy}/build/sim/{program}", f"#!/bin/bash\n{text}\n", executable=True)

    def test_are_those_of_the_sources(self, ok, copy):
        right(f"{copy}/tools/draw/traces.py")
        ok.equal(run(f"diff -rq plots/trace {copy}/plots/trace | grep -vE '^Only in plots/trace: (banks|trees|transpose).svg'")[0], "", "plots/trace is what the programs draw today: make traces")

    def test_a_missing_barrier_is_missing_in_the_picture(self, ok, copy):
        self.replaced(copy, "step03", f"""{ROOT}/build/sim/step03 "$@" && sed -i 's/,3,0,0$/,2,0,0/' "${{!#}}" """)
        run(f"{copy}/tools/draw/traces.py v3x8")
        waits, fewer = (len(re.findall(r">block (?:barrier|waits)<", read(f"{folder}/v3x8.svg"))) for folder in ("plots/trace", f"{copy}/plots/trace"))
        ok.equal((waits, fewer), (7, 5), "v3x8: the block waits seven times")

    @pytest.mark.parametrize("what, edit", [("no header", "1d"), ("two blocks", "$s/,0,/,1,/"), ("an element that no loop comes to", "5s/,in,[0-9]*/,in,99999999999/"),
                                            ("no such file", r"s/,v0\.cu:/,v99.cu:/"), ("a program that fails", ""), ("a program without a trace", "")])
    def test_cannot_be_drawn(self, ok, copy, what, edit):
        """One line, and the pictures stay."""
        works = f"""{ROOT}/build/sim/step01 "$@" && sed -i '{edit}' "${{!#}}" """
        self.replaced(copy, "step01", works if edit else "exit 0" if "without" in what else "echo it failed; exit 1")
        pictures = glob.glob(f"{copy}/plots/trace/*")
        for picture in pictures:
            os.utime(picture, (0, 0))
        ok.refused(f"{copy}/tools/draw/traces.py v2 v0", 1, r"traces\.py: ")
        ok(pictures and not any(os.stat(picture).st_mtime for picture in pictures), f"{what}: all pictures stay as they were")

    def test_no_program_or_no_picture(self, ok, copy):
        self.replaced(copy, "step01", "")
        ok.refused(f"{copy}/tools/draw/traces.py v0", 1, "no program build/sim/step01: make traces builds it")
        ok.refused(f"{copy}/tools/draw/traces.py v99", 2, 'no picture "v99"')
