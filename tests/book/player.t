#!/usr/bin/env python3
"""The player of traces (tools/book/player) in a browser, opened from disk: it ends at the simulator's figures, two variants stay
in step, keys and a screen reader's names, traces of one's own and broken ones, races; then the players in the book's pages."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import BOOK, ROOT, browser, watched
sys.path.insert(0, os.path.join(ROOT, "tests"))
from tap import done, ok

COUNTS = ("gld_requests", "gld_sectors", "gst_requests", "gst_sectors", "shared_ld_wavefronts", "shared_st_wavefronts", "atomics",
          "shuffles", "barriers")
folder = tempfile.mkdtemp()
failures = []  # what the pages complained of


def make(command):
    return subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)


def program(arguments):
    """What a program of the simulator's backend says: (stderr, rows of its CSV)."""
    path = os.path.join(folder, "counts.csv")
    said = make(f"build/sim/{arguments} --csv {path}").stderr
    with open(path) as file:
        header, *rows = [line.rstrip("\n").split(",") for line in file]
    return said, [dict(zip(header, row)) for row in rows]


def trace(name, arguments):
    """A trace file, and its text."""
    path = os.path.join(folder, name)
    make(f"build/sim/{arguments} --trace {path}")
    with open(path) as file:
        return path, file.read()


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


class Page:
    """The stand-alone page with a player, in a window of its own."""

    def __init__(self, chromium, traces=""):
        self.page = chromium.new_page(viewport={"width": 1280, "height": 900})
        failures.append(watched(self.page))
        self.page.goto(f"file://{urllib.parse.quote(ROOT)}/build/player/index.html#{urllib.parse.quote(traces)}")
        self.page.wait_for_function("document.querySelector('.player').player?.clock")

    def js(self, expression, argument=None):
        """The value of an expression, in which player is the player."""
        return self.page.evaluate("argument => { const player = document.querySelector('.player').player; return (" + expression + "); }", argument)

    def key(self, name):
        self.page.keyboard.press(name)

    def select(self, label, value):
        self.page.select_option(f"select[aria-label='{label}']", label=value)

    def size(self, text):
        self.select("n, threads of a block, block", text)
        self.page.wait_for_timeout(50)

    def says(self):
        return self.page.eval_on_selector_all(".player-says", "all => all.map(one => one.textContent)")

    def counts(self):
        """The counters as a reader sees them: {count: [text of each panel]}."""
        return self.page.eval_on_selector_all(".player-counts tr", """rows => Object.fromEntries(rows.map(
            row => [row.dataset.count, [...row.querySelectorAll('.player-count')].map(one => one.textContent)]))""")

    def open(self, *paths):
        self.page.set_input_files("input[type=file]", list(paths))
        self.page.wait_for_timeout(150)

    def error(self):
        return self.page.inner_text(".player-error") if self.page.is_visible(".player-error") else ""

    def close(self):
        self.page.close()


def test_ends(chromium):
    page = Page(chromium)
    differing = page.js("""(async () => {
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
    })()""")
    ok(differing == [], "every run of every lesson ends at the figures of its line # block", "\n".join(differing))
    page.close()
    for name, variant, step, options, size in (
            ("01_interleaved", "v0", "step01", "-n 64 -b 64", "n = 64, 64 threads, block 0"),
            ("02_sequential", "v2", "step02", "-n 64 -b 64", "n = 64, 64 threads, block 0"),
            ("04_shared", "v6_interleaved", "step04", "-n 512 -b 64", "n = 512, 64 threads, block 0"),
            ("11_library", "sum_f32", "step11", "-n 1024 -b 64 --sms 1", "n = 1,024, 64 threads, block 0"),
            ("transpose", "transpose_conflict", "transpose", "-n 1024 -b 32 --sms 1", "n = 1,024, 32 threads, block 0")):
        _, (row,) = program(f"{step} {options} -v {variant} --counters")
        page = Page(chromium, f"{name} {variant}")
        page.size(size)
        page.page.click("button[aria-label='to the end']")
        shown = {count: int(texts[0].replace(",", "")) for count, texts in page.counts().items()}
        counted = {count: int(row[count]) for count in COUNTS if int(row[count]) > 0}
        ok(shown == counted, f"{variant}: at the end the page shows what {step} --counters prints", f"{shown}\n{counted}")
        page.close()


