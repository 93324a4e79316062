#!/usr/bin/env python3
# tier: test
"""What a contributor adds is whole: a variant is in its lesson's list, and its descriptor has what it needs. What is missing is
reported with file, line and what to do, before anything is built: faults are planted here. (Lessons: tests/docs.t; exercises:
tests/practice.t; folders of results: tests/results.t.)"""
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [ROOT + "/tests", ROOT + "/tools/pages"]
import tap
import tree
from tap import ok


def variant_problems(root):
    """What is wrong with lists and descriptors, a line each: file, line, and what to do."""
    found, needed = [], {"name": "what -v takes, as in .name = \"{name}\"", "what": "one line for --list", "launch": "the function that queues the sum"}
    for path, listed in tree.lists(root).items():
        folder, lesson = os.path.dirname(path), os.path.relpath(path, root)
        defined = tree.variants(folder)
        for name, line in listed.items():
            if name not in defined:
                found.append(f"{lesson}: line {line}: no file of {os.path.dirname(lesson)}/ defines variant_{name}: write it, or take it from the list")
        for name, variant in defined.items():
            place = f"{os.path.relpath(variant.path, root)}: line {variant.line}"
            if name not in listed:
                found.append(f"{place}: variant_{name} is not in the list of {lesson}: declare it there, and add &variant_{name} to variants[]")
            if not variant.is_plain:
                continue
            found += [f"{place}: variant_{name} has no .{field}: {what.format(name=name)}" for field, what in needed.items() if field not in variant.fields]
            if variant.fields.get("name", f'"{name}"') != f'"{name}"':
                found.append(f"{place}: variant_{name} has .name = {variant.fields['name']}: it must be \"{name}\", by which results and pages find it")
            if re.match("NULL|NVCC_ONLY", variant.fields.get("launch", "")) and "why_not" not in variant.fields:
                found.append(f"{place}: variant_{name} has no .why_not: one line, why it cannot run on the simulator")
    return found


known = variant_problems(ROOT)
ok(not known, "each variant is in its lesson's list, and its descriptor is whole", "\n".join(known))
listed = tree.names(ROOT)
ok(len(listed) >= 24 and listed["03_unrolled"][:2] == ["v3x2", "v3x4"] and all(listed.values()), "the lists are read", listed)

with tempfile.TemporaryDirectory() as copy:
    for folder in ("steps/03_unrolled", "steps/00_baselines", "steps/10_clusters"):
        shutil.copytree(f"{ROOT}/{folder}", f"{copy}/{folder}")

    def planted(check, what, edits, *wanted):
        """These problems, and no others, after these edits: {file: (old, new), or its text, or None if it is gone}"""
        kept = {name: tree.read(f"{copy}/{name}") if os.path.exists(f"{copy}/{name}") else None for name in edits}
        for name, edit in edits.items():
            text = edit if isinstance(edit, str) else edit and kept[name].replace(*edit)
            if text is None:
                os.remove(f"{copy}/{name}")
                continue
            if text == kept[name]:
                raise AssertionError(f"{name}: nothing was planted")
            with open(f"{copy}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        found = check(copy)
        ok(len(found) == len(wanted) and all(re.match(pattern, problem) for pattern, problem in zip(wanted, found)), what, "\n".join(found))
        for name, text in kept.items():
            if text is None:
                os.remove(f"{copy}/{name}")
            else:
                with open(f"{copy}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)

    planted(variant_problems, "variants: all is well", {})
    variant, lesson = "steps/03_unrolled/v3x4.cu", "steps/03_unrolled/lesson.c"
    last = r"steps/03_unrolled/v3x4.cu: line 4\d: variant_v3x4 "
    planted(variant_problems, "a variant that the list lacks", {lesson: ("&variant_v3x4, ", "")},
            last + "is not in the list of steps/03_unrolled/lesson.c: declare it there, and add &variant_v3x4 to variants")
    planted(variant_problems, "a variant that the list has, and no file", {variant: None},
            r"steps/03_unrolled/lesson.c: line \d+: no file of steps/03_unrolled/ defines variant_v3x4: write it, or take it from the list$")
    for field, what in (("name", "what -v takes"), ("what", "one line for --list"), ("launch", "the function that queues the sum")):
        planted(variant_problems, f"a descriptor without .{field}", {variant: (f"    .{field} = ", "    // ")}, last + rf"has no \.{field}: {what}")
    planted(variant_problems, "a descriptor with its neighbour's name", {variant: ('"v3x4"', '"v3x8"')}, last + r'has \.name = "v3x8": it must be "v3x4"')
    planted(variant_problems, "a library's variant that does not say why it is not here", {"steps/00_baselines/cub.cu": (".why_not", "// ")},
            r"steps/00_baselines/cub.cu: line \d+: variant_cub has no \.why_not: one line, ")
    planted(variant_problems, "a variant that a function makes, left out", {"steps/10_clusters/lesson.c": ("    &variant_bulk_4x16k,\n", "")},
            r"steps/10_clusters/bulk.cu: line \d+: variant_bulk_4x16k is not in the list")
tap.done()
