#!/usr/bin/env python3
"""shipped.py [BUILD]: nothing that is shipped holds a secret: packages, images and the release for clusterctl, made of that release
build, and what people copy from: manifests, examples, guides, units."""
import gzip
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import making
from making import BUILD, ROOT, run
from secrets_in import is_text, secrets_in

COPIED = "deploy", "crds", "docs", "systemd", "tools", "README.md"
# Programs hold texts of their libraries that look like a setting; a key or a token in one is a secret all the same.
OF_TEXT_ONLY = "a password"
LIBRARIES = "usr/lib/x86_64-linux-gnu/"   # Debian's own, as everybody has them: libgnutls holds the keys of its self-tests


class Shipped(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-shipped-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def see(self, name, content):
        self.seen += 1
        found = [each for each in secrets_in(content) if is_text(content) or not each.startswith(OF_TEXT_ONLY)]
        self.assertEqual([], found, name)

    def setUp(self):
        self.seen = 0

    def test_packages_hold_none(self):
        for name, package in making.make(self.folder / "packages").items():
            root = self.folder / name
            run("dpkg-deb", "--raw-extract", package, root)
            for file in root.rglob("*"):
                if file.is_file() and not file.is_symlink():
                    content = file.read_bytes()
                    self.see(file, gzip.decompress(content) if file.suffix == ".gz" else content)
        self.assertGreater(self.seen, 20)

    def test_images_hold_none(self):
        layout = self.folder / "images"
        run(sys.executable, ROOT / "tools/image", layout, "--programs", BUILD / "bin")
        for blob in (layout / "blobs/sha256").iterdir():
            content = blob.read_bytes()
            if content[:2] != b"\x1f\x8b":
                json.loads(content)
                self.see(blob, content)
                continue
            with tarfile.open(fileobj=io.BytesIO(gzip.decompress(content))) as files:
                for each in files:
                    if each.isfile() and not each.name.startswith(LIBRARIES):
                        self.see(each.name, files.extractfile(each).read())
        self.assertGreater(self.seen, 30)

    def test_the_release_holds_none(self):
        release = self.folder / "release"
        run(sys.executable, ROOT / "tools/release", release)
        for file in release.rglob("*"):
            if file.is_file():
                self.see(file, file.read_bytes())
        self.assertGreater(self.seen, 5)

    def test_what_people_copy_holds_none(self):
        listed = subprocess.run(["git", "ls-files", "-z", *COPIED], cwd=ROOT, capture_output=True, check=True).stdout
        for name in listed.decode().split("\0"):
            if name:
                self.see(name, (ROOT / name).read_bytes())
        self.assertGreater(self.seen, 250)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
