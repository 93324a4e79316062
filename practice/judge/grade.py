#!/usr/bin/env python3
"""grade.py: what practice/run --course FOLDER calls; docs/courses.md explains all of it.

    practice/run --course FOLDER                        the first exercise that is not solved: its task and its verdict
    practice/run --course FOLDER check [NAME [FILE]]    all exercises, one, or one by another file; --json, --only CRITERION, --junit FILE
    practice/run --course FOLDER list                   all, and how many points each has
    practice/run --course FOLDER hint NAME [2]          the first hint, or the second
    practice/run --course FOLDER prove [NAME]           for teachers: the solution has all points, the given file has not, mistakes are found
    practice/run --course FOLDER grade SUBMISSIONS      a table: SUBMISSIONS/STUDENT/NAME.cu; -o NAME, --jobs 2; grade SUBMISSIONS NAME: one exercise
    practice/run --course FOLDER classroom github       .github/workflows/classroom.yml for GitHub Classroom; gitlab: .gitlab-ci.yml
SEED=7 draws the same sizes, data and schedules each time.
Exit status: 0 all points (grade: a table was written), 1 not all, 2 usage, 3 something could not be judged."""
import argparse
import concurrent.futures
import csv
import hashlib
import io
import json
import os
import re
import shlex
import sys
import time
from xml.etree import ElementTree

from exercise import Course, Fault
from launch import Launch
from program import BACKEND, Machine, Unknown, Wrong, build_parts, check_surroundings, read_source
from prove import Proof, cases_of, prove
from result import OPEN, SOLVED, UNKNOWN, USAGE, complain, lines_printed, mark
from verdict import Judge, LaunchVerdict

BUSIEST = "accesses of the busiest thread"


class Usage(Exception):
    pass


def number(points):
    return f"{points:g}"


def lines_of(results, of, printed=b""):
    """A verdict."""
    return [*lines_printed(printed, 20), *(f"{mark(r.met, sys.stdout.isatty())} {line_of(r.as_table())}" for r in results),
            f"  {number(sum(r.points for r in results))} of {number(of)} points"]


def line_of(c):
    """What is said of a criterion, whose name its text may begin with."""
    says = str(c["says"]).removeprefix(f"{c['name']}: ")
    return f"{c['name']} ({number(c['points'])} of {number(c['of'])}): {says}" if c["of"] else f"{c['name']}: {says}"


def may_be_written(path, ours):
    """What is there already, and by what it says not ours, stays: Usage is raised."""
    if not os.path.isdir(os.path.dirname(path) or "."):
        raise Usage(f"{path} cannot be written: there is no such folder")
    if os.path.lexists(path):
        try:
            with open(path, encoding="utf-8", newline="") as file:
                is_ours = ours(file.read())
        except (OSError, UnicodeDecodeError, ValueError):
            is_ours = False
        if not is_ours:
            raise Usage(f"{path} is there, and this program did not write it so: another name, or take it away")


