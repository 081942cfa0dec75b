"""Which programs a run of the demo started, and what of them, or of what they started, is still there."""
import json
import os
import pathlib
import time

SECONDS = 30   # a busy machine carries out a SIGKILL a little later


def started(run):
    """Programs of that run folder: name and pid."""
    kept = json.loads((run / "processes.json").read_text())
    assert kept, "no program was started"
    return kept


def left_running(run):
    """Command lines of what stays: processes of the groups that the run started, and whoever names something of the run."""
    end = time.monotonic() + SECONDS
    while (found := still_there(run)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def still_there(run):
    groups = {each["pid"] for each in started(run)}
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state, _, group = (path / "stat").read_text().rsplit(")", 1)[1].split()[:3]
            line = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:   # it has ended
            continue
        if state != "Z" and int(path.name) != os.getpid() and (int(group) in groups or f"{run}/" in line):
            found.append(line)
    return found
