"""exercise.py: reads a course: a folder of exercises, NAME.toml each, and says in one line what is wrong with one.

TOML, since it is a published format that Python reads by itself from 3.11 on, takes text of several lines (a task, a hint)
without quoting, and has comments; docs/courses.md has every key."""
import array
import ast
import itertools
import math
import os
import random
import re

try:
    import tomllib
except ImportError:  # Python before 3.11
    try:
        import tomli as tomllib
    except ImportError:
        tomllib = None


class Fault(Exception):
    """What is wrong with a course or an exercise, in one line."""


# C's names -> the code of Python's array, struct
CODES = {"float": "f", "double": "d", "bool": "B", "char": "b", "signed char": "b", "int8_t": "b", "unsigned char": "B", "uint8_t": "B",
         "uchar": "B", "short": "h", "int16_t": "h", "unsigned short": "H", "uint16_t": "H", "int": "i", "int32_t": "i",
         "unsigned": "I", "unsigned int": "I", "uint32_t": "I", "uint": "I", "long": "q", "long long": "q", "int64_t": "q",
         "unsigned long": "Q", "unsigned long long": "Q", "uint64_t": "Q", "size_t": "Q"}
VECTOR = re.compile(r"(float|double|int|uint|char|uchar|short|ushort)([234])$")
FLOATS = "fd"
BOUND = {"at_most": "at most", "at_least": "at least", "exactly": "exactly"}
KEYS = {
    "course": {"title", "exercises", "solutions", "seed", "limits", "zh"},
    "limits": {"seconds", "memory_mb", "output_kb", "compile_seconds"},
    "exercise": {"title", "task", "hints", "explanation", "call", "file", "solution", "reference", "extra", "sizes", "arguments", "criteria", "limits", "host_bytes",
                 "mistakes", "as_given", "zh"},
    "argument": {"shape", "draw", "also_read", "on_host", "tolerance", "compare", "order", "value"},
    "criterion": {"name", "points", "check", "runs", "random", "schedules", "count", *BOUND, "says", "forbid", "require", "races"},
    "mistake": {"name", "replace", "with", "says", "right", "whole"},
}


def read_toml(path):
    if tomllib is None:
        raise Fault("exercises need Python 3.11 or later, or its package tomli: their files are TOML")
    try:
        with open(path, "rb") as file:
            return tomllib.load(file)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Fault(f"{path}: not TOML: {error}") from None


def known_keys(where, table, kind):
    keys = KEYS[kind] if isinstance(kind, str) else kind
    if not isinstance(table, dict):
        raise Fault(f"{where}: a table is needed, as {{ ... }}")
    for key in table:
        if key not in keys:
            raise Fault(f"{where}: no such key: {key}; there are {', '.join(sorted(keys))}")


