#!/usr/bin/env bash
# tier: test nightly
# run_all.sh: its options, the folder it writes, what it leaves alone when something
# goes wrong. In a copy, with a make and programs that only pretend: no GPU, few seconds.
set -u

source_root=$(cd "$(dirname "$0")/.." && pwd)
tmp=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$tmp"' EXIT
tests=0

ok() { # description, command...: passes when the command does
    local description=$1
    shift
    tests=$((tests + 1))
    if "$@" >/dev/null 2>&1; then
        echo "ok $tests - $description"
    else
        echo "not ok $tests - $description"
        echo "# $*"
        sed 's/^/# out: /' "$tmp/out"
        echo
        sed 's/^/# err: /' "$tmp/err"
        echo
    fi
}

# Runs ./run_all.sh with these arguments; leaves $status, $tmp/out and $tmp/err.
run_all() {
    : >"$FAKE_LOG"
    ./run_all.sh "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}

run_bare() { run_all --no-plots "$@"; } # where no picture is looked at
run_gpu() { FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" run_bare "$@"; }

said() { grep -qE -- "$1" "$tmp/out"; }
complained() { grep -qE -- "$1" "$tmp/err"; }
one_line() { [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qE '^[a-z_]+\.sh: ' "$tmp/err"; }
status_is() { [ "$status" -eq "$1" ]; }
is_absent() { [ ! -e "$1" ]; }
ran() { [ "$(grep -cE -- "$2" "$FAKE_LOG")" -eq "$1" ]; } # how often, what
no_leftovers() { ! compgen -G 'build/results/*.measured*' && ! compgen -G 'build/results/*/.put*' && ! compgen -G 'results/*/.put*'; }
fingerprint() { (cd build/results/sim && cat ./*.csv machine.json && ls -i .) | cksum; }
of_step() { grep -q "^$1," "$2/runs.csv"; } # step, folder

# ---- the pretended repository: three steps, one topic ----

mkdir -p "$tmp/repo/steps/"{00_baselines,01_interleaved,02_sequential} "$tmp/repo/steps/toolbox/soft" "$tmp/bin"
touch "$tmp/repo/steps/"{00_baselines,01_interleaved,02_sequential}/lesson.c "$tmp/repo/steps/toolbox/soft/lesson.c"
cp -r "$source_root"/{run_all.sh,tools} "$tmp/repo/"
cd "$tmp/repo" || exit 1
cat >tools/draw/plots.py <<'DRAW'
#!/bin/sh
[ -z "${FAKE_UNDRAWN:-}" ] || { echo "plots.py: no fonts" >&2; exit 1; }
[ -s "$1/runs.csv" ] && mkdir -p "$2" && echo "skipped small: no times" && echo "$1" >"$2/work.svg"
DRAW

# A program: FAKE_STATUS_step01=77 sets its exit status, FAKE_SLEEP_step01=5 makes it slow,
# FAKE_BROKEN_step01=yes spoils its third line.
cat >"$tmp/program" <<'PROGRAM'
#!/usr/bin/env bash
program=${0##*/}
case $program in
step00) step=00_baselines variants="serial cub read" ;;
step01) step=01_interleaved variants="v0 v1" ;;
step02) step=02_sequential variants=v2 ;;
soft) step=soft variants=soft ;;
esac
task() { case $1 in read) echo roof ;; soft) echo soft ;; *) echo sum ;; esac; }
if [ "$1" = --list ]; then
    echo step,variant,task,runs_here,known_wrong,overwrites_input,on_cpu,roof,in_graph,unit_input,block_rule,min_block,max_block,min_row,max_row,capability,asks_room,why_not,what
    for variant in $variants; do
        cpu=0 roof=0 rows=0
        case $variant in serial) cpu=1 ;; read) roof=1 ;; soft) rows=1024 ;; esac
        echo "$step,$variant,$(task $variant),1,0,0,$cpu,$roof,1,0,any,1,1024,0,$rows,0,0,,what it does"
    done
    exit
