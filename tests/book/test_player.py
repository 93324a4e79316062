"""The player of traces (tools/book/player) in a browser, opened from disk: it ends at the simulator's figures, two variants stay in step,
keys and a screen reader's names, traces of one's own and broken ones, races; then the players in the book's pages."""
import glob
import os
import re
import urllib.parse

import pytest
from common import ROOT, edited, ran, read, right, rows, write

COUNTS = ("gld_requests", "gld_sectors", "gst_requests", "gst_sectors", "shared_ld_wavefronts", "shared_st_wavefronts", "atomics", "shuffles", "barriers")
PLAYER = "document.querySelector('.player').player"


def program(scratch, arguments):
    """What a program of the simulator's backend says: (stderr, the first row of its CSV)."""
    said = ran("sh", "-c", f"build/sim/{arguments} --csv {scratch}/counts.csv").stderr
    return said, rows(f"{scratch}/counts.csv")[0]


class Page:
    """A page with a player."""

    def __init__(self, page):
        self.page = page
        page.wait_for_function(f"{PLAYER}?.clock")

    def js(self, expression, argument=None):
        """The value of an expression, in which player is the player."""
        return self.page.evaluate(f"argument => {{ const player = {PLAYER}; return ({expression}); }}", argument)

    def ticks(self, expression):
        """The value of an expression at each tick."""
        return self.js(f"[...Array(player.clock.ticks).keys()].map(tick => {expression})")

    def keys(self, *names, then="player.tick"):
        """The value after each key."""
        return [(self.page.keyboard.press(name), self.js(then))[1] for name in names]

    def select(self, label, value):
        self.page.select_option(f"select[aria-label='{label}']", label=value)
        self.page.wait_for_timeout(50)

    def size(self, text):
        self.select("n, threads of a block, block", text)

    def says(self):
        return self.page.inner_text(".player-says >> nth=0")

    def counts(self):
        """The counters as a reader sees them: {count: text}."""
        return self.page.eval_on_selector_all(".player-counts tr", "rows => Object.fromEntries(rows.map(row => [row.dataset.count, row.querySelector('.player-count').textContent]))")

    def open(self, *paths):
        self.page.set_input_files("input[type=file]", list(paths))
        self.page.wait_for_timeout(150)

    def error(self):
        return self.page.inner_text(".player-error") if self.page.is_visible(".player-error") else ""


@pytest.fixture(scope="module", autouse=True)
def made():
    right("make -s player")


@pytest.fixture
def player(opened):
    """player(traces): the stand-alone page with a player."""
    return lambda traces="": Page(opened(f"file://{urllib.parse.quote(ROOT)}/build/player/index.html#{urllib.parse.quote(traces)}"))


def test_every_run_ends_at_the_figures_of_its_line_block(player):
    page = player()
    assert page.js("""(async () => {
        const bad = [];
        /* Votes are counted with the shuffles, and are in no trace: those of a warp that polls. */
        const votes = (entry, count) => count === "shuffles" && /flagged_slots|clusters/.test(entry.label);
        for (const name of await kernelPlayer.loadTraces("names")) {
            await player.load(name, []);
            for (const entry of player.entries) {
                const run = await entry.run(), end = run.frames[run.frames.length - 1].counts;
                bad.push(...Object.keys(end).filter(count => votes(entry, count) ? end[count] > run.counts[count] : end[count] !== run.counts[count])
                    .map(count => `${name} ${entry.label} n = ${entry.n}: ${count} ${end[count]}, simulator ${run.counts[count]}`));
            }
        }
        return bad;
    })()""") == []


@pytest.mark.parametrize("name, variant, command, size", [
    ("01_interleaved", "v0", "step01 -n 64 -b 64", "n = 64, 64 threads, block 0"), ("02_sequential", "v2", "step02 -n 64 -b 64", "n = 64, 64 threads, block 0"),
    ("04_shared", "v6_interleaved", "step04 -n 512 -b 64", "n = 512, 64 threads, block 0"), ("11_library", "sum_f32", "step11 -n 1024 -b 64 --sms 1", "n = 1,024, 64 threads, block 0"),
    ("transpose", "transpose_conflict", "transpose -n 1024 -b 32 --sms 1", "n = 1,024, 32 threads, block 0")])
