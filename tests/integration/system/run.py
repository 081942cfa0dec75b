#!/usr/bin/env python3
"""Runs the system tests: run.py [life|restarts|intruders|credentials|takeover|link|election]... [--programs build/dev/bin]

Each test starts the real programs, and every test ends with what must hold always (endings.py, leaks.py).
"""
import argparse
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parent), str(ROOT / "tools/demo")]

import case  # noqa: E402  (the path comes first)

PARTS = ("life", "restarts", "intruders", "credentials", "takeover", "link", "election")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/dev/bin", help="folder of Ingot's programs")
    parser.add_argument("-k", action="append", default=None, metavar="PATTERN", help="only tests whose name matches")
    options = parser.parse_args()
    case.programs = options.programs.resolve()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.k] if options.k else None
    suite = unittest.TestSuite(loader.loadTestsFromName(f"{part}_test") for part in options.parts)
    result = unittest.TextTestRunner(verbosity=2, failfast=False).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
