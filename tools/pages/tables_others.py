"""tables_others.py: the figures that the source documents print (results/published), and ours beside them; the systems that
tests/machines made; the lessons on the front page."""
import csv
import os
import re

import results
import schema
from page_markdown import UNMEASURED, Figure, Problem, count_text, escaped, percent, read, short, table, times
from results import cached, in_folder, read_rows
from tables_counters import first_launch

THEIR_SIZE = 1 << 25  # elements of source 001: see bytes below
OURS = {"v3": "v3x8"}  # source 001's name -> the variant here with as many elements for each block
NVPROF = {"inst_per_warp": "inst_per_warp", "gld_throughput": "gld_gbps", "branch_efficiency": "branch_efficiency",
          "branch": "branches", "divergent_branch": "divergent_branches"}  # its counter -> our column


@cached
def published():
    """(variant, quantity) -> the figure as it is printed, two digits after the point: 26,214,400, 380.88, 100."""
    rows = read_rows("published", "figures.csv", ("document", "section", "gpu", "variant", "quantity", "unit", "value"))
    for line, row in enumerate(rows, 2):
        if not schema.NUMBER.fullmatch(row["value"]):
            raise Problem(f"results/published/figures.csv: line {line}: value is not a number: {row['value']}")
    return {(row["variant"], row["quantity"]): Figure(row["value"], f"{float(row['value']):,.2f}".rstrip("0").rstrip(".")) for row in rows}


WORKED_OUT = {  # quantity -> our arithmetic on figures of a variant: get(quantity, variant)
    # what the printed bandwidth and time were made of
    "bytes": lambda get: get("time") * get("bandwidth") * 1e6,
    # elements of a block: one partial sum for each block is written
    "block_share": lambda get: THEIR_SIZE / ((get("bytes") - 4 * THEIR_SIZE) / 4),
    "speedup": lambda get: get("time", "v0") / get("time"),
    "theory_share": lambda get: 100 * get("bandwidth") / get("theory", "gtx1060"),
    # source 004: the bytes that share, theory and time make
    "million_elements": lambda get: get("share") / 100 * get("theory", "a30") * get("time") * 1e3 / 4 / 1e6,
}


def published_value(folder, variant, quantity):
    def get(quantity, name=variant):
        return published()[name, quantity] if (name, quantity) in published() else WORKED_OUT[quantity](get)
    return get(quantity)


def gpu_name(folder):
    return str(in_folder(folder).machine.get("gpu")).replace("NVIDIA ", "")


def beside_published(at):
    run, n, rows = in_folder(at.folder), "256M", []
    for name in at.names:
        ours = OURS.get(name, name)
        time, bandwidth, theory, speedup = (float(published_value("", name, quantity)) for quantity in ("time", "bandwidth", "theory_share", "speedup"))
        rows.append([name if ours == name else f"{name} (here {ours})", time, bandwidth, percent(theory), times(speedup), run.get(ours, n, "median_us"),
                     run.get(ours, n, "gbps"), percent(run.get(ours, n, "theory_pct")), times(run.get(ours, n, "speedup"))])
    return table(["variant", "GTX 1060, 2^25: ms", "GB/s", "% of theory", "over v0",
                  f"{gpu_name(at.folder)}, 2^28: µs", "GB/s", "% of theory", "over v0"], rows, 1)


def nvprof(at):
    theirs = {quantity: [short(published().get((name, quantity))) for name in at.names] for quantity in NVPROF}
    rows = [[f"`{quantity}`", *theirs[quantity], *(count_text(first_launch(at.folder, name, column)) for name in at.names)]
            for quantity, column in NVPROF.items() if set(theirs[quantity]) != {UNMEASURED}]
    return table(["nvprof's name", *(f"{name}, {gpu}" for gpu in ("GTX 1060", gpu_name(at.folder)) for name in at.names)], rows, 1)


# ---- minimal systems ----

def machines(at):
    """One row for each machine; a command that did not do what it should is bold."""
    by_machine, lines = {}, []
    for row in read_rows(at.folder, "machines.csv", ("machine", "system", "glibc", "compilers", "user", "settings", "command", "typed", "outcome", "commit")):
        by_machine.setdefault(row["machine"], []).append(row)
    for name, (first, *rest) in by_machine.items():
        ran = ", ".join(row["command"] if row["outcome"] == "ok" else f"**{row['command']}: {row['outcome']}**" for row in (first, *rest))
        lines.append([name, f"{escaped(first['system'])}, glibc {first['glibc']}", escaped(first["compilers"]),
                      first["user"] + (f", {escaped(first['settings'])}" if first["settings"] != "none" else ""), ran])
    commits = ", ".join(sorted({rows[0]["commit"] for rows in by_machine.values()}))
    return f"What ran there, at commit {commits}:\n\n" + table(["name", "system", "compilers", "user, settings", "what ran"], lines, 5)


# ---- the front page ----

SETTING, FRONT = "tools/book/zensical.toml", "tools/pages/front.csv"


def address():
    """The repository's address, which stands in tools/book/zensical.toml alone, or "" where it has none yet."""
    path = os.path.join(results.root, SETTING)
    found = re.search(r'^repository = "(.*)"', read(path), re.M) if os.path.exists(path) else None
    if found and found[1] and not re.fullmatch(r"https://[\w.-]+(/[\w.~-]+)+", found[1]):
        raise Problem(f'{SETTING}: repository = "{found[1]}": an address such as https://github.com/OWNER/NAME is needed, or ""')
    return found[1].removesuffix("/").removesuffix(".git") if found else ""


def notebook(at):
    """A service opens notebooks of public repositories on GitHub."""
    place = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", address())
    return f"**[Open it in Colab](https://colab.research.google.com/github/{place[1]}/blob/main/ladder.ipynb)**, in a browser, without installing anything." if place else ""


def lessons(at):
    """A row for each of front.csv, in the page's language; with the speed of the lesson's best variant at 256M."""
    run, chinese = in_folder(at.folder), at.page.endswith(".zh-CN.md")
    with open(os.path.join(results.root, FRONT), encoding="utf-8", newline="") as file:
        rows = [[f"[{row['lesson']}](steps/{row['lesson']}/README.md)", row["chinese" if chinese else "english"], row["minutes"],
                 run.get(row["variant"], "256M", "gbps"), percent(run.get(row["variant"], "256M", "pct_roof"))] for row in csv.DictReader(file)]
    return table(["课程", "要点", "分钟", "GB/s", "%"] if chinese else ["lesson", "the idea", "minutes", "GB/s", "%"], rows, 2)
