"""launch.py: an exercise that defines launch(in, out, n, block), or a quiz, as NAME.toml has it. docs/courses.md has every key."""
import array
import ctypes
import hashlib
import os
import struct
import tempfile

from exercise import BOUND, Common, Fault, known_keys, value_of
from program import ROOT, one_line, run_tool
from result import Named

ONE_LARGER = 70000  # more than 2^16, and than 1,024 blocks of 64
# What is right: the function of runner/reference.c, how many words it has, whether each is a sum of elements.
USUAL = {"the sum": ("sum", "1"), "the sum of each block": ("sum_blocks", "max(1, ceil_div(n, share))"),
         "the alternating sum of each block": ("alternate_blocks", "max(1, ceil_div(n, share))"),
         "the sum of the warp, in every lane": ("sum_warps", "n"), "the running sum": ("scan", "n"), "the array from its end": ("reverse", "n")}
KEYS = {
    "exercise": {"title", "task", "hints", "explanation", "as_given", "stays", "without", "file", "solution", "extra", "limits", "answer", "quiz", "questions",
                 "criteria", "mistakes", "zh", "points", "blob"},
    "answer": {"is", "words", "code", "linear", "called", "blocks", "sizes", "gpus", "per_thread", "unit", "most", "shift", "most_n", "roundings", "scale",
               "kernel_words", "most_unfair", "timed", "vectors", "all_read", "whole", "no_zeros", "host_reads", "of_faults", "against", "overwrites_input",
               "points", "larger", "faults_points", "calls"},
    "quiz": {"seed", "answers", "kernel", "sizes", "blocks", "gpus", "words", "per_thread", "overwrites_input"},
    "question": {"asks", "is", "traps", "points"},
    "criterion": {"count", "at_most", "at_least", "runs", "slack", "says", "points", "name"},
    "zh": {"title", "task", "hints", "explanation", "words"},
}


class Limit:
    """count = "barriers", at_most or at_least, at each of its runs."""

    def __init__(self, where, table):
        known_keys(where, table, KEYS["criterion"])
        self.count, self.says, self.slack = table.get("count"), table.get("says", ""), table.get("slack", 0)
        bounds = [bound for bound in ("at_most", "at_least") if bound in table]
        if not self.count or len(bounds) != 1 or not table.get("runs"):
            raise Fault(f"{where}: count, at_most or at_least, and runs = [{{ n = 4096, block = 256 }}] are needed")
        self.bound, limits = bounds[0], table[bounds[0]]
        self.runs = table["runs"]
        self.limits = limits if isinstance(limits, list) else [limits] * len(self.runs)
        if len(self.limits) != len(self.runs) or any(not {"n", "block"} <= set(run) <= {"n", "block", "offset", "gpus", "sms"} for run in self.runs):
            raise Fault(f"{where}: runs: each has n and block, perhaps offset, gpus, sms; and a list of limits has one for each")
        self.points = table.get("points", 1)
        self.name = table.get("name") or f"{self.count}, {BOUND[self.bound]} {self.limits[0]}"
        self.forbids = self.bound == "at_most" and self.limits[0] == 0

    def keeps(self, value, limit):
        return value <= limit if self.bound == "at_most" else value >= limit


