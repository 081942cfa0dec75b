#!/usr/bin/env python3
"""Runs the tests with Cluster API's own managers: run.py [harness|metal3|clusterclass|parts|machinedeployment|neighbours|shadow_neighbours]... [-k PATTERN]"""
import argparse
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE), str(HERE.parent / "system"), str(ROOT / "tools/demo")]

PARTS = ("harness", "metal3", "clusterclass", "parts", "machinedeployment")   # neighbours need programs of others


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("-k", action="append", default=None, metavar="PATTERN", help="only tests whose name matches")
    options = parser.parse_args()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.k] if options.k else None
    suite = unittest.TestSuite(loader.loadTestsFromName(f"{part}_test") for part in options.parts)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
