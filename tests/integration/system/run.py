#!/usr/bin/env python3
"""Runs the system tests: run.py [PART]... [--programs build/dev/bin]; a part is a file PART_test.py of this folder.

Each test starts the real programs, and every test ends with what must hold always (endings.py, leaks.py).
"""
import argparse
import os
import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(ROOT / "tools/demo")]

import case  # noqa: E402  (the path comes first)
from nodes import network  # noqa: E402

PARTS = sorted(file.name.removesuffix("_test.py") for file in pathlib.Path(__file__).parent.glob("*_test.py"))
MOUNTS = "INGOT_MAY_MOUNT"   # set in the namespace of its own
WITH_NODES = {"alone", "clusterctl", "corpus", "install", "kubelet", "move", "replicas", "rights", "upkeep"}   # whose pods run (../nodes)


def with_the_right_to_mount():
    """Runs this program again where it may mount, and nobody else sees it: root as itself, others as root of a namespace.
    Where neither is allowed it goes on as it is: the test then looks for a file system that is small already."""
    if MOUNTS in os.environ:
        return
    users = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    unshare = ["unshare", *users, "--mount", "--propagation", "private"]
    if subprocess.run([*unshare, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.execvpe("unshare", [*unshare, sys.executable, *sys.argv], {**os.environ, MOUNTS: "1"})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", default=PARTS, metavar="PART")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/dev/bin", help="folder of Ingot's programs")
    parser.add_argument("--case", metavar="NAME", help="only the test of exactly this name")
    parser.add_argument("-k", action="append", default=None, metavar="PATTERN", help="only tests whose name matches")
    options = parser.parse_args()
    if "full_disk" in options.parts:
        with_the_right_to_mount()
    if WITH_NODES & set(options.parts):
        network.with_a_network()
    case.programs = options.programs.resolve()
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{pattern}*" for pattern in options.k] if options.k else None
    if options.case:
        loader.testNamePatterns = [f"*.{options.case}"]
    suite = unittest.TestSuite(loader.loadTestsFromName(f"{part}_test") for part in options.parts)
    result = unittest.TextTestRunner(verbosity=2, failfast=False).run(suite)
    return 0 if result.wasSuccessful() and result.testsRun else 1


if __name__ == "__main__":
    sys.exit(main())
