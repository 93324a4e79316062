#!/usr/bin/env python3
# tier: test
"""Practice in Chinese (practice/chinese.sh): lines of verdicts, hints and tasks, and the language as gettext chooses it."""
import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from tap import done, ok

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

LINES = """\
05-2, hint 1|05-2，提示 1
  Blocks of 64, 256; so many GPUs: 2, 8; data and schedules drawn with SEED=12.|  线程块大小：64、256；GPU 个数：2、8；数据和调度由 SEED=12 决定。
  WRONG  answer: each element, less the mean: n = 33, blocks of 75, in[] not aligned, schedule 7: out[1]: expected 5, got 3: element 32 is missing|\
  错    答案：每个元素减去平均值：n = 33，线程块大小 75，in[] 未对齐，调度 7：out[1]：应为 5，却是 3：漏掉了元素 32
  WRONG  answer: the sum: n = 33, blocks of 75, 2 GPUs: GPU 1's out[0]: expected -5, got 3.5: elements 0, 2, 5 and 4 more are counted twice|\
  错    答案：总和：n = 33，线程块大小 75，2 个 GPU：GPU 1 的 out[0]：应为 -5，却是 3.5：元素 0、2、5 以及另外 4 个：算了两遍
  WRONG  answer: the sum: n = 33, blocks of 75: the sum: expected 1, got 2: elements 0 to 31 are counted 1.5 times|\
  错    答案：总和：n = 33，线程块大小 75：总和：应为 1，却是 2：元素 0 到 31：算了 1.5 遍
  ok     barriers: 16, at most 16 (n = 4096, blocks of 256)|  对    屏障：16，不超过 16（n = 4096，线程块大小 256）
  WRONG  barriers: 7, and it should be at least 16 (n = 4096, blocks of 256): two are enough|\
  错    屏障：7，应当不少于 16（n = 4096，线程块大小 256）：两次就够
  WRONG  2. thread 30 gets: not 5: that is too little|  错    2. 线程 30 得到：不是 5：太小了
  n = 96, blocks of 96, 2 GPUs, in[i] = i + 1, if it is read (seed 2 draws n and the others):|\
  n = 96，线程块大小 96，2 个 GPU，读到的 in[i] 是 i + 1（这些数由 seed 2 决定）：
  WRONG  faults: n = 5, blocks of 32: simulator: a.cu:3: f, thread (2,0,0): a race with another|\
  错    错误检查：n = 5，线程块大小 32：simulator: a.cu:3: f, thread (2,0,0): a race with another
  WRONG  faults: n = 31, blocks of 32: simulator: a.cu:3: f: reads what nothing has written; the kernel's line is right: what does launch() give it, how many bytes of it are there, and how many threads?|\
  错    错误检查：n = 31，线程块大小 32：simulator: a.cu:3: f: reads what nothing has written；核函数的这一行没有错：launch() 给它的是什么，有多少字节，有多少线程？
  WRONG  faults: at its start: the program ended itself before its first launch|  错    错误检查：刚开始时：程序在第一次启动之前自行结束
  ok     3. element 5 in the end: 14|  对    3. 元素 5 的最终值：14
  3 of 9 solved|  做对 3 题，共 9 题"""


def bash(script, text="", **environment):
    clean = {name: value for name, value in os.environ.items() if not re.match(r"LANG|LC_|PRACTICE_", name)}
    return subprocess.run(["bash", "-c", script, "bash"], input=text, capture_output=True, text=True, cwd=ROOT, env={**clean, **environment})


def in_chinese(lines):
    """These lines, as a reader of Chinese sees them."""
    result = bash(". practice/chinese.sh; lines_in_chinese", "".join(line + "\n" for line in lines), PRACTICE_LANGUAGE="zh-CN")
    assert result.stderr == "", result.stderr
    return result.stdout.splitlines()


wanted = [line.split("|") for line in LINES.splitlines()]
got = in_chinese([line for line, _ in wanted])
ok(got == [line for _, line in wanted], "whole lines, and the simulator's words stay", "\n".join(got))
ok(in_chinese(["  Nothing of this. ", "", "make x"]) == ["  Nothing of this. ", "", "make x"], "a line without a row stays as it is")

# ---- the language ----

for answer, environment in (("yes", {"LANG": "zh_CN.UTF-8"}), ("no", {"LANG": "en_GB.UTF-8"}), ("no", {}), ("no", {"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}),
                            ("yes", {"LANG": "en_GB.UTF-8", "LC_ALL": "zh_CN.utf8"}), ("yes", {"LANG": "en_GB.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}),
                            ("yes", {"LANG": "en_GB.UTF-8", "LANGUAGE": "zh_CN:en"}), ("no", {"LANG": "zh_CN.UTF-8", "LANGUAGE": "en:zh_CN"}),
                            ("no", {"LANG": "C", "LANGUAGE": "zh_CN"}), ("no", {"LANG": "zh_CN.GB18030"}), ("no", {"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "de_DE.UTF-8"})):
    found = bash(". practice/chinese.sh --; is_chinese && echo yes || echo no", **environment).stdout.strip()
    ok(found == answer, f"Chinese: {answer} for {environment}", found)

result = bash("practice/run hint 05-2; practice/run hint no-such", LANG="zh_CN.UTF-8")
ok(result.stdout.startswith("05-2，提示 1\n  用 `__shfl_down_sync` 时") and "还有一个：make hint EXERCISE=05-2 HINT=2\n" in result.stdout and result.returncode == 2,
   "a hint in Chinese, and a status", result)
result = bash("YES=1 practice/run solution 05-2", LANG="zh_CN.UTF-8")
ok(result.returncode == 0 and "这就是**蝶式交换**（butterfly）" in result.stdout and "__global__ void warp_sums" in result.stdout, "a solution in Chinese", result)
result = bash("practice/run hint 05-2", LANG="en_GB.UTF-8")
ok(result.stdout.startswith("05-2, hint 1\n  With `__shfl_down_sync`"), "and in English", result)
result = bash(". practice/chinese.sh; chinese_task 05_warp_shuffle/1_predict", PRACTICE_LANGUAGE="zh-CN")
ok(result.stdout.startswith("  1_predict：泳道读到的是谁的值？\n") and result.stdout.rstrip().endswith("核函数不要改动。") and "<" not in result.stdout, "a task in Chinese", result)
missing = [name for name in sorted(glob.glob(ROOT + "/practice/solutions/*/[0-9]*.cu"))
           if bash('. practice/chinese.sh; chinese_task "$NAME"', PRACTICE_LANGUAGE="zh-CN", NAME=name.removeprefix(ROOT + "/practice/solutions/").removesuffix(".cu")).returncode != 0]
ok(not missing, "each exercise has a task in Chinese", missing)
done()
