"""gdb on a kernel: the session shown in docs/simulator.md, typed again. Each line shown there must come ("…" stands for anything)."""
import re
import shutil

import pytest
from common import read, run, write


@pytest.mark.skipif(not shutil.which("gdb"), reason="no gdb here")
def test_the_session_of_the_page(ok, tmp_path):
    shown = re.search(r"^\$ [^\n]* gdb \./step01\n(.*?)^```", read("docs/simulator.md"), re.M | re.S)[1]
    exchanges = [part.splitlines() for part in re.split(r"^\(gdb\) ", shown, flags=re.M) if part.strip()]
    ok(len(exchanges) > 3 and all(lines for _, *lines in exchanges), "several commands, each with an answer")
    typed = "".join(f"echo \\n-----\\n\n{command}\n" for command, *_ in exchanges)
    write(f"{tmp_path}/session", f"set pagination off\nset debuginfod enabled off\nset width 0\n{typed}kill\n")
    output, _ = run(f"gdb -q -batch -x {tmp_path}/session ./step01")
    _, *answers = re.split(r"^-----\n", output, flags=re.M)
    for (command, *lines), answer in zip(exchanges, answers + [""] * len(exchanges)):
        for line in lines:
            ok(re.search(f"^{'.*'.join(map(re.escape, line.split('…')))}$", answer, re.M), f"{command}: {line}", output)