def test_at_the_end_the_page_shows_what_counters_prints(scratch, player, name, variant, command, size):
    _, row = program(scratch, f"{command} -v {variant} --counters")
    page = player(f"{name} {variant}")
    page.size(size)
    page.page.click("button[aria-label='to the end']")
    assert {count: int(text.replace(",", "")) for count, text in page.counts().items()} == {count: int(row[count]) for count in COUNTS if int(row[count]) > 0}


def test_two_variants(ok, player):
    page = player("02_sequential v1 v2")
    ok.equal(page.page.inner_text(".player-verdict"), "v1: 255 sectors loaded. v2: 69 sectors loaded, 3.7 times fewer.", "a line says why v2 is faster")
    page.select("variant beside it", "v0")
    page.page.wait_for_function(f"{PLAYER}.panels[1].entry.label === 'v0'")
    ok.equal(player("03_unrolled v2 v3x8").page.inner_text(".player-verdict"), "v2: 31 barriers for 1,000 elements. v3x8: 4.4 barriers for 1,000 elements, 7.1 times fewer.", "blocks with more elements are compared by the element")
    page = player("05_warp_shuffle v6 v7")
    lengths = page.js("player.panels.map(panel => panel.run.frames.length)")
    ok.equal(page.ticks(r"(player.jump(tick), player.panels.map(panel => Number(/^Step (\d+)/.exec(panel.says.textContent)[1])))"),
             [[min(tick + 1, length) for length in lengths] for tick in range(max(lengths))],
             "v6 beside v7: the same step of both at every tick, until the shorter one is over")
    page = player("02_sequential v1 v2")
    page.select("clock", "by sectors moved")
    ends = page.js("player.panels.map(panel => panel.run.frames.map(frame => frame.counts.gld_sectors + frame.counts.gst_sectors))")
    shown = page.ticks("[0, 1].map(i => player.clock.frame(i, tick))")
    for tick, frames in enumerate(shown):
        for k, end in zip(frames, ends):
            ok((k == 0 or end[k - 1] <= tick) and (tick < end[k] or k == len(end) - 1), f"by sectors: at tick {tick} both have moved as many", (k, end))
    both = page.ticks("player.clock.finished(1, tick) && !player.clock.finished(0, tick)")
    ok.equal((len(both), sum(both)), (383, 278), "and v2 is over after 104 of 383")


def test_keys(ok, player):
    page = player("01_interleaved v0")
    focused = page.keys(*["Tab"] * 40, then="document.activeElement.className")
    ok("player-stage" in focused, "Tab comes to the picture", focused)
    page.page.focus(".player-stage")
    ok.equal(page.keys("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"), [1, 2, 1, 33, 33, 0, 0], "the arrows step, End and Home go to the ends")
    ok.equal(page.keys("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp", then="player.focus"), [1, 2, 1, 0, 0], "up and down choose a warp")
    page.keys(" ")
    page.page.wait_for_function(f"{PLAYER}.tick >= 2")
    playing = page.js("player.playing"), page.page.get_attribute(".player-says", "aria-live")
    page.keys(" ")
    ok(playing == (True, "off") and page.page.get_attribute(".player-says", "aria-live") == "polite", "space plays and pauses; only then each step is announced", playing)
    page.js("player.speed = 50")
    page.keys(" ")
    page.page.wait_for_function(f"!{PLAYER}.playing")
    ok(page.js("player.tick === player.clock.ticks - 1"), "played, it comes to the end and stops there")
    unnamed = page.page.evaluate("""[...document.querySelectorAll('.player button, .player select, .player input, .player canvas, .player pre')]
        .filter(one => !one.getAttribute('aria-label')).map(one => one.outerHTML)""")
    ok(unnamed == [] and page.page.get_attribute(".player canvas", "aria-label") == page.says(), "every control and picture has a name; the picture's is what the step does", unnamed)
    ok.equal(page.page.evaluate("document.querySelector('.player-code [aria-current]').textContent.trim()"), "partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;", "the line of the last step is marked")


def test_arrows(ok, player):
    """They do what the legend says wherever the focus is."""
    page = player("02_sequential v1 v2")
    for place in ("body", "select[aria-label=lesson]", "button[aria-label='to the end']", "input[type=range]", ".player-code", "select[aria-label=speed]"):
        page.js("player.go(5)")
        page.page.evaluate("place => place === 'body' ? document.activeElement.blur() : document.querySelector(place).focus()", place)
        ok.equal(page.keys("ArrowRight", "ArrowRight", "ArrowLeft"), [6, 7, 6], f"left and right step from {place}")
    page.js("player.setFocus(0)")
    page.page.focus("button[aria-label='to the end']")
    ok.equal(page.keys("ArrowDown", then="player.focus"), [1], "up and down choose a warp from a button, too")


