#!/usr/bin/env python3
"""Runs the shipped coordinator with a real Ironic: run.py [image_missing|database|…]... [--programs build/dev/bin]"""
import argparse
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "system"), str(ROOT / "tools/demo"), str(HERE.parent / "ironic")]

import case  # noqa: E402  (the path comes first)
from nodes import network  # noqa: E402

CASES = ("image_missing", "image_checksum", "password", "certificate", "restart", "database", "deprovision", "changeover",
         "live_iso", "cleaning")
WITH_NODES = {"changeover"}   # whose pods run (../nodes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", default=CASES, metavar="CASE")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/dev/bin", help="folder of Ingot's programs")
    options = parser.parse_args()
    if WITH_NODES & set(options.cases):
        network.with_a_network()
    case.programs = options.programs.resolve()
    suite = unittest.TestLoader().loadTestsFromNames(f"{name}_test" for name in options.cases)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun >= len(options.cases) else 1


if __name__ == "__main__":
    sys.exit(main())
