"""How long to wait on a machine that others use too."""
import http.client
import pathlib
import subprocess
import time

from failure import Unanswered

PRESSURE = [pathlib.Path("/proc/pressure") / what for what in ("cpu", "io")]
MOST = 6   # times the limit, however busy the machine is
OFTEN, SELDOM = 0.05, 0.25   # seconds between two looks
NO_ANSWER = (OSError, http.client.HTTPException, subprocess.TimeoutExpired, Unanswered)


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

    def pause(self):
        """Until it is worth another look: what took a while comes late by a twentieth of it at most, and whoever is asked has not
        more to do for us than for others."""
        time.sleep(min(max(OFTEN, self.seconds() / 20), SELDOM))


def within(seconds, what, condition, describe=None):
    """The first true answer of `condition`, and the seconds it took; AssertionError when the time is over. A busy machine gets
    the time that it lost (patience.py); whoever gives no answer is asked again."""
    watch = Stopwatch()
    while True:
        answer, trouble = answer_of(condition)
        if answer:
            return answer, watch.seconds()
        if watch.over(seconds):
            words = [str(each) for each in (described(describe) if describe else "", trouble) if each]
            raise AssertionError(f"not within {seconds} s: {what}" + (f" ({'; '.join(words)})" if words else ""))
        watch.pause()


def answer_of(question):
    """And why there is none."""
    try:
        return question(), None
    except NO_ANSWER as trouble:
        return None, trouble


def described(describe):
    """What is wrong keeps no describer from its words, nor those who wait from theirs."""
    try:
        return describe()
    except Exception as trouble:   # noqa: BLE001  (whatever it is)
        return repr(trouble)
