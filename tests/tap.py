"""What the Python tests print: the Test Anything Protocol (testanything.org), as tests/unit/tap.h does."""
import os

tests = 0

# Seconds for a command that might hang for ever: what takes some gets ten minutes. It ends what hangs, and never what
# is only slow, on a slow machine. ($guard in Common.pm is the same.)
GUARD = 600


def in_tier(*tiers):
    """Whether this run is for one of these: test, more, nightly. A test that is run by itself is for all. (in_tier() in Common.pm)"""
    return os.environ.get("TESTS", "all") in ("all", *tiers)


def ok(passed, what, details=""):
    """One test; the details are for when it fails."""
    global tests
    tests += 1
    print(("ok" if passed else "not ok"), tests, "-", what)
    if not passed:
        print("".join("# " + line + "\n" for line in str(details).splitlines()), end="")


def skip(what, why):
    global tests
    tests += 1
    print(f"ok {tests} # SKIP not run: {what}: {why}")


def done():
    """At the end: how many there were."""
    print(f"1..{tests}")
