#!/usr/bin/env python3
"""The recipes of CONTRIBUTING.md, walked in a copy of the repository: their very commands and edits, then the tests that
look at such things. All must be green, without a GPU, and what recorded results lack is listed. A recipe half done, or
done wrong, is reported."""
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(1, os.path.join(sys.path[0], "..", "tools", "pages"))
import pages
import tap
from tap import ok

PAGE = pages.read(pages.ROOT + "/CONTRIBUTING.md")


def parts(title):
    """(info, body) of each block of a recipe."""
    section = re.search(rf"^### {title}\n(.*?)(?=^##+ )", re.sub(pages.FENCE, lambda m: m[0].replace("\n#", "\n\0#"), PAGE), re.M | re.S)
    return [(fence["info"].strip(), fence["body"].replace("\0", "")) for fence in pages.FENCE.finditer(section[1])]


def matches(line, pattern):
    """Whether a line of a file is the one of an edit, in which … at the end stands for the rest."""
    return line.startswith(pattern[:-1]) if pattern.endswith("…") else line == pattern


class Wrong(Exception):
    pass


def edited(lines, hunk):
    """The lines of a file, with a hunk of an edit done. Its old lines must be there, once."""
    old = [line[1:] for line in hunk if line[0] in " -"]
    places = [k for k in range(len(lines)) if len(lines) - k >= len(old) and all(map(matches, lines[k:k + len(old)], old))]
    if len(places) != 1:
        raise Wrong(f"{len(places)} places for the edit {hunk}")
    new, k = [], places[0]
    for line in hunk:
        if line[0] == "+":
            rest = lines[k - 1][len(old[k - 1 - places[0]]) - 1:] if line.endswith("…") else ""
            new.append(line[1:].removesuffix("…") + rest)
        else:
            new += [lines[k]] * (line[0] == " ")
            k += 1
    return lines[:places[0]] + new + lines[places[0] + len(old):]


def hunks(body):
    """(file, lines) of each edit: a line without a sign names the file, and an empty line divides."""
    name = None
    for part in re.split(r"\n(?=[^-+ \n])|\n\n", body.rstrip("\n")):
        lines = part.split("\n")
        if lines[0][0] not in "-+ ":
            name = lines.pop(0)
        yield name, lines


def walk(folder, title):
    """(what goes wrong when a recipe is followed, or None; what its last commands print)"""
    said = ""
    for info, body in parts(title):
        if info == "sh":
            done = run(folder, "set -e\n" + body)
            said = done.stdout
            if done.returncode != 0:
                return f"{body}\nstatus {done.returncode}: {said}", said
        elif info == "diff":
            for name, hunk in hunks(body):
                path = f"{folder}/{name}"
                try:
                    lines = edited(pages.read(path).split("\n"), hunk)
                except Wrong as wrong:
                    return f"{name}: {wrong}", said
                write(path, "\n".join(lines))
        elif info.startswith("markdown "):
            write(f"{folder}/{info.split()[1]}", body)
    return None, said


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def run(folder, command):
    environment = {**os.environ, "BACKEND": "sim", "LC_ALL": "C.UTF-8"}
    for inherited in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        environment.pop(inherited, None)
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, timeout=tap.GUARD, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")


def green(folder, test):
    done = run(folder, test if test.startswith("make") else f"tests/{test}")
    wrong = re.findall(r"^not ok.*\n(?:#.*\n)*", done.stdout, re.M)
    ok(done.returncode == 0 and not wrong, f"{test} is green", "".join(wrong) or done.stdout[-2000:])
    return done.stdout


with tempfile.TemporaryDirectory() as folder:
    tree = pages.Tree(folder)
    tree.with_build()
    printed = {}
    for title in ("Add a variant", "Add a step", "Add an option"):
        problem, printed[title] = walk(folder, title)
        ok(problem is None, f"{title}: what it says can be done", problem)
    listed = printed["Add a step"]
    for line in ("measured yet on h200: v3x16 of 03_unrolled: ./run_all.sh", "measured yet on h200: again of 19_again: ./run_all.sh",
                 "measured yet on sim: v3x16 of 03_unrolled: ./run_all.sh --sim", "counted yet on sim: again of 19_again: make counters-sim",
                 "profiled yet on h200: again of 19_again: make counters"):
        ok(f"\nnot {line}\n" in listed, f"make notes lists what is not {line}", listed)
    ok("*Not measured yet on h200: again: `./run_all.sh`" in pages.read(folder + "/steps/19_again/README.md"), "so does the new page")
    ok(re.search(r"^\*Not measured yet on h200: v3x16, (?:\w+, )*again: ", pages.read(folder + "/docs/ladder.md"), re.M), "and the table of the ladder")
    ok("\nSIMT simulator, " in printed["Add an option"] and "03_unrolled:" not in printed["Add an option"], "the new option is obeyed")

    tests = ["additions.t", "ladder.t", "results.t --here", "counters.t 03_unrolled 19_again", "docs.t steps/19_again/README.md",
             "make -s build/sim/tests/unit/help.t build/sim/tests/unit/options.t && build/sim/tests/unit/help.t && build/sim/tests/unit/options.t",
             "notes.t --here", "layout.t"]
    for test in tests:
        said = green(folder, test)
        if test.startswith("counters"):
            ok("v3x16 of 03_unrolled is not profiled yet: make counters, on a GPU" in said, "and lists what a GPU has not profiled", said)

    # Half done: what is missing is reported, with file and line.
    def half_done(what, test, edits, pattern):
        kept = {name: pages.read(f"{folder}/{name}") for name in edits}
        for name, (old, new) in edits.items():
            write(f"{folder}/{name}", re.sub(old, new, kept[name], count=1, flags=re.M | re.S))
            if pages.read(f"{folder}/{name}") == kept[name]:
                raise AssertionError(f"{name}: nothing was planted")
        said = run(folder, f"tests/{test}").stdout
        ok(re.search(pattern, said), f"{what} is reported", said[-1500:])
        for name, text in kept.items():
            write(f"{folder}/{name}", text)

    half_done("a variant that is not in the list", "additions.t", {"steps/03_unrolled/lesson.c": (r"\&variant_v3x16, ", "")},
              r"steps/03_unrolled/v3x16\.cu: line \d+: variant_v3x16 is not in the list of steps/03_unrolled/lesson\.c")
    half_done("a pair that docs/ladder.md lacks", "ladder.t", {"docs/ladder.md": (r"^\| `diff steps/02_sequential/v2\.cu steps/19_again[^\n]*\n", "")},
              r"steps/19_again/again\.cu: line 4: docs/ladder\.md: line \d+: add .* \| `diff steps/02_sequential/v2\.cu steps/19_again/again\.cu` \| what changes \| 4 \|")
    half_done("a page without a section, and without its row", "docs.t steps/19_again/README.md",
              {"steps/19_again/README.md": (r"^## Careful\n\n- Nothing is new here\.\n\n", ""), "README.md": (r"^\| \[19_again\][^\n]*\n", "")},
              r"README\.md: line \d+: no row for steps/19_again/README\.md: add (?s:.*)steps/19_again/README\.md: line \d+: ## Practice stands where ## Careful belongs")
tap.done()
