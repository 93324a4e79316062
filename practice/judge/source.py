"""source.py: what is looked at in the text of a file, and in its object: what stays as it is, of which type what is computed is,
what a kernel uses of the host."""
import hashlib
import os
import re
import subprocess

import program

# As simcc has them: what the compiler sees.
LIKE_SIMCC = ["-x", "c++", "-O1", "-g", "-Wno-unknown-pragmas", "-ffp-contract=off", "-D__CUDACC__", "-D__NVCC__", "-D__CUDACC_VER_MAJOR__=13",
              "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=0", "-DCCCL_DISABLE_FP16_SUPPORT", "-DCCCL_DISABLE_BF16_SUPPORT", "-DCCCL_DISABLE_NVFP8_SUPPORT",
              "-DCCCL_DISABLE_NVTX", "-include", "simt_first.h"]


def dependences(path):
    """What the compiler has read, by its list."""
    with open(path, errors="replace") as file:
        names = re.findall(r"(?:\\.|\S)+", file.read().partition(": ")[2].replace("\\\n", " "))
    return [re.sub(r"\\(.)|\$(\$)", r"\1\2", name) for name in names]


def included(text):
    """What a file includes, by its own lines."""
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*["<](?:\.\./)*([^">]+)[">]', text, re.M)


def preprocessed(path, folder, options=(), prefix=()):
    """What the compiler sees of the file itself, line for line, strings empty: on the host, and on the device. And what it said, if
    it failed."""
    texts = []
    with open(os.path.join(folder, path), encoding="utf-8", errors="replace") as file:
        asks = "__CUDA_ARCH__" in file.read()  # then simcc compiles both
    for device in ([], ["-D__CUDA_ARCH__=900"])[:1 + asks]:
        status, said = program.run_tool([*prefix, *program.CXX, "-E", *LIKE_SIMCC, *options, *program.includes(), *device, path], folder)
        if status != 0:
            return None, said
        own, lines, number = False, {}, 0
        for line in said.split("\n"):
            marker = re.match(r'# (\d+) "(.*?)"', line)
            if marker:
                own, number = os.path.basename(marker[2]) == os.path.basename(path), int(marker[1])
                continue
            if own:
                lines[number] = lines.get(number, "") + re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
            number += 1
        texts.append("\n".join(lines.get(k, "") for k in range(1, max(lines, default=0) + 1)))
    return texts, ""


def without_comments(text):
    """Blanks in their place, so that lines and columns stay. For the compiler, too, a comment may go on in the next line."""
    blank = lambda found: re.sub(r"[^\n]", " ", found[0])  # noqa: E731
    return re.sub(r"/\*.*?\*/|//(?:\\[ \t\r]*\n|[^\n])*", blank, text, flags=re.S)


def closing(text, start, pair="{}"):
    """Where the bracket that opens at start closes."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i
    return len(text) - 1


def functions(text):
    """[(name, words before it, where it begins, its body's { and })] of the functions at the top of a text without comments."""
    found, at, pattern = [], 0, re.compile(r"([A-Za-z_]\w*)\s*\(")
    while True:
        match = pattern.search(text, at)
        if not match:
            return found
        begin = max(text.rfind(c, 0, match.start()) for c in ";}{")
        end = closing(text, match.end() - 1, "()")
        after = re.compile(r"\s*(?:const|noexcept)?\s*\{").match(text, end + 1)
        before = text[begin + 1:match.start()]
        if after and match[1] not in ("if", "for", "while", "switch", "__launch_bounds__", "__cluster_dims__", "catch") and "=" not in before and before.strip():
            last = closing(text, after.end() - 1)
            found.append((match[1], before, begin + 1, after.end() - 1, last))
            at = last + 1
        else:
            at = match.end()


def as_one_line(text):
    return re.sub(r" ?([^A-Za-z0-9_ ]) ?", r"\1", re.sub(r" ?([^A-Za-z0-9_ ]) ?", r"\1", re.sub(r"\s+", " ", text)))


def plain(text):
    """A file without comments and what it includes, its macros expanded; line for line."""
    text = re.sub(r"^[ \t]*#[ \t]*include.*", "", text, flags=re.M)
    if not re.search(r'^[ \t]*#|\\$|"[^"\n]*/[/*]', text, re.M):  # as most files: then no preprocessor is needed
        return without_comments(text)
    done = subprocess.run([*program.CXX, "-E", "-x", "c++", "-D__CUDACC__", "-w", "-"], input=text.encode(), capture_output=True)
    lines, number, own = {}, 1, True
    for line in done.stdout.decode("utf-8", "replace").split("\n"):
        marker = re.match(r'# (\d+) "(.*?)"', line)
        if marker:
            number, own = int(marker[1]), marker[2] == "<stdin>"
        else:
            lines[number] = lines.get(number, "") + line * own
            number += 1
    return "\n".join(lines.get(k, "") for k in range(1, max(lines, default=0) + 1))


def stays(e, mine, theirs, key):
    """What differs of what stays as it is, in one line, or None."""
    mine, theirs = plain(mine), plain(theirs)
    for name in e.stays:
        one, other = ([as_one_line(text[begin:last + 1]) for there, _, begin, _, last in functions(text) if there == name] or method(text, name) for text in (mine, theirs))
        if one != other:
            return f"{name}() stays as it is in this exercise, and yours is another: make reset EXERCISE={key} brings it back, and keeps yours"
    rest = mine
    for name in e.stays:
        for there, _, begin, _, last in reversed(functions(rest)):
            if there == name:
                rest = rest[:begin] + rest[last + 1:]
    for word in e.without:
        number = r"|[0-9]\.|\.[0-9]" if word in ("float", "double") else ""
        if re.search(rf"\b{word}\b{number}", rest):
            return f"there is a {word} in your file: the task forbids it"
    return None


def method(text, name):
    """Definitions of that name within a struct."""
    found = []
    for match in re.finditer(rf"\b{name}\s*\(", text):
        end = closing(text, match.end() - 1, "()")
        after = re.compile(r"\s*(?:const)?\s*\{").match(text, end + 1)
        if after:
            begin = max(text.rfind(c, 0, match.start()) for c in ";}{")
            found.append(as_one_line(text[begin + 1:closing(text, after.end() - 1) + 1]))
    return found


# Instructions that compute with floating-point numbers: of x86-64, and of ARM64.
ARITHMETIC = re.compile(r"\t(v?(?:add|sub|mul|div|sqrt|max|min|cvt\w*2|fn?m(?:add|sub)\d*)(?:ss|sd|ps|pd)|v?cvt\w+|f(?:i?ld|i?st|i?add|i?sub|i?mul|i?div)\w*"
                        r"|f(?:add|sub|mul|div|sqrt|madd|cvt\w*)|[su]cvtf)\b")


def computes(object_, path, text, spared):
    """The first line of the file that computes with floats or doubles, but for functions that are spared; or None."""
    code = without_comments(text)
    lines = set()
    for name, _, begin, _, last in functions(code):
        if name in spared:
            lines |= set(range(code.count("\n", 0, begin) + 1, code.count("\n", 0, last) + 2))
    said = program.run_tool(["objdump", "-dl", "--no-show-raw-insn", object_])[1]
    base, line, own = os.path.basename(path), 0, False
    for row in said.split("\n"):
        place = re.match(r"(/?\S.*\.(?:cuh?|h|hpp|cpp|c)):(\d+)", row)
        if place:
            own, line = os.path.basename(place[1]) == base, int(place[2])
        elif own and line not in lines and ARITHMETIC.search(row):
            return line
    return None


# Functions of the host's libraries that kernels are often given.
OF_HOST = r"(?:std::(?:max|min|swap|sort|accumulate|fill|copy)|rand|srand|exit|puts|putchar|fprintf|getenv|qsort|calloc|realloc)"


def host_in_kernel(text):
    """What nvcc refuses: a kernel that calls a function of the host, or reads an array or a variable of it. In nvcc's words, or None."""
    code = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', plain(text))
    all_of_it = functions(code)
    on_device = [(name, before, body, last) for name, before, _, body, last in all_of_it if DEVICE.search(before)]
    on_host = {name for name, before, *_ in all_of_it if not DEVICE.search(before) and not UNSURE.search(before)} - {name for name, *_ in on_device}
    variables = variables_of_host(code, all_of_it)
    for kernel, before, body, last in on_device:
        if "__host__" in before:
            continue
        inside, parameters = code[body:last + 1], code[code.rfind(kernel, 0, body):body]
        kind = "__global__" if "__global__" in before else "__device__"
        for match in re.finditer(rf"(?<![\w.>:])({OF_HOST}(?=\s*\()|[A-Za-z_]\w*)\b", inside):
            name, line = match[1], code.count("\n", 0, body + match.start()) + 1
            is_library = re.fullmatch(OF_HOST, name) and name not in {there for there, *_ in all_of_it}
            if not is_library and name not in on_host and name not in variables or is_local(name, inside[:match.end() + 2], parameters):
                continue
            if inside[match.end():].lstrip().startswith("(") and name not in variables:
                return line, f'calling a __host__ function("{name}") from a {kind} function("{kernel}") is not allowed'
            if name in variables:
                return line, f'identifier "{name}" is undefined in device code'
    return None


DEVICE = re.compile(r"\b__(?:global|device)__\b")
UNSURE = re.compile(r"\b(?:constexpr|operator|[A-Z][A-Z0-9_]+)\b")  # a macro of a header may stand for __device__


def is_local(name, before, parameters):
    """Whether a function has a variable, a parameter or a label of that name, by its text as far as that."""
    return re.search(rf"(?:^|[;{{}}(,\n])\s*(?!return\b|else\b|case\b)(?:[A-Za-z_][\w:<>]*[\s*&]+)+{name}\s*[=;,\[({{:)]|,\s*\**{name}\s*[=;,\[]|\b(?:goto\s+|sizeof\W+){name}\b", before) \
        or re.search(rf"\b{name}\b", parameters)


def variables_of_host(code, all_of_it):
    """Names at the top of a file that lie in the host's memory. Constants may be read on the device, unless they are arrays."""
    names = set()
    for _, _, begin, body, last in reversed(all_of_it):
        code = code[:body] + re.sub(r"[^\n]", " ", code[body:last + 1]) + code[last + 1:]
    for match in re.finditer(r"(?:^|[;}\n])[ \t]*((?:[A-Za-z_][\w:<>]*[ \t]+)+)([*A-Za-z_][^;(){}]*)(=|;|\{)", code):
        words, declared = match[1], re.sub(r"=.*", "", match[2], flags=re.S) if "=" in match[2] else match[2]
        depth = code.count("{", 0, match.start(2)) - code.count("}", 0, match.start(2))
        if depth > 0 or UNSURE.search(words) or re.search(r"\b(__\w+__|extern|typedef|using|struct|class|enum|union|return|namespace|template)\b", words):
            continue
        for one in declared.split(","):
            found = re.fullmatch(r"[\s*]*([A-Za-z_]\w*)\s*(\[.*)?\s*", one, re.S)
            if found and (found[2] or not re.search(r"\bconst\b", words)):
                names.add(found[1])
    return names


def by_text(e, text, key):
    """What is wrong by the text alone, in one line, or None."""
    if e.is_quiz and quiz_kernel(text) != (e.given_answer.get("kernel") or quiz_kernel(e.solved())):
        return f"the kernel of a quiz stays as it is, and yours is another, so its numbers say nothing: make reset EXERCISE={key}"
    said = stays(e, text, e.solved(), key) if e.stays or e.without else None
    host = None if said else host_in_kernel(text)
    return f"line {host[0]}: {host[1]}" if host else said


def quiz_kernel(text):
    """A digest of all of a quiz but its seed and its answers, without comments and blanks."""
    text = re.sub(r"(\\|\?\?/)[ \t\r\f\v]*\n", "", text)
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    text = re.sub(r"[ \t\r\n]+", "", text)
    text = re.sub(r"unsignedseed=[0-9a-fxu]*;", "", text, count=1)
    return hashlib.sha1(re.sub(r"doubleanswers\[[0-9]*\]=\{[-+*/%<>()0-9.,a-fxul]*\};", "", text, count=1).encode()).hexdigest()
