"""The comparisons. On the simulator the program itself, whose times say nothing there: with stand-ins for the rivals that need a GPU's libraries it writes the
rows and columns of the recorded runs, and wrong sums are noticed. tools/measure/compare.py with stand-ins for the programs, for PyTorch and for the library: what
it asks, what it writes, how it ends."""
import collections
import csv
import glob
import os
import re
import shlex
import shutil

import pytest
from common import ROOT, fake_machine, read, right, rows, run, script, write
from compare import kept
from mutants import LINK

pytestmark = pytest.mark.nightly
PROGRAM = "build/sim/compare"
KEY = "gpus element pattern n offset cache launch rival kind loads threads".split()  # which time a row is
OURS = "sum_f32 sum_exact sum_f32_plan reduce_rows reduce_columns reduce_segments reduce_plan reduce_depth".split()
TORCH_SIZES = "96,1000 1,8,1000"  # in place of 256M floats


def linked_with(scratch, name, options=""):
    """The program, linked with this file, too."""
    right(f"make -s -j2 BACKEND=sim {PROGRAM}")
    paths = [re.sub(r"\.cu?$", "", path) for path in glob.glob("library/compare/*.c") + glob.glob("steps/14_many_gpus/compare/*")]
    paths += [f"steps/14_many_gpus/{name}" for name in ("one_gpu", "host", "nccl", "nvlink_slots")] + [f"library/{name}" for name in OURS]
    right(f"${{CC:-gcc}} -std=c11 -Wall -Wextra -Icommon -Isimulator/include -Isteps -I. -Ilibrary -c tests/compare/{name}.c -o {scratch}/{name}.o && "
          f"{LINK} {' '.join(f'build/sim/{path}.o' for path in paths)} {scratch}/{name}.o {options} build/sim/libcommon.a -lm -o {scratch}/{name}")
    return f"{scratch}/{name}"


@pytest.fixture(scope="module")
def rivals(scratch):
    return linked_with(scratch, "rivals")


def compared(ok, program, subject, options, path):
    """-> what it said, its columns, its rows. Of times of the simulator one may be slower: status 1."""
    output, status = run(f"{program} {subject} {options} --csv {path}")
    ok(status in (0, 1), f"{subject}: status {status}", output)
    found = rows(path)
    ok(all(float(row["low"]) <= float(row["ratio"]) <= float(row["high"]) for row in found if row.get("ratio")), f"{subject}: each ratio lies in its interval")
    return output, read(path).partition("\n")[0].split(","), found


def key(row):
    return " ".join(row[name] for name in KEY if name in row)


@pytest.mark.parametrize("subject, file, most, options", [("floats", "h200/compare", 4, ""), ("types", "h200/types", 2, ""), ("exact", "h200/exact", 1024, ""),
                                                          ("gpus", "h200x2/many_gpus", 2, "--gpus 2"), ("tune", "h200/tune", 64, "")])
def test_the_recorded_rows(ok, scratch, rivals, subject, file, most, options):
    output, columns, found = compared(ok, rivals, subject, f"--most {most} {options}", f"{scratch}/{subject}.csv")
    recorded = rows(f"results/{file}.csv")
    ok.equal([name for name in recorded[0] if name not in columns], [], f"it has all columns of results/{file}.csv")
    wanted = [key(row) for row in recorded if int(row["n"]) <= most and row.get("gpus", "2") == "2"]
    ok(len(wanted) >= 4, "there are recorded rows")
    ok.equal([key(row) for row in found if key(row) in wanted], wanted, "the rows of the recorded run, in its order")  # what no page uses is not kept
    ok(all(value or name.endswith("_error") for row in found for name, value in row.items()), "each field has something in it")
    ok(not re.search(r"nearest float|GPU \d: ", output) and all(float(row.get("ours_error") or 0) <= 2 for row in found), "no sum is wrong, and errors are small", output)


def test_quick(rivals):
    """Not every size, and no calls one after another."""
    assert re.search(r"^half,1,cold,graph,cub,(?!.*,2,cold|.*plain)", right(f"{rivals} types --most 4 --quick --csv -"), re.M | re.S)