def put_file(path, text, ours):
    """At once and whole."""
    may_be_written(path, ours)
    new = f"{path}.new.{os.getpid()}"
    try:
        with open(new, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.replace(new, path)
    except OSError as error:
        if os.path.exists(new):
            os.remove(new)
        raise Usage(f"{path} cannot be written: {error.strerror}") from None


class Session:
    def __init__(self, options):
        self.options = options
        self.course = Course(options.course)
        seed = os.environ.get("SEED") or self.course.seed
        if seed is not None and not re.fullmatch(r"\d{1,18}", str(seed)):
            raise Usage(f"SEED={seed}: a whole number is needed")
        self.seed = int(seed) if seed is not None else int(time.time()) % 10000
        self.machine = Machine(confines=BACKEND == "sim")
        self.warned = False

    def say_what_is_open(self):
        """Once, and before a submission runs: what it could do that it should not."""
        missing = self.machine.what_is_missing() if BACKEND == "sim" else None
        if missing and not self.warned:
            complain(missing)
        self.warned = True

    def judge_of(self, name):
        exercise = self.course.exercise(name)
        if BACKEND == "cuda" and not isinstance(exercise, Launch):
            raise Fault(f"{name} has a call, and is judged on the simulator alone: BACKEND=sim")
        return (LaunchVerdict if isinstance(exercise, Launch) else Judge)(self.machine, exercise, self.seed)

    # ---- for students ----

    def names(self):
        if not self.options.name:
            return self.course.names
        return self.named(self.options.name)

    def named(self, word):
        """A name, or a folder of them, or several with commas."""
        names = [re.sub(r"\.(cu|toml)$", "", name.rstrip("/")) for name in word.split(",")]
        found = [one for one in self.course.names if any(one in (name, os.path.basename(name)) or one.startswith(name + "/") for name in names)]
        if not found:
            raise Usage(f"there is no exercise {word}; there are {', '.join(self.course.names)}")
        return found

    def check_one(self, name, path):
        """Status, the verdict as a table, and as lines."""
        judge = self.judge_of(name)
        try:
            there, of, only = [c.name for c in judge.exercise.criteria], judge.exercise.points, self.options.only
            if not os.path.lexists(path):
                raise Usage(f"{path}: there is no such file")
            if os.path.isdir(path):
                raise Usage(f"{path} is a folder, and a file is needed; a folder of submissions goes after grade")
            if only and only not in there:
                raise Usage(f"{name} has no criterion {only}; there are {', '.join(there)}")
            try:
                text, note = read_source(path)
            except Wrong as wrong:
                return OPEN, {"exercise": name, "points": 0, "of": of, "note": str(wrong), "criteria": []}, [f"  WRONG  {wrong}", f"  0 of {number(of)} points"]
            self.say_what_is_open()
            results, printed = judge.judge(text)
        finally:
            judge.close()
        if only and len(there) > 1:
            results = [r for r in results if r.criterion.name == only]
            of = sum(r.criterion.points for r in results)
        table = {"exercise": name, "points": sum(r.points for r in results), "of": of, "note": note, "criteria": [r.as_table() for r in results]}
        solved = all(r.met or BACKEND == "cuda" and r.met is None for r in results) and any(r.met for r in results)
        return SOLVED if solved else OPEN, table, [*([f"  -      {note}"] if note else []), f"  Sizes, data and schedules drawn with SEED={self.seed}.",
                                                   *lines_of(results, of, printed)]

    def first(self):
        return self.check(only_first=True)

    def check(self, only_first=False):
        worst, tables = SOLVED, []
        if self.options.junit:
            may_be_written(self.options.junit, lambda old: old.startswith("<?xml version='1.0' encoding='utf-8'?>\n<testsuites name="))
        for name in self.names():
            try:
                exercise = self.course.exercise(name)
                path = self.options.file or exercise.given
                status, table, lines = self.check_one(name, path)
                lines = [f"{name}  {path}", *lines]
                if only_first:
                    task = [exercise.title, "", *(f"  {line}" for line in exercise.task.split("\n")), ""]
                    lines = [*task, *lines, "", f"  edit {path}, then: practice/run --course {self.course.folder} check {name}"] if status == OPEN else []
                if lines and not self.options.json:
                    print("\n".join(lines))
            except Fault as fault:
                complain(str(fault))
                status, table = UNKNOWN, {"exercise": name, "fault": str(fault)}
            tables.append({**table, "status": ["solved", "open", "usage", "unknown"][status]})
            worst = status if worst != OPEN and status != SOLVED else worst
            if only_first and status == OPEN:
                break
        if self.options.junit:
            put_file(self.options.junit, junit(self.course.title, tables), lambda old: old.startswith("<?xml version='1.0' encoding='utf-8'?>\n<testsuites name="))
        if self.options.json:
            print(json.dumps({"course": self.course.title, "seed": self.seed, "exercises": tables}, indent=1))
        elif only_first and worst == SOLVED:
            print("all exercises are solved")
        return worst

    def list(self):
        status = SOLVED
        for name in self.course.names:
            try:
                exercise = self.course.exercise(name)
                print(f"  {name:20} {number(exercise.points):>5} points  {exercise.title}")
            except Fault as fault:
                complain(str(fault))
                status = UNKNOWN
        return status

    def hint(self):
        if not self.options.name:
            raise Usage(f"say of which: there are {', '.join(self.course.names)}")
        exercise = self.course.exercise(self.names()[0])
        k = self.options.file or "1"
        if not k.isdigit() or not 1 <= int(k) <= len(exercise.hints):
            raise Usage(f"{exercise.name} has {len(exercise.hints)} hints")
        print("".join(f"  {line}\n" for line in exercise.hints[int(k) - 1].strip("\n").split("\n")), end="")
        return SOLVED

    # ---- for teachers ----

    def prove(self):
        """Each exercise: its solution meets all, what students get does not, and each mistake of NAME.mistakes.toml is named."""
        status, own, said = SOLVED, self.names(), {}
        launches = [name for name in own if isinstance(self.exercise_or_none(name), Launch)]
        for name in [name for name in own if name not in launches]:
            try:
                said[name] = self.prove_one(name)
            except Fault as fault:
                complain(str(fault))
                status = UNKNOWN
        said.update((proof.name, proof) for proof in (prove(self, launches) if launches else ()))
        proofs = [said[name] for name in own if name in said]
        status = OPEN if any(proof.problems for proof in proofs) and status == SOLVED else status
        if self.options.json:
            print(json.dumps({"seed": self.seed, "problems": [f"{proof.name}: {problem}" for proof in proofs for problem in proof.problems],
                              "files": [table for proof in proofs for table in proof.tables]}, indent=1))
            return status
        for proof in proofs:
            for problem in proof.problems:
                print(f"  WRONG  {proof.name}: {problem}")
            if not proof.problems:
                print(f"  ok     {proof.name}: the solution has all {number(proof.points)} points; {len(proof.tables) - 1} other files as they should be")
                for note in proof.notes:
                    print(f"  -      {proof.name}: {note}")
        found, planted, refused, right = (sum(getattr(proof, what) for proof in proofs) for what in ("found", "planted", "refused", "right"))
        print(f"  {found} of {planted} wrong files found; {refused} of {right} right ones refused; SEED={self.seed}")
        return status

    def prove_one(self, name):
        """Of an exercise with a call. Raises Fault."""
        judge = self.judge_of(name)
        e, proof = judge.exercise, Proof(name, judge.exercise.points)
        try:
            cases = cases_of(e)
            with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
                for (what, _, says), (results, _) in zip(cases, pool.map(lambda case: judge.judge(case[1]), cases)):
                    proof.add(what, says, results, lambda r: f"{r.criterion.name}: {r.text}")
                    if self.options.verbose:
                        print(f"  ok     {name}, {what}: {', '.join(proof.tables[-1]['not_met']) or 'all points'}")
            if not any(c.kind == "count" and c.table["count"] == BUSIEST for c in e.criteria):
                proof.notes.append(f'nothing limits "{BUSIEST}": a file in which one thread does all gets all points')
            if judge.host_would_do():
                proof.notes.append(f"a solution that the host computes would get all points: more bytes than host_bytes = {e.host_bytes}, or a count at_least")
        except (Fault, Wrong, OSError) as problem:
            proof.problems.append(str(problem))
        finally:
            judge.close()
        return proof

    def exercise_or_none(self, name):
        try:
            return self.course.exercise(name)
        except Fault:
            return None

    def files_of(self, folder, exercises):
        """{student: {exercise: path or what is wrong}}. A file lies in the student's folder or below it; where a course has one
        exercise, SUBMISSIONS/STUDENT.cu is one, too."""
        students = {}
        wanted, self.near = {e.file: e.name for e in exercises}, {}
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                found = students[entry.name] = {}
                for place, folders, files in os.walk(entry.path):
                    folders[:] = sorted(name for name in folders if not name.startswith("."))[:100]
                    if place.count(os.sep) - entry.path.count(os.sep) > 4:
                        folders[:] = []
                    for name in files:
                        if name in wanted:
                            found.setdefault(wanted[name], []).append(os.path.join(place, name))
                        else:
                            for file, exercise in wanted.items():
                                if is_near(name, file):
                                    self.near.setdefault((entry.name, exercise), name)
                for name, paths in found.items():
                    found[name] = paths[0] if len(paths) == 1 or os.path.dirname(paths[0]) == entry.path else Wrong(f"{len(paths)} files {name}.cu: which?")
            elif re.search(r"\.(zip|tar|tgz|gz|7z|rar)$", entry.name, re.I):
                students[re.sub(r"\..*", "", entry.name)] = {}
                self.near.update({(re.sub(r"\..*", "", entry.name), e.name): entry.name for e in exercises})
            elif len(exercises) == 1 and entry.name.endswith(".cu"):
                students[entry.name[:-3]] = {exercises[0].name: entry.path}
            elif len(exercises) == 1 and (near := re.fullmatch(r"(.+?)(\.cu)?\.(txt|cpp|cuh?|c)", entry.name, re.I)) and near[1] not in students:
                students[near[1]], self.near[near[1], exercises[0].name] = {}, entry.name
        return students

    def grade(self):
        folder = self.options.name
        if not folder:
            raise Usage("say which folder has the submissions: grade FOLDER, with FOLDER/STUDENT/NAME.cu")
        if not os.path.isdir(folder):
            raise Usage(f"{folder}: there is no such folder")
        output = self.options.output or "grades"
        if os.path.isdir(output) or not os.path.isdir(os.path.dirname(output) or "."):
            raise Usage(f"-o {output}: a name is needed, to which .csv and .json are added, in a folder that is there")
        self.open_places(output)  # before hours of work
        judges, faults = {}, {}
        names = self.named(self.options.file) if self.options.file else self.course.names
        for name in names:
            try:
                judges[name] = self.proved_judge(name)
            except Fault as fault:
                complain(f"{name} is not judged: {fault}")
                faults[name] = str(fault)
        students = self.files_of(folder, [judge.exercise for judge in judges.values()])
        if not students:
            raise Usage(f"{folder}: no submissions: each student has a folder there, with {', '.join(judge.exercise.file for judge in judges.values())}")
        verdicts, texts, work = {}, {}, {}
        for student, files in students.items():
            for name, path in files.items():
                try:
                    if isinstance(path, Wrong):
                        raise path
                    text, note = read_source(path)
                    key = name, hashlib.sha256(text.encode()).hexdigest()
                    texts[student, name] = key, note  # equal files are judged once
                    work.setdefault(key, path)
                except Wrong as wrong:
                    verdicts[student, name] = str(wrong)
        if work:
            self.say_what_is_open()
        done = self.judge_all(judges, work)
        rows = []
        for student, files in students.items():
            row = {"student": student, "points": 0, "of": 0, "exercises": {}, "notes": []}
            for name, judge in judges.items():
                one = {"points": 0, "of": judge.exercise.points, "criteria": []}
                if name not in files:
                    near = self.near.get((student, name))
                    one["note"] = f"no file {judge.exercise.file}" + (f"; there is {near}: {'unpack it' if re.search(PACKED, near) else 'rename it'}" if near else "")
                elif (student, name) in verdicts:
                    one["note"] = verdicts[student, name]
                else:
                    key, note = texts[student, name]
                    one = {**one, **done[key], **({"note": note} if note else {})}
                if one.get("fault"):
                    row["notes"].append(f"{name}: not judged: {one['fault']}")
                elif one.get("note"):
                    row["notes"].append(f"{name}: {one['note']}")
                wrong = [c for c in one["criteria"] if c["met"] is False]
                row["notes"] += [f"{name}: {line_of({**wrong[0], 'of': 0})}"] if wrong else []
                row["exercises"][name] = one
                row["points"] += one["points"]
                row["of"] += one["of"]
            row["notes"] += [f"{name}: not judged" for name in faults]
            rows.append(row)
        for judge in judges.values():
            judge.close()
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(["student", "points", "of", *names, "notes"])
        for row in rows:
            points = [number(row["exercises"][name]["points"]) if name in judges and not row["exercises"][name].get("fault") else "" for name in names]
            table.writerow([harmless(row["student"]), number(row["points"]), number(row["of"]), *points, harmless("; ".join(row["notes"]))])
        self.put_grades(output, text.getvalue(), {"course": self.course.title, "seed": self.seed, "faults": faults, "students": rows})
        full = sum(row["points"] == row["of"] for row in rows)
        print(f"{output}.csv, {output}.json, {output}_feedback/: {len(rows)} students, {len(work)} different files, {full} with all points; SEED={self.seed}")
        return UNKNOWN if faults or any(one.get("fault") for one in done.values()) else SOLVED

    def open_places(self, output):
        """Where a table, all verdicts and the students' files go. Raises Usage."""
        def json_is_ours(old):
            return {"course", "seed", "students", "table"} <= set(json.loads(old))

        def table_is_ours(old):
            with open(output + ".json", encoding="utf-8") as file:
                return json.load(file).get("table") == hashlib.sha256(old.encode()).hexdigest()
        self.places = [(output + ".csv", table_is_ours), (output + ".json", json_is_ours)]
        for place in self.places:
            may_be_written(*place)
        try:
            os.makedirs(output + "_feedback", exist_ok=True)
        except OSError as error:
            raise Usage(f"{output}_feedback cannot be made: {error.strerror}") from None

    def put_grades(self, output, table, verdicts):
        """The table, all verdicts, and a file for each student."""
        digest, (to_table, to_verdicts) = hashlib.sha256(table.encode()).hexdigest(), self.places
        put_file(to_table[0], table, to_table[1])
        put_file(to_verdicts[0], json.dumps({**verdicts, "table": digest}, indent=1, ensure_ascii=False) + "\n", to_verdicts[1])
        first = f"{self.course.title}: what was found, by practice/run grade\n"
        for row in verdicts["students"]:
            lines = [first, f"{row['student']}: {number(row['points'])} of {number(row['of'])} points\n"]
            for name, one in row["exercises"].items():
                lines.append(f"\n{name}: {number(one['points'])} of {number(one['of'])}\n")
                lines += [f"  {one['note']}\n"] if one.get("note") else []
                lines += [f"  {'ok' if c['met'] else '-' if c['met'] is None else 'WRONG':6} {line_of(c)}\n" for c in one["criteria"]]
            put_file(f"{output}_feedback/{row['student']}.txt", "".join(lines), lambda old: old.startswith(first))

    def proved_judge(self, name):
        """A judge of an exercise whose solution meets the exercise's own criteria. Raises Fault."""
        judge = self.judge_of(name)
        try:
            text = judge.exercise.solved() if "quiz" in judge.exercise.table else read_source(judge.exercise.solution)[0]
        except Wrong:
            return judge  # there is a reference
        bad = [r for r in judge.judge(text)[0] if not r.met]
        if bad:
            judge.close()
            raise Fault(f"its own solution does not meet {bad[0].criterion.name}: {bad[0].text}")
        return judge

    def judge_all(self, judges, work):
        """{key: points and criteria}, by several jobs at once; a line of progress each few seconds."""
        done, last = {}, time.monotonic()

        def one(item):
            (name, _), path = item
            try:
                results, _ = judges[name].judge(read_source(path)[0])
                return {"points": sum(r.points for r in results), "criteria": [r.as_table() for r in results]}
            except Wrong as wrong:
                return {"points": 0, "criteria": [], "note": str(wrong)}
            except Exception as error:  # whatever it is, the others are judged
                return {"points": 0, "criteria": [], "fault": f"{type(error).__name__}: {error}"}
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for key, result in zip(work, pool.map(one, work.items())):
                done[key] = result
                if result.get("fault"):
                    complain(f"{work[key]}: not judged: {result['fault']}")
                if time.monotonic() - last > 5:
                    last = time.monotonic()
                    complain(f"{len(done)} of {len(work)} judged")
        return done

    def classroom(self):
        if self.options.name not in ("github", "gitlab"):
            raise Usage("classroom github, or classroom gitlab")
        return self.github() if self.options.name == "github" else self.gitlab()

    def gitlab(self):
        """A job that any service can run, by its script; its report is JUnit's, which GitLab, Jenkins and others read."""
        print(f"""# .gitlab-ci.yml, written by: practice/run --course FOLDER classroom gitlab
# LADDER and COURSE are variables of the group: the addresses of the repository that grades, and of this course.
grade:
  image: debian:12
  script:
    - apt-get update -q && apt-get install -qy make g++ git python3 bubblewrap
    - git clone -q --depth 1 "$LADDER" /tmp/ladder && git clone -q --depth 1 "$COURSE" /tmp/course
    - cp {' '.join(self.course.exercise(name).file for name in self.course.names)} /tmp/course/ || true
    - /tmp/ladder/practice/run --course /tmp/course check --junit verdict.xml
  artifacts:
    when: always
    reports: {{ junit: verdict.xml }}""")
        return SOLVED

    def github(self):
        """The workflow of GitHub Classroom: a step for each criterion, so that each has its points."""
        steps, names = [], []
        for name in self.course.names:
            for k, c in enumerate(self.course.exercise(name).criteria):
                names.append(f"{name.replace('_', '-')}-{k + 1}")
                steps.append(f"""      - name: {json.dumps(f"{name}: {c.name}")}
        id: {names[-1]}
        uses: classroom-resources/autograding-command-grader@v1
        with:
          test-name: {json.dumps(f"{name}: {c.name}")}
          command: {json.dumps(f"ladder/practice/run --course course check {name} {self.course.exercise(name).file} --only {shlex.quote(c.name)}")}
          timeout: 10
          max-score: {number(c.points)}
""")
        environment = "".join(f"          {name.upper()}_RESULTS: \"${{{{steps.{name}.outputs.result}}}}\"\n" for name in names)
        print(f"""# .github/workflows/classroom.yml, written by: practice/run --course FOLDER classroom github
# ladder is the repository that grades, course the one with this course; COURSE_TOKEN, a secret, may read both.
name: Autograding Tests
on: [push, repository_dispatch]
permissions: {{ checks: write, actions: read, contents: read }}
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    steps:
      - uses: actions/checkout@v4
      - uses: actions/checkout@v4
        with: {{ repository: OWNER/LADDER, path: ladder, token: "${{{{secrets.COURSE_TOKEN}}}}" }}
      - uses: actions/checkout@v4
        with: {{ repository: OWNER/COURSE, path: course, token: "${{{{secrets.COURSE_TOKEN}}}}" }}
      - run: sudo apt-get install -y bubblewrap
{''.join(steps)}      - name: Autograding Reporter
        uses: classroom-resources/autograding-grading-reporter@v1
        env:
{environment}        with:
          runners: {','.join(names)}""")
        return SOLVED


def junit(title, tables):
    """A report that CI services read: a case for each criterion."""
    root = ElementTree.Element("testsuites", name=title)
    for table in tables:
        suite = ElementTree.SubElement(root, "testsuite", name=table["exercise"])
        whole = table.get("fault") or (table.get("note") if not table["criteria"] else None)
        for c in table.get("criteria") or [{"name": "file", "met": False, "says": whole, "points": 0, "of": table.get("of", 0)}]:
            case = ElementTree.SubElement(suite, "testcase", classname=table["exercise"], name=f"{c['name']} ({number(c['points'])} of {number(c['of'])})")
            if not c["met"]:
                ElementTree.SubElement(case, "failure", message=str(c["says"]))
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(sum(len(case) for case in suite)))
    return "<?xml version='1.0' encoding='utf-8'?>\n" + ElementTree.tostring(root, encoding="unicode") + "\n"


