#!/usr/bin/env python3
"""Runs the demo without a terminal and checks what a caller relies on.

    run_demo.py whole          all four servers; Ironic does not force power states
    run_demo.py forced_power   one server; Ironic puts nodes back to the power it remembers
    run_demo.py interrupted    SIGINT in the middle: everything is stopped
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("ingot-coordinator", "ingot-agent", "ingotctl", "ingot-sim")
FINDINGS = ("went registering → inspecting → preparing → available → provisioning → provisioned", "config drive and its three files",
            "by the agent", "still off after 3 of Ironic's power syncs", "booted from its disk", "poweredOn: false after",
            "back by itself", "no command was sent twice")
WHOLE_FINDINGS = FINDINGS + ("image withdrawn, deprovisioned, cleaned",)


def build():
    subprocess.run(["bash", "-ec", f". tools/dev/common.sh; build_preset release {' '.join(PROGRAMS)}"], cwd=ROOT, check=True)


def command(runs, *options):
    programs = os.environ.get("INGOT_PROGRAMS", ROOT / "build/release/bin")
    return ["/usr/bin/python3", str(ROOT / "tools/demo"), "--runs", runs, "--programs", str(programs), *options]


def left_running(runs):
    """What of the latest run is still there: programs, and whatever they started."""
    kept = json.loads((pathlib.Path(runs) / "latest/processes.json").read_text())
    assert kept, "no program was started"
    leaders = [each["name"] for each in kept if pathlib.Path(f"/proc/{each['pid']}").exists()]
    return leaders + [line for line in command_lines() if runs in line]


def command_lines():
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if int(path.parent.name) != os.getpid():
                yield path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:   # it has ended
            pass


def play(runs, findings, *options):
    done = subprocess.run(command(runs, *options), capture_output=True, text=True, timeout=600, check=False)
    print(done.stdout, done.stderr, flush=True)
    assert done.returncode == 0, f"exit code {done.returncode}"
    summary = done.stdout.split("\nSummary\n")[1]
    for finding in findings:
        assert finding in summary, f"the summary lacks '{finding}'"
    assert re.search(r"peak memory: ingot-sim \d+ MiB, ingot-coordinator \d+ MiB, ingot-agent \d+ MiB", summary)
    assert not left_running(runs), left_running(runs)


def whole(runs):
    play(runs, WHOLE_FINDINGS)


def forced_power(runs):
    play(runs, FINDINGS, "--hosts", "node-1", "--force-power-state", "True")


def interrupted(runs):
    child = subprocess.Popen(command(runs), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while " inspecting " not in child.stdout.readline():   # all parts are at work on the hosts
        assert child.poll() is None, child.stderr.read()
    child.send_signal(signal.SIGINT)
    _, complaint = child.communicate(timeout=60)
    assert child.returncode == 1, child.returncode
    assert complaint.strip() == "demo: interrupted; everything was stopped", complaint
    assert not left_running(runs), left_running(runs)


def main():
    part = {"whole": whole, "forced_power": forced_power, "interrupted": interrupted}[sys.argv[1]]
    if "INGOT_PROGRAMS" not in os.environ:
        build()
    with tempfile.TemporaryDirectory(prefix="ingot-demo-") as runs:
        part(runs)


if __name__ == "__main__":
    main()