CUB, LENGTHS = ("read", "cub_newer_offsets", "cub_offsets"), ("hundred", "4097", "every_power")
TIMES = ["n", "cache", "launch", "rival", "ours_us", "rival_us", "ratio", "low", "high", "rounds"]
SHAPES = {
    "rows": (["element", "operator", "of", "columns"], [
        name for n in (1, 16, 256, 3, 100, 1000) for name in (
            *(f"float {op} rows {n} {rival}" for op in ("sum", "max", "argmax") for rival in (*CUB, "cub_newer_rows")),
            *(f"float {op} rows {n} read" for op in ("mean_var", "log_sum_exp", "norm")), *(f"float {op} columns {n} read" for op in ("sum", "argmax", "mean_var", "log_sum_exp")))]),
    "segments": (["operator", "of", "segments"], [f"{op} {of} {rival}" for of in ("three", *LENGTHS, "half_empty", "one_of_all") for op in ("sum", "max", "argmax") for rival in CUB]),
    "row_types": (["element", "operator", "of", "columns"], [
        f"{element} {name}" for element in ("half", "bfloat16") for n in (32, 1000) for name in (
            *(f"{op} rows {n} {rival}" for op in ("sum", "max") for rival in (*CUB, "cub_newer_rows")),
            *(f"{op} rows {n} read" for op in ("mean_var", "log_sum_exp")), *(f"{op} columns {n} read" for op in ("sum", "mean_var")))]),
    "segment_types": (["element", "operator", "of", "segments"], [f"{element} {op} {of} {rival}" for element in ("half", "bfloat16") for of in LENGTHS for op in ("sum", "max") for rival in CUB])}


@pytest.mark.parametrize("subject", SHAPES)
def test_shapes(ok, scratch, rivals, subject):
    """Every shape, operator and rival that a run is to have."""
    shape, wanted = SHAPES[subject]
    output, columns, found = compared(ok, rivals, subject, "--most 1K --quick", f"{scratch}/{subject}.csv")
    ok("is wrong" not in output, "no answer is wrong", output)
    ok.equal(columns, shape + TIMES, "the columns")
    seen = [" ".join(row[name] for name in (*shape, "rival") if name != "segments") for row in found]
    ok.equal(sorted(seen), sorted(wanted), "nothing is missing, nothing more, nothing twice")
    ok(all(float(row["ours_us"]) > 0 for row in found), "all have a time")


def test_what_is_kept(ok, scratch, rivals):
    """Of CUB's ways the fastest for each shape, and the columns that pages use."""
    _, _, found = compared(ok, rivals, "rows", "--most 1K --quick", f"{scratch}/rows.csv")
    least = collections.defaultdict(lambda: 9e9)
    for row in found:
        if row["rival"].startswith("cub"):
            shape = tuple(row[name] for name in ("operator", "of", "columns", "n"))
            least[shape] = min(least[shape], float(row["rival_us"]))
    text = kept("rows", read(f"{scratch}/rows.csv"))
    ok.equal(text.partition("\n")[0], "operator,of,columns,n,rival,ours_us,rival_us,ratio", "the columns")
    left = [(row["operator"], row["of"], row["columns"], row["n"], float(row["rival_us"])) for row in csv.DictReader(text.splitlines()) if row["rival"].startswith("cub")]
    ok.equal(sorted(left), sorted((*shape, us) for shape, us in least.items()), "of each shape the fastest of CUB")


@pytest.mark.parametrize("name, given, wanted", [
    ("tune_rows", "n,cache,kind,chosen,us 8,cold,a,0,3 8,cold,b,1,2 8,cold,c,0,1", "8,b,1,2 8,c,0,1"),
    ("types", "n,cache,launch,rival,low 2,warm,plain,cub,1 8,warm,graph,cub,1 8,cold,graph,cub,1", "2,warm,plain,cub 8,cold,graph,cub"),
    ("compare", "n,cache,launch,rival,ci 8,warm,plain,cub,1 8,warm,plain,thrust,1 1024,warm,plain,thrust,1", "8,warm,plain,cub 1024,warm,plain,thrust"),
    ("segments", "n,rival,rival_us,low 8,copy,1,1 268435456,copy,1,1 8,read,1,1 4194300,read,1,1", "268435456,copy,1 4194300,read,1")])
def test_what_is_kept_of(name, given, wanted):
    assert kept(name, given.replace(" ", "\n") + "\n").split()[1:] == wanted.split()


def test_plans_of_rows(ok, scratch, rivals):
    """Of each shape one is chosen, and none is tried twice."""
    right(f"{rivals} tune_rows --most 4K --quick --csv {scratch}/tune_rows.csv")
    chosen, plans = collections.Counter(), collections.Counter()
    for row in rows(f"{scratch}/tune_rows.csv"):
        shape = f"{row['operator']} {row['of']} {row['columns']}"
        chosen[shape] += int(row["chosen"])
        plans[f"{shape} {row['kind']} {row['parts']}"] += 1
    ok(len(chosen) == 4 * 2 * 4 and set(chosen.values()) == {1}, "all shapes, and one plan is the chosen one", chosen)
    ok.equal(set(plans.values()), {1}, "none is tried twice")
    ok.equal({"sum rows 4 rows_in_a_thread 1", "sum rows 32 rows_in_a_warp 1", "argmax rows 256 warp_a_row 1", "sum rows 2048 block_a_row 1", "mean_var rows 2048 blocks_a_row 2",
              "sum columns 4 columns 1", "sum columns 4 columns_in_a_thread 1"} - set(plans), set(), "the kernels")


