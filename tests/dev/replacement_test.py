"""tools/replacement.py: a folder is the old one or the new one, whatever becomes of who writes it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

from checkout import ROOT

sys.path.append(str(ROOT / "tools"))
import replacement  # noqa: E402  (the path comes first)

DIES = f"""
import os, pathlib, sys
sys.path.append({str(ROOT / "tools")!r})
from replacement import replaced
with replaced(pathlib.Path(sys.argv[1])) as new:
    (new / "half").write_text("of the new one")
    os.kill(os.getpid(), 9)
"""


class Replacement(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.place = pathlib.Path(folder.name) / "place"
        with replacement.replaced(self.place) as new:
            (new / "old").write_text("the old one")

    def names(self):
        """Of all that is there, and beside it."""
        return sorted(str(path.relative_to(self.place.parent)) for path in self.place.parent.rglob("*"))

    def test_the_new_one_takes_the_place_and_nothing_of_the_old_one_stays(self):
        with replacement.replaced(self.place) as new:
            (new / "new").write_text("the new one")
            self.assertEqual("the old one", (self.place / "old").read_text())
        self.assertEqual(["place", "place/new"], self.names())

    def test_it_does_where_the_file_system_cannot_exchange(self):
        real, replacement.EXCHANGE = replacement.EXCHANGE, 1 << 30   # no flag that there is: EINVAL
        self.addCleanup(setattr, replacement, "EXCHANGE", real)
        with replacement.replaced(self.place) as new:
            (new / "new").write_text("the new one")
        self.assertEqual(["place", "place/new"], self.names())

    def test_who_fails_leaves_the_old_one_alone(self):
        with self.assertRaises(KeyboardInterrupt), replacement.replaced(self.place) as new:
            (new / "half").write_text("of the new one")
            raise KeyboardInterrupt
        self.assertEqual(["place", "place/old"], self.names())

    def test_who_is_killed_leaves_the_old_one_whole_and_the_next_one_cleans_up(self):
        done = subprocess.run([sys.executable, "-c", DIES, self.place], check=False)
        self.assertEqual(-9, done.returncode)
        self.assertEqual([".place.new", ".place.new/half", "place", "place/old"], self.names())
        with replacement.replaced(self.place) as new:
            (new / "new").write_text("the new one")
        self.assertEqual(["place", "place/new"], self.names())
