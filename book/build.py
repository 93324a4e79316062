#!/usr/bin/env python3
"""build.py [--check] [--serve PORT]: the book, build/book/, made of the Markdown that GitHub shows.

The generator takes a folder of its own. So the pages are written to build/book-pages/ first, each in its place, with what
the two see differently said in the generator's way: a README.md is its folder's index.md; a heading has GitHub's
anchor; a comment is gone, or is a player; quoted code has its line numbers, and a link to its file; a link to a file or a
folder leads to a page that shows it. Nothing is written by hand there. Then the generator makes HTML, and every link
and anchor of it is tried.

--serve shows the book at http://localhost:PORT, and makes it anew when a page changes. --check makes nothing: is all
there that it needs?
Exit status: 0 made; 1 a broken link, or the generator failed; 2 something is missing, or usage.
"""
import functools
import importlib.util
import json
import os
import posixpath
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools", "pages"))
import regular
from check_book import problems as link_problems
from page_markdown import FENCE, Problem, blank, heading_text, headings, page_names, read, run, targets, without_code, written

BUILD = os.path.join(ROOT, "build")
PAGES = os.path.join(BUILD, "book-pages")
SITE = os.path.join(BUILD, "book")
INSTALL = "python3 -m venv .venv && .venv/bin/pip install -r book/requirements.txt"
SHIM = "https://unpkg.com/iframe-worker/shim"
AS_THEY_ARE = (".svg", ".ipynb")
WITH_FILES = ("steps/", "toolbox/", "exercises/", "library/")  # a page of these folders lists the files beside it


# ---- names ----

@functools.cache
def files():
    """The names of all files of the repository."""
    listing = subprocess.run([os.path.join(ROOT, "tools", "files.sh")], capture_output=True, check=True).stdout
    return sorted(os.fsdecode(name) for name in listing.split(b"\0") if name)


@functools.cache
def folders():
    return {folder for name in files() for folder in parents(name)}


def parents(name):
    while "/" in name:
        name = name.rsplit("/", 1)[0]
        yield name


def staged(name):
    """Where the page of a file or folder stands: v0.cu has v0.cu.md; pictures stay what they are."""
    if name in folders():
        return name + "/index.md"
    if posixpath.basename(name) == "README.md":
        return name[:-len("README.md")] + "index.md"
    return name if name.endswith((".md", *AS_THEY_ARE)) else name + ".md"


def relative(page, name):
    """The link from a page to another file, both of them names in the repository."""
    return posixpath.relpath(staged(name), posixpath.dirname(staged(page)) or ".")


# ---- a page, as the generator wants it ----

def edited(text, edits):
    """The text with each (start, end, what stands there now)."""
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def moved_link(page, target, wanted):
    """The same link in the book. What it leads to is wanted as a page, too."""
    url = urllib.parse.urlsplit(target)
    if url.scheme or url.netloc or not url.path:
        return target
    name = posixpath.normpath(posixpath.join(posixpath.dirname(page), urllib.parse.unquote(url.path)))
    if name not in folders() and name not in files():
        return target  # the check of the links will say so
    wanted.append(name)
    line = re.match(r"L(\d+)", url.fragment) if not name.endswith(".md") else None
    fragment = f"__codelineno-0-{line[1]}" if line else url.fragment
    return urllib.parse.quote(relative(page, name)) + ("#" + fragment if fragment else "")


def with_links(page, text, wanted):
    return edited(text, [(start, end, moved_link(page, text[start:end], wanted)) for start, end in targets(written(text))])


def with_anchors(text):
    """GitHub's and the generator's anchors differ: each heading gets GitHub's."""
    return edited(text, [(end, end, f" {{#{anchor}}}") for end, anchor in headings(text)])


def player(words):
    """A marker <!-- player: 01_interleaved v0 v1 -->: the traces of a lesson, and the variants that are shown first."""
    return f'\n<div class="player" data-traces="{words[0]}" data-variants="{" ".join(words[1:])}"></div>\n'


