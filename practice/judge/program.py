"""program.py: a submission's file becomes a program, which runs confined and is asked for calls of its function.

The compiler and the program run under bubblewrap where that works: without network, with nothing of the machine in sight but
/usr, the simulator and the submission itself, and no place to write. prlimit sets limits; practice/runner/confine.c refuses what else a
submission may not do. So it is for courses. In self-study a program is the reader's own, and only limited. Answers travel over
a socket that the program has from its start (practice/runner/runner.c)."""
import array
import fcntl
import functools
import os
import re
import resource
import secrets
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

import source
from chinese import is_chinese
from exercise import Fault
from result import printable

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BACKEND = os.environ.get("BACKEND") or "sim"
BUILD = os.path.join(ROOT, "build", BACKEND)
INSIDE = "/submission"  # its folder, as bubblewrap shows it
SCALAR, IN, OUT, RESULT = range(4)
CHANNEL = 3  # runner.h
COPIES = ("cudaMemcpy", "cudaMemcpyAsync", "cudaMemcpy2D", "cudaMemcpy2DAsync", "cudaMallocManaged", "cudaMallocHost", "cudaHostRegister", "simt_copy")
UNSEEN = re.compile(r"cudaMemcpy(3D|Peer|\w*Array|Batch)|cudaGraph\w*Memcpy|cudaGraphAddNode|cudaIpc")  # other ways from the device to the host
MOST_BYTES = 1 << 20  # of a submission's file
TICK, MOST_ASLEEP = 0.1, 100  # a program that sleeps is ended after so many looks in a row
COUNT_REQUESTS, NO_KERNELS, LAST_BLOCK_FIRST, KEEP, VECTORS, STRICT, ALL_GPUS, TIME, ANSWERS, OVERWRITES = (1 << k for k in range(10))  # runner.h
WRAPPED = "-Wl,--wrap=allocation_make,--wrap=allocation_free,--wrap=simt_error,--wrap=simt_error_because"  # wrapped.c
MOST_SECONDS = 6  # of processor time, for one call in self-study: then the runner says where it is


class Wrong(Exception):
    """What is wrong with a submission, in one line."""


class Unknown(Exception):
    """Why something cannot be judged here, in one line: no fault of the exercise."""


def one_line(text, most=400):
    return printable(text.strip().split("\n")[0])[:most]


LEAST = {"RLIMIT_AS": (3 << 30, "-v"), "RLIMIT_DATA": (3 << 30, "-d"), "RLIMIT_STACK": (1 << 20, "-s"), "RLIMIT_NOFILE": (64, "-n"),
         "RLIMIT_FSIZE": (1 << 28, "-f"), "RLIMIT_CPU": (300, "-t")}


def check_surroundings():
    """Raises Unknown where a limit of the shell is too low for the compiler or the simulator: else a right file would be called wrong."""
    for name, (least, option) in LEAST.items():
        soft, hard = resource.getrlimit(getattr(resource, name))
        if soft != resource.RLIM_INFINITY and soft < least:
            if hard != resource.RLIM_INFINITY and hard < least:
                raise Unknown(f"nothing can be judged here: the shell's limit (ulimit {option}) is too low for the compiler and the simulator: a new terminal has the usual one")
            resource.setrlimit(getattr(resource, name), (hard if hard != resource.RLIM_INFINITY else least, hard))


def wait_for(lock):
    for _ in range(10):
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(0.1)
    print(f"practice：正在等待另一个进程编译完毕（{lock.name}）" if is_chinese() else f"practice: waits for another process that builds here ({lock.name})", file=sys.stderr, flush=True)
    return fcntl.flock(lock, fcntl.LOCK_EX)


