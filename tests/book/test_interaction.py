"""The figures that a reader moves (tools/book/interaction.js), in a browser: their rules give what the simulator counts at every position;
a prediction is asked, then compared, a number by how far it is off; keys move the sliders, and with them counts and picture; without
JavaScript a picture stands there, or the page says what would. Wrong rules are found."""
import glob
import os
import re
import subprocess

import pytest
from common import ran, read

PAGES = sorted(path for path in glob.glob("steps/*/README*.md") if "<!-- interaction:" in read(path))
LESSONS = sorted(name for name in os.listdir("steps") if name[:2].isdigit())
FIGURES = {"work", "sectors", "wide", "banks", "shuffle", "loads"}
LANGUAGES = ("README.md", "README.zh-CN.md")

# What the rules say at positions, in the lines of positions.cu.
SAID = """positions => {
    const r = interactionRules, said = {
        sectors: (stride, offset) => [r.sectors(4 * stride, 4 * offset, 4).length],
        wide: (width, offset) => r.misaligned(offset, width) ? ["fails"] : [r.wide(offset, width).length, r.wide(offset, width).flat().length],
        banks: stride => [r.wavefronts(stride).length],
        work: (variant, stride) => {
            const threads = r.atWork(variant, stride);
            return [2 * r.warps(threads), [...Array(256).keys()].map(thread => threads.includes(thread) ? 1 : 0).join("")];
        },
        shuffle: delta => [1, ...r.shuffleDown(delta)],
        loads: loads => [r.kbInFlight(loads) * 1024 / 2048, r.trees(loads)], /* the bytes of the 2048 threads of an SM, in KB */
    };
    return positions.map(([kind, ...place]) => said[kind](...place.map(text => isNaN(text) ? text : Number(text))).join(" "));
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


@pytest.fixture(scope="module")
def lines(scratch):
    """{position: counts} of the simulator, at all positions; those that are misaligned it reports."""
    subprocess.run(["simulator/simcc", "tests/book/positions.cu", "-o", f"{scratch}/positions"], check=True)
    done = ran(f"{scratch}/positions")
    found = dict(line.split("\t") for line in done.stdout.splitlines())
    fails = sum(counts == "fails" for counts in found.values())
    assert done.returncode == 0 and len(found) == 1024 + 27 + 34 + 16 + 32 + 16 and fails == done.stderr.count(": misaligned\n") == 10, done.stderr[-2000:]
    return found


def lesson(number, name="README.md"):
    return f"steps/{next(folder for folder in LESSONS if folder.startswith(number))}/{name}"


def differing(lines, said):
    return [f"{position}: the page {said.get(position)}, the simulator {lines.get(position)}" for position in sorted(lines.keys() | said.keys())
            if lines.get(position) != said.get(position)]


@pytest.mark.parametrize("path", PAGES[::2])
def test_what_is_shown_is_what_the_simulator_counts(opened, lines, path):
    shown = opened(path).evaluate(SHOWN)
    kind = next(iter(shown)).split()[0]
    assert [f"{position}: {words}, the simulator: {wanted(lines, position)}" for position, words in shown.items() if not words.startswith(wanted(lines, position))] == []
    assert len(shown) == len({line.replace("v1", "v0") for line in lines if line.startswith(kind)})


def test_a_figure_that_shows_something_else(opened, lines):
    page = opened(lesson("04"))
    page.evaluate("interactionRules.wavefronts = () => [[]]")
    assert any(not words.startswith(wanted(lines, position)) for position, words in page.evaluate(SHOWN).items())


@pytest.mark.parametrize("kind", ["", *FAULTS])
def test_the_pages_rules_and_the_simulator_agree(opened, lines, kind):
    """And a wrong one of that kind is found."""
    page = opened(lesson("02"))
    if kind:
        page.evaluate("fault => { const r = interactionRules, right = {...r}; eval(fault); }", FAULTS[kind])
    found = differing(lines, page.evaluate(SAID))
    assert any(one.startswith(kind) for one in found) if kind else found == []


def test_each_figure_stands_in_a_lesson():
    """In both languages."""
    kinds = {re.search("<!-- interaction: (\\w+)", read(path))[1] for path in PAGES}
    assert kinds == FIGURES and len(PAGES) == 2 * len(FIGURES)


@pytest.mark.parametrize("path", PAGES)
def test_a_figure(ok, opened, path):
    page = opened(path)
    place = page.locator(".interaction")
    ok(place.locator("input[type=range]").first.is_disabled() and not place.locator("svg").count(), "no answer before it is asked for")
    ok(bool(re.search("[\u4e00-\u9fff]", place.locator(".interaction-ask").inner_text())) == path.endswith(".zh-CN.md"), "in the page's language")
    place.locator("input[type=number]").fill("1000")
    place.locator("button").click()
    said, shown = place.locator(".interaction-said").inner_text(), place.locator(".interaction-counts").inner_text()
    answer = re.search(r"(?:the count is|实际是) (\d+)", said)
    ok("1000" in said and answer and re.search(rf"\b{answer[1]}\b", shown) and not place.locator("form").is_visible(), f"the prediction is compared: {said}", shown)
    ok(place.locator("svg rect").count() >= 32 and place.locator("svg").get_attribute("aria-label").endswith(shown), "the picture, with its counts as its name")
    for slider in place.locator("input[type=range]").all():
        ok(page.locator(f"label[for={slider.get_attribute('id')}]").is_visible(), "a slider has a label")
        seen, places = set(), int(slider.get_attribute("max")) + 1
        slider.focus()
        page.keyboard.press("Home")
        for _ in range(places):
            seen.add((slider.get_attribute("aria-valuetext"), place.locator("svg").inner_html()))
            page.keyboard.press("ArrowRight")
        values, pictures = {value for value, _ in seen}, {picture for _, picture in seen}
        ok(len(values) == places and len(pictures) > 1, f"keys move the slider and the picture, {places} places", values)
    ok(page.url.split("/")[-2] in path, "and turn no page", page.url)


# The numbers that a page asks for: what each is compared with, as book.js finds it.
ASKED = """() => [...document.querySelectorAll("article .book-covered input[type=number]")].map(field => {
    const bold = field.parentElement.nextElementSibling, mark = bold.nextElementSibling;
    return [mark.dataset.how, mark.dataset.is ?? bold.textContent.match(/[\\d.,]*\\d/)[0]];
})"""


@pytest.mark.parametrize("times, english, chinese", [(1, "as you said", "与你说的一样"), (2, "100 % too high", "高了 100%"), (0.5, "50 % too low", "低了 50%")])
@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("number", ["01", "05", "09"])
def test_numbers_that_are_foretold_are_judged(opened, number, name, times, english, chinese):
    """By the number that stands on the page."""
    page, wanted = opened(lesson(number, name)), chinese if "zh" in name else english
    marks, asked = len(re.findall("<!-- (?:counted|measured: [^>]*) -->", read(lesson(number, name)))), page.evaluate(ASKED)
    for field, (_, answer) in zip(page.locator("article .book-covered input[type=number]").all(), asked):
        field.fill(f"{times * float(answer.replace(',', '')):g}" if times != 1 else answer.replace(",", ""))
    while page.locator(".book-guess button").count():
        page.locator(".book-guess button").first.click()
    said = " ".join(page.locator("article .book-said").all_text_contents())
    assert len(asked) == marks >= 1 and said.count(wanted) == marks and all(answer in said for _, answer in asked), (asked, said)


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_figure_of_lesson_01(ok, opened, name):
    """It stands where the picture stands without JavaScript, and no table says what is to be predicted."""
    pictures = lambda: page.evaluate("""() => [...document.querySelectorAll("article img[src*='trace/']")].filter(image => image.offsetParent).map(image => image.getAttribute("src"))""")  # noqa: E731
    page = opened(lesson("01", name))
    ok(pictures() == [] and page.locator(".interaction:visible").count() == 1, "the figure stands there, and no picture beside it", pictures())
    page.locator(".interaction button").click()
    page.emulate_media(media="print")
    ok(len(pictures()) == 2 and not page.locator(".interaction svg:visible").count(), "on paper the pictures", pictures())
    page.emulate_media(media="screen")
    ok(page.evaluate("""heading => { for (let next = document.getElementById(heading).nextElementSibling; next.tagName !== "OL"; next = next.nextElementSibling)
        if (next.querySelector("table") || next.tagName === "TABLE") return false; return true; }""", "预测" if "zh" in name else "predict") and "47 ×" not in page.locator("article").inner_text(),
       "no count before the prediction, and the table is folded")
    without = opened(lesson("01", name), java_script_enabled=False).locator("article .with-picture > p > img.on-light")
    ok(without.count() == 2 and without.first.is_visible() and without.last.is_visible() and without.first.get_attribute("alt"), "without JavaScript the pictures stand there")


# What is covered in "Predict", and what of it is visible.
COVERED = """() => [document.querySelectorAll(".book-guess").length, document.querySelectorAll(".book-covered").length,
    [...document.querySelectorAll("article strong[hidden]")].map(answer => answer.textContent)]"""


@pytest.mark.parametrize("name", LANGUAGES)
@pytest.mark.parametrize("number", [folder[:2] for folder in LESSONS])
def test_predictions_are_asked_first(ok, opened, number, name):
    """Then what the page foretells is there, beside what the reader said."""
    page = opened(lesson(number, name))
    asked, marks, answers = page.evaluate(COVERED)
    ok(asked >= 2 and marks == len(answers) >= asked, f"{asked} predictions are asked, {marks} answers covered", answers)
    page.evaluate("document.querySelector('li:has(> .book-guess)').id = 'first'")
    first = page.locator("#first")
    for field in first.locator("input").all():
        field.fill("42" if field.get_attribute("type") == "number" else "about 42")
    first.locator("button").click()
    left = page.evaluate(COVERED)[2]
    ok("42" in first.locator(".book-said").inner_text() and len(left) < len(answers) and " ".join(answers[0].split()) in " ".join(first.inner_text().split()) and not first.locator("form").count(),
       f"one is compared: {answers[0]}", first.inner_text())
    page.locator(".book-reveal").click()
    ok(page.evaluate(COVERED)[1:] == [0, []] and not page.locator(".book-guess:visible").count(), "or all are shown")


def test_predictions_on_paper_and_by_keys(ok, opened):
    page = opened(lesson("01"))
    page.emulate_media(media="print")
    ok(page.evaluate("[...document.querySelectorAll('article strong[hidden]')].every(answer => answer.offsetHeight > 0)") and not page.locator(".book-guess:visible, .book-covered:visible").count(),
       "on paper the answers stand there")
    page.emulate_media(media="screen")
    page.keyboard.press("Tab")
    page.locator(".book-covered input").first.focus()
    page.keyboard.type("95")
    for key in ("ArrowLeft", "Enter"):
        page.keyboard.press(key)
    ok("01_interleaved" in page.url and "95" in page.locator(".book-said").first.inner_text(), "by keys alone, and arrows in the field turn no page")
    page = opened(lesson("01"), java_script_enabled=False)
    ok(page.locator("article strong", has_text=re.compile("^95$")).first.is_visible() and not page.locator(".book-guess").count(), "without JavaScript nothing is covered")
    ok.equal(opened("docs/card.md").evaluate(COVERED), [0, 0, []], "no other page is asked")


def test_without_script(ok, opened):
    page = opened(lesson("02"), java_script_enabled=False)
    ok("With JavaScript there is a figure with sliders here" in page.locator(".interaction").inner_text() and "[x.x.x.x.]" in page.locator("article").inner_text(),
       "the static figure stands there, and a sentence")
    ok(opened(lesson("06")).locator("script[src$='interaction.js']").count() == 0, "a page without a figure does not load it")
