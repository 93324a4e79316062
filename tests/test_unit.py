"""The functions of common/: a program in C for each file, which prints its tests by tap.h."""
import glob
import os

import pytest


@pytest.mark.parametrize("name", sorted(os.path.basename(path)[:-2] for path in glob.glob("tests/unit/*.c")))
def test_unit(ok, name):
    ok.told(f"build/sim/tests/unit/{name}")
