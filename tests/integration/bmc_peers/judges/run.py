#!/usr/bin/env python3
"""Has Redfish clients of others judge a simulated BMC: run.py [--simulator build/dev/bin/ingot-sim]"""
import argparse
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "ironic")]

import bmc  # noqa: E402  (the path comes first)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulator", type=pathlib.Path, default=ROOT / "build/dev/bin/ingot-sim")
    bmc.simulator = parser.parse_args().simulator
    suite = unittest.TestLoader().loadTestsFromNames(["validator_test", "redfishtool_test"])
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    return 0 if result.wasSuccessful() and not result.skipped else 1


if __name__ == "__main__":
    sys.exit(main())
