#!/usr/bin/env python3
"""ideas.py: writes the Chinese picture of each lesson's idea, plots/idea/NN.zh-CN.svg, from the English one (make ideas).

plots/idea/NN.svg is drawn by hand: 400 units wide, letters of 10 and more, so that a phone shows it whole. A text that is
another one in Chinese has that as data-zh, and its place as data-zh-y if that is another, too; data-zh='': none."""
import glob
import os
import re

from output import REPOSITORY, run, write

TEXT = re.compile(r"<text x='(?P<x>[^']*)' y='(?P<y>[^']*)'(?: data-zh='(?P<zh>[^']*)')?(?: data-zh-y='(?P<zh_y>[^']*)')?>(?P<en>[^<]*)</text>\n")


def in_chinese(text):
    words = text["en"] if text["zh"] is None else text["zh"]
    return words and f"<text x='{text['x']}' y='{text['zh_y'] or text['y']}'>{words}</text>\n"


def main(_):
    pictures = glob.glob(os.path.join(REPOSITORY, "plots", "idea", "[0-9][0-9].svg"))
    for path in pictures:
        with open(path, encoding="utf-8") as file:
            write(path.replace(".svg", ".zh-CN.svg"), TEXT.sub(in_chinese, file.read()))
    print(f"drew {len(pictures)} Chinese pictures into plots/idea")
    return 0


if __name__ == "__main__":
    run(main)
