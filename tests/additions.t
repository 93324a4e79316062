#!/usr/bin/env python3
# tier: test
"""What a contributor adds is whole: a variant is in its lesson's list, and its descriptor has what it needs; an exercise
has all its parts. What is missing is reported with file, line and what to do, before anything is built: faults are
planted here. (Lessons: tests/docs.t; folders of results: tests/results.t.)"""
import glob
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


def exercise_problems(root):
    """What an exercise lacks of its parts (CONTRIBUTING.md)."""
    found, pristine = [], tree.read(root + "/practice/pristine.txt")
    for folder in sorted(glob.glob(root + "/practice/exercises/*_*/")):
        lesson = os.path.basename(folder[:-1])
        parts = {"exercises": {os.path.basename(path)[:-3] for path in glob.glob(folder + "*.cu")},
                 "solutions": {os.path.basename(path)[:-3] for path in glob.glob(f"{root}/practice/solutions/{lesson}/*.cu")}}
        files = {"criteria": f"practice/exercises/{lesson}/criteria.c", "page": f"practice/exercises/{lesson}/README.md", "proof": f"tests/practice/{lesson}.pl"}
        texts = {part: tree.read(f"{root}/{file}") if os.path.exists(f"{root}/{file}") else "" for part, file in files.items()}
        patterns = {"criteria": r'^ *\.file = "(\w+)"', "page": r"^## (\w+):", "proof": r"^    '(\w+)' *=> *\{"}
        places = {part: {match[1]: tree.line_of(texts[part], match.start()) for match in re.finditer(pattern, texts[part], re.M)}
                  for part, pattern in patterns.items()}
        for name in sorted(set().union(*parts.values(), *places.values())):
            end = {part: f"{file}: line {texts[part].count(chr(10)) + 1}" for part, file in files.items()}
            wanted = {"exercises": f"practice/exercises/{lesson}/{name}.cu: there is no such file: the kernel with its hole, and the shortest launcher",
                      "solutions": f"practice/solutions/{lesson}/{name}.cu: there is no such file: the exercise, solved",
                      "criteria": f'{end["criteria"]}: no row with .file = "{name}": what is right, and the limits (practice/practice.h)',
                      "page": f"{end['page']}: no section ## {name}: ...: two hints and the solution, each folded",
                      "proof": f"{end['proof']}: no entry '{name}' => {{: the message for the hole, and two typical wrong answers"}
            found += [text for part, text in wanted.items() if name not in (parts.get(part) or places.get(part) or ())]
            if not all(name in names for names in parts.values()):
                continue
            if f" {lesson}/{name}\n" not in pristine:
                found.append(f"practice/pristine.txt: line {pristine.count(chr(10)) + 1}: nothing of {lesson}/{name}: practice/run pristine records it")
            topic = lesson.removeprefix("toolbox_")
            command = f"make practice-{topic}-{name[0]}" if topic != lesson else f"make practice{lesson[:2]}-{name[0]}"
            shown_by = f"{'steps' if topic == lesson else 'steps/toolbox'}/{topic}/README.md"
            lesson_page = tree.read(f"{root}/{shown_by}")
            if command not in lesson_page:
                line = tree.line_of(lesson_page, lesson_page.index("\n## Practice") + 1) if "\n## Practice" in lesson_page else 1
                found.append(f"{shown_by}: line {line}: does not name the exercise: {command}")
            section = re.search(rf"^## {name}:.*?(?=^## |\Z)", texts["page"], re.M | re.S)
            found += [f"{files['page']}: line {places['page'][name]}: ## {name} has no <summary>{part}</summary>"
                      for part in ("Hint 1", "Hint 2", "The solution") if section and f"<summary>{part}</summary>" not in section[0]]
    return found


known = variant_problems(ROOT)
ok(not known, "each variant is in its lesson's list, and its descriptor is whole", "\n".join(known))
known = exercise_problems(ROOT)
ok(not known, "each exercise has all its parts", "\n".join(known))
listed = tree.names(ROOT)
ok(len(listed) >= 24 and listed["03_unrolled"][:2] == ["v3x2", "v3x4"] and all(listed.values()), "the lists are read", listed)

with tempfile.TemporaryDirectory() as copy:
    for folder in ("steps/03_unrolled", "steps/00_baselines", "steps/10_clusters", "practice/exercises/03_unrolled", "practice/solutions/03_unrolled"):
        shutil.copytree(f"{ROOT}/{folder}", f"{copy}/{folder}")
    os.makedirs(copy + "/tests/practice")
    shutil.copy(ROOT + "/practice/pristine.txt", copy + "/practice")
    shutil.copy(ROOT + "/tests/practice/03_unrolled.pl", copy + "/tests/practice")

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

    names = sorted(os.path.basename(path)[:-3] for path in glob.glob(copy + "/practice/exercises/03_unrolled/*.cu"))
    name = names[-1]
    page, rows, proof = "practice/exercises/03_unrolled/README.md", "practice/exercises/03_unrolled/criteria.c", "tests/practice/03_unrolled.pl"
    planted(exercise_problems, "exercises: all is well", {})
    planted(exercise_problems, "a new exercise, and nothing else", {"practice/exercises/03_unrolled/9_new.cu": "int x;\n"},
            "practice/solutions/03_unrolled/9_new.cu: there is no such file", rf'{rows}: line \d+: no row with .file = "9_new"', rf"{page}: line \d+: no section ## 9_new",
            rf"{proof}: line \d+: no entry '9_new'")
    planted(exercise_problems, "an exercise that is not recorded, and that its lesson does not name",
            {"practice/pristine.txt": (f" 03_unrolled/{name}\n", " 03_unrolled/x\n"), "steps/03_unrolled/README.md": (f"make practice03-{name[0]}", "make practice03")},
            rf"practice/pristine.txt: line \d+: nothing of 03_unrolled/{name}: practice/run pristine",
            rf"steps/03_unrolled/README.md: line \d+: does not name the exercise: make practice03-{name[0]}")
    planted(exercise_problems, "an exercise without its file", {f"practice/exercises/03_unrolled/{name}.cu": None}, f"practice/exercises/03_unrolled/{name}.cu: there is no such file")
    planted(exercise_problems, "an exercise without a row", {rows: (f'"{name}"', '"none"')}, rf'{rows}: line \d+: no row with .file = "{name}"',
            "practice/exercises/03_unrolled/none.cu", "practice/solutions/03_unrolled/none.cu", f"{page}: line .*none", f"{proof}: line .*'none'")
    text = tree.read(f"{copy}/{page}")
    start = text.index(f"## {name}:")
    planted(exercise_problems, "an exercise without its second hint", {page: text[:start] + text[start:].replace("<summary>Hint 2</summary>", "<summary>Hint</summary>", 1)},
            rf"{page}: line {tree.line_of(text, start)}: ## {name} has no <summary>Hint 2</summary>$")
tap.done()
