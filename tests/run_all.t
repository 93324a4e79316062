#!/usr/bin/env bash
# run_all.sh: its options, the folder it writes, what it leaves alone when something
# goes wrong. In a copy, with a make and steps that only pretend: no GPU, few seconds.
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
    ./run_all.sh "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}

run_bare() { run_all --no-plots "$@"; } # where no picture is looked at

said() { grep -qE -- "$1" "$tmp/out"; }
said_not() { ! said "$1"; }
complained() { grep -qE -- "$1" "$tmp/err"; }
one_line() { [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -q '^run_all.sh: ' "$tmp/err"; }
status_is() { [ "$status" -eq "$1" ]; }
is_absent() { [ ! -e "$1" ]; }
no_leftovers() { ! ls -d results/*.lock results/*.partial* results/*.old-* results/*.stale-* 2>/dev/null | grep -q .; }
fingerprint() { (cd results/sim && cat ./*.csv machine.json && ls -i .) | cksum; }

# ---- the pretended repository ----

mkdir -p "$tmp/repo/steps/"{00_baselines,01_interleaved,02_sequential} "$tmp/repo/common" "$tmp/bin"
cp "$source_root/run_all.sh" "$tmp/repo/"
mkdir "$tmp/repo/plots"
cp "$source_root"/plots/*.{sh,gp,awk} "$tmp/repo/plots/"
cd "$tmp/repo" || exit 1

# A step: FAKE_STATUS_01=77 sets its exit status, FAKE_SLEEP_01=5 makes it slow,
# FAKE_BROKEN_01=yes spoils its third line.
cat >"$tmp/step" <<'STEP'
#!/usr/bin/env bash
number=${0##*/step}
echo "$number $*" >>"$FAKE_LOG"
while [ $# -gt 0 ]; do
    case $1 in
    -n) sizes=$2; shift ;;
    --csv) csv=$2; shift ;;
    esac
    shift
done
sleep_for=FAKE_SLEEP_$number
if [ -n "${!sleep_for:-}" ]; then
    echo $$ >"$FAKE_LOG.sleeping"
    exec sleep "${!sleep_for}"
fi
status=FAKE_STATUS_$number
echo "what step $number printed"
echo "a note of step $number" >&2
[ -z "${!status:-}" ] || exit "${!status}"
case $number in
00) step=00_baselines variants="cub read" ;;
01) step=01_interleaved variants="v0 v1" ;;
02) step=02_sequential variants=v2 ;;
08) step=08_warp_toolbox variants=soft ;;
esac
row=""
[ $number != 08 ] || row=,8192,8
broken=FAKE_BROKEN_$number
{
    echo step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency${row:+,row,bytes}
    [ $step != 00_baselines ] || [ "$FAKE_BACKEND" != cuda ] || echo "$step,serial,cpu,toy,1,,,uniform,,,7,7,7,5,1,,1e-8,1e-6,1,,,,,,,,,,"
    for variant in $variants; do
        for size in ${sizes//,/ }; do
            case $size in
            *K) n=$((${size%K} << 10)) ;;
            *M) n=$((${size%M} << 20)) ;;
            *G) n=$((${size%G} << 30)) ;;
            *) n=$((size)) ;;
            esac
            if [ "$FAKE_BACKEND" = cuda ]; then
                echo "$step,$variant,cuda,$FAKE_GPU,$n,256,4,uniform,cold,plain,7,7,7,5,$((n / 1000)),50,1e-8,1e-6,1,,,,,,,,,,$row"
            else
                echo "$step,$variant,sim,toy,$n,256,4,uniform,,,,,,,,,1e-8,1e-6,1,$n,$n,$n,$n,0,0,0,$n,0,0.5$row"
            fi
        done
    done
} >"$csv"
[ -z "${!broken:-}" ] || sed -i '3s/1e-8/oops/' "$csv"
STEP

cat >"$tmp/machine" <<'MACHINE'
#!/usr/bin/env bash
printf '{\n  "gpu": "%s",\n  "memory_bytes": %s,\n  "theoretical_gbps": 5000' "$FAKE_GPU" "$FAKE_MEMORY"
for pair; do printf ',\n  "%s": "%s"' "${pair%%=*}" "${pair#*=}"; done
printf '\n}\n'
MACHINE

