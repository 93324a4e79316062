#!/usr/bin/env python3
"""The figures that a reader moves (tools/book/interaction.js), in a browser: their rules give what the simulator counts at every
position; a prediction is asked, then compared, a number by how far it is off; keys move the sliders, and with them counts
and picture; without JavaScript a picture stands there, or the page says what would.
Wrong rules are found."""
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import BOOK, ROOT, browser, watched
sys.path.insert(0, os.path.join(ROOT, "tests"))
from tap import done, ok

PAGES = sorted(path for path in glob.glob(os.path.join(ROOT, "steps", "*", "README*.md")) if "<!-- interaction:" in open(path, encoding="utf-8").read())
FIGURES = {"work", "sectors", "wide", "banks", "shuffle", "loads"}

# What the rules say at all positions, in the lines of positions.cu.
SAID = """() => {
    const r = interactionRules, said = {}, range = (from, to, step = 1) => [...Array((to - from) / step + 1)].map((_, k) => from + k * step);
    for (const stride of range(1, 32))
        for (const offset of range(0, 31))
            said[`sectors ${stride} ${offset}`] = `${r.sectors(4 * stride, 4 * offset, 4).length}`;
    for (const width of [4, 8, 16])
        for (const offset of range(0, 32, 4)) {
            const requests = r.wide(offset, width);
            said[`wide ${width} ${offset}`] = r.misaligned(offset, width) ? "fails" : `${requests.length} ${requests.flat().length}`;
        }
    for (const stride of range(0, 33))
        said[`banks ${stride}`] = `${r.wavefronts(stride).length}`;
    for (const variant of ["v0", "v1"])
        for (const stride of [1, 2, 4, 8, 16, 32, 64, 128]) {
            const threads = r.atWork(variant, stride);
            said[`work ${variant} ${stride}`] = `${2 * r.warps(threads)} ` + range(0, 255).map(thread => threads.includes(thread) ? 1 : 0).join("");
        }
    for (const delta of range(0, 31))
        said[`shuffle ${delta}`] = "1 " + r.shuffleDown(delta).join(" ");
    for (const loads of range(1, 16)) /* the bytes of the 2048 threads of an SM, in KB */
        said[`loads ${loads}`] = `${r.kbInFlight(loads) * 1024 / 2048} ${r.trees(loads)}`;
    return said;
}"""

# What a reader sees at all positions of a page's sliders: {position: the counts in words}.
SHOWN = """() => {
    const place = document.querySelector(".interaction"), sliders = [...place.querySelectorAll("input[type=range]")], shown = {};
    place.querySelector("button").click();
    function move(k) {
        if (k === sliders.length)
            shown[[place.dataset.kind, ...[...place.querySelectorAll("output")].map(output => output.textContent)].join(" ")] = place.querySelector(".interaction-counts").textContent;
        else
            for (let value = 0; value <= Number(sliders[k].max); value++) {
                sliders[k].value = value;
                sliders[k].dispatchEvent(new Event("input"));
                move(k + 1);
            }
    }
    move(0);
    return shown;
}"""


def wanted(lines, position):
    """The counts in words, by what the simulator counted."""
    kind, *place = position.split()
    many = lambda count, word: f"{count} {word}{'s' if int(count) != 1 else ''}"
    percent = lambda part, whole: f"{int(1000 * part / whole + .5) / 10:g} %"
    if kind == "work":
        rows = [(variant, *lines[f"work {variant} {place[0]}"].split()) for variant in ("v0", "v1")]
        return "\n".join(f"{variant}: {many(int(requests) // 2, 'warp')} at work, {percent(threads.count('1'), 16 * int(requests))} of their lanes; {requests} load requests."
                         for variant, requests, threads in rows)
    counts = lines[position].split()
    if kind == "sectors":
        return f"1 request, {many(counts[0], 'sector')}: useful bytes {percent(4, int(counts[0]))}."
    if kind == "wide":
        return (f"{place[1]} is no multiple of {place[0]}: misaligned. The kernel ends with an error." if counts == ["fails"]
                else f"{many(counts[0], 'request')}, {many(counts[1], 'sector')}.")
    if kind == "banks":
        return many(counts[0], "wavefront") + ";"  # and the banks
    if kind == "shuffle":
        own = sum(int(source) == lane for lane, source in enumerate(counts[1:]))
        return f"{counts[0]} shuffle: {many(32 - own, 'lane')} with the value of another lane, {own} with their own."
    return f"{2048 * int(counts[0]) // 1024} KB in flight at most; {many(counts[1], 'tree')} for 64K elements."


