"""practice.py: the exercises, from the command line: what `make practice` and the like call.

  practice/run                  the first one that is not solved: its task and its verdict
  practice/run check 05-2       one exercise, or those of a lesson (05) or topic (masks)
  practice/run list             all, and which are solved
  practice/run watch [05-2]     checks again whenever the file is saved
  practice/run hint 05-2 [2]    the first hint, or the second
  practice/run solution 05-2    asks, then shows a solution and what there is to say of it
  practice/run reset 05-2       the file as it was; yours is kept
  practice/run pristine         for writers: records how the exercises look before a reader edits them
  practice/run --course FOLDER  a teacher's own exercises, anywhere: docs/courses.md
  practice/run --json check 05  the same verdicts for machines, as one JSON object on standard output
All is judged on the simulator; BACKEND=cuda reports the time on a GPU, and less else.
Exit status: 0 all that was asked for is solved, 1 something is not (or another command failed), 2 usage, 3 something could not be
judged: the simulator or the judge does not build here, a folder cannot be written ... A line says why."""
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import launch
import model
import source
from chinese import Chinese, is_chinese
from exercise import Course, Fault
from program import BACKEND, BUILD, ROOT, Machine, Unknown, Wrong, build_parts, check_surroundings, first_error, make, one_line

SOLVED, OPEN, USAGE, UNKNOWN = range(4)
EXERCISES, KEPT = os.path.join(ROOT, "practice/exercises"), os.path.join(ROOT, "kept")
VERDICTS = os.path.join(BUILD, "practice/verdicts.json")
NO_ROOM = re.compile(r"[^\n]*(No space left on device|Read-only file system|Disk quota exceeded|Permission denied|Input/output error|cannot allocate memory"
                     r"|out of memory allocating|virtual memory exhausted|Cannot allocate memory|internal compiler error)[^\n]*")
BLOB = re.compile(r'^blob = "(\w*)"', re.M)  # git's name for a file as it was given
# Headers of lessons that explain what they do: from which lesson on they may be included.
FROM = {"warp_sum": 6, "tile": 9, "slots": 10, "waiting": 10, "zeroed_word": 10, "cluster": 11, "types": 13, "accumulators": 14, "exact": 14, "limbs": 14,
        "partial": 14, "window": 14, "peer_slots": 15, "larger": 16}


class Stop(Exception):
    def __init__(self, status, text):
        super().__init__(text)
        self.status, self.text = status, text


