"""pages.py: the page of a lesson's exercises, in English or Chinese, made of their TOML: for the book (tools/book/build.py)."""
import os
import re

from exercise import Course
from practice import EXERCISES, head_of


def fold(summary, text):
    return f"<details>\n<summary>{summary}</summary>\n\n{text.strip()}\n\n</details>\n"


def code_of(text):
    """A solution without the task at its head."""
    return "```cuda\n" + re.sub(r"\A/\*\n.*?\n \*/\n+", "", text, flags=re.S) + "```\n"


def section(exercise, chinese):
    base, zh = os.path.basename(exercise.name), exercise.chinese if chinese else {}
    title = f"{base}：{zh.get('title', exercise.title)}" if chinese else f"{base}: {exercise.title}"
    task = zh.get("task") or "```text\n" + head_of(exercise.solved()) + "\n```\n"
    hints = zh.get("hints", exercise.hints)
    parts = [f"## {title}\n", f"[{base}.cu]({base}.cu)\n", task.strip() + "\n"]
    parts += [fold(f"{'提示' if chinese else 'Hint'} {k + 1}", hint) for k, hint in enumerate(hints)]
    return "\n".join(parts + [fold("解答" if chinese else "The solution", code_of(exercise.solved()) + "\n" + zh.get("explanation", exercise.explanation))])


def page(folder, exercises, chinese):
    number, topic = folder.partition("_")[0], folder.partition("toolbox_")[2]
    suffix = ".zh-CN.md" if chinese else ".md"
    lesson = f"../../../steps/{'toolbox/' + topic if topic else folder}/README{suffix}"
    lesson = lesson if os.path.exists(os.path.join(EXERCISES, folder, lesson)) else lesson.replace(".zh-CN.md", ".md")
    command = f"make practice-{topic}-1" if topic else f"make practice{number}-1"
    messages = f"../../../docs/messages{suffix}"
    if chinese:
        head = f"[English](README.md)\n\n# {f'{topic} 的习题' if topic else f'第 {number} 课的习题'}\n\n[{'工具箱中的 ' + topic if topic else f'第 {number} 课'}]({lesson})的习题。" \
               f"修改对应的文件，运行 `{command}`（或其他题号），看输出。提示和解答折叠在下面。模拟器的消息是什么意思，见[这一页]({messages})。\n"
    else:
        head = f"[中文](README.zh-CN.md)\n\n# Exercises for {topic or f'lesson {number}'}\n\nFor [{topic or f'lesson {number}'}]({lesson}). Edit the file, run `{command}` " \
               f"(or another number), and read the output. Hints and a solution are folded here; `make hint` and `make solution` print them. " \
               f"[What the simulator's messages mean]({messages}).\n"
    return "\n".join([head] + [section(exercise, chinese) for exercise in exercises])


def all_pages():
    """{name in the repository: text}."""
    course, pages = Course(EXERCISES), {}
    for folder in sorted({name.partition("/")[0] for name in course.names}):
        exercises = [course.exercise(name) for name in course.names if name.startswith(folder + "/")]
        for chinese in (False, True):
            pages[f"practice/exercises/{folder}/README{'.zh-CN' * chinese}.md"] = page(folder, exercises, chinese)
    return pages