PACKED = r"\.(zip|tar|tgz|gz|7z|rar)$"


def is_near(name, file):
    """Is that what a browser, an editor or a hurry makes of a name? Scan.cu, scan (1).cu, scan.cu.txt, a packed one."""
    plain = lambda text: re.sub(r"\(\d+\)|copy|[^a-z0-9.]", "", text.lower())  # noqa: E731
    stem = plain(file[:-3])
    return bool(re.search(PACKED, name)) or plain(name) in (stem + ".cu", stem + ".cu.txt", stem + ".txt", stem + ".cpp", stem + ".c", stem + ".cuh", stem)


def harmless(text):
    """In a spreadsheet a cell that begins so would be a formula."""
    return "'" + text if text.startswith(("=", "+", "-", "@")) else text


def main(words):
    parser = argparse.ArgumentParser(prog="practice/run --course FOLDER", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, add_help=True)
    for word, default in (("course", ""), ("command", "first"), ("name", None), ("file", None)):
        parser.add_argument(word, nargs="?", default=default)
    for option in (("-o", "--output"), ("--only",), ("--junit",)):
        parser.add_argument(*option)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args(words)
    commands = ("first", "check", "list", "hint", "prove", "grade", "classroom")
    try:
        if options.command not in commands:
            raise Usage(f"{options.command}: there are {', '.join(commands[1:])}")
        if options.jobs < 1 or options.jobs > 256:
            raise Usage(f"--jobs {options.jobs}: 1 to 256")
        if not options.course:
            raise Usage("--course needs a folder: practice/run --course FOLDER; docs/courses.md says what is in it")
        if BACKEND not in ("sim", "cuda") or BACKEND == "cuda" and options.command in ("prove", "grade"):
            raise Usage(f"BACKEND={BACKEND}: a course is proved and graded on the simulator, BACKEND=sim; with BACKEND=cuda check runs on a GPU")
        session = Session(options)
        check_surroundings()
        build_parts()
        return getattr(session, options.command)()
    except Usage as usage:
        complain(str(usage))
        return USAGE
    except (Fault, Unknown) as fault:
        complain(str(fault))
        return UNKNOWN

