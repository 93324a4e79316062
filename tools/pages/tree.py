"""tree.py: the variants that the sources have: those that each lesson.c lists, and what a folder of results has not
measured yet."""
import glob
import os
import re

from page_markdown import line_of, read

MANY_GPUS = ("14_many_gpus",)  # about several GPUs: in folders of results that hold nothing else (make compare-gpus)
MEASURED_ALONE = {"14_many_gpus": "make compare-gpus", "16_rows": "make results PARTS=16_rows"}  # a folder's "only", and what makes such a folder
LISTED = re.compile(r"&variant_(\w+)")
DEFINED = re.compile(r"^(?:extern )?const struct variant variant_(\w+) =(.*?);$", re.M | re.S)
FIELD = re.compile(r"^ *\.(\w+) = (.+?),?$", re.M)


class Variant:
    """The definition of one: where it is, and its fields as text (none if a function makes it)."""

    def __init__(self, path, line, name, text):
        self.path, self.line, self.name, self.text = path, line, name, text
        self.is_plain = text.lstrip().startswith("{")
        self.fields = dict(FIELD.findall(text)) if self.is_plain else {}


def lists(root):
    """{path of a lesson.c: {name: line} of the variants that it lists}"""
    texts = {path: read(path) for path in sorted(glob.glob(f"{root}/steps/*/lesson.c") + glob.glob(f"{root}/steps/toolbox/*/lesson.c"))}
    return {path: {listed[1]: line_of(text, listed.start()) for listed in LISTED.finditer(text)} for path, text in texts.items()}


def names(root):
    """{step or topic: names of its variants, in the order of its table}"""
    return {os.path.basename(os.path.dirname(path)): list(listed) for path, listed in lists(root).items()}


def variants(folder):
    """The definitions in the files of a folder, by name."""
    texts = {path: read(path) for path in sorted(glob.glob(folder + "/*.cu") + glob.glob(folder + "/*.c"))}
    return {one[1]: Variant(path, line_of(text, one.start()), one[1], one[2]) for path, text in texts.items() for one in DEFINED.finditer(text)}


def is_measured(step, variant, machine, kernels):
    """Whether such a folder of results would hold it, as far as its definition says."""
    text, on_simulator = variant.text if variant else "", machine.get("backend") == "sim"
    if "KNOWN_WRONG" in text or (on_simulator or kernels) and "NVCC_ONLY" in text or kernels and re.search(r"\b(ON_CPU|ROOF)\b", text):
        return False
    return on_simulator or in_folder(step, machine)


def in_folder(step, machine):
    """Whether a GPU's folder of results is to hold this step: all but those about several GPUs, or its only one."""
    return step == machine["only"] if machine.get("only") else step not in MANY_GPUS


def not_measured(root, recorded, machine, kernels=False):
    """{step: variants that came after a folder of results}. recorded: what its list has; machine: its machine.json;
    kernels: of kernels alone, as in counters.csv."""
    newer = {}
    for path, listed in lists(root).items():
        if not set(listed) <= recorded:
            step, defined = os.path.basename(os.path.dirname(path)), variants(os.path.dirname(path))
            newer[step] = [name for name in listed if name not in recorded and is_measured(step, defined.get(name), machine, kernels)]
    return {step: lacking for step, lacking in newer.items() if lacking}


def is_sum(root, step, name):
    """Whether a variant of a step answers with the sum, as most do."""
    variant = variants(f"{root}/steps/{step}").get(name)
    return variant is None or "task" not in variant.fields


def measuring(machine, folder):
    """The command that makes such a folder of results."""
    if machine.get("only") in MEASURED_ALONE:
        return f"{MEASURED_ALONE[machine['only']]} RESULTS={folder}"
    return f"make counters-sim COUNTERS={folder}/counters.csv" if machine.get("backend") == "sim" else f"./run_all.sh --out {folder}"