def table_of(output):
    """What the program printed, with the CSV at its end -> rows."""
    return list(csv.DictReader(re.findall("^.*,.*,.*,.*,.*$", output, re.M)))


def test_without_the_libraries_of_a_gpu():
    assert [row["rival"] for row in table_of(right(f"{PROGRAM} floats --most 1 --csv -"))] == ["apart"] * 6


def test_wrong_sums(ok, scratch):
    wrong = linked_with(scratch, "wrong", "-Wl,--wrap=sum_f32_exact -Wl,--wrap=sum_f32 -Wl,--wrap=reduce_rows")
    for arguments, line in (("exact --most 1K", r"wide, n = 1024: \S+, and the nearest float is "), ("gpus --gpus 2 --most 1", "host, n = 1, GPU 0: "),
                            ("rows --most 1K --quick", "sum rows 16, answer 0 of 64 is wrong$")):
        right(f"{wrong} {arguments}", 1, f"^{line}")
    ok(float(table_of(run(f"{wrong} floats --most 1 --csv -")[0])[0]["ours_error"]) > 1e6, "floats: a wrong sum is seen by its error")


@pytest.mark.parametrize("arguments, says", [
    ("", r"usage: compare floats\|"), ("--bad", "usage: "), ("floats bad", "usage: "), ("sums", "usage: "), ("floats --csv", "usage: "), ("floats --most x", "--most x: "),
    ("floats --most 0", "--most 0: at least 1"), ("floats --gpus 2", "gpus needs --gpus K, and no other"), ("gpus", "gpus needs --gpus K"),
    ("gpus --gpus 99", "--gpus 99: a number from 1 to 8"), ("floats --csv /nonexistent/x.csv", "the CSV file"), ("softmax", "make compare-softmax")])
def test_refused(ok, arguments, says):
    ok.refused(f"ulimit -t 20; {PROGRAM} {arguments}", 2, f"compare: .*{says}")


# ---- compare.py, in a repository whose programs are scripts, with a stand-in for PyTorch, and one for the library ----

FAKE = """for last; do :; done
[ -z "$FAKE_STATUS" ] || [ "$FAKE_STATUS" -le 1 ] || exit $FAKE_STATUS
printf 'header\\n%s\\n' "$*" >"$last"
[ "$1" = tune_rows ] || exit ${FAKE_STATUS:-0}
"""


@pytest.fixture
def tree(tmp_path):
    tree = f"{tmp_path}/tree"
    os.makedirs(f"{tree}/rows")
    shutil.copytree("tools", f"{tree}/tools", ignore=shutil.ignore_patterns("__pycache__"))
    write(f"{tree}/Makefile", "build/cuda/%:;\n")
    script(f"{tree}/build/cuda/compare", FAKE)
    fake_machine(f"{tree}/build/cuda/machine", gpu="Toy")
    script(f"{tree}/small", f"[ \"$1\" = -c ] && exec python3 \"$@\"\nshift\nexec python3 \"$1\" rows \"$3\" \"${{FAKE_LIBRARY:-$4}}\" {TORCH_SIZES} $7\n")
    script(f"{tree}/bin/nvidia-smi", "[ -n \"$FAKE_NO_GPU\" ] || echo 'GPU 0: toy'\n")
    for option, path in ("", f"{tree}/build/cuda/libsum_f32.so"), ("-DWRONG", f"{tree}/wrong.so"):
        right(f"${{CC:-gcc}} -std=c11 -Wall -Wextra {option} -shared -fPIC -I. -Isimulator/include tests/rows_torch/library.c -o {path} -lm")
    return tree


def compare(tree, arguments, environment=""):
    return run(f"cd {tree} && env PATH=bin:$PATH COMMIT=abc1234 PYTHON={tree}/small PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={shlex.quote(ROOT)}/tests/rows_torch "
               f"{environment.replace('TREE', tree)} tools/measure/compare.py {arguments}")


