#!/usr/bin/env python3
"""Runs the demo with the real programs and checks what a caller relies on.

    run_demo.py whole          all four servers; Ironic does not force power states
    run_demo.py forced_power   one server; Ironic puts nodes back to the power it remembers
    run_demo.py in_images      two servers; coordinator and agent run in the roots of their container images
    run_demo.py kept           one server, on a terminal: --keep leaves all of it usable, --stop ends it
    run_demo.py interrupted    SIGINT in the middle: everything is stopped
    run_demo.py program_ends   the coordinator dies in the middle: told by name, and everything is stopped
    run_demo.py cluster        five servers become a cluster, with Cluster API's managers
"""
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from leftovers import left_running, started
from screen import Screen, run_on_terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = ("ingot-coordinator", "ingot-agent", "ingotctl", "ingot-sim")
FINDINGS = ("went registering → inspecting → preparing → available → provisioning → provisioned", "config drive and its three files",
            "by the agent", "still off after 3 of Ironic's power syncs", "booted from its disk", "poweredOn: false after",
            "back by itself", "no command was sent twice")
CLUSTER_FINDINGS = ("three machines and their Nodes are ready", "scaled up by one", "a worker hangs", "a cord stays out",
                    "a spare host takes over", "replugged", "on the same hosts", "hosts available and clean", "no command was sent twice")
WHOLE_FINDINGS = FINDINGS + ("image withdrawn, deprovisioned, cleaned",)


def build():
    """One at a time: two demos may begin at once."""
    lock = ROOT / "build/release.lock"
    lock.parent.mkdir(exist_ok=True)
    with open(lock, "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        build_release()


def build_release():
    subprocess.run(["bash", "-ec", f". tools/dev/common.sh; build_preset release {' '.join(PROGRAMS)}"], cwd=ROOT, check=True)


def command(runs, *options, demo="demo"):
    programs = os.environ.get("INGOT_PROGRAMS", ROOT / "build/release/bin")
    return ["/usr/bin/python3", str(ROOT / "tools" / demo), "--runs", runs, "--programs", str(programs), *options]


def latest(runs):
    return (pathlib.Path(runs) / "latest").resolve()


def nothing_is_left(runs):
    left = left_running(latest(runs))
    assert not left, left


def play(runs, findings, *options, demo="demo"):
    done = subprocess.run(command(runs, *options, demo=demo), capture_output=True, text=True, timeout=3000, check=False)
    print(done.stdout, done.stderr, flush=True)
    assert done.returncode == 0, f"exit code {done.returncode}"
    summary = done.stdout.split("\nSummary\n")[1]
    for finding in findings:
        assert finding in summary, f"the summary lacks '{finding}'"
    assert re.search(r"peak memory: ingot-sim \d+ MiB, ingot-coordinator \d+ MiB, ingot-agent \d+ MiB", summary)
    nothing_is_left(runs)


def whole(runs):
    play(runs, WHOLE_FINDINGS)


def forced_power(runs):
    play(runs, FINDINGS, "--hosts", "node-1", "--force-power-state", "True")


def in_images(runs):
    """The second server has IPMI: the agent's image brings ipmitool."""
    where = "ingot-coordinator and ingot-agent run in the roots of their container images"
    play(runs, (*FINDINGS, where), "--hosts", "node-1,node-4", "--in-images")


def cluster(runs):
    play(runs, CLUSTER_FINDINGS, demo="cluster_demo")


def kept(runs):
    code, said = run_on_terminal([*command(runs, "--hosts", "node-1", "--keep")])
    shown = Screen().write(said).shown()
    print("\n".join(shown), flush=True)
    assert code == 0, f"exit code {code}"
    assert any(line.split()[:3] == ["node-1", "redfish", "provisioned"] for line in shown), "the table shows no provisioned host"
    assert sum(line.startswith("HOST ") for line in shown) == 1, "the table did not repaint itself in place"
    try:
        told = shown[next(index for index, line in enumerate(shown) if line.startswith("Everything is still running.")):]
        assert told[-1] == "'./dev demo --stop' ends it.", told
        what_it_says_to_try(told)
    finally:
        ended = subprocess.run(command(runs, "--stop"), capture_output=True, text=True, timeout=300, check=True).stdout
    assert set(ended.strip().removeprefix("stopped ").split(", ")) == {"ingot-sim", "ironic", "ingot-coordinator", "ingot-agent"}, ended
    nothing_is_left(runs)


def what_it_says_to_try(told):
    """Each line that is a command does what it says: as a user would paste it."""
    commands = [line.strip() for line in told[1:-1]]
    assert [line.split()[0].split("/")[-1] for line in commands] == ["export", "ingotctl", "ingotctl", "kubectl"], commands
    done = subprocess.run(["bash", "-ec", "\n".join(commands)], capture_output=True, text=True, timeout=600, check=False)
    print(done.stdout, done.stderr, flush=True)
    assert done.returncode == 0, done.stderr
    assert "Name:         node-1" in done.stdout, "kubectl describes no host"


def begin(runs, *options):
    """A demo whose parts are all at work on the hosts."""
    child = subprocess.Popen(command(runs, *options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while " inspecting " not in child.stdout.readline():
        assert child.poll() is None, child.stderr.read()
    return child


def interrupted(runs):
    child = begin(runs)
    child.send_signal(signal.SIGINT)
    _, complaint = child.communicate(timeout=300)
    assert child.returncode == 1, child.returncode
    assert complaint.strip() == "demo: interrupted; everything was stopped", complaint
    nothing_is_left(runs)


def program_ends(runs):
    child = begin(runs, "--hosts", "node-1")
    os.kill(next(each["pid"] for each in started(latest(runs)) if each["name"] == "ingot-coordinator"), signal.SIGKILL)
    _, complaint = child.communicate(timeout=300)
    assert child.returncode == 1, child.returncode
    assert complaint.startswith("\ndemo: ingot-coordinator ended with exit code -9: "), complaint
    assert pathlib.Path(complaint.split("; read ")[-1].strip()).name == "ingot-coordinator.log", complaint
    nothing_is_left(runs)


PARTS = {"whole": whole, "forced_power": forced_power, "in_images": in_images, "kept": kept, "interrupted": interrupted, "program_ends": program_ends,
         "cluster": cluster}


def main():
    part = PARTS[sys.argv[1]]
    if "INGOT_PROGRAMS" not in os.environ:
        build()
    with tempfile.TemporaryDirectory(prefix="ingot-demo-") as runs:
        part(runs)


if __name__ == "__main__":
    main()