FUNCTIONS = {"min": min, "max": max, "abs": abs, "ceil_div": lambda a, b: -(-a // b), "log2": math.log2, "sqrt": math.sqrt, "round": round,
             "int": int, "ceil": math.ceil, "floor": math.floor}
ALLOWED = (ast.Expression, ast.BinOp, ast.UnaryOp, ast.Constant, ast.Name, ast.Load, ast.Call, ast.Compare, ast.IfExp, ast.operator, ast.unaryop,
           ast.cmpop, ast.BoolOp, ast.boolop)


def value_of(where, text, names):
    """The value of an expression of these names: "ceil_div(n, 256) * 4"; a number is itself."""
    if isinstance(text, bool) or not isinstance(text, (int, float, str)):
        raise Fault(f"{where}: a number or an expression is needed")
    if not isinstance(text, str):
        return text
    try:
        tree = ast.parse(text.strip(), mode="eval")
        for node in ast.walk(tree):
            if not isinstance(node, ALLOWED):
                raise Fault(f"{where}: {text}: only numbers, names, + - * / // % ** and {', '.join(FUNCTIONS)} can be used")
            if isinstance(node, ast.Name) and node.id not in names and node.id not in FUNCTIONS:
                raise Fault(f"{where}: {text}: there is no size {node.id}; there are {', '.join(sorted(names)) or 'none'}")
        return eval(compile(tree, where, "eval"), {"__builtins__": {}}, {**FUNCTIONS, **names})
    except (SyntaxError, ValueError):
        raise Fault(f"{where}: {text}: this is no expression") from None
    except (ArithmeticError, TypeError) as error:
        raise Fault(f"{where}: {text}: {error}") from None


def split_list(text):
    """At commas that are not within parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return [part.strip() for part in parts if part.strip()]


class Argument:
    """One argument of the call: an array (pointer), a size, or a scalar with a value."""

    def __init__(self, where, text, tables):
        found = re.fullmatch(r"(const\s+)?([A-Za-z_][\w ]*?)\s*(\*?)\s*(?:const\s+)?(?:__restrict__\s+)?([A-Za-z_]\w*)", text.replace("std::", ""))
        self.name = found[4] if found else ""
        self.type = re.sub(r"\s+", " ", found[2]).removeprefix("const ") if found else ""
        vector = VECTOR.match(self.type)
        self.parts = int(vector[2]) if vector else 1
        base = {"uint": "unsigned", "uchar": "unsigned char", "ushort": "unsigned short"}.get(vector[1], vector[1]) if vector else self.type
        if not found or base not in CODES:
            raise Fault(f"{where}: call: {text.strip()}: TYPE NAME or TYPE *NAME is needed, with one of: {', '.join(sorted(CODES))}, float2 and the like")
        self.code = CODES[base]
        self.is_array = found[3] == "*"
        self.constant = bool(found[1])
        table = tables.get(self.name, {})
        known_keys(f"{where}: [arguments] {self.name}", table, "argument")
        self.table, self.where = table, f"{where}: [arguments] {self.name}"
        self.also_read = table.get("also_read", False)
        self.on_host = table.get("on_host", False)
        self.written = self.is_array and not self.constant
        self.shape = split_list(str(table["shape"])) if "shape" in table else None
        if self.is_array and not self.shape:
            raise Fault(f'{where}: [arguments] {self.name}: an array needs its shape, as {self.name} = {{ shape = "n" }} or "rows, columns"')
        if not self.is_array and self.shape:
            raise Fault(f"{where}: [arguments] {self.name}: a shape, and call has it without a *")
        self.drawn = self.is_array and (self.constant or self.also_read)
        self.tolerance = table.get("tolerance")
        if self.tolerance is not None and not (isinstance(self.tolerance, (int, float)) and self.tolerance >= 0):
            raise Fault(f"{self.where}: tolerance: a number that is not negative is needed")
        if table.get("order", "same") not in ("same", "any"):
            raise Fault(f'{self.where}: order: "same" or "any"')

    def poison(self):
        """What an array holds before it is written: no value that a kernel may add to unnoticed."""
        return math.nan if self.code in FLOATS else {1: 0x65, 2: 0x65A5, 4: 0x65A5A5A5, 8: 0x65A5A5A5A5A5A5A5}[array.array(self.code).itemsize]

    def draw(self, count, sizes, source, spec):
        """count values as its draw = "..." says, from this source of random numbers."""
        where = f"{self.where}: draw"
        words = re.fullmatch(r"\s*(whole|real|constant|index|offsets)\b\s*(.*?)(?:\s+to\s+(.*))?\s*", spec)
        if not words or words[1] in ("whole", "real", "offsets") and not words[3] or words[1] == "constant" and not words[2]:
            raise Fault(f'{where} = "{spec}": there are "whole LOW to HIGH", "real LOW to HIGH", "constant VALUE", "index", "offsets LOW to HIGH"')
        if words[1] == "index":
            return array.array(self.code, [i if self.code in FLOATS else i % 2 ** (8 * array.array(self.code).itemsize - 1) for i in range(count)])
        low = value_of(where, words[2], sizes)
        high = value_of(where, words[3], sizes) if words[3] else low
        try:
            if words[1] == "real":
                return array.array(self.code, [low + (high - low) * source.random() for _ in range(count)])
            span = int(high) - int(low) + 1
            if words[1] == "offsets":
                steps = [0] + [int(low) + int(source.random() * span) for _ in range(count - 1)]
                return array.array(self.code, itertools.accumulate(steps[:count]))
            if words[1] == "constant":
                return array.array(self.code, [low if self.code in FLOATS else int(low)]) * count
            return array.array(self.code, [int(low) + int(source.random() * span) for _ in range(count)])
        except (OverflowError, TypeError):
            raise Fault(f'{where} = "{spec}": {self.type} has no such numbers') from None


class Run:
    """One call of the function: its sizes, the values of all arguments. Arguments stand in the order of the call."""

    def __init__(self, exercise, sizes, values):
        self.sizes, self.values = sizes, values
        self.shapes = {}
        for a in exercise.arguments:
            if a.is_array:
                self.shapes[a.name] = [exercise.whole(f"{a.where}: shape", part, sizes) for part in a.shape]

    def __str__(self):
        return ", ".join(f"{name} = {size}" for name, size in self.sizes.items()) or "the one run"


class Criterion:
    def __init__(self, exercise, k, table):
        where = self.where = f"{exercise.path}: criterion {k + 1}"
        known_keys(where, table, "criterion")
        kinds = [kind for kind in ("check", "count", "forbid", "require") if kind in table]
        if len(kinds) != 1:
            raise Fault(f'{where}: one of check = "answer", check = "faults", count = "...", forbid = [...], require = [...] is needed')
        self.kind = table["check"] if kinds == ["check"] else kinds[0]
        if self.kind not in ("answer", "faults", "count", "forbid", "require"):
            raise Fault(f'{where}: check = "{self.kind}": there are "answer" and "faults"')
        self.table = table
        self.points = table.get("points", 1)
        if isinstance(self.points, bool) or not isinstance(self.points, (int, float)) or self.points < 0:
            raise Fault(f"{where}: points: a number that is not negative is needed")
        self.says = table.get("says", "")
        self.name = table.get("name") or {"answer": "answer", "faults": "faults"}.get(self.kind) or (
            table["count"] if self.kind == "count" else f"{self.kind} {', '.join(map(str, table[self.kind]))}")
        self.runs, self.random, self.schedules = table.get("runs", []), table.get("random", 0), table.get("schedules", 5)
        if not isinstance(self.runs, list) or not isinstance(self.random, int):
            raise Fault(f"{where}: runs: a list is needed, as runs = [{{ n = 1000 }}], and random is a number of runs")
        if self.kind in ("answer", "count") and not self.runs and not self.random:
            raise Fault(f"{where}: it needs runs = [...] or random = 4, or it would never be tried")
        if self.kind == "count":
            self.bounds = [key for key in BOUND if key in table]
            if not self.bounds:
                raise Fault(f"{where}: count: at_most, at_least or exactly is needed")
        if self.kind in ("forbid", "require") and not (isinstance(table[self.kind], list) and table[self.kind]):
            raise Fault(f'{where}: {self.kind}: a list of names is needed, as {self.kind} = ["atomicAdd"]')


class Common:
    """What all exercises have."""

    def read_common(self, course, name, table):
        self.course, self.name, self.table = course, name, table
        self.path = os.path.join(course.folder, name + ".toml")
        base = os.path.basename(name)
        self.title, self.task = table.get("title", base), table.get("task", "").strip("\n")
        self.hints, self.explanation, self.chinese = table.get("hints", []), table.get("explanation", ""), table.get("zh", {})
        if not isinstance(self.hints, list) or not all(isinstance(hint, str) for hint in self.hints):
            raise Fault(f'{self.path}: hints: a list of texts is needed, as hints = ["..."]')
        self.file = table.get("file", base + ".cu")
        self.given = os.path.join(course.folder, os.path.dirname(name), self.file)
        self.solution = self.place(table.get("solution"), os.path.join(course.solutions, os.path.dirname(name), self.file))
        self.extra = [os.path.join(course.folder, extra) for extra in table.get("extra", [])]
        self.limits = {**course.limits, **table.get("limits", {})}
        known_keys(f"{self.path}: [limits]", table.get("limits", {}), "limits")
        for path in self.extra:
            if not os.path.isfile(path):
                raise Fault(f"{self.path}: there is no {path}")

    def solved(self):
        """The text of the solution; of a quiz the file with its right answers, or these alone where the reader's has no such line."""
        quiz = self.table.get("quiz", {})
        if "answers" not in quiz:
            with open(self.solution, encoding="utf-8") as file:
                return file.read()
        answers, text = f"double answers[{len(quiz['answers'])}] = {{{', '.join(map(str, quiz['answers']))}}};", ""
        if os.path.isfile(self.given):
            with open(self.given, encoding="utf-8", errors="replace") as file:
                text = re.sub(r"^unsigned seed = .*", f"unsigned seed = {quiz['seed']};", file.read(), count=1, flags=re.M)
        text, there = re.subn(r"^double answers\[.*", answers, text, count=1, flags=re.M)
        return text if there else answers + "\n"

    def place(self, given, usual):
        return os.path.join(self.course.folder, os.path.expanduser(given)) if given else usual

    def mistakes(self):
        """Edits of the solution, each with what must be said of it: here, or in NAME.mistakes.toml beside the solution."""
        path = re.sub(r"\.\w+$", "", self.solution) + ".mistakes.toml"
        found = [(self.path, mistake) for mistake in self.table.get("mistakes", [])]
        found += [(path, mistake) for mistake in read_toml(path).get("mistakes", [])] if os.path.exists(path) else []
        for k, (path, mistake) in enumerate(found):
            where = f"{path}: mistake {k + 1}"
            known_keys(where, mistake, "mistake")
            if "name" not in mistake:
                raise Fault(f"{where}: it needs a name")
            if ("replace" not in mistake) == ("whole" not in mistake):
                raise Fault(f"{where}: it needs replace, a list of texts of the solution and as many in with, or the whole file")
        return [mistake for _, mistake in found]

    def edited(self, mistake, text):
        """The solution with a mistake."""
        if "whole" in mistake:
            return mistake["whole"]
        old, new = mistake["replace"], mistake.get("with", "")
        old, new = old if isinstance(old, list) else [old], new if isinstance(new, list) else [new]
        if len(old) != len(new):
            raise Fault(f"{self.name}: {mistake['name']}: {len(old)} texts in replace and {len(new)} in with")
        for before, after in zip(old, new):
            if text.count(before) != 1:
                raise Fault(f"{self.name}: {mistake['name']}: {before!r} is {text.count(before)} times in the solution, and should be once")
            text = text.replace(before, after)
        return text


class Exercise(Common):
    """NAME.toml of a course, with call = "...". Raises Fault."""

    def __init__(self, course, name, table):
        self.read_common(course, name, table)
        known_keys(self.path, table, "exercise")
        self.reference = self.place(table.get("reference"), None)
        self.host_bytes = table.get("host_bytes", 64)
        if self.reference and not os.path.isfile(self.reference):
            raise Fault(f"{self.path}: there is no {self.reference}")
        self.read_call(table)
        self.sizes = table.get("sizes", {})
        for size, given in self.sizes.items():
            if isinstance(given, list) and not (len(given) == 2 and all(isinstance(x, int) for x in given) and given[0] <= given[1]):
                raise Fault(f"{self.path}: [sizes] {size}: [lowest, highest], a number or an expression is needed")
        for a in self.arguments:
            if not a.is_array and a.name not in self.sizes and "value" not in a.table:
                raise Fault(f"{self.path}: {a.name} of call is neither in [sizes] nor has a value in [arguments]")
        criteria = table.get("criteria", [])
        if not criteria:
            raise Fault(f'{self.path}: it has no criteria, so all would be right: add [[criteria]] with check = "answer"')
        if not isinstance(criteria, list):
            raise Fault(f"{self.path}: criteria: each begins with [[criteria]]")
        self.criteria = [Criterion(self, k, criterion) for k, criterion in enumerate(criteria)]
        if not any(c.kind == "answer" for c in self.criteria):
            raise Fault(f'{self.path}: no criterion looks at the answer: add [[criteria]] with check = "answer"')
        self.first_answer = next(c for c in self.criteria if c.kind == "answer")
        names = [c.name for c in self.criteria]
        for criterion in self.criteria:
            if names.count(criterion.name) > 1:
                raise Fault(f'{criterion.where}: another has the name "{criterion.name}", too: give each a name = "..."')
        self.points = sum(c.points for c in self.criteria)

    def read_call(self, table):
        if not isinstance(table.get("call"), str):
            raise Fault(f'{self.path}: call is needed: the function that is called, as call = "void scale(const float *in, float *out, int n)"')
        call = re.sub(r"\s+", " ", table["call"]).strip().rstrip(";")
        found = re.fullmatch(r"([A-Za-z_][\w ]*?) ?([A-Za-z_]\w*) ?\((.*)\)", call)
        if not found:
            raise Fault(f"{self.path}: call: {call}: TYPE NAME(ARGUMENTS) is needed")
        tables = table.get("arguments", {})
        if not isinstance(tables, dict):
            raise Fault(f"{self.path}: [arguments] is a table")
        self.call, self.result_type, self.function = call, found[1], found[2]
        self.arguments = [Argument(self.path, text, tables) for text in split_list(found[3])]
        self.result = None
        if self.result_type != "void":
            self.result = Argument(self.path, f"{self.result_type} result", {})
        for name in tables:
            if name not in [a.name for a in self.arguments] + ["result"]:
                raise Fault(f"{self.path}: [arguments] {name}: call has no such argument")
        if not any(a.written for a in self.arguments) and not self.result:
            raise Fault(f"{self.path}: call gives nothing back: an array without const, or a value, is needed")

    def whole(self, where, text, sizes):
        value = value_of(where, text, sizes)
        if not math.isfinite(value) or value < 0 or value != int(value) or value > 1 << 31:
            raise Fault(f"{where}: {text} is {value}: a whole number from 0 to 2^31 is needed")
        return int(value)

    def make_run(self, where, given, source):
        """A run of these sizes, those that are not given drawn. given may have draw.NAME = "..."."""
        if not isinstance(given, dict):
            raise Fault(f"{where}: a run is a table of sizes, as {{ n = 1000 }}")
        draws, sizes = given.get("draw", {}), {}
        for name in given:
            if name not in self.sizes and name != "draw":
                raise Fault(f"{where}: there is no size {name}; [sizes] has {', '.join(self.sizes) or 'none'}")
        for name in draws:
            if name not in [a.name for a in self.arguments if a.drawn]:
                raise Fault(f"{where}: draw: no array {name} is drawn")
        for name, how in self.sizes.items():
            if name in given:
                sizes[name] = value_of(where, given[name], sizes)
            elif isinstance(how, list):
                sizes[name] = how[0] + int(source.random() * (how[1] - how[0] + 1))
            else:
                sizes[name] = value_of(f"{self.path}: [sizes] {name}", how, sizes)
        run = Run(self, sizes, [])
        for a in self.arguments:
            if a.is_array:
                count = math.prod(run.shapes[a.name]) * a.parts
                if count > 1 << 26:
                    raise Fault(f"{where}: {a.name} has {count} elements: at most {1 << 26} can be tried")
                spec = draws.get(a.name, a.table.get("draw", "whole 0 to 8" if a.code in "BHIQ" else "whole -8 to 8"))
                values = a.draw(count, sizes, source, spec) if a.drawn else array.array(a.code, [a.poison()]) * count
            else:
                value = sizes.get(a.name) if "value" not in a.table else value_of(f"{a.where}: value", a.table["value"], sizes)
                try:
                    values = array.array(a.code, [value if a.code in FLOATS else int(value)])
                except (OverflowError, TypeError, ValueError):
                    raise Fault(f"{where}: {a.name} = {value}: {a.type} has no such number") from None
            run.values.append(values)
        return run

    def runs_of(self, criterion, seed):
        """The runs of a criterion: those given, and some with sizes drawn by the seed."""
        random_source = random.Random(f"{seed} {self.name} {criterion.name}")
        given = criterion.runs or [] if criterion.kind != "faults" or criterion.runs else self.first_answer.runs[:3] or [{}]
        return [self.make_run(criterion.where, one, random_source) for one in list(given) + [{}] * criterion.random]


class Course:
    def __init__(self, folder):
        self.folder = folder
        if not os.path.isdir(folder):
            raise Fault(f"{folder}: there is no such folder")
        path = os.path.join(folder, "course.toml")
        table = read_toml(path) if os.path.exists(path) else {}
        known_keys(path, table, "course")
        self.title = table.get("title", os.path.basename(os.path.abspath(folder)))
        self.solutions = os.path.join(folder, os.path.expanduser(table.get("solutions", "solutions")))
        self.seed, self.chinese = table.get("seed"), table.get("zh", {}).get("words", {})
        self.limits = {"seconds": 10, "memory_mb": 2048, "output_kb": 256, "compile_seconds": 60, **table.get("limits", {})}
        known_keys(f"{path}: [limits]", self.limits, "limits")
        for key, value in self.limits.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
                raise Fault(f"{path}: [limits] {key}: a number above 0 is needed")
        there = []
        for place, folders, files in os.walk(folder):
            deep = os.path.relpath(place, folder).count(os.sep) + (place != folder)
            folders[:] = sorted(name for name in folders if not name.startswith(".") and deep < 1 and os.path.join(place, name) != self.solutions)
            there += [os.path.relpath(os.path.join(place, name[:-5]), folder) for name in sorted(files)
                      if name.endswith(".toml") and name != "course.toml" and not name.startswith(".") and not name.endswith(".mistakes.toml")]
        self.names = table.get("exercises", there)
        for name in self.names:
            if name not in there:
                raise Fault(f"{path}: exercises: there is no {name}.toml")
        if not self.names:
            raise Fault(f"{folder}: no exercise: each is a file NAME.toml; docs/courses.md shows one")

    def exercise(self, name):
        if name not in self.names:
            raise Fault(f"{self.folder} has no exercise {name}; there are {', '.join(self.names)}")
        table = read_toml(os.path.join(self.folder, name + ".toml"))
        if "call" in table or not {"answer", "quiz"} & set(table):
            return Exercise(self, name, table)
        from launch import Launch
        return Launch(self, name, table)