def test_two(chromium):
    page = Page(chromium, "02_sequential v1 v2")
    ok(re.fullmatch(r"v1: 255 sectors loaded\. v2: 69 sectors loaded, 3\.7 times fewer\.", page.page.inner_text(".player-verdict")), "v1 and v2: a line says why v2 is faster",
       page.page.inner_text(".player-verdict"))
    page.select("variant beside it", "v0")
    page.page.wait_for_function("player => document.querySelector('.player').player.panels[1].entry.label === 'v0'")
    page.close()
    page = Page(chromium, "03_unrolled v2 v3x8")
    said = page.page.inner_text(".player-verdict")
    ok(said == "v2: 31 barriers for 1,000 elements. v3x8: 4.4 barriers for 1,000 elements, 7.1 times fewer.", "blocks with more elements are compared by the element", said)
    page.close()
    page = Page(chromium, "05_warp_shuffle v6 v7")
    wrong = page.js("""(() => {
        const bad = [], lengths = player.panels.map(panel => panel.run.frames.length);
        for (let tick = 0; tick < player.clock.ticks; tick++) {
            player.jump(tick);
            const steps = player.panels.map(panel => Number(/^Step (\\d+)/.exec(panel.says.textContent)[1]));
            const right = lengths.map(length => Math.min(tick + 1, length));
            if (steps.join() !== right.join())
                bad.push(`${tick}: ${steps}, not ${right}`);
        }
        return bad.concat(Math.max(...lengths) === player.clock.ticks ? [] : ["length"]);
    })()""")
    ok(wrong == [], "v6 beside v7: the same step of both at every tick, until the shorter one is over", "\n".join(wrong))
    page.close()
    page = Page(chromium, "02_sequential v1 v2")
    page.select("clock", "by sectors moved")
    wrong = page.js("""(() => {
        const bad = [], cost = counts => counts.gld_sectors + counts.gst_sectors;
        let both = 0;
        for (let tick = 0; tick < player.clock.ticks; tick++)
            for (const [i, panel] of player.panels.entries()) {
                const at = player.clock.frame(i, tick), frames = panel.run.frames;
                const before = at > 0 ? cost(frames[at - 1].counts) : 0, end = cost(frames[at].counts);
                both += i === 0 && player.clock.finished(1, tick) && !player.clock.finished(0, tick);
                if (!(before <= tick && (tick < end || at === frames.length - 1)))
                    bad.push(`${tick} of ${i}: ${before} to ${end}`);
            }
        return [bad, player.clock.ticks, both];
    })()""")
    ok(wrong == [[], 383, 278], "by sectors: at each tick both have moved as many, and v2 is over after 104 of 383", wrong)
    page.close()


