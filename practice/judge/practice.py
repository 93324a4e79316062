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
import json
import os
import re
import signal
import sys
import tempfile
import time

import grade
from chinese import Chinese, is_chinese
from exercise import Course, Fault
from given import Given, read
from program import BACKEND, ROOT, Unknown
from result import OPEN, SOLVED, UNKNOWN, USAGE, Stop, complain, lines_printed, mark
from selfstudy import SelfStudy, seed_of

EXERCISES = os.path.join(ROOT, "practice/exercises")


class Practice:
    def __init__(self, as_json):
        self.course = Course(EXERCISES)
        self.json, self.chinese = as_json, Chinese(self.course.chinese) if is_chinese() and not as_json else None
        self.colours = sys.stdout.isatty()
        self.names = sorted(self.course.names, key=self.place)
        if not self.names:
            raise Stop(UNKNOWN, "there are no exercises: practice/exercises/ is empty")
        self.given = Given(EXERCISES, self.names)
        self.file = self.given.file
        self.study = SelfStudy(self.course, self.given, self.key)

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

    def shown(self, name):
        return f"practice/exercises/{name}.cu"

    # ---- lines ----

    def say(self, line="", words=None):
        if self.chinese:
            self.chinese.of_exercise = words or {}
            line = "\n".join(map(self.chinese.line, line.split("\n")))
        print(line, flush=True)

    def in_words(self, text):
        return self.chinese.text(text) if self.chinese else text

    def bold(self, text):
        return f"\x1b[1m{text}\x1b[0m" if self.colours else text

    def show(self, exercise, lines):
        """A verdict."""
        words = exercise.chinese.get("words", {})
        for r in lines:
            first, _, rest = r.text.partition("\n")
            self.say(f"{mark(r.met, self.colours)} {first}", words)
            if rest:
                print(rest.rstrip("\n"))

    def task(self, name):
        exercise = self.course.exercise(name)
        if self.chinese and exercise.chinese.get("task"):
            base = name.partition("/")[2]
            print("".join(f"  {line}".rstrip() + "\n" for line in f"{base}：{exercise.chinese['title']}\n\n{exercise.chinese['task'].strip()}".split("\n")))
            return
        print("".join(f"  {line}".rstrip() + "\n" for line in (exercise.task or head_of(exercise.solved())).split("\n")))

    # ---- commands ----

    def check_one(self, name):
        """Prints the verdict. Status."""
        self.say(self.bold(f"{self.key(name)}  {self.shown(name)}"))
        if self.given.is_pristine(name):
            self.given.remember([name])
        status, exercise, lines, heading, printed = self.study.judge(name)
        for line in heading:
            self.say("  " + line)
        for line in lines_printed(printed, 200):
            print(line)
        self.show(exercise, lines)
        return status

    def tried(self, work, *words):
        """Status; Unknown and Fault are a line."""
        try:
            return work(*words)
        except (Unknown, Fault) as unknown:
            complain(self.in_words(str(unknown)))
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
                status, _, lines, _, _ = self.study.judge(name)
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
            if self.given.is_pristine(name) or not os.path.isfile(self.file(name)):
                clean += [name] if os.path.isfile(self.file(name)) else []
                states[name] = False
            else:
                states[name] = self.study.known(name)
                if states[name] is None:
                    try:
                        states[name] = self.study.judge(name)[0] == SOLVED
                    except (Unknown, Fault) as unknown:
                        if not isinstance(unknown, Fault) and "cannot be" not in str(unknown):
                            raise  # nothing can be judged
            if until_open and not states[name]:
                break
        self.given.remember(clean)
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

    def reset(self, word):
        name = self.chosen(word)[0]
        kept = self.given.restore(name)
        if kept:
            self.say(f"yours is kept: {kept}")
        self.say(f"{self.shown(name)} is as it was")
        return SOLVED

    def pristine(self):
        self.given.record()
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
                if not input(self.in_words(f"Show the solution of {self.key(name)}? [y/N] ")).lower().startswith("y"):
                    return SOLVED
            except EOFError:
                self.say("no answer: YES=1 shows it without the question")
                return SOLVED
        print(exercise.solved())
        self.indented(self.chinese and exercise.chinese.get("explanation") or exercise.explanation)
        return SOLVED


def head_of(text):
    """The comment at the head of a file."""
    found = re.match(r"/\*\n(.*?)\n \*/", text, re.S)
    return re.sub(r"^ \* ?", "", found[1], flags=re.M) if found else ""


def ours(words):
    """The exercises of this repository."""
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
        if command in ("help", "--help", "-h"):
            print(__doc__)
            return SOLVED
        if command in ("first", "list", "pristine"):
            return getattr(practice, command)()
        if command == "hint":
            return practice.hint(word, number or "1")
        if command in ("check", "watch", "solution", "reset"):
            return getattr(practice, command)(word)
        raise Stop(USAGE, f"{command}: there are check, list, watch, hint, solution and reset")
    except Stop as stop:
        complain(practice.in_words(stop.text) if practice else stop.text)
        return stop.status
    except (Unknown, Fault) as unknown:
        complain(practice.in_words(str(unknown)) if practice else str(unknown))
        return UNKNOWN


def own_folder():
    """What is written meanwhile goes with it in the end, that of a compiler which is killed, too."""
    try:
        return tempfile.TemporaryDirectory(prefix="practice.", ignore_cleanup_errors=True)
    except OSError as error:
        complain(f"no temporary folder can be made ({error.strerror}): TMPDIR=FOLDER names another place")
        sys.exit(UNKNOWN)


def ended(number, _):
    """By a signal: what was begun is cleaned up."""
    complain("stopped: nothing is counted")
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.stdout = sys.stdout or open("/dev/full", "w")  # closed: nothing can be written there, either
    sys.stderr = sys.stderr or open(os.devnull, "w")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    try:
        folder = re.fullmatch(r"--course(?:=(.*))?", sys.argv[1]) if sys.argv[1:] else None
        if sys.argv[1:3] == ["--json", "--course"]:
            complain("--json goes after check: practice/run --course FOLDER check --json")
            sys.exit(USAGE)
        with own_folder() as tempfile.tempdir:
            os.environ["TMPDIR"] = tempfile.tempdir
            status = grade.main(([folder[1]] if folder[1] else []) + sys.argv[2:]) if folder else ours(sys.argv[1:])
            sys.stdout.flush()
            sys.exit(status)
    except BrokenPipeError:  # as where | head has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(OPEN)
    except OSError as error:
        if error.filename:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        complain("cannot write to standard output: is it closed, or the disk full?")
        sys.exit(UNKNOWN)
    except KeyboardInterrupt:
        complain("stopped: nothing is counted")
        sys.exit(UNKNOWN)