# Of each rule a wrong one.
FAULTS = {
    "sectors": "r.sectors = (stride, offset, width) => [...Array(Math.ceil((31 * stride + width) / 32)).keys()]",  # as if offset did not matter
    "wide": "r.wide = (offset, width) => [right.sectors(width, offset, width)]",  # the first request alone
    "banks": "r.wavefronts = stride => Array(stride % 2 ? 1 : Math.min(stride, 32))",  # a stride of 6 has 2, not 6
    "work": "r.atWork = (variant, stride) => right.atWork('v0', stride)",
    "shuffle": "r.shuffleDown = delta => right.shuffleDown(delta).map((_, lane) => (lane + delta) % 32)",  # as if it went round
    "loads": "r.trees = loads => Math.floor(65536 / 256 / loads)",
}


def counted():
    """{position: counts} of the simulator."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "positions")
        subprocess.run([os.path.join(ROOT, "simulator", "simcc"), os.path.join(ROOT, "tests", "book", "positions.cu"), "-o", program], check=True)
        ran = subprocess.run([program], capture_output=True, text=True)
    lines = dict(line.split("\t") for line in ran.stdout.splitlines())
    fails = sum(counts == "fails" for counts in lines.values())
    ok(ran.returncode == 0 and len(lines) == 1024 + 27 + 34 + 16 + 32 + 16 and fails == ran.stderr.count(": misaligned\n") == 10,
       "the simulator counts all positions, and reports those that are misaligned", ran.stderr[-2000:])
    return lines


def opened(chromium, path, width=1280, **options):
    page = chromium.new_page(viewport={"width": width, "height": 900}, **options)
    complaints = watched(page)
    page.goto(BOOK + "/" + os.path.relpath(path, ROOT).replace("README.md", "index.md").replace(".md", ".html"))
    page.wait_for_load_state("load")
    return page, complaints


def lesson(number):
    return next(path for path in PAGES if f"/{number}_" in path and path.endswith("README.md"))


def differing(lines, said):
    return [f"{position}: the page {said.get(position)}, the simulator {lines.get(position)}" for position in sorted(lines.keys() | said.keys())
            if lines.get(position) != said.get(position)]


def test_shown(chromium, lines):
    for path in PAGES[::2]:
        page, _ = opened(chromium, path)
        shown = page.evaluate(SHOWN)
        kind = next(iter(shown)).split()[0]
        found = [f"{position}: {words}, the simulator: {wanted(lines, position)}" for position, words in shown.items() if not words.startswith(wanted(lines, position))]
        places = len({line.replace("v1", "v0") for line in lines if line.startswith(kind)})
        ok(not found and len(shown) == places, f"{kind}: what is shown at {places} positions is what the simulator counts", "\n".join(found[:5]))
        page.close()
    page, _ = opened(chromium, lesson("04"))
    page.evaluate("interactionRules.wavefronts = () => [[]]")
    ok(any(not words.startswith(wanted(lines, position)) for position, words in page.evaluate(SHOWN).items()), "a figure that shows something else would be found")
    page.close()


def test_rules(chromium, lines):
    page, _ = opened(chromium, lesson("02"))
    found = differing(lines, page.evaluate(SAID))
    ok(not found, f"the page's rules and the simulator agree at all {len(lines)} positions", "\n".join(found[:20]))
    for kind, fault in FAULTS.items():
        page.evaluate("fault => { const r = interactionRules, right = {...r}; window.restore = () => Object.assign(r, right); eval(fault); }", fault)
        found = differing(lines, page.evaluate(SAID))
        ok(any(one.startswith(kind) for one in found), f"a wrong rule of {kind} is found", "\n".join(found[:5]))
        page.evaluate("restore()")
    page.close()


def test_pages(chromium):
    kinds = set()
    for path in PAGES:
        name, chinese = os.path.relpath(path, ROOT), path.endswith(".zh-CN.md")
        page, complaints = opened(chromium, path)
        place = page.locator(".interaction")
        kinds.add(place.get_attribute("data-kind"))
        ok(place.locator("input[type=range]").first.is_disabled() and not place.locator("svg").count(), f"{name}: no answer before it is asked for")
        ok(bool(re.search("[\u4e00-\u9fff]", place.locator(".interaction-ask").inner_text())) == chinese, f"{name}: in the page's language")
        place.locator("input[type=number]").fill("1000")
        place.locator("button").click()
        said, shown = place.locator(".interaction-said").inner_text(), place.locator(".interaction-counts").inner_text()
        answer = re.search(r"(?:the count is|实际是) (\d+)", said)
        ok("1000" in said and answer and re.search(rf"\b{answer[1]}\b", shown) and not place.locator("form").is_visible(),
           f"{name}: the prediction is compared: {said}", shown)
        ok(place.locator("svg rect").count() >= 32 and place.locator("svg").get_attribute("aria-label").endswith(shown), f"{name}: the picture, with its counts as its name")
        for slider in place.locator("input[type=range]").all():
            ok(page.locator(f"label[for={slider.get_attribute('id')}]").is_visible(), f"{name}: a slider has a label")
            seen, places = set(), int(slider.get_attribute("max")) + 1
            slider.focus()
            page.keyboard.press("Home")
            for _ in range(places):
                seen.add((slider.get_attribute("aria-valuetext"), place.locator("svg").inner_html()))
                page.keyboard.press("ArrowRight")
            values, pictures = {value for value, _ in seen}, {picture for _, picture in seen}
            ok(len(values) == places and len(pictures) > 1, f"{name}: keys move the slider and the picture, {places} places", values)
        ok(page.url.split("/")[-2] in name, f"{name}: and turn no page", page.url)
        ok(not complaints, f"{name}: nothing is complained of", complaints)
        page.close()
    ok(kinds == FIGURES and len(PAGES) == 2 * len(FIGURES), "each figure stands in a lesson, in both languages", kinds)


# The numbers that a page asks for: what each is compared with, as book.js finds it.
ASKED = """() => [...document.querySelectorAll("article .book-covered input[type=number]")].map(field => {
    const bold = field.parentElement.nextElementSibling, mark = bold.nextElementSibling;
    return [mark.dataset.how, mark.dataset.is ?? bold.textContent.match(/[\\d.,]*\\d/)[0]];
})"""


def test_judged(chromium):
    """A number that is foretold is asked as one, and judged: by the number that stands on the page."""
    for folder in ("01_interleaved", "05_warp_shuffle", "09_single_pass"):
        for name in ("README.md", "README.zh-CN.md"):
            path = os.path.join(ROOT, "steps", folder, name)
            chinese, marks = "zh" in name, len(re.findall("<!-- (?:counted|measured: [^>]*) -->", open(path, encoding="utf-8").read()))
            for times, wanted in ((1, "与你说的一样" if chinese else "as you said"), (2, "高了 100%" if chinese else "100 % too high"), (0.5, "低了 50%" if chinese else "50 % too low")):
                page, complaints = opened(chromium, path)
                asked = page.evaluate(ASKED)
                for field, (_, answer) in zip(page.locator("article .book-covered input[type=number]").all(), asked):
                    field.fill(f"{times * float(answer.replace(',', '')):g}" if times != 1 else answer.replace(",", ""))
                while page.locator(".book-guess button").count():
                    page.locator(".book-guess button").first.click()
                said = " ".join(page.locator("article .book-said").all_text_contents())
                ok(len(asked) == marks >= 1 and said.count(wanted) == marks and all(answer in said for _, answer in asked) and not complaints,
                   f"{folder}/{name}: {marks} numbers are judged: {wanted}", f"{asked} {said} {complaints}")
                page.close()


def test_standing(chromium):
    """In step 01 one figure stands where the picture stands without JavaScript, and no table says what is to be predicted."""
    for name in ("README.md", "README.zh-CN.md"):
        path = os.path.join(ROOT, "steps", "01_interleaved", name)
        shown = """() => [...document.querySelectorAll("article img[src*='trace/']")].filter(image => image.offsetParent).map(image => image.getAttribute("src"))"""
        page, _ = opened(chromium, path)
        ok(page.evaluate(shown) == [] and page.locator(".interaction:visible").count() == 1, f"{name}: the figure stands there, and no picture beside it", page.evaluate(shown))
        page.locator(".interaction button").click()
        page.emulate_media(media="print")
        ok(len(page.evaluate(shown)) == 2 and not page.locator(".interaction svg:visible").count(), f"{name}: on paper the pictures", page.evaluate(shown))
        page.emulate_media(media="screen")
        heading = "预测" if "zh" in name else "predict"
        ok(page.evaluate("""heading => { for (let next = document.getElementById(heading).nextElementSibling; next.tagName !== "OL"; next = next.nextElementSibling)
            if (next.querySelector("table") || next.tagName === "TABLE") return false; return true; }""", heading) and "47 ×" not in page.locator("article").inner_text(),
           f"{name}: no count before the prediction, and the table is folded")
        page.close()
        page, _ = opened(chromium, path, java_script_enabled=False)
        pictures = page.locator("article .with-picture > p > img.on-light")
        ok(pictures.count() == 2 and pictures.first.is_visible() and pictures.last.is_visible() and pictures.first.get_attribute("alt"), f"{name}: without JavaScript the pictures stand there")
        page.close()


# What is covered in "Predict", and what of it is visible.
COVERED = """() => [document.querySelectorAll(".book-guess").length, document.querySelectorAll(".book-covered").length,
    [...document.querySelectorAll("article strong[hidden]")].map(answer => answer.textContent)]"""


def test_predictions(chromium):
    """In each lesson the predictions are asked first; then what the page foretells is there, beside what the reader said."""
    for number in [folder[:2] for folder in sorted(os.listdir(os.path.join(ROOT, "steps"))) if folder[:2].isdigit()]:  # the lessons
        folder = next(name for name in os.listdir(os.path.join(ROOT, "steps")) if name.startswith(number))
        for name in ("README.md", "README.zh-CN.md"):
            page, complaints = opened(chromium, os.path.join(ROOT, "steps", folder, name))
            asked, marks, hidden = page.evaluate(COVERED)
            ok(asked >= 2 and marks == len(hidden) >= asked, f"{folder}/{name}: {asked} predictions are asked, {marks} answers covered", hidden)
            answers = hidden
            page.evaluate("document.querySelector('li:has(> .book-guess)').id = 'first'")
            first = page.locator("#first")
            for field in first.locator("input").all():
                field.fill("42" if field.get_attribute("type") == "number" else "about 42")
            first.locator("button").click()
            left = page.evaluate(COVERED)[2]
            ok("42" in first.locator(".book-said").inner_text() and len(left) < len(answers) and " ".join(answers[0].split()) in " ".join(first.inner_text().split()) and not first.locator("form").count(),
               f"{folder}/{name}: one is compared: {answers[0]}", first.inner_text())
            page.locator(".book-reveal").click()
            ok(page.evaluate(COVERED)[1:] == [0, []] and not page.locator(".book-guess:visible").count() and not complaints, f"{folder}/{name}: or all are shown", complaints)
            page.close()
    page, _ = opened(chromium, lesson("01"))
    page.emulate_media(media="print")
    ok(page.evaluate("[...document.querySelectorAll('article strong[hidden]')].every(answer => answer.offsetHeight > 0)") and not page.locator(".book-guess:visible, .book-covered:visible").count(),
       "on paper the answers stand there")
    page.emulate_media(media="screen")
    page.keyboard.press("Tab")
    page.locator(".book-covered input").first.focus()
    page.keyboard.type("95")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    ok("01_interleaved" in page.url and "95" in page.locator(".book-said").first.inner_text(), "by keys alone, and arrows in the field turn no page")
    page.close()
    page, _ = opened(chromium, lesson("01"), java_script_enabled=False)
    ok(page.locator("article strong", has_text=re.compile("^95$")).first.is_visible() and not page.locator(".book-guess").count(), "without JavaScript nothing is covered")
    page.close()
    page, _ = opened(chromium, os.path.join(ROOT, "docs", "card.md"))
    ok(page.evaluate(COVERED) == [0, 0, []], "no other page is asked")
    page.close()


def test_without_script(chromium):
    page, _ = opened(chromium, lesson("02"), java_script_enabled=False)
    ok("With JavaScript there is a figure with sliders here" in page.locator(".interaction").inner_text() and "[x.x.x.x.]" in page.locator("article").inner_text(),
       "without JavaScript the static figure stands there, and a sentence")
    page.close()
    page, _ = opened(chromium, os.path.join(ROOT, "steps", "06_two_pass", "README.md"))
    ok(page.locator("script[src$='interaction.js']").count() == 0, "a page without a figure does not load it")
    page.close()


with browser() as chromium:
    lines = counted()
    test_rules(chromium, lines)
    test_shown(chromium, lines)
    test_pages(chromium)
    test_predictions(chromium)
    test_judged(chromium)
    test_standing(chromium)
    test_without_script(chromium)
done()
