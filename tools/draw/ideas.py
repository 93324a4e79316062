#!/usr/bin/env python3
"""ideas.py [LESSON...]: draws the idea of each lesson, or of those named (01), into plots/idea/, in English and in Chinese
(make ideas). 400 units wide with letters of 11 and more, so that a phone shows it whole. The page has the same as text, folded.

Exit status: 0 drawn; 1 it cannot be written, and then no picture is touched; 2 usage."""
import os
import sys

import output
from output import REPOSITORY, run
from svg import INK, px

WIDTH, SHOWN = 400, 520  # units, and the pixels that a wide page gives them
FOLDER = os.path.join(REPOSITORY, "plots", "idea")
DARK, GREY = "#202020", "#404040"
# The fill of a box and its words: white on blue, black on the other colours. Okabe and Ito's blue and orange.
KINDS = {"a": ("#0072b2", "#ffffff"), "b": ("#e69f00", "#000000"), "pale": ("#cfe3f0", "#000000"), "grey": ("#c4c4c4", DARK), "open": ("#ffffff", DARK)}
ON_COLOURS = ("#ffffff", "#000000")


class Sketch:
    """Boxes, lines and words. say(english, chinese) is the words of the language that is drawn."""

    def __init__(self, chinese, title):
        self.chinese, self.shapes, self.texts, self.bottom = chinese, [], {}, 0
        self.text(WIDTH / 2, 14, self.say(*title), size=13, bold=True)

    def shape(self, style, path):
        """What follows in the same style is one element of the file."""
        if self.shapes and self.shapes[-1][0] == style:
            self.shapes[-1][1] += "\n" * (len(self.shapes[-1][1].rsplit("\n", 1)[-1]) > 120) + path
        else:
            self.shapes.append([style, path])

    def say(self, english, chinese):
        return chinese if self.chinese else english

    def text(self, x, y, words, anchor="middle", size=11, colour=DARK, bold=False):
        """The middle of its letters is at y; several lines are around it."""
        lines = str(words).split("\n")
        for k, line in enumerate(lines):
            at = y + (k - (len(lines) - 1) / 2) * size * 1.2
            self.bottom = max(self.bottom, at + size)
            line = line.replace("&", "&amp;").replace("<", "&lt;")
            self.texts.setdefault((size, anchor, colour, bold), []).append(f"<text x='{px(x)}' y='{px(at + 0.35 * size)}'>{line}</text>")

    def box(self, kind, x, y, wide, high, words="", size=11, bold=False):
        fill, colour = KINDS[kind]
        edge = f" stroke='{GREY}'" if kind == "open" else ""
        self.shape(f"fill='{fill}'{edge}", f"M{px(x)},{px(y)}h{px(wide)}v{px(high)}h{px(-wide)}z")
        self.bottom = max(self.bottom, y + high)
        if words != "":
            self.text(x + wide / 2, y + high / 2, words, size=size, colour=colour, bold=bold)

    def dot(self, kind, x, y, words):
        self.shape(f"fill='{KINDS[kind][0]}'", f"M{px(x - 8)},{px(y)}a8,8 0 1 0 16,0a8,8 0 1 0 -16,0")
        self.text(x, y, words, colour=KINDS[kind][1])

    def line(self, *points, colour=GREY, wide=1.2, dashed=False):
        path = "M" + "L".join(f"{px(x)},{px(y)}" for x, y in points)
        dash = " stroke-dasharray='4 3'" if dashed else ""
        self.shape(f"fill='none' stroke='{colour}' stroke-width='{wide}'{dash}", path)

    def arrow(self, *points, colour=GREY, wide=1.2, dashed=False):
        """A line with a head at its end."""
        (x1, y1), (x2, y2) = points[-2:]
        long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        right, down = (x2 - x1) / long, (y2 - y1) / long
        self.line(*points[:-1], (x2 - 4 * right, y2 - 4 * down), colour=colour, wide=wide, dashed=dashed)
        head = [(x2, y2), (x2 - 7 * right - 3.5 * down, y2 - 7 * down + 3.5 * right), (x2 - 7 * right + 3.5 * down, y2 - 7 * down - 3.5 * right)]
        self.shape(f"fill='{colour}'", f"M{'L'.join(f'{px(x)},{px(y)}' for x, y in head)}z")

    def svg(self):
        high = int(self.bottom + 7)
        fonts = [f"<g font-size='{size}' text-anchor='{anchor}' fill='{colour}'{' font-weight=' + repr('bold') if bold else ''}{' ' + INK if colour in ON_COLOURS else ''}>\n" + "\n".join(texts) + "\n</g>"
                 for (size, anchor, colour, bold), texts in self.texts.items()]
        return "\n".join([f"<svg xmlns='http://www.w3.org/2000/svg' width='{SHOWN}' height='{high * SHOWN // WIDTH}' viewBox='0 0 {WIDTH} {high}' font-family='sans-serif'>",
                          "<rect width='100%' height='100%' fill='#ffffff'/>", *(f"<path {style} d='{path}'/>" for style, path in self.shapes), *fonts, "</svg>", ""])


