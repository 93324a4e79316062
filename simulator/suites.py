#!/usr/bin/env python3
"""How much of a suite builds and runs with simcc as it is: a row for each of its programs, then the three numbers.

CHECKOUT is Rodinia (cuda/NAME/Makefile, run by the lines of cuda/NAME/run) or NVIDIA's cuda-samples
(Samples/*/NAME/CMakeLists.txt). It is copied; nothing in it is changed. A program ran if each run ended with status 0."""
import argparse
import concurrent.futures
import glob
import os
import re
import resource
import shutil
import subprocess
import tempfile

SIMCC = os.path.join(os.path.dirname(os.path.abspath(__file__)), "simcc")
FAILS = re.compile(r"^simcc: |error:|[Ee]rror [^0-9\s]|not found|No such file|undefined reference|cannot find|CMake Error|^simulator: (?!note)|\[FAIL|CUDA error", re.M)


def call(command, folder, seconds, **more):
    """(status, what it said); status None: its processor time was over."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    try:
        done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, errors="replace", timeout=20 * seconds,
                              preexec_fn=limit, env={**os.environ, **more})
    except subprocess.TimeoutExpired:
        return None, ""
    return (None if done.returncode in (-9, -24, 137, 152) else done.returncode), done.stdout


def reason(status, said, seconds):
    if status is None:
        return f"not done after {seconds} s of processor time"
    lines = [line.strip() for line in said.splitlines() if line.strip()] or [f"status {status}, no word"]
    return re.sub(r'.*#error "|/tmp/\S+/suite/', "", next((line for line in lines if FAILS.search(line)), lines[-1]))[:150]


def by_make(folder, toolkit, _):
    status, said = call(["make", "CUDA_DIR=" + toolkit, "CUDA_PATH=" + toolkit, "CUDA_INSTALL_PATH=" + toolkit], folder, 600, PATH=toolkit + "/bin:" + os.environ["PATH"])
    runs = []
    if os.path.exists(folder + "/run"):
        with open(folder + "/run", errors="replace") as file:
            runs = [line.strip() for line in file if line.strip() and os.access(os.path.join(folder, line.split()[0]), os.X_OK)]
    return status, said, [(["sh", "-c", line], folder, line) for line in runs]


def by_cmake(folder, toolkit, name):
    build = folder + "/build"
    more = {"CUDACXX": toolkit + "/bin/nvcc", "CUDA_PATH": toolkit, "CUDAToolkit_ROOT": toolkit, "PATH": toolkit + "/bin:" + os.environ["PATH"]}
    status, said = call(["cmake", "-S", folder, "-B", build], folder, 600, **more)
    if status == 0:
        status, made = call(["make", "-C", build], folder, 1200, **more)
        said += made
    return status, said, [([build + "/" + name], build, name)] if os.access(build + "/" + name, os.X_OK) else []


def one(place, options, toolkit, copy):
    folder, name, build = os.path.join(copy, place), os.path.basename(place), by_cmake if place.startswith("Samples") else by_make
    status, said, runs = build(folder, toolkit, name)
    if status != 0:
        return place, False, False, reason(status, said, 600)
    for command, where, line in runs:
        data = [word for word in line.split() if word.startswith("../../data/") and not os.path.exists(os.path.join(where, word))]
        if data:
            return place, True, None, "its data are not in the checkout: " + data[0]
        status, said = call(command, where, options.seconds)
        if status != 0:
            return place, True, False, reason(status, said, options.seconds)
    return (place, True, True, "") if runs else (place, True, None, "it says no run")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these programs")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=int, default=60, help="of processor time for each run")
    parser.add_argument("--skip", default="4_CUDA_Libraries,7_libNVVM,8_Platform_Specific", help="folders that are not tried")
    options = parser.parse_intermixed_args()
    toolkit = subprocess.run([SIMCC, "--toolkit"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as scratch:
        copy = scratch + "/suite"
        shutil.copytree(options.checkout, copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        found = {os.path.dirname(os.path.relpath(path, copy)) for kind in ("cuda/*/[Mm]akefile", "Samples/*/*/CMakeLists.txt") for path in glob.glob(f"{copy}/{kind}")}
        places = sorted(place for place in found if not set(place.split("/")) & set(options.skip.split(",")) and (not options.names or os.path.basename(place) in options.names))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            rows = []
            for place, built, ran, why in pool.map(lambda place: one(place, options, toolkit, copy), places):
                rows.append((built, ran))
                print(f"{place}: {'ran' if ran else 'built' if built else 'not built'}{': ' + why if why else ''}", flush=True)
    print(f"{len(rows)} programs, {sum(built for built, _ in rows)} built, {sum(ran is True for _, ran in rows)} ran, "
          f"{sum(ran is None for _, ran in rows)} with nothing to run")


main()
