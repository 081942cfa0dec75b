#!/usr/bin/env python3
"""Runs the tests of a folder: run_unittests.py FOLDER

No file (*_test.py), a file without tests, and tests that are all skipped are failures: unittest would call them right.
"""
import pathlib
import sys
import unittest


def run(folder):
    sys.path.insert(0, str(folder))
    loader = unittest.TestLoader()
    suites = {file.name: loader.loadTestsFromName(file.stem) for file in sorted(folder.glob("*_test.py"))}
    empty = [name for name, suite in suites.items() if not suite.countTestCases()]
    if not suites or empty:
        return f"no tests in {', '.join(empty) or folder}"
    result = unittest.TextTestRunner().run(unittest.TestSuite(suites.values()))
    if len(result.skipped) == result.testsRun:
        return f"every test in {folder} was skipped"
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(run(pathlib.Path(sys.argv[1]).resolve()))
