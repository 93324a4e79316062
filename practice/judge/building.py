"""building.py: the program of an exercise that defines launch(): of one file, or of many versions at once."""
import os
import re

import source
from program import CXX, PARTS, ROOT, Wrong, cxx_library, keep_only, run_tool, symbols_of

FLAGS = ["-std=c++20", "-g1", "-I.", "-Isteps", "-Icommon"]


def link(object_, program, more=()):
    status, said = run_tool(CXX + [object_, *more, *PARTS, "-o", program, "-lm", "-pthread", *cxx_library()], ROOT)
    if status != 0:
        raise Wrong(f"it does not compile\n{said}")


def own_names(object_):
    """Before it is linked: what a file has to define, and what it may not."""
    symbols = symbols_of(object_)
    if ("launch", "T") not in symbols:
        raise Wrong('your file does not define launch(), which is called: extern "C" void launch(...), as in the file that was given')
    if ("main", "T") in symbols:
        raise Wrong("your file defines main(): it is launch() that is called; take main() out, or rename it")


def build(path, folder, extra=()):
    """The program of this file, in this folder, and what it was made from. Raises Wrong: its first line is the verdict's."""
    object_, program = f"{folder}/exercise.o", f"{folder}/program"
    status, said = run_tool([f"{ROOT}/simulator/simcc", "-Wall", *FLAGS, *extra, "-MD", "-MF", f"{folder}/deps", "-c", path, "-o", object_], ROOT, env={**os.environ, "LC_ALL": "C"})
    if status != 0:
        raise Wrong("it does not compile\n" + said)
    own_names(object_)
    keep_only(object_, f"{folder}/own.o", {"launch", "seed", "answers"})
    link(f"{folder}/own.o", program)
    return program, source.dependences(f"{folder}/deps")


def build_many(paths, program):
    """One program of many versions of exercises, since half of the compiler's time is that of its own headers: each in a namespace;
    PROOF=k of the environment chooses. Raises Wrong."""
    parts, includes, cases, choices = [], set(), [], []
    many = "launch(const struct share" in open(paths[0]).read()
    parameters = "const struct share *shares, unsigned gpus, unsigned block" if many else "const float *in, float *out, size_t n, unsigned block"
    arguments = "shares, gpus, block" if many else "in, out, n, block"
    for k, path in enumerate(paths):
        with open(path) as file:
            text = file.read()
        includes |= set(re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">])', text, re.M))
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)
        shared = ("launch", "seed", "answers")
        parts += [f"#define {name} {name}_{k}\n" for name in shared] + [f'#pragma push_macro("{name}")\n#undef {name}\n' for name in macros]
        parts += [f'namespace n{k} {{\n#include "{path}"\n}}\n'] + [f'#pragma pop_macro("{name}")\n' for name in macros] + [f"#undef {name}\n" for name in shared]
        cases.append(f"    case {k}: return ((void (*)({parameters}))n{k}::launch_{k})({arguments});\n")
        if re.search(r"^double answers\[", text, re.M):
            choices.append(f"    case {k}: seed = n{k}::seed_{k}; memcpy(answers, n{k}::answers_{k}, sizeof n{k}::answers_{k}); break;\n")
    with open(program + ".cu", "w") as file:
        file.write("#include <stdlib.h>\n#include <string.h>\n" + "".join(f"#if __has_include({name})\n#include {name}\n#endif\n" for name in sorted(includes)) + "".join(parts) +
                   "static int chosen() { return atoi(getenv(\"PROOF\")); }\nunsigned seed;\ndouble answers[8];\n__attribute__((constructor)) static void choose()\n"
                   f"{{\n    switch (chosen()) {{\n{''.join(choices)}    default: break;\n    }}\n}}\nextern \"C\" void launch({parameters})\n{{\n    switch (chosen()) {{\n"
                   f"{''.join(cases)}    }}\n}}\n")
    status, said = run_tool([f"{ROOT}/simulator/simcc", "-w", *FLAGS, "-c", program + ".cu", "-o", program + ".o"], ROOT)
    if status != 0:
        raise Wrong(said)
    keep_only(program + ".o", program + ".own.o", {"launch", "seed", "answers"})
    link(program + ".own.o", program)
    return program