class Launch(Common):
    """NAME.toml without call = "...". Raises Fault."""

    def __init__(self, course, name, table):
        self.read_common(course, name, table)
        known_keys(self.path, table, KEYS["exercise"])
        self.as_given, self.stays, self.without = table.get("as_given", ""), table.get("stays", []), table.get("without", [])
        self.is_quiz = "quiz" in table
        given = table.get("quiz" if self.is_quiz else "answer")
        where = f"{self.path}: [{'quiz' if self.is_quiz else 'answer'}]"
        if given is None or "quiz" in table and "answer" in table:
            raise Fault(f"{self.path}: it needs call = \"...\", or [answer], or [quiz]")
        known_keys(where, given, KEYS["quiz" if self.is_quiz else "answer"])
        self.given_answer = given
        self.blocks, self.sizes, self.gpus = given.get("blocks"), given.get("sizes", []), given.get("gpus", [])
        if not self.blocks or self.is_quiz and not self.sizes:
            raise Fault(f"{where}: blocks = [64, 256] are needed{', and sizes' if self.is_quiz else ''}")
        if ("answers" in given) != ("seed" in given):
            raise Fault(f"{where}: seed and answers belong together: the answers are of that seed")
        for key in ("per_thread", "unit"):
            setattr(self, key, given.get(key, 1))
        for key in ("roundings", "scale", "most_n"):
            setattr(self, key, given.get(key, 0))
        self.most, self.shift, self.larger = given.get("most", 8), given.get("shift", 0), given.get("larger", ONE_LARGER)
        self.kernel_words = given.get("kernel_words", 0xffffffff)
        for key in ("vectors", "all_read", "whole", "no_zeros", "host_reads", "overwrites_input"):
            setattr(self, key, given.get(key, False))
        self.answer_is = given.get("is", "")
        self.function, words = USUAL.get(self.answer_is, ("answer", "")) if not self.is_quiz else ("sum", "1")
        self.words_text, self.code = given.get("words", words), given.get("code", "")
        self.linear = given.get("linear", self.answer_is in USUAL)
        if not self.is_quiz and self.function == "answer" and not self.code:
            raise Fault(f"{where}: is = \"{self.answer_is}\": code = '''void answer(const float *in, size_t n, size_t share, float *out) ...''' says how; "
                        f"without it there are {', '.join(USUAL)}")
        self.called = given.get("called")
        self.questions = table.get("questions", [])
        for k, question in enumerate(self.questions):
            known_keys(f"{self.path}: question {k + 1}", question, KEYS["question"])
        self.limits_of_counts = [Limit(f"{self.path}: criterion {k + 1}", one) for k, one in enumerate(table.get("criteria", []))]
        self.points = sum(question.get("points", 1) for question in self.questions) if self.is_quiz else \
            given.get("points", 1) + given.get("faults_points", 1) + sum(limit.points for limit in self.limits_of_counts)
        self.criteria = [Named("the verdict", self.points)]
        self.arguments, self.result, self.reference = [], None, None

    # ---- what is right: practice/runner/reference.c with the exercise's code, compiled into a library ----

    def library(self):
        if hasattr(self, "loaded"):
            return self.loaded
        with open(f"{ROOT}/practice/runner/reference.c") as file:
            text = file.read() + (f'\n#line 1 "{self.path}, code"\n' + self.code if self.code else "")
        path = f"{ROOT}/build/sim/practice/references/{hashlib.sha256(text.encode()).hexdigest()[:20]}.so"
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/reference.c", "w") as file:
                    file.write(text)
                compiler = (os.environ.get("CC") or "gcc").split()
                status, said = run_tool(compiler + ["-std=gnu11", "-O1", "-w", "-ffp-contract=off", "-shared", "-fPIC", f"{folder}/reference.c", "-o", f"{folder}/it.so", "-lm"])
                if status != 0:
                    raise Fault(f"{self.path}: code: it does not compile: {one_line(said)}")
                new = f"{path}.{os.getpid()}"
                with open(f"{folder}/it.so", "rb") as made, open(new, "wb") as file:
                    file.write(made.read())
                os.replace(new, path)
        self.loaded = ctypes.CDLL(path)
        self.loaded.draw.restype = ctypes.c_uint64
        return self.loaded

    def words(self, n, share):
        if not self.words_text:
            function = self.library().words
            function.restype = ctypes.c_size_t
            return function(ctypes.c_size_t(n), ctypes.c_size_t(share))
        return int(value_of(f"{self.path}: words", self.words_text, {"n": n, "share": share}))

    def right(self, numbers, share, words):
        out = array.array("f", bytes(4 * words + 4))
        function = getattr(self.library(), self.function)
        function.restype = None
        place = lambda values: ctypes.c_void_p(values.buffer_info()[0])  # noqa: E731
        function(place(numbers), ctypes.c_size_t(len(numbers)), ctypes.c_size_t(share), place(out))
        return out[:words]

    def data(self, n, seed, kind):
        """n floats, as the exercise says of them."""
        numbers = array.array("f", bytes(4 * n + 4))
        says = struct.pack("<II??2x", self.most, self.shift, self.whole, self.no_zeros)
        self.library().draw_data(says, ctypes.c_void_p(numbers.buffer_info()[0]), ctypes.c_size_t(n), ctypes.c_uint64(seed), ctypes.c_int(kind))
        return numbers[:n]

    def to_unit(self, n):
        return n // self.unit * self.unit

    def all_blocks(self):
        """The block sizes from the smallest to the largest: any, or whole warps, or powers of two, if all of those are."""
        warps, powers = all(block % 32 == 0 for block in self.blocks), all(block & (block - 1) == 0 for block in self.blocks)
        return [block for block in range(min(self.blocks), max(self.blocks) + 1) if (not powers or block & (block - 1) == 0) and (not warps or block % 32 == 0)]