def make(*targets):
    """Status, and what it said on standard error. One at a time, or two would write the same files."""
    environment = {name: value for name, value in os.environ.items() if not re.match("SIMT_|SANITIZE$", name)}
    try:
        os.makedirs(BUILD, exist_ok=True)
        with open(os.path.join(BUILD, "practice.lock"), "a") as lock:
            wait_for(lock)
            done = subprocess.run([os.environ.get("MAKE") or "make", "-s", "-k", f"-j{os.cpu_count() or 1}", "--no-print-directory", f"BACKEND={BACKEND}", *targets],
                                  cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env={**environment, "LC_ALL": "C"})
    except OSError as error:
        raise Unknown(f"nothing can be built in build/{BACKEND}: {error.strerror}: is it another user's, or the disk full?") from None
    if done.returncode not in (0, 2):
        raise Unknown(f"make was ended (status {done.returncode}), so nothing is judged")
    return done.returncode, done.stderr.decode("utf-8", "replace")


def first_error(said):
    lines = said.split("\n")
    return one_line(next((line for line in lines if re.search("rror:|cannot|No such|denied|not found", line)), lines[0]))


def build_parts():
    """What programs are linked with. Raises Unknown."""
    if not os.path.exists(f"{BUILD}/runner.a"):
        print("practice：正在编译评判要用的部分，只此一次" if is_chinese() else
              f"practice: builds the {'simulator' if BACKEND == 'sim' else 'backend'} and the judge's part, once", file=sys.stderr, flush=True)
    parts = [f"build/{BACKEND}/{part}" for part in ("runner.a", "libcommon.a") + (("runner.names", "practice/confined") if BACKEND == "sim" else ())]
    status, said = make(*parts)
    if status != 0:
        raise Unknown(f"the simulator or the judge does not build here, so nothing is judged: {first_error(said)}")