@pytest.mark.parametrize("name, title", [("player.html", "Player"), ("player.zh-CN.html", "播放器")])
def test_the_players_page_of_the_book(opened, name, title):
    page = Page(opened(f"{name}#{urllib.parse.quote('02_sequential v1 v2')}"))
    assert page.page.locator("main .player").count() == 1 and page.page.locator(".md-nav--primary a", has_text=title).count() == 1
    assert page.keys("ArrowRight") == [1] and "player" in page.page.url, "the arrows are the player's there"


@pytest.mark.parametrize("name", ["player.html", "steps/02_sequential/index.html"])
def test_without_javascript_a_line_says_so(opened, name):
    assert "needs JavaScript" in opened(name, java_script_enabled=False).inner_text(".player")


@pytest.mark.parametrize("traces", ["04_shared v6 v6_interleaved", "05_warp_shuffle v7_atomic v6", "03_unrolled v2 v3x8", "07_cooperative cooperative", "10_clusters cluster_8", "04_shared v6_volatile",
                                    "09_single_pass flagged_slots ticket"])
def test_chinese(opened, traces):
    """On a Chinese page every word of the player is Chinese: what tools/book/chinese.csv lacks is named."""
    page = Page(opened(f"player.zh-CN.html#{urllib.parse.quote(traces)}", before="""window.missing = new Set();
        let words = {};
        Object.defineProperty(window, 'playerWords', {get: () => new Proxy(words, {get: (of, key) => { if (!(key in of)) missing.add(key); return of[key]; }}),
                                                      set: all => { words = all; }});"""))
    assert page.ticks("player.jump(tick)") and page.js("[...missing].filter(key => /[a-z]/.test(key.replaceAll('{}', '')))") == []
    says = page.says()  # with a space after a number
    assert says.startswith("第 ") and not re.search("[a-z]{4}|[0-9A-Za-z][\u4e00-\u9fff]", says.replace("__syncwarp", "")), says


@pytest.fixture(scope="module")
def mine(scratch):
    """A trace of one's own, and its text."""
    ran("sh", "-c", f"build/sim/step02 -n 200 -b 64 -v v2 --trace-blocks 0,3 --trace {scratch}/my.csv")
    return f"{scratch}/my.csv", read(f"{scratch}/my.csv")


def test_a_trace_of_ones_own(ok, scratch, player, mine):
    page = player("01_interleaved v0")
    write(f"{scratch}/v2.cu", read("steps/02_sequential/v2.cu"))
    with edited(f"{scratch}/v2.cu", ("partial[blockIdx.x] =", "partial[blockIdx.x] = /* mine */")):
        page.open(mine[0], f"{scratch}/v2.cu")
    ok(page.js("player.panels.map(panel => panel.entry.label)") == ["v2 (my.csv)"] and page.error() == "", "chosen", page.error())
    page.keys("End")
    _, row = program(scratch, "step02 -n 64 -b 64 -v v2 --counters")
    ok.equal(page.counts()["gld_requests"], row["gld_requests"], "its counters end at the program's")
    ok("/* mine */" in page.page.evaluate("document.querySelector('.player-code [aria-current]').textContent"), "and its own source is shown")
    page.size("n = 200, 64 threads, block 3")
    page.page.wait_for_function(f"{PLAYER}.panels[0].run.block === 3")
    ok(page.js("player.panels[0].run.elements") == 8, "its other block can be chosen: it has the last 8 elements")
    page.select("variant beside it", "v1")
    page.page.wait_for_function(f"{PLAYER}.panels.length === 2")
    ok(page.error() == "", "beside one of the page")
    page = player("01_interleaved v0")
    page.page.evaluate("""text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'dropped.csv'));
        document.querySelector('.player').dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}));
    }""", mine[1])
    page.page.wait_for_function(f"{PLAYER}.panels[0].entry.label === 'v2 (dropped.csv)'")