class Practice:
    def __init__(self, as_json):
        self.course = Course(EXERCISES)
        self.json, self.chinese = as_json, Chinese(self.course.chinese) if is_chinese() and not as_json else None
        self.colours = sys.stdout.isatty()
        self.names = sorted(self.course.names, key=self.place)
        if not self.names:
            raise Stop(UNKNOWN, "there are no exercises: practice/exercises/ is empty")

    def place(self, name):
        """First the lessons, then the topics of the toolbox in the order in which they are best read."""
        folder = name.partition("/")[0]
        if not hasattr(self, "topics"):
            with open(f"{ROOT}/tools/mk/programs.mk") as file:
                self.topics = re.search(r"^TOOLS *:= *(.*)", file.read(), re.M)[1].split()
        topic = folder.partition("toolbox_")[2]
        return (self.topics.index(topic) + 1 if topic in self.topics else 0, name)

    # ---- names ----

    def key(self, name):
        """05_warp_shuffle/2_any_block -> 05-2; toolbox_masks/1_tail -> masks-1"""
        folder, _, base = name.partition("/")
        return f"{folder.partition('_')[0] if folder[0].isdigit() else folder.partition('toolbox_')[2]}-{base.partition('_')[0]}"

    def dashed(self, name):
        return self.key(name) if name[0].isdigit() else "-" + self.key(name)

    def meant(self, word):
        """Those that a word means: 05-2, 05, masks-1, masks, 05_warp_shuffle, practice/exercises/...cu"""
        asked, word = word, re.sub(r"^-|^(.*/)?practice/(exercises|solutions)/|\.(cu|toml)$", "", word)
        word = re.sub(r"^practice/(exercises|solutions)/|\.(cu|toml)$", "", word)
        found = [name for name in self.names if word in (name, self.key(name), name.partition("/")[0], self.key(name).rpartition("-")[0])]
        if not found:
            raise Stop(USAGE, f"there is no exercise {asked}: make practice-list names them")
        return found

    def one(self, word):
        found = self.meant(word)
        if len(found) > 1:
            raise Stop(USAGE, f"{word} are several: say which, as in EXERCISE={self.key(found[0])}")
        return found[0]

    def file(self, name):
        return os.path.join(EXERCISES, name + ".cu")

    def shown(self, name):
        return f"practice/exercises/{name}.cu"

    # ---- lines ----

    def say(self, line="", words=None):
        if self.chinese:
            self.chinese.of_exercise = words or {}
            line = "\n".join(map(self.chinese.line, line.split("\n")))
        print(line, flush=True)

    def bold(self, text):
        return f"\x1b[1m{text}\x1b[0m" if self.colours else text

    def show(self, exercise, lines):
        """A verdict."""
        words = exercise.chinese.get("words", {})
        for r in lines:
            word, colour = {True: ("ok", "32"), False: ("WRONG", "1;31"), None: ("-", "33")}[r.met]
            word = f"\x1b[{colour}m{word:6}\x1b[0m" if self.colours else f"{word:6}"
            first, _, rest = r.text.partition("\n")
            self.say(f"  {word} {first}", words)
            if rest:
                print(rest.rstrip("\n"))

    def task(self, name):
        exercise = self.course.exercise(name)
        if self.chinese and exercise.chinese.get("task"):
            base = name.partition("/")[2]
            print("".join(f"  {line}".rstrip() + "\n" for line in f"{base}：{exercise.chinese['title']}\n\n{exercise.chinese['task'].strip()}".split("\n")))
            return
        print("".join(f"  {line}".rstrip() + "\n" for line in (exercise.task or head_of(exercise.solution)).split("\n")))

    # ---- as it was given ----

    def blobs(self):
        """What git calls each file as it was given: so it can be had from git, whatever was committed since."""
        if not hasattr(self, "given_blobs"):
            self.given_blobs = {}
            for name in self.names:
                found = BLOB.search(read(os.path.join(EXERCISES, name + ".toml")).decode("utf-8"))
                self.given_blobs[name] = found[1] if found else ""
        return self.given_blobs

    def is_pristine(self, name):
        return os.path.isfile(self.file(name)) and blob_of(self.file(name)) == self.blobs().get(name)

    def git(self, *words):
        try:
            return subprocess.run(["git", *words], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True)
        except OSError:
            return subprocess.CompletedProcess(words, 127, b"", b"")

    def remember(self, names):
        """Where git has no history, as in a downloaded archive: copies these pristine files, for reset."""
        if self.git("cat-file", "-e", next(iter(self.blobs().values()))).returncode == 0:
            return
        for name in names:
            to = f"{KEPT}/pristine/{name}.cu"
            if not os.path.exists(to):
                try:
                    put(to, read(self.file(name)))
                except OSError:
                    pass

    def reset(self, word):
        if not word:
            raise Stop(USAGE, "say which: make reset EXERCISE=05-2")
        name = self.one(word)
        path, shown = self.file(name), self.shown(name)
        there = self.git("cat-file", "blob", self.blobs().get(name, ""))
        text = there.stdout if there.returncode == 0 else None
        if text is None and os.path.exists(f"{KEPT}/pristine/{name}.cu"):
            text = read(f"{KEPT}/pristine/{name}.cu")
        if text is None:
            raise Stop(OPEN, f"git does not have {shown} as it was, and nor has kept/: take it from where you got it")
        if blob_of(text) != self.blobs()[name]:
            raise Stop(OPEN, f"what git or kept/ has is not whole: {shown} stays as it is")
        if os.path.isfile(path) and read(path) != text:
            try:
                kept = keep(name, path)
            except OSError:
                raise Stop(OPEN, f"yours cannot be kept (is the disk full, or kept/ not yours?): {shown} stays as it is") from None
            self.say(f"yours is kept: {kept}")
        try:
            put(path, text)
        except OSError:
            raise Stop(OPEN, f"{os.path.dirname(shown)} cannot be written (is the disk full?): {shown} stays as it is") from None
        self.say(f"{shown} is as it was")
        return SOLVED

    def pristine(self):
        for name in self.names:
            path = os.path.join(EXERCISES, name + ".toml")
            text, line = read(path).decode("utf-8"), f'blob = "{blob_of(self.file(name))}"'
            put(path, (BLOB.sub(line, text, 1) if BLOB.search(text) else text.replace("\n", f"\n{line}\n", 1)).encode())
        return SOLVED

    # ---- verdicts ----

    def verdicts(self):
        try:
            with open(VERDICTS) as file:
                return json.load(file)
        except (OSError, ValueError):
            return {}

    def note(self, name, made_of, solved):
        """A verdict is known until a file changes that it depends on."""
        try:
            all_of_them = {**self.verdicts(), name: {"made_of": stamps(made_of), "solved": solved}}
            put(VERDICTS, json.dumps(all_of_them, indent=1).encode())
        except OSError:
            pass  # then it is judged again the next time

    def known(self, name):
        one = self.verdicts().get(name)
        return one["solved"] if one and stamps([path for path, _ in one["made_of"]]) == one["made_of"] else None

    def look_at_includes(self, exercise, text):
        """What would do the exercise, as its solution, a library, or a lesson to come; or None."""
        lesson, own = int(exercise.name[:2]) if exercise.name[:2].isdigit() else 99, source.included(read(exercise.solution).decode("utf-8"))
        for name in source.included(text):
            step, part = re.match(r"(?:steps/)?(\d\d)_\w+/", name), re.fullmatch(r"library/parts/(\w+)\.h", name)
            if "solutions/" in name or re.match("cub/|thrust/", name) or name not in own and (step and int(step[1]) >= lesson or part and FROM.get(part[1], 99) > lesson):
                return f"your file includes {name}: write that part yourself; headers of the system and of earlier lessons (library/parts/warp_sum.h and the like) may be included"
        return None

    def build(self, exercise, folder, path):
        """The program, and what it was made from. Raises Wrong, Unknown."""
        if BACKEND == "sim":
            return launch.build(os.path.relpath(path, ROOT), folder)
        target = f"build/cuda/practice/{'solutions' if path == exercise.solution else 'exercises'}/{exercise.name}"
        status, said = make(target)
        if status != 0:
            first = next((line for line in said.split("\n") if "error" in line), "")
            raise Wrong("it does not compile\n" + (first + "\n" if first else "") + said)
        return os.path.join(ROOT, target), [path]

    def judge(self, name, path=None):
        """(status, the exercise, its lines, the heading, what it printed)."""
        exercise = self.course.exercise(name)
        path = path or self.file(name)
        if not os.path.isfile(path):
            return OPEN, exercise, [wrong("file", f"the file is not there, deleted or renamed: make reset EXERCISE={self.key(name)} brings it back")], [], b""
        text = read(path).decode("utf-8", "replace").replace("\r\n", "\n")
        check_surroundings()
        build_parts()
        if not os.path.isfile(exercise.solution) or not read(exercise.solution):
            raise Unknown(f"{self.key(name)} cannot be judged: nothing can be read of its solution")
        if BACKEND == "cuda":  # the driver takes its share
            exercise.limits.update(seconds=60, memory_mb=32768)
        judge = launch.LaunchJudge(Machine(confines=False), exercise, seed_of())
        with tempfile.TemporaryDirectory(prefix="practice.") as folder:
            try:
                program, made_of = self.build(exercise, folder, path)
            except Wrong as refused:
                return OPEN, exercise, [wrong("file", self.why_not_built(exercise, str(refused), folder, path))], [], b""
            with open(exercise.solution, encoding="utf-8") as file:
                said = source.by_text(exercise, text, file.read(), self.key(name)) or self.look_at_includes(exercise, text)
            if not said and "double" in exercise.without and BACKEND == "sim":
                line = source.computes(f"{folder}/exercise.o", path, text, exercise.stays)
                said = f"line {line}: a float or a double is computed there: the task forbids it, whatever it is called" if line else None
            lines = [wrong("file", said)] if said else []
            if not said or not exercise.is_quiz and "includes" not in said:
                try:
                    lines += [r for r in judge.judge_program(program, text) if not said or r.met is False]
                except launch.NotHere as not_here:
                    raise Unknown(str(not_here)) from None
                if any(r.met is False and re.search("no device memory|too much memory|crashed|ended itself", r.text) for r in lines):
                    self.blame_machine(exercise, folder)
            solved = bool(lines) and all(r.met is not False for r in lines) and any(r.met for r in lines)
            if solved and BACKEND == "sim" and not exercise.is_quiz and not exercise.gpus and path == self.file(name):
                os.mkdir(f"{folder}/solution")
                run = launch.Run(exercise.to_unit(min(model.N, exercise.most_n or model.N)), exercise.blocks[0])
                lines.append(judge.line("model", None, model.line(judge, program, self.build(exercise, f"{folder}/solution", exercise.solution)[0], run, judge.seed)))
        if path == self.file(name):
            self.note(name, [path, exercise.path, *made_of, *PARTS_OF_ALL], solved)
        return SOLVED if solved else OPEN, exercise, lines, judge.heading, judge.printed

    def blame_machine(self, exercise, folder):
        """A program that crashes, or has no memory: if the solution fares no better here, nothing is said of the file."""
        place = os.path.join(folder, "solution")
        os.mkdir(place)
        try:
            program, _ = self.build(exercise, place, exercise.solution)
            lines = launch.LaunchJudge(Machine(confines=False), exercise, seed_of()).judge_program(program, "")
        except Wrong as refused:
            raise Unknown(f"{self.key(exercise.name)} cannot be judged: even its solution does not compile here: {first_error(str(refused))}") from None
        bad = [r.text for r in lines if r.met is False] if not exercise.is_quiz else []
        if bad:
            raise Unknown(f"{self.key(exercise.name)} cannot be judged: even its solution fails here: {bad[0]}")

    def why_not_built(self, exercise, said, folder, path):
        """Its own fault is a line of a verdict; that of others is none. Whose it is is shown by its solution, unless the first error is
        in its own lines."""
        room = NO_ROOM.search(said)
        if room:
            raise Unknown(f"{self.key(exercise.name)} cannot be built here: {one_line(room[0])}")
        own = re.search(r"^(?:simcc: )?(?:\./)?(\S[^\n]*?)[:(]\d+[:)]", said.partition("\n")[2], re.M)
        if said.startswith("it does not compile") and not (own and own[1].endswith(os.path.basename(path))):
            place = os.path.join(folder, "solution")
            os.mkdir(place)
            try:
                self.build(exercise, place, exercise.solution)
            except Wrong as refused:
                raise Unknown(f"{self.key(exercise.name)} cannot be judged: even its solution does not compile here: "
                              f"{first_error(str(refused).partition(chr(10))[2]).replace('simcc: ', '')}") from None
        return said

    # ---- commands ----

    def check_one(self, name):
        """Prints the verdict. Status."""
        self.say(self.bold(f"{self.key(name)}  {self.shown(name)}"))
        if self.is_pristine(name):
            self.remember([name])
        status, exercise, lines, heading, printed = self.judge(name)
        for line in heading:
            self.say("  " + line)
        for line in printed.decode("utf-8", "replace").splitlines()[:200]:
            print("  | " + "".join(c if c.isprintable() else "?" for c in line))
        self.show(exercise, lines)
        return status

    def tried(self, work, *words):
        """Status; Unknown and Fault are a line."""
        try:
            return work(*words)
        except (Unknown, Fault) as unknown:
            complain(self, str(unknown))
            return UNKNOWN

    def commands(self, name):
        self.say(f"\n  edit {self.shown(name)}, then: make practice{self.dashed(name)}    (a hint: make hint EXERCISE={self.key(name)})")

    def check(self, word):
        names, worst = self.meant(word or ""), SOLVED
        for name in names:
            if len(names) == 1 and os.path.isfile(self.file(name)):
                self.task(name)
            worst = max(worst, self.tried(self.check_one, name))
        if worst == SOLVED:
            self.say("  solved: make practice shows the next")
        elif worst == OPEN:
            self.commands(names[-1])
        return worst

    def check_json(self, names):
        """One object: how many of these exercises are solved, and the verdict on each."""
        tables, worst = [], SOLVED
        for name in names:
            one = {"exercise": self.key(name), "file": self.shown(name)}
            try:
                status, _, lines, _, _ = self.judge(name)
                one.update(verdict=["solved", "open"][status], seed=seed_of(), criteria=[{"criterion": r.criterion.name, "met": r.met, "says": r.text.rstrip("\n")} for r in lines])
            except (Unknown, Fault) as unknown:
                status = UNKNOWN
                one.update(verdict="unknown", criteria=[], problem=f"practice: {unknown}")
            tables.append(one)
            worst = max(worst, status)
        rows = ",".join("\n  " + json.dumps(one, ensure_ascii=False) for one in tables)
        print(f'{{"solved": {sum(one["verdict"] == "solved" for one in tables)}, "of": {len(tables)}, "status": {worst}, "exercises": [{rows}\n]}}')
        return worst

    def states(self, until_open=False):
        """{name: True, False, or None where it could not be judged}; until the first that is not solved, if that is asked for."""
        states, clean = {}, []
        for name in self.names:
            if self.is_pristine(name) or not os.path.isfile(self.file(name)):
                clean += [name] if os.path.isfile(self.file(name)) else []
                states[name] = False
            else:
                states[name] = self.known(name)
                if states[name] is None:
                    try:
                        states[name] = self.judge(name)[0] == SOLVED
                    except (Unknown, Fault) as unknown:
                        if not isinstance(unknown, Fault) and "cannot be" not in str(unknown):
                            raise  # nothing can be judged
            if until_open and not states[name]:
                break
        self.remember(clean)
        return states

    def first_open(self):
        return next((name for name, solved in self.states(until_open=True).items() if not solved), None)

    def first(self):
        name = self.first_open()
        if not name:
            self.say("all exercises are solved")
            return SOLVED
        if os.path.isfile(self.file(name)):
            self.task(name)
        status = self.tried(self.check_one, name)
        self.commands(name)
        return status

    def list(self):
        states, folder, marks = self.states(), None, []
        for name in self.names + ["/"]:
            if folder not in (None, name.partition("/")[0]):
                print(f"  {folder:18} {''.join(marks)}")
                marks = []
            folder, _, base = name.partition("/")
            marks.append(f" [{ {True: '#', False: '.', None: '?'}[states[name]]}] {base}" if base else "")
        solved, unknown = sum(state is True for state in states.values()), sum(state is None for state in states.values())
        self.say(f"  {solved} of {len(states)} solved" + (f"; {unknown} could not be judged [?]: practice/run check says why" if unknown else ""))
        return UNKNOWN if unknown else SOLVED if solved == len(states) else OPEN

    def watch(self, word):
        name, before = self.one(word) if word else self.first_open(), None
        try:
            while name:
                now = read(self.file(name)) if os.path.isfile(self.file(name)) else None
                if now != before:
                    before = now
                    if self.colours:
                        print("\x1b[H\x1b[2J", end="")
                    if self.tried(self.check_one, name) == SOLVED:
                        self.say("  solved.")
                        name, before = self.first_open(), None
                        if name:
                            self.say(f"  next: {self.shown(name)}")
                    self.say("  (Ctrl-C ends this)")
                time.sleep(0.3)
        except KeyboardInterrupt:
            print()
            return SOLVED
        self.say("  all exercises are solved")
        return SOLVED

    def chosen(self, word):
        name = self.one(word) if word else self.first_open()
        if not name:
            raise Stop(USAGE, "all exercises are solved: EXERCISE=05-2 chooses one")
        return name, self.course.exercise(name)

    def indented(self, text):
        print("".join(f"  {line}".rstrip() + "\n" for line in text.strip("\n").split("\n")), end="")

    def hint(self, word, number="1"):
        name, exercise = self.chosen(word)
        hints = self.chinese and exercise.chinese.get("hints") or exercise.hints
        if not number.isdigit() or not 1 <= int(number) <= len(hints):
            raise Stop(USAGE, f"{self.key(name)} has {len(hints)} hints")
        self.say(self.bold(f"{self.key(name)}, hint {number}"))
        self.indented(hints[int(number) - 1])
        if number == "1" and len(hints) > 1:
            self.say(f"  one more: make hint EXERCISE={self.key(name)} HINT=2")
        return SOLVED

    def solution(self, word):
        name, exercise = self.chosen(word)
        if os.environ.get("YES") != "1":
            try:
                if not input(f"Show the solution of {self.key(name)}? [y/N] ").lower().startswith("y"):
                    return SOLVED
            except EOFError:
                print("no answer: YES=1 shows it without the question")
                return SOLVED
        print(read(exercise.solution).decode("utf-8"))
        self.indented(self.chinese and exercise.chinese.get("explanation") or exercise.explanation)
        return SOLVED