def test_compare(ok, tree):
    output, status = compare(tree, "rows rows --quick")
    ok(status == 0, "status 0", output)
    ok.equal(sorted(os.listdir(f"{tree}/rows")), [f"{name}.{kind}" for name, kind in (("machine", "json"), *((name, "csv") for name in ("parts", "rows", "rows_torch", "segments", "tune_rows")))],
             "its files")
    for name in "rows", "segments", "tune_rows":
        ok(re.fullmatch(rf"header\n{name} --quick --csv \S+\n", read(f"{tree}/rows/{name}.csv")), f"what the program is asked: {name}")
    machine = read(f"{tree}/rows/machine.json")
    ok(re.search(r'"commit": "abc1234",\n  "date": "20.*",\n  "torch": "2\.11\.0\+toy"\n\}', machine, re.S), "where and when, and which PyTorch", machine)
    ok(re.search(r"^compare_rows,abc1234,[0-9a-f]{12},\S+Z,\d+,rows\.csv rows_torch\.csv segments\.csv tune_rows\.csv$", read(f"{tree}/rows/parts.csv"), re.M), "the part")
    of_torch = rows(f"{tree}/rows/rows_torch.csv")
    ok(len(of_torch) == (2 + 3) * 10 * 2, "PyTorch: a line for each shape, operator and rival: 1000 columns need 1000 elements")
    ok(all((float(row["rival_us"]) < 15) == (row["rival"] == "torch_compile") for row in of_torch), "PyTorch: the times are those of each")
    output, status = compare(tree, "row_types rows --quick", "FAKE_STATUS=1")
    ok(status == 1, "a sum that is slower or wrong: status 1", output)
    ok.equal({row["element"] for row in rows(f"{tree}/rows/row_types_torch.csv")}, {"bfloat16", "half"}, "and the rest is written, for both types")


@pytest.mark.parametrize("environment, wanted, line", [("FAKE_STATUS=77", 77, ""),  # no GPU for it
                                                       ("FAKE_LIBRARY=TREE/wrong.so", 1, r"^with_torch\.py: float: sum of rows: a wrong answer, 96 x 1, off by")])
def test_compare_writes_nothing(tree, environment, wanted, line):
    write(f"{tree}/rows/rows.csv", "earlier\n")
    output, status = compare(tree, "rows rows", environment)
    assert status == wanted and re.search(line, output, re.M) and read(f"{tree}/rows/rows.csv") == "earlier\n", output


def test_parts_of_pytorch(ok, tree):
    output, _ = compare(tree, "rows rows", "FAKE_TORCH=nocompiler")
    ok(re.search(r"^float sum 8: torch\.compile fails: no Triton here$", output, re.M), "torch.compile fails: one line", output)
    ok.equal({row["rival"] for row in rows(f"{tree}/rows/rows_torch.csv")}, {"torch"}, "and the rest is timed")
    output, status = compare(tree, "rows rows", "FAKE_TORCH=nogpu")
    ok(status == 0 and not os.path.exists(f"{tree}/rows/rows_torch.csv"), "PyTorch finds no GPU: ours alone, and no older one of PyTorch beside it", output)
    write(f"{tree}/newer/cuda/std/__cccl/version.h", "#define CCCL_VERSION 3005000\n")
    compare(tree, "exact rows", "CCCL=newer")
    ok('"newer_cccl": "3005000"' in read(f"{tree}/rows/machine.json"), "which newer CUB")


@pytest.mark.parametrize("environment, arguments, status, says", [
    ("", "gpus more", 77, "1 GPUs here, two are needed"), ("", "gpus rows", 2, "rows holds the results of one GPU: choose another folder"), ("", "", 2, "usage: "),
    ("", "floats", 2, "usage: "), ("", "sums rows", 2, "usage: "), ("", "floats rows --slow", 2, "usage: "), ("", "floats none", 2, "no folder none: "),
    ("", "softmax rows --quick", 2, "no --quick"), ("FAKE_NO_GPU=yes", "floats rows", 77, "no GPU here that nvidia-smi finds"),
    ("PYTHON=TREE/none", "rows rows", 2, r"setup\.sh: PyTorch is missing in \S+/none: PYTHON=\.\.\. names ")])
def test_what_is_wrong_is_reported_before_it_builds(tree, environment, arguments, status, says):
    write(f"{tree}/Makefile", "$(error it builds)\n")
    write(f"{tree}/rows/machine.json", '{"gpu": "Toy"}')
    output, got = compare(tree, arguments, environment)
    more_lines = r"\S*: \*\*\* it builds[^\0]*" if "PyTorch" in says else ""
    assert re.fullmatch(rf"[^\n]*{says}[^\n]*\n{more_lines}", output) and (got == status or more_lines), output
