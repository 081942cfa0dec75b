#!/usr/bin/env python3
"""What a support bundle of so many hosts takes: seconds, memory of ingotctl at its highest, bytes of the file.

The hosts are the coordinator's with its fixture backend, on the embedded API, each with its Secret.
"""
import argparse
import pathlib
import resource
import subprocess
import sys
import time

from measured import HOSTS, PROGRAM, SECRETS, Coordinator, host, print_table, secret


def measure(ingotctl: pathlib.Path, count: int):
    with Coordinator(PROGRAM) as coordinator:
        for number in range(count):
            coordinator.api.call("POST", SECRETS, secret(number))
            coordinator.api.call("POST", HOSTS, host(number))
        time.sleep(5)   # most are available by then
        written = coordinator.folder / "bundle.tar.gz"
        started = time.monotonic()
        subprocess.run([ingotctl, "--kubeconfig", coordinator.folder / "kubeconfig", "support-bundle", "-A", "--output", written],
                       check=True, capture_output=True)
        seconds = time.monotonic() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024   # of one child: the coordinator still runs
        return {"hosts": count, "seconds": seconds, "peak MiB": peak, "file MiB": written.stat().st_size / 2**20}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ingotctl", type=pathlib.Path, default=PROGRAM.with_name("ingotctl"))
    parser.add_argument("hosts", type=int, nargs="?", default=10000, help="in all; memory does not grow with them")
    options = parser.parse_args()
    print_table([measure(options.ingotctl, options.hosts)])
    return 0


if __name__ == "__main__":
    sys.exit(main())
