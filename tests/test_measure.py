"""tools/measure/: the CSV of several processes become one, by the rules of merged(); two runs that were recorded are close enough; counters, with a stand-in for
ncu; tools/provenance.sh and tools/files.sh. (make results is in test_results.py.)"""
import glob
import os
import re
import shlex
import shutil

import pytest
from common import fake_machine, read, right, rows, run, script, write

import programs
import schema

pytestmark = pytest.mark.more
REST = "," * 14 + "4000,sum"
ONE = ["s,v,cuda,G,1000,256,4,uniform,cold,plain,10,8,12,20,400,50,1e-9,1e-6,1", "s,c,cpu,C,1000,,,uniform,,,5,5,5,3,800,,2e-9,1e-6,1",
       "s,r,cuda,G,1000,256,4,uniform,cold,plain,10,8,12,20,400,100,,,"]
OTHER = ["s,v,cuda,G,1000,256,4,uniform,cold,plain,30,9,32,15,133.3,30,3e-9,1e-6,1", "s,r,cuda,G,1000,256,4,uniform,cold,plain,10,7,12,20,400,100,,,"]


def test_merged(ok, scratch):
    files = [f"{scratch}/{name}.csv" for name in "ab"]
    for path, lines in zip(files, (ONE, OTHER)):
        write(path, "\n".join([",".join(schema.RUN), *(line + REST for line in lines), ""]))
    write(f"{scratch}/m.csv", programs.merged(files))
    v, c, r = rows(f"{scratch}/m.csv")
    of = [float(v[name]) for name in ("median_us", "min_us", "p90_us", "runs", "gbps", "pct_roof")]
    ok.equal(of, [20, 8, 22, 35, 200, 40], "the mean of medians, the least minimum, the mean of the 90th percentiles, all runs, the bandwidth of the mean time, the mean share")
    ok.equal((v["rel_err"], v["ok"]), ("3e-9", "1"), "the largest error; all else as it was")
    ok.equal((float(c["median_us"]), c["pct_roof"]), (5, ""), "a row of one process alone stays; what was not measured stays empty")
    ok.equal((r["rel_err"], r["ok"], r["min_us"]), ("", "", "7"), "also errors and checks")
    write(files[1], read(files[1]) + "s,v,cuda\n")
    with pytest.raises(programs.Problem):
        programs.merged(files)