# What a verdict depends on beside the exercise itself.
PARTS_OF_ALL = [f"{BUILD}/runner.a", f"{BUILD}/libcommon.a", *(os.path.join(ROOT, "practice/judge", name) for name in
                ("launch.py", "source.py", "program.py", "exercise.py", "practice.py")), os.path.join(ROOT, "practice/runner/reference.c")]


def wrong(criterion, text):
    return launch.Result(launch.Named(criterion), False, text)


def head_of(path):
    """The comment at the head of a file."""
    text = read(path).decode("utf-8").replace("\r\n", "\n")
    found = re.match(r"/\*\n(.*?)\n \*/", text, re.S)
    return re.sub(r"^ \* ?", "", found[1], flags=re.M) if found else ""


def read(path):
    with open(path, "rb") as file:
        return file.read()


def put(path, data):
    """At once and whole."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    new = f"{path}.new.{os.getpid()}"
    try:
        with open(new, "wb") as file:
            file.write(data)
        os.replace(new, path)
    finally:
        if os.path.exists(new):
            os.remove(new)


def keep(name, path):
    """Copies this file to the first free kept/NAME.1.cu, .2.cu ...; nothing is ever overwritten there. Where to."""
    number = 1
    while os.path.lexists(f"{KEPT}/{name}.{number}.cu"):
        number += 1
    to = f"{KEPT}/{name}.{number}.cu"
    os.makedirs(os.path.dirname(to), exist_ok=True)
    with open(to, "xb") as file:
        file.write(read(path))
    return os.path.relpath(to, ROOT)


def blob_of(path_or_data):
    """What git calls this content. An editor's or a checkout's CR before each newline is no change."""
    data = (path_or_data if isinstance(path_or_data, bytes) else read(path_or_data)).replace(b"\r", b"")
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def stamps(paths):
    found = []
    for path in sorted(set(paths)):
        try:
            with open(os.path.join(ROOT, path), "rb") as file:
                found.append([path, hashlib.sha1(file.read()).hexdigest() if not path.startswith("/usr") else ""])
        except OSError:
            found.append([path, None])
    return found


def seed_of():
    seed = os.environ.get("SEED") or str(int(time.time()) % 10000)
    if not re.fullmatch(r"\d{1,18}", seed):
        raise Stop(USAGE, f"SEED={seed}: a whole number is needed")
    return int(seed)


def complain(practice, text):
    if practice and practice.chinese:
        text = practice.chinese.text(text)
    print(f"practice: {text}", file=sys.stderr)


def main(words):
    practice, as_json = None, words[:1] == ["--json"]
    command, word, number = (words[as_json:] + ["", "", ""])[:3]
    try:
        if BACKEND not in ("sim", "cuda"):
            raise Stop(USAGE, f"BACKEND={BACKEND}: there are two, cuda and sim")
        practice = Practice(as_json)
        if as_json:
            if command not in ("check", "list"):
                raise Stop(USAGE, "--json is for check and list")
            return practice.check_json(practice.meant(word) if command == "check" else practice.names)
        command = command or "first"
        if command in ("first", "list", "pristine"):
            return getattr(practice, command)()
        if command == "hint":
            return practice.hint(word, number or "1")
        if command in ("check", "watch", "solution", "reset"):
            return getattr(practice, command)(word)
        raise Stop(USAGE, f"{command}: there are check, list, watch, hint, solution and reset")
    except Stop as stop:
        complain(practice, stop.text)
        return stop.status
    except (Unknown, Fault) as unknown:
        complain(practice, str(unknown))
        return UNKNOWN