class Machine:
    """How programs are confined here."""

    def __init__(self, confines=True):
        self.confines = confines
        self.folders = [folder for folder in ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ld.so.cache", "/nix", "/opt") if os.path.exists(folder)]
        for compiler in (os.environ.get("CXX") or "g++").split()[:1] + (os.environ.get("CC") or "gcc").split()[:1]:
            found = shutil.which(compiler)
            for path in (found, os.path.realpath(found)) if found else ():
                if not path.startswith(tuple(folder + "/" for folder in self.folders)):
                    self.folders.append(os.path.dirname(os.path.dirname(path)))
        self.prlimit = shutil.which("prlimit")
        self.bwrap = shutil.which(os.environ.get("BWRAP", "bwrap")) if os.environ.get("BWRAP", "bwrap") else None
        self.bwrap = self.bwrap if confines else None
        if self.bwrap:
            try:
                tried = subprocess.run(self.shell({}, "/") + ["true"], stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
            except subprocess.TimeoutExpired:
                tried = None
            if tried is None or tried.returncode != 0:
                self.bwrap = None

    def what_is_missing(self):
        """Of the protection, in one line, or None."""
        if self.bwrap:
            return None
        return ("no bubblewrap works here (the package bubblewrap): a submission can read files of this machine, the solutions too; "
                "writing, the network and other processes are refused all the same")

    def shell(self, binds, place):
        """The beginning of a command that sees only these {place inside: (folder or file, may be written)}."""
        if not self.bwrap:
            return []
        words = [self.bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--setenv", "PATH", os.environ.get("PATH", "/usr/bin:/bin"),
                 "--setenv", "LC_ALL", "C", "--setenv", "TMPDIR", "/tmp"]
        for name in ("CC", "CXX"):
            words += ["--setenv", name, os.environ[name]] if name in os.environ else []
        for folder in self.folders:
            words += ["--symlink", os.readlink(folder), folder] if os.path.islink(folder) else ["--ro-bind", folder, folder]
        words += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
        for inside, (outside, written) in binds.items():
            words += ["--bind" if written else "--ro-bind", outside, inside]
        return words + ["--chdir", place, "--"]

    def limited(self, seconds, file_bytes, memory=None):
        if not self.prlimit:
            return []
        return [self.prlimit, f"--cpu={int(seconds) + 1}:{int(seconds) + 2}", f"--fsize={file_bytes}", "--core=0", "--nofile=256"] + \
            ([f"--as={memory}"] if memory else []) + ["--"]


def read_source(path):
    """A submission's text, in UTF-8, and what is to be said of its encoding, or None."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Wrong("the file is a link, and links are not followed" if os.path.islink(path) else f"the file cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        if not os.path.isfile(f"/proc/self/fd/{descriptor}"):
            raise Wrong("this is no regular file")
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Wrong(f"the file has more than {MOST_BYTES >> 20} MiB: source text has less")
    note = None
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text, note = data.decode("utf-16"), "the file is in UTF-16: read as such"
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text, note = data.decode("latin-1"), "the file is not in UTF-8: read as Latin-1"
    if "\0" in text:
        raise Wrong("the file is no text: it has bytes that are 0")
    if not text.strip():
        raise Wrong("the file is empty")
    return text.replace("\r\n", "\n"), note


def glue(exercise):
    """The source of course_call() for this exercise's function (runner.c)."""
    def taken(k, a):
        return f"({a.type} *)values[{k}]" if a.is_array else f"*({a.type} *)values[{k}]"
    call = f"{exercise.function}({', '.join(taken(k, a) for k, a in enumerate(exercise.arguments))})"
    if exercise.result:
        call = f"*({exercise.result_type} *)values[{len(exercise.arguments)}] = {call}"
    return "#include <stddef.h>\n#include <stdint.h>\n#include <vector_types.h>\n" \
        f"{exercise.call};\nextern \"C\" void course_call(void **values)\n{{\n    {call};\n}}\n"


def run_tool(words, cwd=None, timeout=None, **more):
    """Runs a compiler or a tool for objects. Its status, and what it said."""
    with subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more) as child:
        try:
            said = child.communicate(timeout=timeout)[0]
        except subprocess.TimeoutExpired:
            child.kill()
            raise
        except BaseException:
            child.terminate()  # simcc removes what it has begun
            raise
    return child.returncode, said.decode("utf-8", "replace")


CXX = (os.environ.get("CXX") or "g++").split()
PARTS = [f"{BUILD}/runner.a", f"{BUILD}/libcommon.a", WRAPPED]


@functools.lru_cache(None)
def cxx_library():
    """How a program gets its C++ library. As an archive, where there is one: it links in half of the time, and starts sooner."""
    try:
        archive = run_tool(CXX + ["-print-file-name=libstdc++.a"])[1].strip()
    except OSError:
        archive = ""
    return ["-static-libstdc++"] if os.path.isfile(archive) else []


@functools.lru_cache(None)
def includes():
    """Options by which the compiler alone finds the simulator's headers."""
    status, said = run_tool([f"{ROOT}/simulator/simcc", "--includes"])
    return said.splitlines() if status == 0 else [f"-I{ROOT}/simulator/include"]


SYSTEM = re.compile(r"_*(p?(read|write)v?2?|(recv|send)(from|to|m?msg)?|sendfile|v?m?splice|tee|copy_file_range|syscall|dlm?open|dlv?sym"
                    r"|f?d?open(at)?|freopen|creat|shm_open|memfd_create|open_(w?mem|mem)stream|fmemopen|fopencookie|socket(pair)?|connect|pipe2?|dup[23]?"
                    r"|fcntl|ioctl|mmap|mremap|(pkey_)?mprotect|v?fork|clone3?|f?exec[lv]?p?e?(at)?|posix_spawnp?|system|popen|ptrace"
                    r"|process_vm_(read|write)v|prctl|aio_(read|write)|lio_listio|io_setup|io_submit|(un|sym)?link(at)?|rename(at2?)?|remove"
                    r"|(mkdir|mknod|mkfifo)(at)?|rmdir|f?truncate|f?chmod(at)?|stdin)(64)?(_2|_chk|_nocancel)?")


def symbols_of(path):
    """[(name, kind)] of an object file, as nm has them. Told the format, nm does not load the plugins of all compilers to find it."""
    format_ = re.search(r" file format (\S+)", run_tool(["objdump", "-f", path])[1])
    lines = run_tool(["nm", *([f"--target={format_[1]}"] if format_ else []), "-P", path])[1].splitlines()
    return [tuple(line.split()[:2]) for line in lines if len(line.split()) > 1]


def keep_only(source, to, names):
    """The linker sees these names alone. What the compiler may have put into many objects (COMDAT), as templates, stays as it is."""
    own = [name for name, kind in symbols_of(source) if kind in "TDBRCGSVWuvw" and name not in names
           and not (kind in "VWuvw" and name.startswith(("_Z", "DW.ref.")))]
    with tempfile.NamedTemporaryFile("w", prefix="names.") as file:
        file.write("# a list must not be empty\n" + "\n".join(own) + "\n")
        file.flush()
        status, said = run_tool(["objcopy", f"--localize-symbols={file.name}", source, to])
    if status != 0:
        raise Wrong(f"its object file cannot be used: {one_line(said)}")


def refuse_system(path, needed):
    """Of a submission: no exercise needs files, processes or memory of the system; who would answer in place of the program does."""
    for name in sorted(needed):
        if SYSTEM.fullmatch(name):
            raise Wrong(f"it calls {name.lstrip('_')}(): files, processes and memory of the system are out of bounds here")
        if re.search(r"basic_(filebuf|[io]?fstream)|10filesystem", name):
            raise Wrong("it opens files: those of the system are out of bounds here")
    if re.search(r"^ +[0-9a-f]+:\s+(syscall|sysenter|int +.0x80|svc)\b", run_tool(["objdump", "-d", "--no-show-raw-insn", path])[1], re.M):
        raise Wrong("it asks the system by an instruction of its own: take that out")


# Attributes and names by which a file would not be watched, run before it is asked, or look into a stream.
REFUSED = re.compile(r"\b(_*no_sanitize\w*|__tsan_\w+|__sanitizer_\w+|_*constructor_*(?=\s*[(),])|_*init_priority_*|_*ifunc_*(?=\s*\()|_*disable_sanitizer_instrumentation_*"
                     r"|_fileno|_IO_\w+|stdin|open_w?memstream|fmemopen|fopencookie)\b|#\s*pragma\s+(?:GCC|clang)\s+(?:optimize|attribute|push_options)")


class Builder:
    """Builds programs of one exercise, in a folder of its own."""

    def __init__(self, machine, exercise):
        self.machine, self.exercise = machine, exercise
        self.folder = tempfile.mkdtemp(prefix="course.")
        self.glue, self.mangled, self.keeps = None, "launch", {"launch", "seed", "answers"}
        if not exercise.arguments:
            return
        self.glue = os.path.join(self.folder, "glue.o")
        source = os.path.join(self.folder, "glue.cpp")
        with open(source, "w") as file:
            file.write(glue(exercise))
        status, said = run_tool(CXX + ["-w", "-g0", "-O1", *includes(), "-c", source, "-o", self.glue])
        if status != 0:
            raise Fault(f"{exercise.path}: call: {exercise.call}: the compiler does not take it: {one_line(said)}")
        names = re.findall(r" U (\S+)", run_tool(["nm", self.glue])[1])
        self.mangled = next(name for name in names if exercise.function in name)
        self.keeps = {self.mangled}

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_folder(self, text):
        folder = tempfile.mkdtemp(dir=self.folder)
        with open(os.path.join(folder, self.exercise.file), "w", encoding="utf-8") as file:
            file.write(text)
        for extra in self.exercise.extra:
            shutil.copy(extra, folder)
        return folder

    def compile(self, text, trusted=False):
        """A program of this text. Raises Wrong. trusted: the teacher's, which may include what it likes."""
        folder = self.new_folder(text)
        if BACKEND == "cuda":  # the student's own GPU, where nothing is confined
            status, said = make("course-program", f"FILE={folder}/{self.exercise.file}", f"TO={folder}/program")
            if status != 0:
                raise Wrong(f"it does not compile: {first_error(said)}")
            return f"{folder}/program"
        seconds = self.exercise.limits["compile_seconds"]
        inside = not trusted and self.machine.bwrap
        prefix = self.machine.shell({INSIDE: (folder, True), f"{ROOT}/simulator": (f"{ROOT}/simulator", False)}, INSIDE) if inside else []
        words = prefix + self.machine.limited(seconds, 1 << 28, 4 << 30) + \
            [f"{ROOT}/simulator/simcc", "-w", "-g1", "-MD", "-MF", "deps", "-c", self.exercise.file, "-o", "submission.o"]
        if trusted:  # what it includes lies beside it
            words += [f"-I{os.path.dirname(os.path.abspath(self.exercise.solution))}"]
        try:
            status, said = run_tool(words, folder, timeout=20 * seconds, start_new_session=True)
        except subprocess.TimeoutExpired:
            raise Wrong(f"it does not compile: the compiler takes more than {seconds} s") from None
        if status != 0 or not os.path.exists(f"{folder}/submission.o"):
            line = one_line(said.replace("simcc: ", "", 1).replace("./" + self.exercise.file, self.exercise.file))
            raise Wrong(f"it does not compile: {line or f'the compiler was ended: more than {seconds} s, or too much memory'}")
        if not trusted:
            self.check_includes(folder)
            self.refuse_words(text)
        self.localize(folder)
        program = os.path.join(folder, "program")
        status, said = run_tool(CXX + [f"{folder}/own.o", *([self.glue] if self.glue else []), *PARTS, "-o", program, "-lm", "-pthread", *cxx_library()])
        if status != 0:
            found = re.search(r"undefined reference to `([^']*)'", said)
            raise Wrong(f"it does not link: {found[1] + ' is nowhere defined' if found else one_line(said)}")
        return program

    def check_includes(self, folder):
        """What the file includes is the compiler's, the simulator's, or lies beside it."""
        for path in source.dependences(f"{folder}/deps"):
            place = INSIDE if self.machine.bwrap else os.path.realpath(folder)
            real = os.path.realpath(os.path.join(place, path))
            if not real.startswith((place + "/", os.path.realpath(ROOT) + "/simulator/")) and not real.startswith(tuple(self.machine.folders)):
                raise Wrong(f"it includes {path}: a submission is one file, and may include CUDA's and C++'s headers")

    def localize(self, folder):
        """submission.o becomes own.o: of its names the linker sees the function alone."""
        source = f"{folder}/submission.o"
        symbols = symbols_of(source)
        defined, needed = {name for name, kind in symbols if kind in "TWVDBRu"}, {name for name, kind in symbols if kind == "U"}
        with open(f"{BUILD}/runner.names") as file:
            forbidden = needed & (set(file.read().split()) - {"simt_copy"})
        if forbidden:
            raise Wrong(f"it calls {min(forbidden)}(), which only the grader may")
        unseen = [name for name in sorted(needed) if UNSEEN.match(name)]
        if unseen and not any(a.on_host for a in self.exercise.arguments):
            raise Wrong(f"it calls {unseen[0]}(), and what the host sees by that is not counted: use cudaMemcpy()")
        rename = [f"--redefine-sym={name}=course_{name}" for name in COPIES if name in needed]
        if self.glue is None and "launch" not in defined:
            raise Wrong('it does not define launch(): extern "C" void launch(const float *in, float *out, size_t n, unsigned block)')
        if self.mangled not in defined:
            plain = self.exercise.function
            if plain not in defined:  # extern "C" is another way to define it
                others = run_tool(["c++filt", *sorted(name for name in defined if re.search(rf"_Z.*\d{plain}[A-Z]?", name))])[1].split("\n")
                there = f"; it has {others[0]}" if others[0] else ""
                raise Wrong(f"it does not define {self.exercise.call}{there}")
            rename.append(f"--redefine-sym={plain}={self.mangled}")
        status, said = run_tool(["objcopy", *rename, source, f"{folder}/renamed.o"])
        if status != 0:
            raise Wrong(f"its object file cannot be used: {one_line(said)}")
        if os.environ.get("ALLOW_SYSTEM_CALLS") != "1":  # which is for tests of what confines them
            refuse_system(source, needed)
        keep_only(f"{folder}/renamed.o", f"{folder}/own.o", self.keeps)

    def reference(self, path):
        """A program of the course's reference, plain C++ for the host."""
        program = os.path.join(self.folder, "reference")
        status, said = run_tool(CXX + ["-w", "-O1", "-g1", *includes(), path, self.glue, *PARTS, "-o", program, "-lm", "-pthread"])
        if status != 0:
            raise Fault(f"{path}: the reference does not compile: {one_line(said)}")
        return program

    def words(self, text):
        """The text as the preprocessor leaves it for the compiler, on the host and on the device, without what it includes and without
        strings. Raises Wrong."""
        folder = self.new_folder(text)
        prefix = self.machine.shell({INSIDE: (folder, False), f"{ROOT}/simulator": (f"{ROOT}/simulator", False)}, INSIDE) + self.machine.limited(60, 1 << 28)
        texts, said = source.preprocessed(self.exercise.file, folder, ["-std=gnu++17"], prefix)
        if texts is None:
            raise Wrong(f"the preprocessor fails: {one_line(said)}")
        return re.sub(r"\s+", " ", " ".join(texts))

    def refuse_words(self, text):
        """What steers the compiler or the simulator, by name. Raises Wrong."""
        words = self.words(text)
        found = REFUSED.search(words)
        if found:
            raise Wrong(f"{found[0].strip()} is used, and may not be: it is the grader's and the compiler's")


def descendants(pid):
    found = [pid]
    for process in found:
        try:
            with open(f"/proc/{process}/task/{process}/children") as file:
                found += [int(word) for word in file.read().split()]
        except (OSError, ValueError):
            pass
    return found


def named_counts(names, values, copied):
    counts = {**dict(zip(names, values)), "bytes copied to the host": copied}
    counts["bytes loaded"], counts["bytes stored"] = 4 * counts["floats loaded"], 4 * counts["floats stored"]
    return counts


class Program:
    """A program that runs, from its start to its end. limits: of the exercise."""

    def __init__(self, machine, path, limits, trusted=False, environment=None, source=None):
        self.limits, self.stopped, self.printed, self.said = limits, None, b"", b""
        self.out_bytes, self.ended, self.asleep, self.before = 0, None, 0, None
        self.source = source  # its text, for the place of a call that CUDA refuses
        mine, its = socket.socketpair()
        inside = machine.bwrap and not trusted
        where = f"{INSIDE}/program" if inside else path
        confined = os.path.join(BUILD, "practice", "confined")
        prefix = machine.shell({f"{INSIDE}/program": (path, False), confined: (confined, False)}, INSIDE) if inside else []
        channel = its.fileno()
        words = prefix + machine.limited(limits["seconds"], 0) + [confined, str(channel), where] if machine.confines else [path]
        self.process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, pass_fds=[channel] if machine.confines else [], close_fds=machine.confines,
            start_new_session=True, cwd="/", preexec_fn=None if machine.confines else lambda: os.dup2(channel, CHANNEL),
            env={name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "HOME") if name in os.environ} | {"LC_ALL": "C", **({} if machine.confines else {"PRACTICE_SECONDS": str(MOST_SECONDS)}), **(environment or {})})
        its.close()
        self.channel = mine
        self.channel.setblocking(False)
        self.selector = selectors.DefaultSelector()
        for stream in (self.process.stdout, self.process.stderr):
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ)
        self.selector.register(self.channel, selectors.EVENT_READ)
        self.looked = time.monotonic()
        self.left = b""
        self.counts = self.read_names()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    # ---- what it may take ----

    def stop(self, why):
        self.stopped = self.stopped or why
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def look(self):
        """Ends the program where it takes too much: processor time, memory, output, or sleep."""
        self.looked = time.monotonic()
        ticks = pages = 0
        awake = False
        all_of_it = descendants(self.process.pid)
        for pid in all_of_it:
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                ticks += sum(map(int, fields[11:15]))
                pages += int(fields[21])
                awake = awake or fields[0] in "RDt"
            except (OSError, IndexError, ValueError):
                pass
        if ticks / os.sysconf("SC_CLK_TCK") > self.limits["seconds"]:
            self.stop(f"stopped: it does not end: more than {self.limits['seconds']:g} s of processor time")
        elif pages * resource.getpagesize() > self.limits["memory_mb"] * 1e6:
            self.stop(f"stopped: it takes more than {self.limits['memory_mb']:g} MB of memory")
        elif len(all_of_it) > 40:
            self.stop("stopped: it starts more than 32 processes")
        self.asleep = 0 if awake or ticks != self.before else self.asleep + 1
        self.before = ticks
        if self.asleep > MOST_ASLEEP:
            self.stop("stopped: it sleeps, and waits for something that does not happen")

    def drain(self, stream):
        try:
            data = stream.read(65536)
        except (OSError, ValueError):
            data = b""
        if data is None:
            return
        if not data:
            self.selector.unregister(stream)
            return
        self.out_bytes += len(data)
        if stream is self.process.stdout:
            self.printed = (self.printed + data)[:65536]
        elif len(self.said) < 1 << 16:
            self.said += data
        if self.out_bytes > self.limits["output_kb"] * 1000:
            self.stop(f"stopped: it prints more than {self.limits['output_kb']:g} KB")

    def wait(self, writing=False):
        """Until the channel is ready, or the program ends: then False."""
        self.selector.modify(self.channel, selectors.EVENT_WRITE if writing else selectors.EVENT_READ)
        while True:
            ready = [key.fileobj for key, _ in self.selector.select(TICK)]
            for stream in ready:
                if stream is not self.channel:
                    self.drain(stream)
            if time.monotonic() - self.looked >= TICK:
                self.look()
            if self.channel in ready:
                return True
            if self.stopped or self.process.poll() is not None and not ready:
                return False

    def received(self, most):
        """What comes on the channel, 1 to `most` bytes. Raises Wrong if the program ends before."""
        while True:
            try:
                got = self.channel.recv(most) if self.wait() else b""
            except BlockingIOError:
                continue
            except OSError:
                got = b""
            if not got:
                raise Wrong(self.how_it_ended())
            return got

    def read(self, count):
        data = bytearray(self.left[:count])
        self.left = self.left[count:]
        while len(data) < count:
            data += self.received(count - len(data))
        return bytes(data)

    def write(self, data):
        data = memoryview(data)
        while data:
            try:
                if not self.wait(writing=True):
                    raise Wrong(self.how_it_ended())
                data = data[self.channel.send(data):]
            except BlockingIOError:
                pass
            except OSError:
                raise Wrong(self.how_it_ended()) from None

    def read_names(self):
        text = b""
        while b"\n\n" not in text:
            text += self.received(8192)
            if len(text) > 8192:
                raise Wrong("it wrote to the grader's channel")
        text, _, self.left = text.partition(b"\n\n")
        return text.decode("ascii", "replace").split("\n")

    def faults(self):
        """What the simulator has reported so far: its lines."""
        return [one_line(line[11:]) for line in self.said.decode("utf-8", "replace").split("\n")
                if line.startswith("simulator: ") and not line.startswith("simulator: note: ")]

    def end(self):
        if self.ended is None:
            self.channel.close()
            try:
                self.process.wait(timeout=None if self.stopped else 60)
            except subprocess.TimeoutExpired:
                self.stop("stopped: all was asked, and it does not end")
            self.stop(self.stopped)
            self.ended = self.process.wait()
            for stream in (self.process.stdout, self.process.stderr):
                for _ in range(64):
                    try:
                        data = stream.read(65536)
                    except (OSError, ValueError):
                        break
                    if not data:
                        break
                    if stream is self.process.stderr:
                        self.said += data
                stream.close()
            self.selector.close()

    def how_it_ended(self):
        self.end()
        if self.stopped:
            return self.stopped
        faults = self.faults()
        if faults:
            return faults[0]
        number = -self.ended if self.ended < 0 else self.ended - 128 if self.ended > 128 else 0
        if number == signal.SIGXCPU:
            return f"stopped: it does not end: more than {self.limits['seconds']:g} s of processor time"
        if number == signal.SIGKILL:
            return "the program was killed: does it take too much memory?"
        if number:
            return f"the program crashed, outside the kernel: {signal.strsignal(number) if number < 65 else number}"
        line = one_line(self.said.decode("utf-8", "replace"))
        return f"the program ended itself{': ' + line if line else ''}"

    # ---- what is asked ----

    def ask(self, arguments, schedule=0, how=0, sms=0, gpus=0, offset=0, words=0xffffffff):
        """One request (runner.h): arguments are (kind, on the host, bytes, offset, hole). What comes back: copied, counts, problem.
        The arrays follow. Raises Wrong where the program is gone."""
        nonce = secrets.randbits(64)
        parts = [struct.pack("<QQIIIIII", nonce, schedule, len(arguments), how, sms, gpus, offset, words)]
        for kind, on_host, data, before, hole in arguments:
            parts += [struct.pack("<IIQQQ", kind, on_host, len(data), before, hole), data]
        self.write(b"".join(parts))
        form = f"<Qd{len(self.counts)}d256s256s"
        came, copied, *rest = struct.unpack(form, self.read(struct.calcsize(form)))
        if came != nonce:
            raise Wrong("it wrote to the grader's channel")
        problem, place = (text.partition(b"\0")[0].decode("utf-8", "replace") for text in rest[-2:])
        place = self.call_at(place)
        if re.search(r"cuda(?!Launch)\w+\(\)", place):
            problem = problem.replace("the launch", "a call")
        return copied, rest[:-2], one_line(problem) + (f" ({place})" if place else "")

    def call_at(self, place):
        """"scale.cu:7, cudaMemcpy()": which call stands there."""
        found = re.match(r"(?:.*/)?([^/]*\.cuh?):(\d+)(.*)", place)
        line = self.source.split("\n")[int(found[2]) - 1] if found and self.source and self.source.count("\n") >= int(found[2]) - 1 else ""
        call = re.search(r"\b(\w+)\s*<<<|\b(cuda\w+)\s*\(", line)
        return f"{found[1]}:{found[2]}" + (f": {call[1] + '<<<...>>>' if call[1] else call[2] + '()'}" if call else "") if found else place

    def call(self, exercise, run, schedule=0, requests=False, on_host=False, kernels=True):
        """One call: {array or result: its values}, {count: how much}. Without kernels they are launched, and do nothing. Raises Wrong."""
        arguments = exercise.arguments + ([exercise.result] if exercise.result else [])
        values = run.values + ([array.array(exercise.result.code, [0])] if exercise.result else [])
        kinds = [RESULT if a is exercise.result else OUT if a.written else IN if a.is_array else SCALAR for a in arguments]
        how = COUNT_REQUESTS * requests + NO_KERNELS * (not kernels) + LAST_BLOCK_FIRST * (schedule % 2) + STRICT
        copied, counts, problem = self.ask([(kind, on_host or a.on_host, value.tobytes(), 0, 0) for a, kind, value in zip(arguments, kinds, values)], schedule, how)
        if problem:
            found = re.match(r"argument (\d+) (.*)", problem)
            raise Wrong(f"{exercise.arguments[int(found[1]) - 1].name}[] {found[2]}" if found else problem)
        out = {}
        for a, value in zip(arguments, values):
            if a.written or a is exercise.result:
                out[a.name] = array.array(a.code)
                out[a.name].frombytes(self.read(len(value) * value.itemsize))
        return out, named_counts(self.counts, counts, copied)