@pytest.mark.parametrize("noise", glob.glob("results/*/noise.csv"))
def test_noise(noise):
    """From 1M elements up half of the times that were measured twice differ by less than 1 %, four of five by less than 3 %."""
    apart = sorted(abs(float(row["difference_pct"])) for row in rows(noise) if int(row["n"]) >= 1 << 20)
    assert len(apart) >= 50 and apart[len(apart) // 2] < 1 and apart[int(len(apart) * 0.8)] < 3


# ---- counters: nsight.py, which `make counters` runs on a GPU, with a stand-in for ncu; what make counters-sim runs, with stand-ins for the programs ----

LISTS = {"step00": "00_baselines,cpu,sum,1,0,1,0,0\n00_baselines,read,roof,1,0,0,1,0\n", "step03": "03_unrolled,v3x2,sum,1,0,0,0,0\n03_unrolled,v6_volatile,sum,1,1,0,0,0\n",
         "vote": "".join(f"vote,{row},0\n" for row in ("vote,vote,1,0,0,0", "wrong,vote,1,1,0,0", "too_new,vote,0,0,0,0", "other_n,vote,1,0,0,0", "newer,vote,1,0,0,0"))}
PROGRAM = r"""[ "$1" != --list ] || { printf 'step,variant,task,runs_here,known_wrong,on_cpu,roof,max_row\n%LIST%'; exit; }
echo "$(basename $0) $*" >>log
case "$* $FAKE_STATUS" in *'-v other_n'*) exit 2 ;; *'-v newer'*) exit 77 ;; *'-n 65536'*\ 9) echo "simulator: more than 9 threads cannot be there at once" >&2; exit 1 ;; *\ 1) echo no >&2; exit 1 ;; esac
for last; do :; done
case $last in *.csv) echo step,variant >$last; echo $(basename $0),$* >>$last ;; esac
"""
# It prints the launches of the variant after -v, and ends as the program does: with 1 where a sum is wrong on purpose.
NCU = r"""[ "$1" = --version ] && { echo 'Version 2025.3.1.0 (build 1)'; exit; }
[ -z "$FAKE_ERROR" ] || { echo "==ERROR== $FAKE_ERROR"; exit 3; }
while [ "$1" != --metrics ]; do shift; done
shift 2
"$@" >said
case $? in 2|77) exit $? ;; esac
echo '==PROF== Connected to process 1'
echo 'v3x2   1000 ok'
long=$(printf '%140000s' ')')
echo '"ID","Kernel Name","Block Size","Grid Size","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","smsp__thread_inst_executed_per_inst_executed.ratio","gpu__time_duration.sum","sass__inst_executed_per_opcode"'
echo '"","","","","","","ns","inst"'
[ -z "$FAKE_NONE" ] || exit 0
case "$*" in
*'-v v6_volatile'*) echo '"3","void v6<(bool)1, int>(const float *, float *, unsigned long)","(256, 1, 1)","(7, 1, 1)","","16","1","1 (EXIT: 1)"'; exit 1 ;;
*) cat <<ROWS
"0","spin_kernel(long long)","(1, 1, 1)","(1, 1, 1)","5","32","100","1 (BAR: 1)"
"1","void v3<(int)2>(float *, float *, unsigned long)","(256, 1, 1)","(1,024, 1, 1)","24,320","28.42","3,872","1,234 (BAR: 16,384; SHFL: 5; VOTEU: 2; BRA: 9)"
"2","void cub::Scan<cub::P<float, int>::Q, float *, 1>(T1, int)","(256, 1, 1)","(1, 1, 1)","95","32","2,000","7 (BRA: 9$long"
ROWS
esac
"""


@pytest.fixture(scope="module")
def tree(scratch):
    """A repository with two lessons and a topic."""
    tree = f"{scratch}/repository"
    for folder in "00_baselines", "03_unrolled", "toolbox/vote":
        write(f"{tree}/steps/{folder}/lesson.c", "")
    shutil.copytree("tools", f"{tree}/tools", ignore=shutil.ignore_patterns("__pycache__"))
    for backend in "cuda", "sim":
        for name, listed in LISTS.items():
            script(f"{tree}/build/{backend}/{name}", PROGRAM.replace("%LIST%", listed.replace("\n", "\\n")))
    script(f"{tree}/bin/ncu", NCU)
    fake_machine(f"{tree}/build/cuda/machine")
    write(f"{tree}/results/h200/machine.json", '{"sm_count": 132}')
    return tree


def nsight(tree, arguments, status=0, environment=""):
    return right(f"cd {tree} && env PATH=bin:$PATH COMMIT=abc1234 {environment} tools/measure/nsight.py {arguments}", status)


def test_counters_of_every_kernel(ok, tree):
    nsight(tree, "counters out/counters.csv")
    of = rows(f"{tree}/out/counters.csv")
    wanted = [f"{what} {n} {k}" for n in (65536, 100003, 20000) for what, k in (("v3x2", 1), ("v3x2", 2), ("v6_volatile", 1))] + ["vote 65536 1", "vote 65536 2"]
    ok.equal([f"{row['variant']} {row['n']} {row['pass']}" for row in of], wanted, "sums at three sizes, wrong ones too; other questions at one, and what can run; no roof, no CPU")
    columns = "step variant n block grid pass kernel gld_requests simt_efficiency duration_us barriers shuffles votes".split()
    ok.equal([of[0][name] for name in columns], "03_unrolled v3x2 65536 256 1024 1 v3<2> 24320 0.888125 3.872 16384 5 2".split(), "the first launch, and its counts")
    ok.equal((of[1]["pass"], of[1]["kernel"], of[1]["barriers"]), ("2", "cub::Scan", "0"), "a library's kernel without its types; an opcode that is not there is 0")
    ok.equal([of[2][name] for name in ("variant", "pass", "kernel", "gld_requests")], ["v6_volatile", "1", "v6<1:int>", ""], "the next variant; not measured stays empty")
    machine = read(f"{tree}/out/machine.json")
    ok(re.search(r'"commit": "abc1234".*"date": "20.*"ncu": "2025\.3\.1\.0"', machine, re.S), "machine.json says which commit, when, and which ncu", machine)
    ok(re.search(r"^counters,abc1234,[0-9a-f]{12},20\S+Z,\d+,counters\.csv\n", read(f"{tree}/out/parts.csv"), re.M), "parts.csv has the part, and of which kernels it is")
    nsight(tree, "counters out/some.csv step00 vote")
    ok.equal([(row["variant"], row["pass"]) for row in rows(f"{tree}/out/some.csv")], [("vote", "1"), ("vote", "2")], "of two programs alone")
    output = nsight(tree, "counters out/none.csv step03 step99", 2)
    ok(re.search(r"^nsight\.py: no program step99: ", output, re.M) and not os.path.exists(f"{tree}/out/none.csv"), "a program that is not there", output)


@pytest.mark.parametrize("asked, builds, names", [("", "all", ""), ("STEPS='step15 step16'", "step15 step16", "step15 step16")])
def test_make_counters(asked, builds, names):
    output = right(f"make -n BACKEND=cuda NVCC=/bin/true {asked} counters")
    assert f" BACKEND=cuda {builds} build/cuda/machine\n" in output and "there is no step" not in output, output
    assert output.endswith(f"\ntools/measure/nsight.py counters results/mine/counters.csv {names}\n"), output[-300:]


@pytest.mark.parametrize("environment, says", [("FAKE_ERROR='no permission'", "step03 under ncu: exit status 3: ==ERROR== no permission"),
                                               ("FAKE_NONE=yes", "step03 --check -v v3x2 .*: no kernel ran")])
def test_counters_all_or_nothing(tree, environment, says):
    shutil.rmtree(f"{tree}/out", ignore_errors=True)
    write(f"{tree}/out/counters.csv", "earlier\n")
    output = nsight(tree, "counters out/counters.csv", 1, environment)
    assert re.fullmatch(rf"(?:build\S*\n)*nsight\.py: [^\n]*{says}[^\n]*\n", output), output
    assert read(f"{tree}/out/counters.csv") == "earlier\n" and os.listdir(f"{tree}/out") == ["counters.csv"]


@pytest.mark.parametrize("command", ["counters", "passes", "peak"])
def test_no_ncu(ok, tree, command):
    ok.refused(f"env PATH=/usr/bin:/bin tools/measure/nsight.py {command} {tree}/out/counters.csv", 77, "nsight.py: ncu is missing: install ")
    nsight(tree, command, 2)  # no file named


def test_the_simulators_counts_beside_them(ok, tree):
    def counted(environment, status=0):
        return right(f"cd {tree} && {environment} tools/measure/measure.py counters-sim out/sim.csv", status)
    run(f"rm -f {tree}/log")
    counted("")
    asked = re.sub(" --csv .*", "", read(f"{tree}/log"))
    ok.equal(asked, "".join(f"{name} --counters --sms 132 -n {n} -b {b}\n" for name, n, b in (("step03", 65536, 256), ("step03", 20000, 128), ("vote", 65536, 256))),
             "kernels, at two settings; other questions at one")
    ok.equal(read(f"{tree}/out/sim.csv").count("\n"), 4, "one header, and their rows")
    ok.equal(counted("FAKE_STATUS=9").count("\n"), 2, "what it has no room for is left out, and told")
    write(f"{tree}/out/sim.csv", "earlier\n")
    ok.equal(counted("FAKE_STATUS=1", 1), "measure.py: 03_unrolled: no\n", "a failing program: one line")
    ok.equal(read(f"{tree}/out/sim.csv"), "earlier\n", "and nothing is written")
    right("tools/measure/measure.py counters-sim", 2)


# ---- tools/provenance.sh: a clean tree, a changed one, COMMIT in the environment, no git. tools/files.sh: the same files with git and
# without, as in an archive that is unpacked within another repository; make format takes them ----

GIT = "git -c user.name=t -c user.email=t@t"
has_git = pytest.mark.skipif(run("git --version")[1] != 0, reason="no git here")


@pytest.fixture
def source(tmp_path):
    right(f"mkdir -p {tmp_path}/s/tools {tmp_path}/s/steps/01_x {tmp_path}/s/steps/toolbox {tmp_path}/s/docs && cp tools/provenance.sh tools/environment.sh {tmp_path}/s/tools/ && "
          f"cd {tmp_path}/s && touch Makefile steps/01_x/v0.cu steps/01_x/README.md docs/x.c")
    script(f"{tmp_path}/bin/nvidia-smi", "echo 580.1.2\n")
    return f"{tmp_path}/s"


def provenance(source, first="true", environment="A=1"):
    output = right(f"cd {source} && {{ {first}; }} >/dev/null 2>&1; cd / && env -u COMMIT {environment} {source}/tools/provenance.sh")
    assert re.fullmatch(r"(\w+=\S+\n)+", output), output
    return dict(line.split("=", 1) for line in output.splitlines())


def test_provenance_without_git(ok, source):
    none = provenance(source, environment="PATH=/usr/bin:/bin")
    ok(none["commit"] == "unknown" and re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", none["date"]), "no git: unknown; the date", none)
    ok("nvidia_driver" not in none or run("nvidia-smi")[1] == 0, "no driver")
    ok.equal(provenance(source, environment=f"PATH={source}/../bin:$PATH")["nvidia_driver"], "580.1.2", "a driver")
    ok.equal(provenance(source, environment="COMMIT=abc1234")["commit"], "abc1234", "COMMIT says it where there is no git")
    ok.refused(f"COMMIT='a`id`' {source}/tools/provenance.sh", 2, "provenance.sh: COMMIT=a`id`: a commit has letters, digits and ")


@has_git
def test_provenance(ok, source):
    around = os.path.dirname(source)
    ok.equal(provenance(source, f"git init -q {around}; cd {around} && {GIT} commit -qm t --allow-empty")["commit"], "unknown", "the commit of a repository around this one is not ours")
    clean = provenance(source, f"git init -q . && git add . && {GIT} commit -qm t")["commit"]
    ok(re.fullmatch("[0-9a-f]{4,40}", clean), "a clean tree: the commit", clean)
    for what, first, environment, commit in [
            ("what changes no number is no change", 'echo "// x" >>docs/x.c; echo x >>steps/01_x/README.md', "A=1", clean),
            ("a changed source", 'echo "// x" >>steps/01_x/v0.cu', "A=1", f"{clean}+changes"), ("COMMIT wins", "true", "COMMIT=abc1234", "abc1234"),
            ("a new source", "git checkout steps/01_x/v0.cu; touch steps/toolbox/new.cu", "A=1", f"{clean}+changes")]:
        ok.equal(provenance(source, first, environment)["commit"], commit, what)


@has_git
def test_files(ok, tmp_path):
    """An archive, and what is built in it; within a repository; a repository; a clone on Windows."""
    archive = f"{tmp_path}/archive"
    right(f"mkdir -p {archive}/tools {archive}/a/cache {archive}/build {archive}/simulator/build {archive}/.venv && cp Makefile {archive}/ && cp -r tools/mk {archive}/tools/ && "
          f"cp tools/files.sh tools/environment.sh tools/setup.sh {archive}/tools/ && cd {archive} && touch 'a/it is.c' a/b.cu build/x.c simulator/build/y.c a/z.tmp .venv/v.c a/cache/c.c && "
          r"ln -s a/b.cu step01 && printf '/build/\n/simulator/build/\n*.tmp\n/step01\n/.venv/\ncache/\n' >.gitignore")
    script(f"{archive}/bin/clang-format", "printf '%s\\n' \"$@\"\n")
    files = {".gitignore", "Makefile", "a/b.cu", "a/it is.c", "bin/clang-format", *glob.glob("tools/mk/*.mk"), *(f"tools/{name}.sh" for name in ("environment", "files", "setup"))}

    def listed(folder):
        return set(right(f"{shlex.quote(folder)}/tools/files.sh").split("\0")) - {""}
    ok.equal(listed(archive), files, "the files of an archive")
    ok.equal(right(f"cd {archive} && PATH={archive}/bin:$PATH make -s format | sort"), "-i\na/b.cu\na/it is.c\n", "make format takes them")
    right(f"git init -q {tmp_path}; cd {tmp_path} && {GIT} commit -qm t --allow-empty")
    ok.equal(listed(archive), files, "an archive within a repository")
    right(f"cd {archive} && git init -q . && git add tools Makefile && mkdir new && touch 'new/c\"d .h ' && rm a/b.cu")
    ok.equal(listed(archive), files - {"a/b.cu"} | {'new/c"d .h '}, "a repository: new files too, without those that are gone")
    right(f"cp .gitattributes {archive}/ && cd {archive} && git add . && {GIT} commit -qm t && git -c core.autocrlf=true clone -q . {tmp_path}/windows")
    ok.equal(run(f"cd {tmp_path}/windows && grep -rlI --exclude-dir=.git \"$(printf '\\r')\" .")[0], "", "a clone with core.autocrlf=true: no file gets CRLF")
    ok(listed(f"{tmp_path}/windows"), "and scripts start")