def test_keys(chromium):
    page = Page(chromium, "01_interleaved v0")
    for _ in range(40):
        page.key("Tab")
        if page.page.evaluate("document.activeElement.className") == "player-stage":
            break
    ok(page.page.evaluate("document.activeElement.className") == "player-stage", "Tab comes to the picture")
    seen = []
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        page.key(key)
        seen.append(page.js("player.tick"))
    ok(seen == [1, 2, 1, 33, 33, 0, 0], "the arrows step, End and Home go to the ends", seen)
    seen = []
    for key in ("ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.key(key)
        seen.append(page.js("player.focus"))
    ok(seen == [1, 2, 1, 0, 0], "up and down choose a warp", seen)
    page.key(" ")
    page.page.wait_for_function("document.querySelector('.player').player.tick >= 2")
    playing = page.js("player.playing"), page.page.get_attribute(".player-says", "aria-live")
    page.key(" ")
    ok(playing == (True, "off") and page.page.get_attribute(".player-says", "aria-live") == "polite", "space plays and pauses; only then each step is announced", playing)
    page.js("player.speed = 50")
    page.key(" ")
    page.page.wait_for_function("!document.querySelector('.player').player.playing")
    ok(page.js("player.tick === player.clock.ticks - 1"), "played, it comes to the end and stops there")
    unnamed = page.page.evaluate("""[...document.querySelectorAll('.player button, .player select, .player input, .player canvas, .player pre')]
        .filter(one => !one.getAttribute('aria-label')).map(one => one.outerHTML)""")
    ok(unnamed == [] and page.page.get_attribute(".player canvas", "aria-label") == page.says()[0], "every control and picture has a name; the picture's is what the step does", unnamed)
    ok(page.page.evaluate("document.querySelector('.player-code [aria-current]').textContent.trim()") == "partial[blockIdx.x] = count > 0 ? idata[0] : 0.0f;",
       "the line of the last step is marked")
    page.close()


def test_arrows(chromium):
    """They do what the legend says wherever the focus is."""
    page = Page(chromium, "02_sequential v1 v2")
    for place in ("body", "select[aria-label=lesson]", "button[aria-label='to the end']", "input[type=range]", ".player-code", "select[aria-label=speed]"):
        page.js("player.go(5)")
        page.page.evaluate("place => place === 'body' ? document.activeElement.blur() : document.querySelector(place).focus()", place)
        seen = []
        for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
            page.key(key)
            seen.append(page.js("player.tick"))
        ok(seen == [6, 7, 6], f"left and right step from {place}", seen)
    page.js("player.setFocus(0)")
    page.page.focus("button[aria-label='to the end']")
    page.key("ArrowDown")
    ok(page.js("player.focus") == 1, "up and down choose a warp from a button, too")
    page.close()


def test_page(chromium):
    """The player's page of the book, in both languages."""
    for name, title in (("player.html", "Player"), ("player.zh-CN.html", "播放器")):
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        failures.append(watched(page))
        page.goto(f"{BOOK}/{name}#{urllib.parse.quote('02_sequential v1 v2')}")
        page.wait_for_function("document.querySelector('.player').player?.clock")
        ok(page.locator("main .player").count() == 1 and page.locator(".md-nav--primary a", has_text=title).count() == 1, f"{name}: in main, and in the navigation")
        page.keyboard.press("ArrowRight")
        ok("player" in page.url and page.evaluate("document.querySelector('.player').player.tick") == 1, "the arrows are the player's there")
        page.close()
    page = chromium.new_context(java_script_enabled=False).new_page()
    for name in ("player.html", "steps/02_sequential/index.html"):
        page.goto(f"{BOOK}/{name}")
        ok("needs JavaScript" in page.inner_text(".player"), f"{name}: without JavaScript a line says so")
    page.close()


def test_chinese(chromium):
    """On a Chinese page every word of the player is Chinese: what tools/book/chinese.csv lacks is named."""
    for lesson, variants in (("04_shared", "v6 v6_interleaved"), ("05_warp_shuffle", "v7_atomic v6"), ("03_unrolled", "v2 v3x8"), ("07_cooperative", "cooperative"),
                             ("10_clusters", "cluster_8"), ("04_shared", "v6_volatile"), ("09_single_pass", "flagged_slots ticket")):
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        failures.append(watched(page))
        page.add_init_script("""window.missing = new Set();
            let words = {};
            Object.defineProperty(window, 'playerWords', {get: () => new Proxy(words, {get: (of, key) => { if (!(key in of)) missing.add(key); return of[key]; }}),
                                                          set: all => { words = all; }});""")
        page.goto(f"{BOOK}/player.zh-CN.html#{urllib.parse.quote(lesson + ' ' + variants)}")
        page.wait_for_function("document.querySelector('.player').player?.clock")
        missing = page.evaluate("""async () => {
            const player = document.querySelector('.player').player;
            for (let tick = 0; tick < player.clock.ticks; tick++)
                player.jump(tick);
            return [...missing].filter(key => /[a-z]/.test(key.replaceAll('{}', '')));
        }""")
        ok(missing == [], f"{lesson} {variants}: every word has its Chinese", missing)
        says = page.inner_text(".player-says >> nth=0")
        ok(says.startswith("第 ") and not re.search("[a-z]{4}|[0-9A-Za-z][\u4e00-\u9fff]", says.replace("__syncwarp", "")),
           f"{lesson}: the sentence of a step is Chinese, with a space after a number", says)
        page.close()


def test_own(chromium):
    path, text = trace("my.csv", "step02 -n 200 -b 64 -v v2 --trace-blocks 0,3")
    source = os.path.join(folder, "v2.cu")
    shutil.copy(os.path.join(ROOT, "steps/02_sequential/v2.cu"), source)
    with open(source) as file:
        edited = file.read().replace("partial[blockIdx.x] =", "partial[blockIdx.x] = /* mine */")
    write("v2.cu", edited)
    page = Page(chromium, "01_interleaved v0")
    page.open(path, source)
    ok(page.js("player.panels.map(panel => panel.entry.label)") == ["v2 (my.csv)"] and page.error() == "", "a trace of one's own, chosen", page.error())
    page.key("End")
    _, (row,) = program("step02 -n 64 -b 64 -v v2 --counters")
    ok(page.counts()["gld_requests"] == [row["gld_requests"]], "its counters end at the program's", page.counts())
    ok("/* mine */" in page.page.evaluate("document.querySelector('.player-code [aria-current]').textContent"), "and its own source is shown")
    page.size("n = 200, 64 threads, block 3")
    page.page.wait_for_function("document.querySelector('.player').player.panels[0].run.block === 3")
    ok(page.js("player.panels[0].run.elements") == 8, "its other block can be chosen: it has the last 8 elements")
    page.select("variant beside it", "v1")
    page.page.wait_for_function("document.querySelector('.player').player.panels.length === 2")
    ok(page.error() == "", "beside one of the page")
    page.close()
    page = Page(chromium, "01_interleaved v0")
    page.page.evaluate("""text => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'dropped.csv'));
        document.querySelector('.player').dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true, cancelable: true}));
    }""", text)
    page.page.wait_for_function("document.querySelector('.player').player.panels[0].entry.label === 'v2 (dropped.csv)'")
    ok(True, "a trace of one's own, dropped")
    # A planted fault: the player counts for itself, and says where the simulator's figure is another.
    page.open(write("planted.csv", text.replace("gld_sectors=", "gld_sectors=9")))
    page.page.focus(".player-stage")
    page.key("End")
    ok(re.fullmatch(r"\d+ drawn, 9\d+ counted", page.counts()["gld_sectors"][0]), "a figure that the accesses do not make is reported", page.counts())
    before = page.js("player.panels[0].entry.label")
    lines = text.splitlines(keepends=True)
    large = os.path.join(folder, "large.csv")
    with open(large, "w") as file:
        file.truncate(100_000_000)
    for what, path, told in (
            ("of 100 MB", large, "large.csv: 100 MB are more"), ("empty", write("empty.csv", ""), "no trace: its first line"),
            ("no trace", os.path.join(ROOT, "README.md"), "no trace: its first line"),
            ("of version 1", write("old.csv", "".join(lines[1:2] + lines[3:])), "a trace of version 1"),
            ("of version 3", write("new.csv", text.replace("# trace 2", "# trace 3")), "a trace of version 3; this player reads version 2"),
            ("without accesses", write("none.csv", "".join(lines[:3])), "a trace without accesses"),
            ("cut off in a line", write("cut.csv", text[:-7]), f"line {len(lines)}: "),
            ("with a word for a number", write("word.csv", re.sub(r",load,in,\d+", ",load,in,x", text, count=1)), "line 4: element is no whole number"),
            ("with a lane too many", write("lane.csv", text.replace(",0,load", ",32,load", 1)), "line 4: lane 32"),
            ("without its line # block", write("block.csv", "".join(lines[:2] + lines[3:])), "line 3: an access of v2,200,0 without"),
            ("with a count missing", write("count.csv", text.replace("gst_sectors=", "x=", 1)), "line 3: gst_sectors"),
            ("with steps out of order", write("order.csv", "".join(lines[:3] + lines[103:104] + lines[3:])), "line 5: step 1 after step ")):
        page.open(path)
        error = page.error()
        ok(told in error and "\n" not in error and page.js("player.panels[0].entry.label") == before,
           f"a trace {what}: one line, and what was there stays", error)
    page.close()


def test_race(chromium):
    said, _ = program("step04 -v v6_volatile -n 512 -b 64")
    (line,) = re.findall(r"^simulator: (.* race in shared .*)$", said, re.M)
    page = Page(chromium, "04_shared v6_volatile")
    page.size("n = 512, 64 threads, block 0")
    shown = page.page.inner_text(".player-race")
    ok("thread 1 writes word 1 of shared memory, which thread 0 read" in shown and "simulator: " + line in shown, "a race: both threads, the word, and the simulator's line", shown)
    page.page.click(".player-race button")
    ok("Race: thread 1 writes word 1" in page.says()[0] and page.js("player.tick") > 0, "show goes to the step in which they meet", page.says())
    page.close()


def test_waiting(chromium):
    page = Page(chromium)
    looks = page.js("""(async () => {
        await kernelPlayer.loadTraces("names");
        await player.load("09_single_pass", []);
        const run = await player.entries.find(entry => entry.label.startsWith("flagged_slots")).run();
        return run.frames.filter(frame => frame.step?.look?.again > 0).map(frame => frame.step.look.again);
    })()""")
    ok(len(looks) == 1 and looks[0] > 9, "looks at slots until all have come are one frame, which says how often", looks)
    page.close()


def test_book(chromium):
    """In the book every marker of a page is a player that shows its variants."""
    for path in sorted(glob.glob(os.path.join(ROOT, "steps/*/README.md")) + glob.glob(os.path.join(ROOT, "steps/toolbox/*/README.md"))):
        with open(path) as file:
            markers = re.findall(r"^<!-- player: \w+ (.*) -->$", file.read(), re.M)
        if not markers:
            continue
        name = os.path.relpath(os.path.dirname(path), ROOT)
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        failures.append(watched(page))
        page.goto(f"{BOOK}/{name}/index.html")
        page.evaluate("document.querySelector('.book-reveal')?.click(); document.querySelectorAll('article details').forEach(fold => fold.open = true)")
        shown = []
        for player in page.query_selector_all(".player"):
            player.scroll_into_view_if_needed()
            page.wait_for_function("player => player.player?.clock", arg=player)
            shown.append(" ".join(player.evaluate("player => player.player.panels.map(panel => panel.entry.label)")))
            hidden = player.evaluate("""player => [...player.querySelectorAll(".player-picture, .player-side")].map(box => box.scrollHeight - box.clientHeight)
                .concat(player.scrollHeight - player.clientHeight, [...player.querySelectorAll(".player-code")].map(box => box.scrollWidth - box.clientWidth))""")
            ok(max(hidden) <= 0 and player.bounding_box()["height"] <= 640, f"{name}: pictures, counts and code within 640 pixels, and no line is cut", hidden)
        ok(shown == markers, f"{name}: its players show what the page asks for", shown)
        page.close()


made = make("make -s player")
ok(made.returncode == 0, "make player", made.stdout + made.stderr)
with browser() as chromium:
    test_ends(chromium)
    test_two(chromium)
    test_keys(chromium)
    test_arrows(chromium)
    test_page(chromium)
    test_chinese(chromium)
    test_own(chromium)
    test_race(chromium)
    test_waiting(chromium)
    test_book(chromium)
ok(not any(failures), "no page complained on its console", failures)
shutil.rmtree(folder)
done()
