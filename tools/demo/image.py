"""A disk image that nobody has seen before: random bytes behind a partition table."""
import hashlib
import os

from processes import run

MEBIBYTES = 48
SECTORS_PER_MIB = 2048


class Image:
    """A raw image in Ironic's HTTP root, with what a manifest says about it."""

    def __init__(self, http_root, http_url, name="demo-image.raw"):
        self.path = http_root / name
        self.url = f"{http_url}/{name}"
        self.size = MEBIBYTES << 20
        self.sha256 = None

    def make(self):
        with open(self.path, "wb") as out:
            out.truncate(self.size)
        # A GPT with one partition; its first and last MiB belong to the two copies of the table.
        run(["sfdisk", "--quiet", self.path], "making a partition table",
            stdin=f"label: gpt\nstart={SECTORS_PER_MIB}, size={(MEBIBYTES - 2) * SECTORS_PER_MIB}, name=root\n")
        with open(self.path, "r+b") as out:
            out.seek(1 << 20)
            for _ in range(MEBIBYTES - 2):
                out.write(os.urandom(1 << 20))
        self.sha256 = hashlib.sha256(self.path.read_bytes()).hexdigest()