def without_comments(page, text):
    """Comments are gone, and so are the lines that they had for themselves. A marker is a player."""
    edits = []
    for comment in re.finditer(r"<!--(.*?)-->", without_code(text), re.S):
        start, end = text.rfind("\n", 0, comment.start()) + 1, text.find("\n", comment.end()) + 1 or len(text)
        words = text[comment.start(1):comment.end(1)].split()
        alone = not (text[start:comment.start()] + text[comment.end():end]).strip()
        if words[:1] == ["player:"]:
            if len(words) < 3 or not alone:
                raise Problem(f"{page}: a player is a line of its own: <!-- player: TRACES VARIANT... -->")
            edits.append((start, end, player(words[1:])))
        elif alone:
            apart = re.search(r"(^|\n)\n$", text[:start]) or re.match(r"\n|$|[-*] |\d+\. ", text[end:])
            edits.append((start, end, "" if apart else "\n"))
        else:
            edits.append((*comment.span(), ""))
    return edited(text, edits)


def with_players(page, text):
    """The player's style and script, on pages that have one."""
    if '<div class="player"' not in text:
        return text
    top = posixpath.relpath(".", posixpath.dirname(staged(page)) or ".")
    return f'{text}\n<link rel="stylesheet" href="{top}/player/player.css">\n<script defer src="{top}/player/player.js"></script>\n'


def with_quotes(page, text, wanted):
    """```cuda steps/01_interleaved/v0.cu:20-27: its lines have their numbers, and above stands where they are from."""
    edits = []
    for fence in FENCE.finditer(text):
        language, _, place = fence["info"].strip().partition(" ")
        quoted = re.fullmatch(r"(\S+):(\d+)-\d+", place)
        if quoted:
            wanted.append(quoted[1])
            link = f"[{quoted[1]}]({relative(page, quoted[1])}#__codelineno-0-{quoted[2]}){{.quoted}}"
            edits.append((fence.start(), fence.end("info"), f'{link}\n\n{fence["mark"]}{language} linenums="{quoted[2]}"'))
        elif language == "output" or place:  # the generator takes a language alone
            edits.append((*fence.span("info"), "text" if language == "output" else language))
    return edited(text, edits)


def with_lists(text):
    """GitHub lets a list follow its sentence at once; the generator wants an empty line between."""
    blanked = FENCE.sub(blank, text)
    return edited(text, [(line.end(1), line.end(1), "\n") for line in
                         re.finditer(r"^((?![-*+] |\d+\. |[|#>])\S.*\n)(?=[-*+] |1\. )", blanked, re.M)])


def with_folds(text):
    blanked = FENCE.sub(blank, text)
    return edited(text, [(tag.start(), tag.end(), '<details markdown="1">') for tag in re.finditer(r"<details>", blanked)])


def listing(page, names, wanted):
    wanted += names
    return " · ".join(f"[{posixpath.basename(name)}]({relative(page, name)})" for name in names)


def with_files(page, text, wanted):
    """A folder's page lists what is in it, as GitHub does above the text."""
    folder = posixpath.dirname(page) + "/"
    beside = [name for name in files() if name.startswith(folder) and name.count("/") == folder.count("/") and name != page]
    if not page.startswith(WITH_FILES) or not beside:
        return text
    return f"{text}\n\nThe files of {folder[:-1]}: {listing(page, beside, wanted)}\n{{.files}}\n"


def page_text(page, text, wanted):
    """A page as the generator wants it. The files and folders that it leads to are added to those wanted."""
    text = with_links(page, text, wanted)
    text = without_comments(page, with_anchors(text))
    text = with_quotes(page, with_folds(with_lists(text)), wanted)
    return with_files(page, with_players(page, text), wanted)


# ---- the pages that show a file or a folder ----

NOT_SEARCHED = "---\nsearch:\n  exclude: true\n---\n"


def language_of(name, text):
    from pygments.lexers import find_lexer_class_for_filename
    first = text.split("\n", 1)[0]
    if first.startswith("#!"):
        return next((language for language in ("python", "bash", "perl") if language in first), "text")
    lexer = find_lexer_class_for_filename(posixpath.basename(name), text)
    return lexer.aliases[0] if lexer and lexer.aliases else "text"


def place(name):
    """A file's folder, with a link to the page that explains it."""
    folder = posixpath.dirname(name)
    pages = [f"{above}/README.md" for above in parents(name) if f"{above}/README.md" in files()]
    return f"In {folder or 'the root'}." if not pages else f"In [{folder}]({relative(name, pages[0])})."