def test_broken_traces(ok, scratch, player, mine):
    """One line, and what was there stays. The player counts for itself, too, and says where the simulator's figure is another."""
    text, page, lines = mine[1], player("01_interleaved v0"), mine[1].splitlines(keepends=True)
    write(f"{scratch}/planted.csv", text.replace("gld_sectors=", "gld_sectors=9"))
    page.open(f"{scratch}/planted.csv")
    page.page.focus(".player-stage")
    page.keys("End")
    ok(re.fullmatch(r"\d+ drawn, 9\d+ counted", page.counts()["gld_sectors"]), "a figure that the accesses do not make is reported", page.counts())
    before = page.js("player.panels[0].entry.label")
    for name, content, told in (
            ("large", None, "large.csv: 100 MB are more"), ("empty", "", "no trace: its first line"), ("readme", read("README.md"), "no trace: its first line"),
            ("of version 1", "".join(lines[1:2] + lines[3:]), "a trace of version 1"), ("of version 3", text.replace("# trace 2", "# trace 3"), "a trace of version 3; this player reads version 2"),
            ("without accesses", "".join(lines[:3]), "a trace without accesses"), ("cut off in a line", text[:-7], f"line {len(lines)}: "),
            ("with a word for a number", re.sub(r",load,in,\d+", ",load,in,x", text, count=1), "line 4: element is no whole number"),
            ("with a lane too many", text.replace(",0,load", ",32,load", 1), "line 4: lane 32"),
            ("without its line # block", "".join(lines[:2] + lines[3:]), "line 3: an access of v2,200,0 without"), ("with a count missing", text.replace("gst_sectors=", "x=", 1), "line 3: gst_sectors"),
            ("with steps out of order", "".join(lines[:3] + lines[103:104] + lines[3:]), "line 5: step 1 after step ")):
        write(f"{scratch}/{name}.csv", content or "")
        if content is None:
            os.truncate(f"{scratch}/{name}.csv", 100_000_000)
        page.open(f"{scratch}/{name}.csv")
        error = page.error()
        ok(told in error and "\n" not in error and page.js("player.panels[0].entry.label") == before, f"a trace {name}: {told}", error)


def test_a_race(ok, scratch, player):
    said, _ = program(scratch, "step04 -v v6_volatile -n 512 -b 64")
    line, = re.findall(r"^simulator: (.* race in shared .*)$", said, re.M)
    page = player("04_shared v6_volatile")
    page.size("n = 512, 64 threads, block 0")
    shown = page.page.inner_text(".player-race")
    ok("thread 1 writes word 1 of shared memory, which thread 0 read" in shown and "simulator: " + line in shown, "both threads, the word, and the simulator's line", shown)
    page.page.click(".player-race button")
    ok("Race: thread 1 writes word 1" in page.says() and page.js("player.tick") > 0, "show goes to the step in which they meet", page.says())


def test_looks_at_slots_are_one_frame(player):
    """Until all have come: it says how often."""
    looks = player().js("""(async () => {
        await kernelPlayer.loadTraces("names");
        await player.load("09_single_pass", []);
        const run = await player.entries.find(entry => entry.label.startsWith("flagged_slots")).run();
        return run.frames.filter(frame => frame.step?.look?.again > 0).map(frame => frame.step.look.again);
    })()""")
    assert len(looks) == 1 and looks[0] > 9


MARKERS = {os.path.dirname(path): re.findall(r"^<!-- player: \w+ (.*) -->$", read(path), re.M) for path in sorted(glob.glob("steps/**/README.md", recursive=True))}


@pytest.mark.parametrize("name", [name for name, markers in MARKERS.items() if markers])
def test_players_of_a_page(ok, opened, name):
    """Every marker is a player that shows its variants."""
    page, shown = opened(f"{name}/index.html"), []
    page.evaluate("document.querySelector('.book-reveal')?.click(); document.querySelectorAll('article details').forEach(fold => fold.open = true)")
    for player in page.query_selector_all(".player"):
        player.scroll_into_view_if_needed()
        page.wait_for_function("player => player.player?.clock", arg=player)
        shown.append(" ".join(player.evaluate("player => player.player.panels.map(panel => panel.entry.label)")))
        hidden = player.evaluate("""player => [...player.querySelectorAll(".player-picture, .player-side")].map(box => box.scrollHeight - box.clientHeight)
            .concat(player.scrollHeight - player.clientHeight, [...player.querySelectorAll(".player-code")].map(box => box.scrollWidth - box.clientWidth))""")
        ok(max(hidden) <= 0 and player.bounding_box()["height"] <= 640, "pictures, counts and code within 640 pixels, and no line is cut", hidden)
    ok.equal(shown, MARKERS[name], "what the page asks for")
