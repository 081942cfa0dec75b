"""The programs of a run: started with a log each, watched, measured, stopped in order."""
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

from failure import Failure
from patience import Stopwatch

STOP_SECONDS = 15


def clean_environment(extra=None):
    """Ours without proxies: everything here is on loopback. sbin holds mkfs and blkid, which Debian hides from users."""
    env = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    env["PATH"] = f"{env.get('PATH', '/usr/bin:/bin')}:/usr/sbin:/sbin"
    env["LC_ALL"] = "C.UTF-8"
    return {**env, **(extra or {})}


def run(argv, what, seconds=300, env=None, stdin=None, errors_too=False):
    """Output of a short command, with errors_too also what it says on standard error. Failure says what it was for, and its
    last words."""
    try:
        done = subprocess.run([str(word) for word in argv], input=stdin, stdout=subprocess.PIPE, text=True, timeout=seconds,
                              stderr=subprocess.STDOUT if errors_too else subprocess.PIPE,
                              env=clean_environment(env), check=False)
    except subprocess.TimeoutExpired:
        raise Failure(f"{what}: '{argv[0]}' did not end within {seconds} s") from None
    if done.returncode != 0:
        words = ((done.stderr or "").strip() or done.stdout.strip()).splitlines()
        raise Failure(f"{what}: {words[-1] if words else f'exit code {done.returncode}'}")
    return done.stdout


def replace(path, text):
    """Replaces the file at once: a reader, or a start after a crash, finds the whole old text or the whole new one."""
    new = path.with_name(path.name + ".new")
    new.write_text(text)
    os.replace(new, path)


class Process:
    """One program in a process group of its own, so that Ctrl-C reaches only the demo."""

    def __init__(self, name, argv, log, env=None):
        self.name, self.log = name, pathlib.Path(log)
        with open(self.log, "wb") as out:
            self.child = subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL, stdout=out,
                                          stderr=subprocess.STDOUT, env=clean_environment(env), start_new_session=True)
        self.pid = self.child.pid

    def check(self):
        code = self.child.poll()
        if code is not None:
            raise Failure(f"{self.name} ended with exit code {code}: {self.last_words()}", self.log)

    def last_words(self):
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def said(self, text):
        """The first line of its log that holds `text`, or None."""
        log, wanted = self.log.read_bytes(), text.encode()
        found = log.find(wanted)
        if found < 0:
            return None
        end = log.find(b"\n", found)
        return log[log.rfind(b"\n", 0, found) + 1:end if end >= 0 else None].decode(errors="replace")

    def wait_until(self, condition, seconds, what):
        """The first true answer of `condition`; fails when the program ends or the time is over."""
        watch = Stopwatch()
        while True:
            answer = condition()
            if answer:
                return answer
            self.check()
            if watch.over(seconds):
                raise Failure(f"{self.name}: {what} did not happen within {seconds} s", self.log)
            watch.pause()

    def peak_mib(self):
        """Most resident memory so far; 0 once it has ended."""
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        except OSError:
            return 0.0
        return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0.0)


class Processes:
    """All programs of one run folder. Threads may start some side by side."""

    writing = threading.Lock()   # also of others in the same folder

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.list = []

    def start(self, name, argv, env=None):
        process = Process(name, argv, self.folder / f"{name}.log", env)
        with self.writing:
            self.list.append(process)
            kept = [{"name": each.name, "pid": each.pid} for each in self.list]
            replace(self.folder / "processes.json", json.dumps(kept))   # who stops this run later must find all of it
        return process

    def end(self, process):
        """Stops one of them, as stop() does all."""
        stop_groups([process.pid])
        process.child.wait()
        self.list.remove(process)

    def check(self):
        for process in self.list:
            process.check()

    def log_of(self, name):
        return next((process.log for process in self.list if process.name == name), None)

    def stop(self):
        stop_groups([process.pid for process in reversed(self.list)])
        for process in self.list:
            process.child.wait()
        self.list.clear()


def running(folder):
    """Name and pid of each program of that run folder that still runs."""
    try:
        kept = json.loads((pathlib.Path(folder) / "processes.json").read_text())
    except (OSError, ValueError):
        return []
    return [(entry["name"], entry["pid"]) for entry in kept if belongs_to(entry["pid"], folder)]


def stop_kept(folder):
    """Stops what an earlier run with --keep left behind. Names of what was stopped."""
    mine = running(folder)
    stop_groups([pid for _, pid in reversed(mine)])
    return [name for name, _ in mine]


def belongs_to(pid, folder):
    """Whether that process still is the one that was started for `folder`: numbers are used again."""
    try:
        return f"{folder}/".encode() in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def stop_groups(pids):
    """SIGTERM to each leader; what is still there after a while is killed with its group."""
    for pid in pids:
        send(os.kill, pid, signal.SIGTERM)
    watch = Stopwatch()
    while any(alive(pid) for pid in pids) and not watch.over(STOP_SECONDS):
        time.sleep(0.05)
    for pid in pids:
        send(os.killpg, pid, signal.SIGKILL)


def send(how, pid, number):
    try:
        how(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"