def file_page(name, text):
    text = text.replace("\r", "").rstrip("\n") + "\n"
    mark = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    language = language_of(name, text)
    info = language if language == "text" else f'{language} linenums="1"'
    return f"{NOT_SEARCHED}# {posixpath.basename(name)}\n\n{place(name)}\n{{.files}}\n\n{mark}{info}\n{text}{mark}\n"


def folder_page(folder, wanted):
    within = [name[len(folder) + 1:].split("/")[0] for name in files() if name.startswith(folder + "/")]
    names = [f"{folder}/{name}" for name in dict.fromkeys(within) if not name.startswith(".")]
    wanted += names
    rows = "".join(f"- [{posixpath.basename(name)}{'/' * (name in folders())}]({relative(folder, name)})\n" for name in names)
    return f"{NOT_SEARCHED}# {folder}/\n\n{rows}"


def all_pages():
    """{name in the repository: text} of all that the book shows: the pages, and what they lead to."""
    pages, wanted = {}, []
    for page in page_names(ROOT):
        pages[page] = page_text(page, read(os.path.join(ROOT, page)), wanted)
    while wanted:
        name = wanted.pop()
        if name in folders() and name + "/README.md" in files():
            name += "/README.md"
        if name in pages or name.endswith(AS_THEY_ARE):
            continue
        if name in folders():
            pages[name] = folder_page(name, wanted)
        else:
            text = read(os.path.join(ROOT, name))
            pages[name] = page_text(name, text, wanted) if name.endswith(".md") else file_page(name, text)
    return pages


# ---- the navigation: the ladder, and what stands beside it ----

def title(page):
    heading = re.search(r"^# +(.*)", read(os.path.join(ROOT, page)), re.M)
    return heading_text(heading[1]) if heading else page


def in_order_of(page, names):
    """The names as the rows of a page's tables begin with them, the rest after them."""
    rows = re.findall(r"^\| \[[^\]]*\]\(([^)#]+)", read(os.path.join(ROOT, page)), re.M)
    places = [posixpath.normpath(posixpath.join(posixpath.dirname(page), row)) for row in rows]
    return sorted(names, key=lambda name: (places.index(name) if name in places else len(places), name))


def navigation():
    """[{title: page or list}] for the generator."""
    left = [name for name in files() if name.endswith(".md")]

    def take(pattern, page="README.md", label=title):
        taken = in_order_of(page, [name for name in left if re.fullmatch(pattern, name)])
        left[:] = [name for name in left if name not in taken]
        return [{label(name): staged(name)} for name in taken]

    chinese = take(r".*\.zh-CN\.md")
    topics = [folder.split("/")[1] for folder in in_order_of("toolbox/README.md", [name for name in left if name.startswith("toolbox/")])]
    folder = lambda name: name.split("/")[-2].replace("toolbox_", "").replace("_", " ")
    return [*take("README.md", label=lambda name: "Start"),
            {"Lessons": take("steps/.*", label=folder)},
            {"Toolbox": take("toolbox/README.md", label=lambda name: "overview") + take("toolbox/.*", "toolbox/README.md", folder)},
            {"Library": take("library/README.md", label=lambda name: "sum_f32 and the others")},
            {"Exercises": take(r"exercises/\d.*", label=folder)
                          + [entry for topic in topics for entry in take(f"exercises/toolbox_{topic}/README.md", label=folder)]},
            {"Simulator": take("simulator/README.md|docs/simulator.md") + [{"Your own trace": "player/index.html"}]},
            {"Reference": take("docs/.*")},
            {"中文": chinese},
            {"About": take(".*", "CONTRIBUTING.md")}]


# ---- making it ----

def write_pages(pages):
    """Writes those that changed: what watches the folder makes no others anew."""
    for name, text in pages.items():
        path = os.path.join(PAGES, staged(name))
        if not os.path.exists(path) or read(path) != text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def copy_rest():
    for name in files():
        if name.endswith(AS_THEY_ARE):
            os.makedirs(os.path.dirname(os.path.join(PAGES, name)), exist_ok=True)
            with open(os.path.join(PAGES, name), "wb") as file:
                file.write(regular.content(os.path.join(ROOT, name)))
    for name in ("book.css", "from_disk.js"):
        shutil.copyfile(os.path.join(ROOT, "book", name), os.path.join(PAGES, name))
    if os.path.isdir(os.path.join(BUILD, "player")):
        shutil.copytree(os.path.join(BUILD, "player"), os.path.join(PAGES, "player"), dirs_exist_ok=True)


