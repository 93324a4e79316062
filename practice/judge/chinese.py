"""chinese.py: the lines of practice in Chinese, where the environment's language is Chinese, as gettext decides it."""
import os
import re

with open(os.path.join(os.path.dirname(__file__), "../../simulator/chinese.h"), encoding="utf-8") as header:
    FINDINGS = re.findall(r'^ +\{"(.*?)", "(.*)"\},$', header.read(), re.M)

def is_chinese(environment=os.environ):
    locale = environment.get("LC_ALL") or environment.get("LC_MESSAGES") or environment.get("LANG") or ""
    if locale in ("", "C", "POSIX") or locale.startswith("C.") or re.search(r"\.(?!utf)", locale, re.I):
        return False
    return ((environment.get("LANGUAGE") or "").partition(":")[0] or locale).startswith("zh")


class Chinese:
    def __init__(self, words):
        """{English: Chinese}, as course.toml has them."""
        self.exact, self.patterns = {}, []
        for english, chinese in words.items():
            if re.search(r"\{[:#]?\}", english):
                pattern = re.escape(english)
                for hole, stands_for in ((r"\{\}", "(.+)"), (r"\{:\}", "([^:]+)"), (r"\{\#\}", "(-?[0-9][0-9.]*)")):
                    pattern = pattern.replace(hole, stands_for)
                self.patterns.append((re.compile(pattern, re.S), chinese))
            else:
                self.exact[english] = chinese
        self.of_exercise = {}

    def text(self, text):
        if re.fullmatch(r"\d+(, \d+)*", text):
            return text.replace(", ", "、")
        if text in self.of_exercise or text in self.exact:
            return self.of_exercise.get(text) or self.exact[text]
        for pattern, chinese in self.patterns:
            found = pattern.fullmatch(text)
            if found:
                for k, part in enumerate(found.groups(), 1):
                    chinese = chinese.replace(f"{{{k}}}", self.text(part))
                return chinese
        return text

    def line(self, line):
        """A whole line: its verdict's word, its indentation and its colours stay."""
        verdict = re.fullmatch(r"  (\x1b\[[0-9;]*m)?(ok|WRONG|-) *(\x1b\[0m)? +(.*)", line)
        if verdict:
            word = {"ok": "对", "WRONG": "未答" if verdict[4].endswith("no answer yet") else "错", "-": "- "}[verdict[2]]
            finding = "simulator: " in verdict[4] and next((chinese for part, chinese in FINDINGS if part in verdict[4]), None)
            return f"  {verdict[1] or ''}{word}{verdict[3] or ''}{'  ' if word == '未答' else '    '}{self.text(verdict[4])}" + (f"\n        {finding}（docs/messages.zh-CN.md）" if finding else "")
        found = re.fullmatch(r"((?:\x1b\[[0-9;]*m| )*)(.*?)((?:\x1b\[0m)?)", line)
        return found[1] + self.text(found[2]) + found[3]