cat >"$tmp/bin/make" <<MAKE
#!/usr/bin/env bash
[ "\$*" != "-s backend" ] || { echo "\$FAKE_BACKEND"; exit; }
[ -z "\${FAKE_BUILD_FAILS:-}" ] || { echo "reduce.cu:3: no such thing"; exit 2; }
mkdir -p build/\$FAKE_BACKEND
for step in steps/*/; do
    step=\${step#steps/}
    install "$tmp/step" build/\$FAKE_BACKEND/step\${step%%_*}
done
install "$tmp/machine" build/\$FAKE_BACKEND/machine
MAKE
printf '#!/bin/sh\n[ -n "${FAKE_NO_GPU:-}" ] && exit 9\n[ "$1" = -L ] && echo "GPU 0: toy" || echo 1.2.3\n' >"$tmp/bin/nvidia-smi"
printf '#!/bin/sh\n' >"$tmp/bin/nvcc"
chmod +x "$tmp/bin/"* "$tmp/step" "$tmp/machine"

export PATH=$tmp/bin:$PATH FAKE_LOG=$tmp/log FAKE_BACKEND=sim FAKE_GPU="toy GPU" FAKE_MEMORY=1 RUN_ALL_APT=no

# ---- options ----

run_all --help
ok "--help: status 0" status_is 0
for option in --quick --gpu --sim --sizes --out --help RUN_ALL_APT; do
    ok "--help tells of $option" said "$option"
done

refused() { # what the message must hold, arguments...
    local message=$1
    shift
    run_all "$@"
    ok "refused, status 2: $*" status_is 2
    ok "in one line: $*" one_line
    ok "that says what is wrong: $*" complained "$message"
}
refused 'unknown option --fast' --fast
refused 'unknown option 1K' 1K
refused '--sizes needs a value' --sizes
refused '--sizes needs a value' --sizes=
refused '--out needs a value' --out ""
refused '"0x" is not a size' --sizes 0x
refused '"-5" is not a size' --sizes 1K,-5
refused '"1e99" is not a size' --sizes=1e99
refused 'a size is missing' --sizes 1K,,2K
refused 'exclude each other' --gpu --sim
ok "nothing was built or written for those" is_absent build

# ---- a run ----

run_all
ok "a run on the simulator: status 0" status_is 0
ok "nothing on stderr" [ ! -s "$tmp/err" ]
ok "progress names the step, its variants and sizes" said '^\[2/3\] 01_interleaved +2 variants, 3 sizes, [0-9]+ s$'
ok "a step's notes are shown" said 'a note of step 01'
ok "a CSV for each step" [ "$(ls results/sim)" = "$(printf '%s\n' 00_baselines.csv 01_interleaved.csv 02_sequential.csv machine.json)" ]
ok "default sizes, with counters" grep -q '^02 -n 1K,64K,256K --counters --csv ' "$tmp/log"
ok "machine.json holds commit and date" grep -q '"date": "20.*Z"' results/sim/machine.json
ok "the table counts" said '^01 v0 +64.0 +64.0 +50 % +0 +1024 .* 3 of 3$'
ok "the table holds no time" said_not 'median|GB/s'
ok "the pictures are named" said '^  plots/sim/work.svg'
ok "and are there" [ -s plots/sim/work.svg -a -s plots/sim/work.png ]
ok "no picture of times" is_absent plots/sim/speedup.svg
ok "nothing is left beside the folder" no_leftovers

run_all --quick
ok "--quick: status 0" status_is 0
ok "--quick goes to a folder of its own" [ -s results/sim-quick/machine.json -a -s plots/sim-quick/work.svg ]
ok "--quick takes fewer sizes" grep -q '^02 -n 1K,16K --counters' "$tmp/log"

mkdir "$tmp/elsewhere"
(cd "$tmp/elsewhere" && ../repo/run_all.sh --sizes '1<<10,4K' --out mine/) >"$tmp/out" 2>"$tmp/err"
status=$?
ok "--out from another folder: status 0" status_is 0
ok "--out is relative to where it was typed, pictures go inside" [ -s "$tmp/elsewhere/mine/plots/work.svg" ]
ok "--sizes reaches the steps" grep -q '^02 -n 1<<10,4K --counters' "$tmp/log"

touch stale.png && mv stale.png plots/sim/speedup.png
run_all --out results/sim
ok "a second run replaces the first: status 0" status_is 0
ok "a picture of an earlier run is gone" is_absent plots/sim/speedup.png

# ---- on a GPU ----

FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((9 << 30)) run_all
ok "a run on a GPU: status 0" status_is 0
ok "the folder has the GPU's name" [ -s results/toy-9000/machine.json ]
ok "what does not fit is left out" said '^Left out, too large for the memory of this GPU \(9 GiB\): 2G$'
ok "and the rest runs" grep -q '^02 -n 1K,4K,16K,64K,256K,1M,4M,16M,64M,256M,1G --csv ' "$tmp/log"
ok "the roof is noted" grep -q '"read_gbps": "1073741' results/toy-9000/machine.json
ok "and the driver" grep -q '"nvidia_driver": "1.2.3"' results/toy-9000/machine.json
ok "the table has times" said 'n = 16M +median us +GB/s +% of roof +vs v0'
ok "the speedups are drawn" [ -s plots/toy-9000/speedup.svg ]
: >"$FAKE_LOG"
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((9 << 30)) run_bare --sizes 1M,64M --rounds 5
ok "rounds on a GPU: five processes for each step" [ "$(grep -c '^02 ' "$FAKE_LOG")" -eq 5 ]
ok "rounds on a GPU: three with every size" [ "$(grep '^02 ' "$FAKE_LOG" | grep -c -- '-n 1M,64M ')" -eq 3 ]
ok "rounds on a GPU: the others with the small ones" [ "$(grep '^02 ' "$FAKE_LOG" | grep -c -- '-n 1M --csv ')" -eq 2 ]
ok "rounds on a GPU: and not on the CPU" [ "$(grep '^00 ' "$FAKE_LOG" | grep -c -- '-n 1M -v cub,read ')" -eq 2 ]
ok "rounds on a GPU: all runs are counted" grep -q '^02_sequential,v2,cuda.*,1048576,.*plain,7.0000,7,7.0000,25,' results/toy-9000/02_sequential.csv
ok "rounds on a GPU: machine.json tells how many" grep -q '"processes": "5"' results/toy-9000/machine.json
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((1 << 30)) run_all --sizes 1G,2G
ok "no size fits: status 2" status_is 2
ok "no size fits: one line" one_line
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((9 << 30)) run_bare --quick --gpu
ok "--quick on a GPU: few repeats" grep -q '^02 -n 64K,1M,16M --repeat 10 --csv ' "$tmp/log"
FAKE_NO_GPU=yes run_all --gpu
ok "--gpu without a GPU: status 77" status_is 77
ok "--gpu without a GPU: one line" one_line

mkdir steps/08_warp_toolbox
: >"$FAKE_LOG"
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((90 << 30)) run_bare --sizes 1M,1G,256M --rounds 1
ok "the toolbox: status 0" status_is 0
ok "the toolbox: rows, and no size above 256M" grep -q '^08 -n 1M,256M --row 32,1K,8K --csv ' "$FAKE_LOG"
ok "the toolbox: its rows are told apart" said '^08 soft@8K '
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((90 << 30)) run_all --sizes 1M,64M --rounds 7
ok "the toolbox: five processes at most" [ "$(grep -c '^08 ' "$FAKE_LOG")" -eq 6 ]
ok "the toolbox: one for a large size" [ "$(grep -c '^08 -n 1M,64M ' "$FAKE_LOG")" -eq 1 ]
: >"$FAKE_LOG"
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((90 << 30)) run_all --rounds 1
ok "the toolbox: fewer of the default sizes" grep -q '^08 -n 1K,64K,1M,16M,256M --row 32,1K,8K --csv ' "$FAKE_LOG"
FAKE_BACKEND=cuda FAKE_GPU="NVIDIA Toy 9000" FAKE_MEMORY=$((90 << 30)) run_all --sizes 1G
ok "the toolbox: none of these sizes" said '08_warp_toolbox +skipped: no size up to 256M'
run_bare --out results/tools
ok "the toolbox on the simulator: status 0" status_is 0
ok "the toolbox on the simulator: no size above 64K" grep -q '^08 -n 1K,64K --row 32,1K,8K --counters --csv ' "$FAKE_LOG"
rm -r results/tools
rmdir steps/08_warp_toolbox

# ---- what goes wrong leaves the earlier results whole ----

before=$(fingerprint)
untouched() { [ "$(fingerprint)" = "$before" ]; }
survived() { # what happened
    ok "$1: the earlier results are whole" untouched
    ok "$1: nothing is left beside them" no_leftovers
}

FAKE_STATUS_01=1 run_all
ok "a failing step: status 1" status_is 1
ok "a failing step: its output is shown" said 'what step 01 printed'
ok "a failing step: the table shows what ran" said '^00 cub .* 3 of 3'
ok "a failing step: one line names it" one_line
ok "a failing step: later steps do not run" [ "$(tail -n 1 "$tmp/log" | cut -c1-2)" = 01 ]
survived "a failing step"
FAKE_STATUS_00=2 run_all --sizes 900G
ok "a size that the steps refuse: status 2" status_is 2
ok "a size that the steps refuse: they say why" said 'a note of step 00'
survived "a size that the steps refuse"

FAKE_STATUS_00=77 run_bare --out results/partly
ok "a skipped step: status 0" status_is 0
ok "a skipped step is told, with its reason" said '^\[1/3\] 00_baselines +skipped: a note of step 00$'
ok "a skipped step has no CSV" is_absent results/partly/00_baselines.csv
FAKE_STATUS_00=77 FAKE_STATUS_01=77 FAKE_STATUS_02=77 run_all
ok "all steps skipped: status 77" status_is 77
survived "all steps skipped"

FAKE_BROKEN_01=yes run_all
ok "a broken CSV line: status 1" status_is 1
ok "a broken CSV line: one line" one_line
ok "a broken CSV line is named" complained '01_interleaved.csv: line 3: rel_err is not a number: oops'
survived "a broken CSV line"

FAKE_BUILD_FAILS=yes run_all
ok "a failing build: status 1" status_is 1
ok "a failing build: its output is shown" complained 'reduce.cu:3'
survived "a failing build"

run_all --rounds 0
ok "--rounds 0: status 2" status_is 2
ok "--rounds 0: one line" complained '--rounds 0: a number from 1 to 99'

mkdir -p results/notes && echo precious >results/notes/thoughts.txt
run_bare --out results/notes
ok "a folder that holds something else too: it runs" status_is 0
ok "a folder that holds something else too: the results are there" test -s results/notes/machine.json
ok "a folder that holds something else too: that stays" grep -q precious results/notes/thoughts.txt
run_all --out run_all.sh
ok "--out names a file: status 2" status_is 2

# An interactive shell lets SIGINT through; this one would pass on that it ignores it.
start_slow_run() {
    rm -f "$tmp/log.sleeping"
    FAKE_SLEEP_01=60 perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' ./run_all.sh >"$tmp/out" 2>"$tmp/err" &
    slow=$!
    local tries=0
    until [ -s "$tmp/log.sleeping" ] || [ $((tries += 1)) -gt 200 ]; do sleep 0.05; done
}
for signal in INT TERM; do
    start_slow_run
    kill -$signal $slow
    wait $slow
    status=$?
    [ $signal = INT ] && wanted=130 || wanted=143
    ok "interrupted by $signal: status $wanted" status_is $wanted
    ok "interrupted by $signal: told" complained 'run_all.sh: interrupted; results/sim is as it was'
    ok "interrupted by $signal: the step was stopped" bash -c "! kill -0 $(cat "$tmp/log.sleeping")"
    survived "interrupted by $signal"
done

# ---- two runs at once ----

start_slow_run
run_all
ok "a second run into the folder: status 1" status_is 1
ok "a second run into the folder: one line" one_line
ok "a second run into the folder: names the first" complained "process $slow"
ok "the first keeps its lock" [ "$(cat results/sim.lock/pid)" = $slow ]
kill $slow
wait $slow
survived "two runs at once"

mkdir results/sim.lock && echo $slow >results/sim.lock/pid
run_bare
ok "the lock of a dead run is taken over" status_is 0
mkdir results/sim.lock
run_bare
ok "and so is one without a number" status_is 0
mkdir results/sim.partial-$slow && echo half >results/sim.partial-$slow/00_baselines.csv
run_bare
ok "the remains of a killed run are removed" no_leftovers

# ---- provenance ----

if command -v git >/dev/null; then
    touch README.md common/driver.c
    git init -q . && git add common README.md && git -c user.name=t -c user.email=t@t commit -qm t
    run_bare
    ok "machine.json names the commit" grep -q "\"commit\": \"$(git rev-parse --short HEAD)\"" results/sim/machine.json
    echo changed >>common/driver.c
    run_bare
    ok "and tells that something changed since" grep -q "\"commit\": \"$(git rev-parse --short HEAD)+changes\"" results/sim/machine.json
fi

# ---- a missing tool ----

mkdir "$tmp/few"
for tool in bash sh env awk cat cut date dirname grep head id install ls mkdir mktemp mv nproc rm rmdir sed sleep tail touch tr gcc g++; do
    ln -s "$(command -v $tool)" "$tmp/few/"
done
ln -s "$tmp/bin/make" "$tmp/few/"
PATH=$tmp/few run_all
ok "gnuplot is missing and must not be installed: status 2" status_is 2
ok "gnuplot is missing: one line" one_line
ok "gnuplot is missing: the line to type" complained 'missing: gnuplot; .*apt-get install .*gnuplot-nox'
PATH=$tmp/few run_all --no-plots
ok "without plots gnuplot may be missing: status 0" status_is 0
COMMIT=abc1234 run_bare
ok "COMMIT names the commit where there is no git" grep -q '"commit": "abc1234"' results/sim/machine.json

printf '#!/bin/sh\necho "$@" >>"%s"\n"%s" -s "%s" "%s"\n' "$tmp/apt" "$(command -v ln)" "$(command -v gnuplot)" "$tmp/few/" >"$tmp/few/apt-get"
printf '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n' >"$tmp/few/sudo"
chmod +x "$tmp/few/apt-get" "$tmp/few/sudo"
RUN_ALL_APT=yes PATH=$tmp/few run_all
ok "gnuplot is missing and may be installed: status 0" status_is 0
ok "it is told" said '^Installing gnuplot-nox$'
ok "apt-get was asked for it and nothing else" [ "$(cat "$tmp/apt")" = "install -y --no-install-recommends gnuplot-nox" ]

echo "1..$tests"
