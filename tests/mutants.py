"""Kernels with a fault behind a switch: each barrier of a file can be taken out, in a program that is compiled once."""
import glob
import os
import re
import shutil

from common import plant, read, run, write

# How a program of the simulator's objects is linked: as the Makefile does it.
STATIC = os.path.exists(run("${CXX:-g++} -print-file-name=libstdc++.a")[0].strip())
LINK = "${CXX:-g++} -fopenmp" + (" -static-libstdc++" if STATIC else "")

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), full[k].wait_parity(p),
# __cluster_barrier_arrive_relaxed(), asm volatile("fence...") ...
OBJECT = r"[\w:]+(?:\(\)|\[\w+\])?\s*\.\s*|cg::"
NAMED = (rf'__syncthreads\w*|__syncwarp|__threadfence\w*|__cluster_barrier_\w+|cudaGridDependencySynchronize|asm\s+volatile(?=\("(?:fence|membar|bar))'
         rf"|(?:{OBJECT})?(?:sync|wait_parity|barrier_(?:arrive|wait))")
BARRIER = rf"\b(?:{NAMED})\s*\((?:[^()]|\([^()]*\))*\)"
SKIPPED = r'/\*(?s:.*?)\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"'


class Barrier:
    """start, end: where it stands in its file; text: as it stands there; line; after: what follows it, from its own text on."""

    def __init__(self, source, found):
        self.start, self.end, self.text = *found.span(1), found[1]
        self.line, self.after = source.count("\n", 0, self.start) + 1, source[self.start:self.start + 200]

    def unseen(self):
        """Whether taking it out is not seen: "" if it is; "elsewhere" if the library's own tests see it; or "nowhere", which docs/robustness.md must name."""
        # No pattern has floats far from the window, which go to limbs by atomics. Only these need these barriers.
        if self.after.startswith(("__syncwarp(); /* in front of the atomics of all lanes", "__syncthreads(); /* after the sums, for the flags")):
            return "elsewhere"
        if self.after.startswith(("__syncwarp(); /* after the atomics of all lanes", "cluster.barrier_wait(); /* no block writes here any more")):
            return "nowhere"
        return "nowhere" if re.search(r"fence\.proxy\.async|GridDependency", self.text) else ""


def barriers(source):
    """Those of a source whose value is not needed, in order."""
    return [Barrier(source, found) for found in re.finditer(f"{SKIPPED}|({BARRIER})", source)
            if found[1] and not re.match(r"__syncthreads_(?:count|and|or)", found[1])]


def switches(path, first):
    """Puts a switch around each barrier of a file, which is a copy -> the barriers; their numbers count from the first on."""
    source = read(path)
    found = barriers(source)
    for k, barrier in reversed(list(enumerate(found, first))):
        taken_out = f"mutated({k})"
        text = f"if (!{taken_out}) {barrier.text}" if barrier.text.startswith("asm") else f"({taken_out} ? (void)0 : (void){barrier.text})"
        source = source[:barrier.start] + text + source[barrier.end:]
    write(path, source)
    return found


def make_switch(scratch):
    """In files that are copied to scratch and changed there, mutated(k) is true if the environment's MUTANT is k."""
    write(f"{scratch}/switch.c", '#include <stdlib.h>\nint mutated(int k) { static int m = -1; if (m < 0) m = atoi(getenv("MUTANT")); return m == k; }\n')
    write(f"{scratch}/switch.h", 'extern "C" int mutated(int k);\n')
    run(f"gcc -O2 -c {scratch}/switch.c -o {scratch}/switch.o")


def as_one(files, shared=()):
    """One source that holds these files with kernels, since the compiler's time is mostly that of its own headers: each in a namespace, and what they
    include is included before, if it is there. shared: names that all define: NAME_k in file k."""
    includes, body = set(), ""
    for k, path in enumerate(files):
        text = read(path)
        includes |= set(re.findall(r'^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">])', text, re.M))
        macros = re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.M)
        body += "".join([f"#define {name} {name}_{k}\n" for name in shared] + [f'#pragma push_macro("{name}")\n#undef {name}\n' for name in macros]
                        + [f'namespace n{k} {{\n#include "{path}"\n}}\n'] + [f'#pragma pop_macro("{name}")\n' for name in macros]
                        + [f"#undef {name}\n" for name in shared])
    return "".join(f"#if __has_include({name})\n#include {name}\n#endif\n" for name in sorted(includes)) + body


def compile_as_one(target, options, files, shared=()):
    """An object of all these files, where C finds their data -> output, status. options: of simcc."""
    folders = " ".join(sorted({f"-I{os.path.dirname(path)}" for path in files}))
    write(f"{target}.cu", as_one(files, shared))
    return run(f"simulator/simcc -std=c++20 -g1 {options} {folders} -Icommon -Isimulator -Isteps -I. -c {target}.cu -o {target} && "
               rf"nm {target} | sed -n 's/.* [A-Z] \(_ZN[0-9]*n[0-9]*\([a-z][a-z0-9_]*\)E\)$/\1 \2/p' >{target}.names && objcopy --redefine-syms={target}.names {target}")


def build_switched(scratch, program, folder, files):
    """A program of the folder's own objects but those of the files, as steps/05_x/y.cu, which are copies with switches in scratch -> output, status."""
    output, status = compile_as_one(f"{program}.o", f"-I{scratch}/steps -I{scratch} -include {scratch}/switch.h", [f"{scratch}/{path}" for path in files])
    if status:
        return output, status
    replaced = {re.sub(r"\.cu$", ".o", path) for path in [*files, f"{folder}/first.cu", f"{folder}/sum_mpi.cu"]}
    own = [re.sub(r"\.cu?$", ".o", path) for path in glob.glob(f"{folder}/*.c") + glob.glob(f"{folder}/*.cu")]
    if re.search(r"_(library|types|exact|many_gpus)$", folder):  # which call the library
        own += [f"library/{name}.o" for name in ("sum_f32", "sum_exact", "sum_f32_plan")]
    objects = [f"build/sim/{path}" for path in own if path not in replaced]
    if "16_rows" in folder:
        objects.append("build/sim/steps/15_operators/operators_check.o")
    return run(f"{LINK} {program}.o {' '.join(objects)} {scratch}/switch.o build/sim/libcommon.a -o {program} -lm")


def planted(scratch, faults):
    """Copies of steps and library with faults in them: {file: [(old, new), ...]}, new with its switch."""
    make_switch(scratch)
    for tree in "steps", "library":
        shutil.copytree(tree, f"{scratch}/{tree}", dirs_exist_ok=True)
    for path, edits in faults.items():
        plant(f"{scratch}/{path}", *edits)


def planted_program(scratch, folder, files, faults):
    """What build_switched makes with faults in copies of these files, or of headers -> the program."""
    planted(scratch, faults)
    output, status = build_switched(scratch, f"{scratch}/planted", folder, files)
    assert status == 0, output
    return f"{scratch}/planted"