fi
echo "$program $*" >>"$FAKE_LOG"
while [ $# -gt 0 ]; do
    case $1 in
    -n) sizes=$2 && shift ;;
    -v) variants=${2//,/ } && shift ;;
    --row) row=8192 && shift ;;
    --csv) csv=$2 && shift ;;
    esac
    shift
done
sleep_for=FAKE_SLEEP_$program
if [ -n "${!sleep_for:-}" ]; then
    echo $$ >"$FAKE_LOG.sleeping"
    exec sleep "${!sleep_for}"
fi
status=FAKE_STATUS_$program
echo "what $program printed"
echo "a note of $program" >&2
[ -z "${!status:-}" ] || exit "${!status}"
{
    echo step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency,worst_conflict,bytes_per_element,row,bytes,task
    for variant in $variants; do
        for size in ${sizes//,/ }; do
            case $size in *K) k=10 ;; *M) k=20 ;; *G) k=30 ;; *) k=0 ;; esac
            n=$((${size%[KMG]} << k))
            last=0,4,${row:-},$((4 * n)),$(task $variant)
            case $variant-$FAKE_BACKEND in
            serial-*) echo "$step,serial,cpu,toy,$n,,,uniform,,,7,7,7,5,1,,1e-8,1e-6,1,,,,,,,,,,,$last" ;;
            *-cuda) echo "$step,$variant,cuda,$FAKE_GPU,$n,256,4,uniform,cold,plain,7,7,7,5,$((n / 1000)),50,1e-8,1e-6,1,,,,,,,,,,,$last" ;;
            *) echo "$step,$variant,sim,toy,$n,256,4,uniform,,,,,,,,,1e-8,1e-6,1,$n,$n,$n,$n,0,0,0,$n,0,0.5,$last" ;;
            esac
        done
    done
} >"$csv"
broken=FAKE_BROKEN_$program
[ -z "${!broken:-}" ] || sed -i '3s/1e-8/oops/' "$csv"
PROGRAM

