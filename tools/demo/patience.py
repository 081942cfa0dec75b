"""How long to wait on a machine that others use too."""
import pathlib
import time

PRESSURE = [pathlib.Path("/proc/pressure") / what for what in ("cpu", "io")]
MOST = 6   # times the limit, however busy the machine is


def stalled():
    """Seconds since the machine's start in which a program had to wait for a core or a disk; None where the kernel does not
    count them."""
    try:
        totals = [int(path.read_text().splitlines()[0].rsplit("total=", 1)[1]) for path in PRESSURE]
    except (OSError, ValueError, IndexError):
        return None
    return sum(totals) / 1e6


class Stopwatch:
    """A limit that would do on an idle machine is longer by the seconds in which programs had to wait for this one."""

    def __init__(self):
        self.began, self.stalled_before = time.monotonic(), stalled()

    def seconds(self):
        return time.monotonic() - self.began

    def stalled(self):
        """How many of them may be due to others; all but a sixth where nobody knows."""
        now = stalled()
        if now is None or self.stalled_before is None:
            return self.seconds() * (1 - 1 / MOST)
        return now - self.stalled_before

    def over(self, limit):
        took = self.seconds()
        return took - self.stalled() > limit or took > MOST * limit


def within(seconds, what, condition, describe=None):
    """The first true answer of `condition`, and the seconds it took; AssertionError when the time is over. A busy machine gets
    the time that it lost (patience.py)."""
    watch = Stopwatch()
    while True:
        answer = condition()
        if answer:
            return answer, watch.seconds()
        if watch.over(seconds):
            raise AssertionError(f"not within {seconds} s: {what}" + (f" ({describe()})" if describe else ""))
        time.sleep(0.05)