def write_settings(served):
    """The generator's file: book/zensical.toml with the navigation. JSON's lists and strings are TOML's, its objects are not.
    A book that is served stays out of build/book, and need not be searched from disk."""
    def toml(value):
        if isinstance(value, str):
            return json.dumps(value, ensure_ascii=False)
        if isinstance(value, dict):
            return "{ " + ", ".join(f"{toml(key)} = {toml(entry)}" for key, entry in value.items()) + " }"
        return "[" + ", ".join(map(toml, value)) + "]"

    settings = read(os.path.join(ROOT, "book", "zensical.toml"))
    own = f"nav = {toml(navigation())}\n"
    if os.environ.get("BOOK_URL"):
        own += f"site_url = {toml(os.environ['BOOK_URL'])}\n"
    if served:
        settings = settings.replace('site_dir = "book"', 'site_dir = "book-served"').replace("[project.plugins.offline]\n", "")
    with open(os.path.join(BUILD, "zensical.toml"), "w", encoding="utf-8") as file:
        file.write(settings.replace("[project]\n", "[project]\n" + own, 1))


def generate(*arguments):
    return [sys.executable, "-m", "zensical", *arguments, "-f", os.path.join(BUILD, "zensical.toml")]


def stage(served=False):
    """All that the generator takes."""
    shutil.rmtree(PAGES, ignore_errors=True)
    write_pages(all_pages())
    copy_rest()
    write_settings(served)


def make():
    stage()
    shutil.rmtree(SITE, ignore_errors=True)
    made = subprocess.run(generate("build", "--strict", "--clean"), capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"})
    load_nothing_from_elsewhere()
    problems = link_problems(SITE) if os.path.isdir(SITE) else []
    if problems:
        print(*problems, sep="\n", file=sys.stderr)
        raise Problem(f"{len(problems)} broken links" if len(problems) > 1 else "a broken link")
    if made.returncode != 0:
        raise Problem(f"the generator failed:\n{made.stdout}{made.stderr}")


def load_nothing_from_elsewhere():
    """The generator's pages load a script from the network that lets them search when opened from disk. Ours is here."""
    for folder, _, names in os.walk(SITE):
        for name in names:
            path = os.path.join(folder, name)
            text = read(path) if name.endswith(".html") else ""
            if SHIM in text:
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace(SHIM, os.path.relpath(os.path.join(SITE, "from_disk.js"), folder)))


def free(port):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("localhost", port))
        except OSError:
            return False
    return True


def newest():
    return max(os.stat(os.path.join(ROOT, name)).st_mtime_ns for name in page_names(ROOT))


def serve(port):
    """Until it is interrupted. The generator watches the folder of pages, we those that were written by hand."""
    stage(served=True)
    seen = newest()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    server = subprocess.Popen(generate("serve", "-a", f"localhost:{port}"))
    try:
        while server.poll() is None:
            time.sleep(1)
            if newest() != seen:
                seen = newest()
                write_pages(all_pages())
    except KeyboardInterrupt:
        pass
    finally:
        server.terminate()
        server.wait()


def main(arguments):
    rest = arguments[1:] if arguments[:1] == ["--check"] else arguments
    port = rest[1] if rest[:1] == ["--serve"] and len(rest) == 2 else None
    if rest and port is None:
        print("usage: build.py [--check] [--serve PORT]", file=sys.stderr)
        return 2
    if port is not None and not (port.isdecimal() and 0 < int(port) < 65536):
        print(f"book: PORT={port}: a port is a number from 1 to 65535", file=sys.stderr)
        return 2
    if importlib.util.find_spec("zensical") is None:
        print(f"book: Python's packages for the book are missing; type: {INSTALL}", file=sys.stderr)
        return 2
    if port is not None and not free(int(port)):
        print(f"book: port {port} is in use: make book-serve PORT={int(port) + 1 if int(port) < 65535 else 8000}", file=sys.stderr)
        return 1
    if rest != arguments:
        return 0
    if port is not None:
        serve(int(port))
        return 0
    make()
    print(f"build/book/index.html: {len(page_names(ROOT))} pages, and the files that they name")
    return 0


if __name__ == "__main__":
    run(main)