cat >"$tmp/machine" <<'MACHINE'
#!/usr/bin/env bash
[ $# -lt "${FAKE_MACHINE_FAILS:-99}" ] || { echo "machine: no GPU any more" >&2; exit 1; }
printf '{\n  "backend": "%s",\n  "gpu": "%s",\n  "memory_bytes": %s,\n  "theoretical_gbps": 5000' "$FAKE_BACKEND" "$FAKE_GPU" "$FAKE_MEMORY"
for pair; do printf ',\n  "%s": "%s"' "${pair%%=*}" "${pair#*=}"; done
printf '\n}\n'
MACHINE

cat >"$tmp/bin/make" <<MAKE
#!/usr/bin/env bash
[ -z "\${MAKEFLAGS:-}\${MAKELEVEL:-}" ] || echo "make[1]: Entering directory '/repo'"
case \$* in
'-s backend') echo "\$FAKE_BACKEND" && exit ;;
'-s BACKEND='*' backend') set -- \${2#*=} && echo "\$1" && exit ;;
esac
[ -z "\${FAKE_BUILD_FAILS:-}" ] || { echo "reduce.cu:3: no such thing"; exit 2; }
mkdir -p build/\$FAKE_BACKEND
for program in step00 step01 step02 soft; do install "$tmp/program" build/\$FAKE_BACKEND/\$program; done
install "$tmp/machine" build/\$FAKE_BACKEND/machine
MAKE
printf '#!/bin/sh\n[ -n "${FAKE_NO_GPU:-}" ] && exit 9\n[ "$1" = -L ] && echo "GPU 0: toy" || echo 1.2.3\n' >"$tmp/bin/nvidia-smi"
chmod +x "$tmp/bin/"* "$tmp/program" "$tmp/machine"

export PATH=$tmp/bin:$PATH FAKE_LOG=$tmp/log FAKE_BACKEND=sim FAKE_GPU="toy GPU" FAKE_MEMORY=$((9 << 30)) RUN_ALL_APT=no

# ---- options ----

run_all --help
ok "--help: status 0" status_is 0
for option in --quick --gpu --sim --rounds --sizes --out --no-plots --setup --help RUN_ALL_APT; do
    ok "--help tells of $option" said "$option"
done

refused() { # what the message must hold, arguments...
    # shellcheck disable=SC2034  # eval reads it
    local message=$1
    shift
    run_all "$@"
    ok "refused, status 2, in one line that says why: $*" eval 'status_is 2 && one_line && complained "$message"'
}
refused 'unknown option --fast' --fast
refused 'unknown option --fast' --setup --fast
refused '--sizes needs a value' --sizes
refused '--out needs a value' --out ""
refused '"0x" is not a size' --sizes 0x
refused 'a size is missing' --sizes 1K,,2K
refused 'exclude each other' --gpu --sim
refused '--rounds 0: a number from 1 to 99' --rounds 0
ok "nothing was built or written for those" is_absent build
[ "${TESTS:-all}" = all ] || { # make test has no time for more
    run_all
    ok "a run on the simulator: status 0" status_is 0
    ok "the table counts" said '^01 v0 +64.0 +64.0 +50 % +0 +1024 .* 3 of 3$'
    echo "1..$tests"
    exit
}

# ---- a run ----

run_all
ok "a run on the simulator: status 0" status_is 0
ok "nothing on stderr" [ ! -s "$tmp/err" ]
ok "three files" [ "$(cd build/results/sim && echo *)" = "machine.json runs.csv variants.csv" ]
ok "with the rows of each step and topic" [ "$(cut -d, -f1 build/results/sim/runs.csv | uniq | paste -sd" ")" = "step 00_baselines 01_interleaved 02_sequential soft" ]
ok "and a list of all variants" [ "$(cut -d, -f1-3 build/results/sim/variants.csv | tail -n +5 | paste -sd" ")" = "01_interleaved,v0,sum 01_interleaved,v1,sum 02_sequential,v2,sum soft,soft,soft" ]
ok "default sizes, with counters" ran 1 '^step02 -n 1K,64K,256K --counters --csv '
ok "other questions than the sum: rows, and no size above 64K" ran 1 '^soft -n 1K,64K --row 32,1K,8K --counters --csv '
ok "machine.json holds the date" grep -q '"date": "20.*Z"' build/results/sim/machine.json
ok "the table counts" said '^01 v0 +64.0 +64.0 +50 % +0 +1024 .* 3 of 3$'
ok "they are drawn from the folder, into plots/" grep -qx "$PWD/build/results/sim" build/plots/sim/work.svg
ok "nothing is left beside the folder" no_leftovers

run_all --quick
ok "--quick goes to a folder of its own" [ -s build/results/sim-quick/machine.json -a -s build/plots/sim-quick/work.svg ]
ok "--quick takes fewer sizes" ran 1 '^step02 -n 1K,16K --counters'

mkdir "$tmp/elsewhere"
(cd "$tmp/elsewhere" && ../repo/run_all.sh --sizes '1<<10,4K' --out mine/) >"$tmp/out" 2>"$tmp/err"
status=$?
ok "--out from another folder: status 0" status_is 0
ok "--out is relative to where it was typed, pictures go inside" [ -s "$tmp/elsewhere/mine/plots/work.svg" ]
ok "--sizes reaches the programs" ran 1 '^step02 -n 1<<10,4K --counters'

# What a folder may hold besides.
mkdir build/results/sim/plots && echo precious | tee build/results/sim/{counters.csv,.hidden} >build/results/sim/plots/work.svg
run_all --out build/results/sim
ok "a second run replaces the first: status 0" status_is 0
ok "what others wrote stays" [ "$(cd build/results/sim && cat counters.csv .hidden plots/work.svg | grep -cx precious)" = 3 ]

mkdir -p results "$tmp/disk/toy" && ln -s "$tmp/disk/toy" results/linked
run_all --out results/linked
ok "a link to a folder stays, and what it leads to is written" [ -L results/linked -a -s "$tmp/disk/toy/machine.json" -a -s plots/linked/work.svg ]
chmod 2750 build/results/sim
MAKEFLAGS=w MAKELEVEL=1 run_bare --out build/results/sim
ok "under another make: status 0" status_is 0
ok "the folder keeps its rights" [ "$(stat -c %a build/results/sim)" = 2750 ]
chmod 755 build/results/sim
# What somebody planted in the folder is not followed, and not written.
echo precious >"$tmp/target" && ln -sf "$tmp/target" build/results/sim/runs.csv
run_bare --out build/results/sim
ok "a planted link leads to nothing that is written" [ "$status" = 0 -a "$(cat "$tmp/target")" = precious -a ! -L build/results/sim/runs.csv ]

# ---- on a GPU ----

run_gpu
ok "a run on a GPU: status 0" status_is 0
ok "the folder is one that git ignores" [ -s results/mine/machine.json ]
ok "what does not fit is left out" complained '^Left out, too large for the memory of this GPU \(9 GiB\): 2G$'
ok "and the rest runs" ran 3 '^step02 -n 1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G --csv '
ok "15 processes for a step" ran 15 '^step02 '
ok "the roof is noted" grep -q '"read_gbps": "1073741' results/mine/machine.json
ok "the table has times" said 'n = 16M +median us +GB/s +% of roof +vs v0'
ok "other questions: five processes at most" ran 5 '^soft '
run_gpu --sizes 1M,64M --rounds 5
ok "rounds: five processes for each step" ran 5 '^step02 '
ok "rounds: three with every size" ran 3 '^step02 -n 1M,64M '
ok "rounds: the others with the small ones" ran 2 '^step02 -n 1M --csv '
ok "rounds: all runs are counted" grep -q '^02_sequential,v2,cuda.*,1048576,.*plain,7.0000,7,7.0000,25,' results/mine/runs.csv
run_gpu --sizes 1G
ok "other questions: none of these sizes" said 'soft +skipped: none of the sizes is for this program'
run_gpu --quick
ok "--quick on a GPU: few repeats" ran 1 '^step02 -n 64K,1M,16M --repeat 10 --csv '
FAKE_MEMORY=$((1 << 30)) run_gpu --sizes 1G,2G
ok "no size fits: status 2, one line" eval 'status_is 2 && one_line'
FAKE_NO_GPU=yes run_all --gpu
ok "--gpu without a GPU: status 77, one line" eval 'status_is 77 && one_line'

# ---- what goes wrong leaves the earlier results whole ----

before=$(fingerprint)
untouched() { [ "$(fingerprint)" = "$before" ]; }
survived() { # what happened
    ok "$1: the earlier results are whole, and nothing is left beside them" eval 'untouched && no_leftovers'
}

FAKE_STATUS_step01=1 run_all
ok "a failing step: status 1, one line, and its output" eval 'status_is 1 && one_line && said "what step01 printed"'
ok "a failing step: later steps do not run" ran 0 '^step02'
survived "a failing step"
FAKE_STATUS_step00=2 FAKE_STATUS_step01=2 FAKE_STATUS_step02=2 FAKE_STATUS_soft=2 run_all --sizes 64
ok "sizes that all refuse: status 2, and the first reason" [ $status = 2 -a "$(cat "$tmp/err")" = "run_all.sh: nothing takes these sizes: a note of step00" ]
survived "sizes that all refuse"

FAKE_STATUS_soft=2 run_bare --sizes 64 --out results/odd
ok "sizes that one refuses: the end says so" said '^Left out, since they take none of these sizes: soft$'
ok "sizes that one refuses: the others are there" eval 'of_step 02_sequential results/odd && ! of_step soft results/odd'
FAKE_STATUS_step00=77 run_bare --out results/partly
ok "a skipped step: status 0" status_is 0
ok "a skipped step has no rows" eval 'of_step 02_sequential results/partly && ! of_step 00_baselines results/partly'
FAKE_STATUS_step00=77 FAKE_STATUS_step01=77 FAKE_STATUS_step02=77 FAKE_STATUS_soft=77 run_all
ok "all skipped: status 77" status_is 77
survived "all skipped"

FAKE_BROKEN_step01=yes run_all
ok "a broken CSV line: status 1, and it is named" eval 'status_is 1 && said "01_interleaved.csv: line 3: rel_err is not a number: oops"'
survived "a broken CSV line"

FAKE_BUILD_FAILS=yes run_all
ok "a failing build: status 1, and its output" eval 'status_is 1 && complained reduce.cu:3'
survived "a failing build"

mkdir -p results/notes && echo precious | tee results/notes/thoughts.txt >results/notes/05_mine.csv
refused 'holds something else than results' --out results/notes
echo '{"name": "mine"}' >results/notes/machine.json
refused 'holds something else than results \(no machine.json of ours\)' --out results/notes
ok "a folder that holds something else: that stays" [ "$(cat results/notes/*[.t]* | grep -c precious)" = 2 ]
cp build/results/sim/machine.json .
for parent in . .. / "$tmp" results/..; do
    refused 'holds this repository' --out "$parent"
done
rm machine.json
refused 'is a file, not a folder' --out run_all.sh
refused 'cannot write into /dev/null; choose another' --out /dev/null/x
refused "cannot write into $PWD/results; choose another" --out "results/$(printf '%0300d' 0)"
ln -s loop results/loop
refused 'is a link that leads nowhere' --out results/loop
rm results/loop
refused 'a name without control characters is needed' --out "$(printf 'a\nb')"
survived "folders that are not ours"

FAKE_UNDRAWN=yes run_all --out results/undrawn
ok "drawing fails: status 1, one line" eval 'status_is 1 && one_line'
ok "drawing fails: it says why, and where the results are" complained 'no pictures: plots.py: no fonts; the results are whole, in results/undrawn$'
ok "drawing fails: the results are there" [ -s results/undrawn/machine.json ]

# Whatever fails after the last program has run, its figures are kept.
kept() { # what happened, what it says
    ok "$1: status 1" status_is 1
    ok "$1: one line that says why, and where the figures are" complained "^run_all.sh: $2; what was measured is in build/results/sim.measured-"
    ok "$1: they are there" [ -s "$(echo build/results/sim.measured-*)/runs.csv" ]
    rm -r build/results/sim.measured-*
    survived "$1"
}
FAKE_MACHINE_FAILS=1 run_bare
kept "the machine cannot be asked any more" "machine: no GPU any more"
mv build/results/sim/machine.json "$tmp/kept" && mkdir build/results/sim/machine.json
run_bare
rmdir build/results/sim/machine.json && mv "$tmp/kept" build/results/sim/machine.json
kept "a file that cannot be replaced" "cannot write to $PWD/build/results/sim .*"
./run_all.sh --no-plots >/dev/full 2>"$tmp/err"
ok "nowhere to print to: status 1, before anything ran" [ $? = 1 -a "$(cat "$tmp/err")" = "run_all.sh: cannot write to standard output" ]
survived "nowhere to print to"
sh run_all.sh --no-plots --out results/by-sh >"$tmp/out" 2>"$tmp/err"
ok "sh run_all.sh: status 0" [ $? = 0 -a -s results/by-sh/machine.json ]
before=$(fingerprint)

# An interactive shell lets SIGINT through; this one would pass on that it ignores it.
start_slow_run() { # arguments...
    rm -f "$tmp/log.sleeping"
    FAKE_SLEEP_step01=600 perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' ./run_all.sh "$@" >"$tmp/out" 2>"$tmp/err" &
    slow=$!
    local tries=0
    until [ -s "$tmp/log.sleeping" ] || [ $((tries += 1)) -gt 6000 ]; do sleep 0.05; done
}
# The reader of the output goes.
./run_all.sh --no-plots 2>"$tmp/err" | head -n 4 >"$tmp/out"
status=${PIPESTATUS[0]}
ok "a broken pipe: status 141, and no word more" [ $status = 141 -a ! -s "$tmp/err" ]
survived "a broken pipe"
./run_all.sh --no-plots --out "results/a \"b\" it's \\n=x" >"$tmp/out" 2>"$tmp/err"
ok "a name with blanks, quotes, a backslash: status 0" [ $? = 0 -a -s "results/a \"b\" it's \\n=x/machine.json" ]
rm -r "results/a \"b\" it's \\n=x"

gone() { # process: long before it would end by itself
    local tries=0
    while kill -0 "$1"; do [ $((tries += 1)) -lt 6000 ] && sleep 0.05 || return; done
}
for signal in INT TERM; do
    start_slow_run
    kill -$signal $slow
    wait $slow
    status=$?
    [ $signal = INT ] && wanted=130 || wanted=143
    ok "interrupted by $signal: status $wanted" status_is $wanted
    ok "interrupted by $signal: a line" complained 'run_all.sh: interrupted; build/results/sim is as it was'
    ok "interrupted by $signal: the program was stopped" gone "$(cat "$tmp/log.sleeping")"
    survived "interrupted by $signal"
done

start_slow_run --out results/fresh
kill -TERM $slow
wait $slow
ok "interrupted, and there was nothing before: told" complained '^run_all.sh: interrupted; nothing was written$'
ok "interrupted, and there was nothing before: nothing is there" is_absent results/fresh

# ---- two runs at once ----

start_slow_run
./run_all.sh --no-plots >"$tmp/out2" 2>"$tmp/err2"
ok "a second run into the folder: status 0" [ $? = 0 ]
ok "a second run into the folder: it says so" grep -qxE "run_all.sh: note: another run is at work here; each disturbs the other's times" "$tmp/err2"
before=$(fingerprint)
kill -KILL $slow "$(cat "$tmp/log.sleeping")"
wait $slow 2>"$tmp/err"
ok "a run that is killed: the second one's results are whole" untouched
run_bare
ok "after a killed run: status 0, and no note" [ "$status" = 0 -a ! -s "$tmp/err" ]

# ---- a missing tool ----

mkdir "$tmp/few"
for tool in bash sh env awk cat cp cut date chmod dirname grep head id install ls mkdir mktemp mv nproc paste realpath rm rmdir sed sleep sort stat tail touch tr true gcc g++; do
    ln -s "$(type -P $tool)" "$tmp/few/"
done
ln -s "$tmp/bin/make" "$tmp/few/"
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$tmp/few/python3"
PATH=$tmp/few run_all
ok "gnuplot is missing and must not be installed: status 0, no complaint" [ $status = 0 -a ! -s "$tmp/err" ]
ok "gnuplot is missing: said with the line to type" said '^No pictures: missing: gnuplot; .*apt-get install .*gnuplot-nox'
PATH=$tmp/few run_all --setup
ok "--setup: what make test needs, too, and nothing else" complained '^setup.sh: missing: gnuplot prove; .* gnuplot-nox perl$'

printf '#!/bin/sh\necho "$@" >>"%s"\n"%s" -s "%s" "%s"\n' "$tmp/apt" "$(command -v ln)" "$(command -v gnuplot)" "$tmp/few/" >"$tmp/few/apt-get"
printf '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n' >"$tmp/few/sudo"
chmod +x "$tmp/few/apt-get" "$tmp/few/sudo"
mv "$tmp/few/gcc" "$tmp/gcc"
PATH=$tmp/few run_all
ok "a compiler is missing: status 2, one line" eval 'status_is 2 && one_line'
ok "a compiler is missing: the line to type" complained 'missing: gcc gnuplot; .*apt-get install .* gcc gnuplot-nox|missing: gcc; .*apt-get install .* gcc$'
mv "$tmp/gcc" "$tmp/few/gcc"
RUN_ALL_APT=yes PATH=$tmp/few run_all
ok "gnuplot is missing and may be installed: status 0" status_is 0
ok "apt-get was asked for it and nothing else" [ "$(cat "$tmp/apt")" = "install -y --no-install-recommends gnuplot-nox" ]
echo "1..$tests"