# ---- the lessons ----

def baselines(p):
    say = p.say
    p.box("open", 4, 28, 112, 172)
    p.text(60, 42, say("the CPU: “host”", "CPU：“主机”"), bold=True)
    for k in range(4):
        p.box("pale", 14 + k * 24, 58, 20, 20)
    p.text(60, 90, say("a few fast cores", "少数几个快的核心"))
    p.line((60, 100), (60, 154))
    p.box("grey", 14, 154, 92, 38, say("its own\nmemory", "自己的内存"))
    p.box("open", 158, 28, 238, 172)
    p.text(277, 42, say("the GPU: “device”", "GPU：“设备”"), bold=True)
    for k in range(132):
        p.box("a", 167 + k % 22 * 10, 55 + k // 22 * 8, 8, 6)
    p.text(277, 112, say("132 SMs", "132 个 SM"))
    p.box("b", 167, 122, 220, 20, say("L2 cache, shared by all SMs", "L2 缓存，全部 SM 共用"))
    p.line((277, 142), (277, 154))
    p.box("pale", 167, 154, 220, 38, say("device memory:\nthe n floats of the array lie here", "设备内存：\n数组的 n 个 float 放在这里"))
    p.arrow((106, 166), (167, 166))
    p.arrow((167, 180), (106, 180))
    p.text(137, 152, say("copies", "拷贝"), colour=GREY)


def columns(p, top, labels, colour=lambda k: "grey"):
    """Eight elements side by side; the place of each."""
    place = lambda k: 66 + k * 42
    p.text(4, top + 10, labels, anchor="start")
    for k in range(8):
        p.box(colour(k), place(k), top, 34, 20, k)
    return place


def interleaved(p):
    say = p.say
    x = columns(p, 30, say("element", "元素"))
    rounds = [(1, ["0+1", "2+3", "4+5", "6+7"]), (2, [say("0 to 3", "0 到 3"), say("4 to 7", "4 到 7")]), (4, [say("0 to 7", "0 到 7")])]
    for row, (stride, sums) in enumerate(rounds):
        y = 84 + 54 * row
        p.text(4, y + 10, say(f"stride {stride}", f"跨度 {stride}"), anchor="start")
        for k, words in enumerate(sums):
            left = 2 * stride * k
            for element in (left, left + stride):
                p.line((x(element) + 17, y - 34), (x(left) + 17, y))
            wide = 34 if stride == 1 else 44
            p.box("pale", x(left), y, wide, 20, words)
            p.dot("a", x(left) + wide + 10, y + 10, left)
            p.dot("b", x(left) + wide + 27, y + 10, k)
    p.dot("a", 222, 188, "0")
    p.text(236, 188, say("which thread, in v0", "v0 中做它的线程"), anchor="start", size=11)
    p.dot("b", 222, 208, "0")
    p.text(236, 208, say("and in v1", "v1 中做它的线程"), anchor="start", size=11)


def sequential(p):
    say = p.say
    p.text(231, 34, say("8 floats side by side: one piece of 32 bytes", "连续的 8 个 float：正好一个 32 字节的单位"), colour=GREY)
    p.line((66, 46), (66, 42), (394, 42), (394, 46))
    x = columns(p, 50, say("element", "元素"), lambda k: "a" if k < 4 else "pale")
    p.text(4, 114, say("stride 4", "跨度 4"), anchor="start")
    for k in range(4):
        for element in (k, k + 4):
            p.line((x(element) + 17, 70), (x(k) + 17, 104))
        p.box("a", x(k), 104, 34, 20, f"{k}+{k + 4}")
    p.text(4, 174, say("stride 2", "跨度 2"), anchor="start")
    for k in range(2):
        for element in (k, k + 2):
            p.line((x(element) + 17, 124), (x(k) + 17, 158))
        p.box("a", x(k), 158, 34, 32, f"{k}+{k + 4}\n+{k + 2}+{k + 6}", size=10)
    p.text(4, 234, say("stride 1", "跨度 1"), anchor="start")
    for element in (0, 1):
        p.line((x(element) + 17, 190), (x(0) + 17, 224))
    p.box("a", x(0), 224, 34, 20, say("all", "全部"))
    p.text(x(4), 180, say("the first threads work,\non elements side by side", "工作的是前面的线程，\n访问的是相邻元素"), anchor="start", colour=GREY)


def unrolled(p):
    say = p.say
    for y, step, loads, wait, elements in ((42, "02", 2, 84, "256"), (118, "03", 8, 110, "2,048")):
        p.text(4, y, say(f"step {step}", f"第 {step} 课"), anchor="start", bold=True)
        p.text(70, y, say(f"ask for {loads}", f"请求 {loads} 个"), anchor="start")
        x = 70
        for _ in range(loads):
            p.box("a", x, y + 12, 8, 22)
            x += 10
        p.box("grey", x, y + 12, wait, 22, say("wait", "等待"))
        x += wait + 2
        if loads == 8:
            p.box("b", x, y + 12, 34, 22, say("add 8", "加 8 个"), size=10)
            x += 36
        for k in range(8):
            p.box("b", x + 11 * k, y + 12, 9, 22)
        p.text(x + 43, y, say("8 rounds", "8 轮"))
        p.text(x + 87, y + 46, say(f"a tree for {elements} elements", f"一棵求和树，{elements} 个元素"), anchor="end", colour=GREY)
    p.text(4, 186, say("a round: add, barrier", "一轮：加、屏障"), anchor="start", colour=GREY)


def shared(p):
    say = p.say
    for left, step, variant in ((4, "03", "v4"), (204, "04", "v6")):
        p.text(left + 96, 36, say(f"step {step}, {variant}", f"第 {step} 课，{variant}"), bold=True)
        p.box("open", left, 48, 192, 124)
        p.text(left + 8, 60, "SM", anchor="start", colour=GREY)
        p.box("pale", left + 20, 72, 96, 24, say("registers", "寄存器"))
        p.box("grey", left, 196, 192, 40, say("device memory", "设备内存") if variant == "v6" else "")
        p.arrow((left + 34, 196), (left + 34, 96), colour="#0072b2", wide=3)
        p.text(left + 38, 184, say("8 loads", "加载 8 次"), anchor="start")
    p.text(100, 208, say("device memory", "设备内存"))
    p.text(100, 224, say("the tree, through L1", "求和树在这里，经过 L1"))
    p.arrow((108, 96), (108, 196))
    p.text(114, 146, say("1 store", "存储 1 次"), anchor="start")
    p.text(100, 250, say("it overwrites the input", "并且覆盖输入"), colour=GREY)
    p.box("b", 282, 116, 104, 48, say("shared memory:\nthe tree\nworks here", "共享内存：\n求和树在这里"))
    p.arrow((320, 84), (334, 84), (334, 116))
    p.text(338, 98, say("1 store", "存储 1 次"), anchor="start", size=11)
    p.text(300, 250, say("the input survives", "输入保持不变"), colour=GREY)


def warp_shuffle(p):
    say = p.say
    x = lambda lane: 78 + lane * 10
    p.text(4, 36, say("lane", "泳道"), anchor="start")
    for lane in (0, 7, 15, 31):
        p.text(x(lane) + 4, 36, lane)
    for row, offset in enumerate((32, 16, 8, 4, 2, 1)):
        y = 46 + 36 * row
        if row:
            p.text(4, y + 5, say(f"offset {offset}", f"偏移 {offset}"), anchor="start")
            for lane in range(offset):
                p.line((x(lane + offset) + 4, y - 26), (x(lane) + 4, y), colour="#0072b2", wide=0.8)
                p.line((x(lane) + 4, y - 26), (x(lane) + 4, y), colour="#0072b2", wide=0.8)
        for lane in range(offset):
            p.box("a", x(lane), y, 8, 10)
    p.text(396, 156, say("lane l adds\nwhat lane l + offset has", "泳道 l 加上\n泳道 l + 偏移 的值"), anchor="end", colour=GREY)
    p.text(96, 232, say("lane 0 has the sum of all 32", "泳道 0 得到全部 32 个的和"), anchor="start", size=11)


def two_pass(p):
    say = p.say
    for k in range(6):
        x = 78 + k * 53
        p.box("grey", x, 30, 51, 18)
        p.arrow((x + 25, 48), (x + 25, 66))
        p.box("a", x + 2, 66, 47, 22, say("block", "线程块"))
        p.arrow((x + 25, 88), (x + 25, 112))
        p.box("pale", x + 14, 112, 23, 18)
        p.line((x + 25, 130), (237, 152))
    p.text(4, 39, say("in: n floats", "in：\nn 个 float"), anchor="start")
    p.text(4, 77, say("launch 1", "启动 1"), anchor="start", bold=True)
    p.text(4, 121, say("partial:\na float each", "partial：\n每块一个"), anchor="start")
    p.text(4, 163, say("launch 2", "启动 2"), anchor="start", bold=True)
    p.box("a", 205, 152, 64, 22, say("one block", "一个线程块"))
    p.arrow((237, 174), (237, 194))
    p.box("b", 215, 194, 44, 18, "out")


def cooperative(p):
    say = p.say
    for x, number in ((4, 0), (100, 1), (196, 2), (308, 1055)):
        p.box("a", x, 30, 88, 22, say(f"block {number}", f"线程块 {number}"))
        p.text(x + 44, 64, say("adds its share", "加自己的一段"), size=10)
        p.arrow((x + 44, 72), (x + 44, 88))
        p.box("pale", x, 88, 88, 20, f"partial[{number}]", size=11)
        p.arrow((x + 44, 108), (x + 44, 120))
        p.arrow((x + 44, 144), (x + 44, 162))
        if number:
            p.text(x + 44, 172, say("returns", "返回"), colour=GREY)
    p.text(296, 41, "…")
    p.box("b", 4, 120, 392, 24, say("grid.sync(): no block passes before all arrive", "grid.sync()：全部到齐，才能通过"))
    p.box("a", 4, 162, 88, 22, say("block 0", "线程块 0"))
    p.arrow((48, 184), (48, 200))
    p.box("pale", 4, 200, 220, 20, say("out = the sum of all partial sums", "out = 全部部分和之和"))


def vectorized(p):
    say = p.say
    p.text(4, 38, say("step 06: ask 4 bytes, wait, add, again", "第 06 课：请求 4 字节，等待，加，再来"), anchor="start")
    x = 4
    for _ in range(3):
        for kind, wide, words in (("a", 24, "4"), ("grey", 60, say("wait", "等待")), ("b", 30, say("add", "加"))):
            p.box(kind, x, 50, wide, 22, words)
            x += wide + 2
        x += 3
    p.text(380, 61, "…")
    p.text(4, 94, say("step 08: ask 16 + 16 + 16 + 16 bytes, wait, add all", "第 08 课：请求 16 + 16 + 16 + 16 字节，等待，全部相加"), anchor="start")
    x = 4
    for kind, wide, words in (*[("a", 38, "16")] * 4, ("grey", 84, say("wait", "等待")), ("b", 60, say("add all", "全部相加"))):
        p.box(kind, x, 106, wide, 22, words)
        x += wide + 2
    p.text(4, 154, say("in flight on an SM", "一个 SM 在途的字节"), anchor="start", bold=True)
    for y, step, kilobytes in ((166, "06", 8), (190, "08", 128)):
        p.text(4, y + 9, say(f"step {step}", f"第 {step} 课"), anchor="start")
        p.box("a", 60, y, 2.2 * kilobytes, 18)
        p.text(66 + 2.2 * kilobytes, y + 9, f"{kilobytes} KB", anchor="start")


def single_pass(p):
    say = p.say
    p.text(91, 36, say("every block", "每个线程块"), colour=GREY)
    p.text(304, 36, say("then", "然后"), colour=GREY)
    rows = (("ticket", say("stores its sum,\ndraws a number", "存下自己的和，\n取一个号"), say("the block with the last number\nadds up", "取到最后一号的线程块\n求总和")),
            ("flagged_slots", say("stores {epoch, sum}", "存下 {轮次, 和}"), say("block 0 waits for each slot,\nand adds up", "线程块 0 等到每个槽位都有了，\n再求总和")),
            ("fixed_point", "atomicAdd(" + say("sum and count", "和与计数") + ")", say("the block that fills the count\nwrites the sum", "把计数凑满的线程块\n写出总和")))
    for k, (name, each, then) in enumerate(rows):
        y = 46 + 66 * k
        p.text(4, y + 8, name, anchor="start", bold=True)
        p.box("pale", 4, y + 18, 174, 38, each)
        p.arrow((178, y + 37), (206, y + 37))
        p.box("a", 206, y + 18, 190, 38, then)


def clusters(p):
    say = p.say
    p.text(4, 36, say("step 09: through the L2 cache", "第 09 课：经过 L2 缓存"), anchor="start", bold=True)
    for k in range(2):
        y = 48 + 32 * k
        p.box("a", 4, y, 98, 24, say(f"SM {k}: block", f"SM {k}：线程块"))
    p.box("open", 150, 46, 106, 62)
    for k in range(2):
        p.arrow((102, 60 + 32 * k), (160, 65 + 12 * k))
    p.text(126, 76, say("store", "存储"), colour=GREY, size=10)
    p.text(203, 96, say("L2 cache", "L2 缓存"))
    for k in range(2):
        p.box("b", 160 + 44 * k, 56, 42, 28, say("slot", "槽位"))
    p.arrow((318, 70), (246, 70))
    p.text(288, 58, say("polls", "轮询"), colour=GREY)
    p.box("a", 318, 58, 78, 24, say("block 0", "线程块 0"))
    p.text(4, 134, say("step 10: in the shared memory of block 0", "第 10 课：在线程块 0 的共享内存里"), anchor="start", bold=True)
    p.box("open", 4, 146, 392, 108)
    p.text(390, 158, say("a cluster", "一个簇"), anchor="end", colour=GREY)
    p.text(12, 158, say("SM 0: block 0", "SM 0：线程块 0"), anchor="start")
    p.box("b", 12, 168, 178, 40)
    for k in range(8):
        p.box("open", 18 + 21 * k, 173, 19, 13)
    p.text(101, 198, say("warp sums of all 8 blocks", "全部 8 个线程块的线程束之和"))
    for k in range(1, 8):
        x = 12 + 54 * (k - 1)
        p.box("a", x, 226, 50, 20, say(f"block {k}", f"块 {k}"), size=10)
        p.arrow((x + 25, 226), (min(x + 25, 186), 208) if x < 186 else (190, 200 - 3 * k))


def library(p):
    say = p.say
    scale = {"1": 0, "16K": 14, "64K": 16, "1M": 20, "64M": 26, "2^31": 31}
    x = lambda power: 10 + 374 * power / 31
    p.text(4, 36, say("n, and the kernel for it", "n，以及对应的核函数"), anchor="start", bold=True)
    for name, power in scale.items():
        p.text(x(power) + (8 if name == "64K" else -6 if name == "16K" else 0), 52, name, size=10)
    for kind, begin, end in (("pale", 0, 14), ("a", 14, 16), ("b", 16, 26), ("grey", 26, 31)):
        p.box(kind, x(begin), 60, x(end) - x(begin) - 1, 16)
    p.text((x(0) + x(14)) / 2, 68, say("one block", "一个线程块"))
    p.text(x(15), 96, say("cluster", "一个簇"))
    p.line((x(15), 76), (x(15), 88))
    p.text((x(16) + x(26)) / 2, 68, say("a block for each SM", "每个 SM 一个线程块"), size=11)
    p.text(396, 96, say("16 to 64 blocks for each SM", "每个 SM 16 到 64 个线程块"), anchor="end")
    p.line((x(28.5), 76), (x(28.5), 88))
    p.text(4, 126, say("one sum after another", "一次求和接着一次求和"), anchor="start", bold=True)
    launch, read, finish = say("launch", "启动"), say("read", "读"), say("finish", "收尾")
    def lane(left, y, number, pieces):
        for kind, wide, words in pieces:
            p.box(kind, left, y, wide - 1, 20, words.format(number), size=10)
            left += wide
    alone = (("grey", 50, launch + " {}"), ("a", 42, read), ("b", 38, finish))
    p.text(4, 146, say("before", "以前"), anchor="start")
    lane(56, 136, 1, alone)
    lane(214, 136, 2, alone)
    p.text(4, 174, say("now", "现在"), anchor="start")
    lane(56, 164, 1, alone)
    lane(106, 188, 2, (("grey", 108, launch + " {}" + say(", prefetch", "，预取")), ("open", 38, say("wait", "等")), ("a", 42, read), ("b", 38, finish)))


def types(p):
    say = p.say
    p.text(4, 36, say("16 bytes of memory", "16 字节的内存"), anchor="start", bold=True)
    for row, (names, count) in enumerate(((say("half, bfloat16", "half、bfloat16"), 8), (say("float, int32", "float、int32"), 4), ("double", 2))):
        y = 48 + 28 * row
        p.text(4, y + 10, names, anchor="start")
        for k in range(count):
            p.box("a" if row == 0 else "pale", 106 + 208 * k / count, y, 208 / count - 2, 20, k + 1)
        p.text(396, y + 10, say(f"{count} elements", f"{count} 个元素"), anchor="end")
    for x, wide, kind, words in ((40, 72, "a", say("load", "加载")), (164, 72, "grey", say("widen", "加宽")), (288, 72, "b", say("add", "相加"))):
        p.box(kind, x, 146, wide, 24, words)
        if x < 288:
            p.arrow((x + wide, 158), (x + 124, 158))
    p.text(76, 186, say("the bytes decide\nthe speed", "字节数决定速度"))
    p.text(324, 186, say("the accumulator decides\nthe accuracy", "累加器决定精度"))


def exact(p):
    say = p.say
    p.text(4, 36, say("a float", "一个 float"), anchor="start", bold=True)
    bit = lambda k: 6 + k * 12.1
    for k in range(32):
        p.box("b" if k < 4 else "a" if k < 9 else "grey", bit(k), 60, 11, 18)
    p.text(4, 50, say("sign, exponent: 8 bits", "符号，指数：8 位"), anchor="start")
    p.text(bit(20.5), 50, say("23 bits", "23 位"))
    p.arrow((bit(2), 78), (bit(2), 142))
    p.text(bit(2) + 8, 126, say("sign, and upper 3: into which accumulator", "符号和高 3 位：加到哪个累加器"), anchor="start")
    p.line((bit(6.5), 78), (bit(6.5), 96), (bit(8), 96))
    p.text(bit(8) + 4, 96, say("lower 5: shifted by so much", "低 5 位：左移多少位"), anchor="start")
    for row in range(2):
        y = 144 + 28 * row
        p.text(12, y + 11, "+−"[row], bold=True, size=13)
        for k in range(8):
            p.box("b", 26 + 46 * k, y, 43, 22, 7 - k + 8 * row)
    p.text(26, 210, say("large", "大"), anchor="start", colour=GREY)
    p.arrow((340, 210), (70, 210))
    p.text(392, 210, say("small", "小"), anchor="end", colour=GREY)
    p.text(209, 226, say("8 for each sign, 64 bits each, 32 binades apart", "每种符号 8 个，各 64 位，相隔 32 个同指数区间"), colour=GREY)


def many_gpus(p):
    say = p.say
    for k, left in enumerate((4, 226)):
        p.box("open", left, 28, 170, 160)
        p.text(left + 85, 42, f"GPU {k}", bold=True)
        p.box("a", left + 15, 54, 140, 26, say("sum of its share", "求自己份额的和"))
        p.box("b", left + 15, 108, 140, 26, say("slot: wait", "槽位：等待"))
        p.box("pale", left + 15, 152, 140, 26, say("own + slot = total", "自己的 + 槽位 = 总和"))
        p.arrow((left + 85, 134), (left + 85, 152))
    p.arrow((159, 67), (241, 121), colour="#0072b2", wide=2)
    p.arrow((241, 67), (159, 121), colour="#0072b2", wide=2)
    p.text(200, 144, "NVLink", size=11)


def operators(p):
    say = p.say
    heads = (say("a thread’s\nstate", "线程的\n状态"), say("add an\nelement", "加入一个\n元素"), say("merge two\nstates", "合并两个\n状态"))
    left, wide = (78, 176, 284), (94, 104, 112)
    for k, head in enumerate(heads):
        p.text(left[k] + wide[k] / 2, 40, head, colour=GREY)
    rows = ((say("sum", "求和"), "s", "s + x", "a + b"),
            (say("maximum", "最大值"), "s", say("the larger", "较大者"), say("the larger", "较大者")),
            ("argmax", say("value, number", "值、编号"), say("the larger", "较大者"), say("the larger; of\nequal ones the first", "较大者；\n相等时取前面的")),
            (say("variance", "方差"), say("count, mean,\nsquares", "个数、平均值、\n平方和"), say("Welford’s update", "Welford 更新"), say("Chan’s formula", "Chan 公式")),
            ("log-sum-exp", say("largest, sum", "最大值、和"), say("scaled to\nthe largest", "按最大值缩放"), say("scaled to the\nlarger of both", "按两者中较大的\n最大值缩放")))
    for k, (name, *cells) in enumerate(rows):
        y = 60 + 36 * k
        p.text(4, y + 16, name, anchor="start")
        for column, words in enumerate(cells):
            p.box(("b", "pale", "pale")[column], left[column], y, wide[column], 32, words, size=10)


def rows(p):
    """Shapes of a matrix; of each, in orange, what one thread, warp or block takes."""
    say = p.say
    for x, head in ((60, say("the shape", "形状")), (180, say("one row is\nshared by", "分担一行的")), (325, say("which merge by", "通过什么合并"))):
        p.text(x, 36, head, colour=GREY)
    lines = ((say("a few lanes", "几个泳道"), say("fewer shuffles", "较少的洗牌")), (say("a warp", "一个线程束"), say("shuffles", "洗牌")),
             (say("a block", "一个线程块"), say("shared memory", "共享内存")), (say("many blocks", "许多线程块"), say("slots, and a ticket", "槽位和取号")),
             (say("columns:\na lane each", "列：\n一个泳道一列"), say("shared memory, slots", "共享内存、槽位")),
             (say("ragged: equal\nparts of all", "不等长：\n整体等分"), say("handed on in order", "按顺序往下传")))
    for k, (who, how) in enumerate(lines):
        y = 54 + 38 * k
        p.box("pale", 132, y, 96, 32, who, size=11)
        p.box("pale", 258, y, 138, 32, how, size=11)
        p.line((228, y + 16), (258, y + 16))
    for k in range(12):  # many short rows
        p.box("b" if k == 0 else "grey", 6 + k % 3 * 38, 55 + k // 3 * 8, 32, 6)
    for k in range(4):  # a warp's
        p.box("b" if k == 0 else "grey", 6, 93 + k * 8, 70, 6)
    for k in range(3):  # a block's
        p.box("b" if k == 0 else "grey", 6, 132 + k * 10, 108, 8)
    for k in range(4):  # a row of many blocks
        p.box("b" if k == 0 else "a", 6 + k * 27, 174, 26, 14)
    for k in range(24):
        p.box("b" if k % 6 == 0 else "grey", 6 + k % 6 * 18, 207 + k // 6 * 8, 16, 6)
    for length, top, begin in ((18, 246, 6), (4, 246, 28), (76, 246, 36), (108, 260, 6)):  # ragged ones, as they follow each other
        p.box("grey", begin, top, length, 10)
    for x in (6, 42, 78):
        p.box("b" if x == 6 else "a", x, 272, 34, 5)


LESSONS = {
    "00": (baselines, ("A GPU: a second computer with its own memory", "GPU 是另一台计算机，有自己的内存")),
    "01": (interleaved, ("The same additions, done by other threads", "加法相同，做的线程不同")),
    "02": (sequential, ("Far strides first: neighbours read side by side", "先用大跨度：相邻线程读相邻元素")),
    "03": (unrolled, ("Ask for eight, wait once, build one tree", "请求八个，等待一次，共用一棵求和树")),
    "04": (shared, ("The tree moves into the SM", "求和树搬进 SM")),
    "05": (warp_shuffle, ("Five shuffles: lane 0 has the sum of its warp", "五次洗牌：泳道 0 得到线程束之和")),
    "06": (two_pass, ("Two launches: many blocks, then one", "启动两次：先是许多线程块，然后一个")),
    "07": (cooperative, ("One launch: all blocks wait for each other", "启动一次：所有线程块互相等待")),
    "08": (vectorized, ("More bytes in flight before one wait", "等待一次之前，让更多字节在途")),
    "09": (single_pass, ("One launch: who adds up the sums of the blocks?", "启动一次：各线程块的和由谁来加？")),
    "10": (clusters, ("A shorter way than through the L2 cache", "比经过 L2 缓存更短的路")),
    "11": (library, ("A kernel for each n, and launches that overlap", "每种 n 有合适的核函数，启动相互重叠")),
    "12": (types, ("Bytes: the speed. The accumulator: the accuracy", "字节数决定速度，累加器决定精度")),
    "13": (exact, ("A float is a whole number, shifted", "float 是移了位的整数")),
    "14": (many_gpus, ("Each GPU stores its sum in the other’s memory", "每个 GPU 把自己的和存进对方的内存")),
    "15": (operators, ("One kernel: only state and merge are others", "同一个核函数，只换状态与合并")),
    "16": (rows, ("Many answers: the shape decides who shares a row", "许多答案：形状决定谁来分担一行")),
}


def names_of(lesson):
    """Of both pictures, in English and in Chinese."""
    return f"{lesson}.svg", f"{lesson}.zh-CN.svg"


def drawn(lesson, chinese):
    draw, title = LESSONS[lesson]
    sketch = Sketch(chinese, title)
    draw(sketch)
    return sketch.svg()


def main(arguments):
    unknown = [lesson for lesson in arguments if lesson not in LESSONS]
    if unknown:
        return output.refused(f"no lesson {unknown[0]}; there are {', '.join(LESSONS)}")
    lessons = arguments or list(LESSONS)
    with output.work_folder() as work:
        made = []
        for lesson in lessons:
            for name, chinese in zip(names_of(lesson), (False, True)):
                output.write(f"{work}/{name}", drawn(lesson, chinese))
                made.append(f"{work}/{name}")
        output.put(FOLDER, made)
    print(f"drew {len(made)} pictures into plots/idea")
    return 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    run(main)
