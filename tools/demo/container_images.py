"""Coordinator and agent as their container images have them: in the unpacked root of each, as its user, and nothing else of this
machine but the files that they are given."""
import json
import os
import pathlib
import shutil
import sys
import tarfile

from failure import Failure
from processes import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 65532


def make(folder, programs):
    """An OCI layout."""
    run([sys.executable, ROOT / "tools/image", folder, "--programs", programs], "the container images")
    return folder


def image(layout, name):
    """Its descriptor, and its manifest."""
    index = json.loads((layout / "index.json").read_text())
    described = next(each for each in index["manifests"] if each.get("annotations", {}).get("org.opencontainers.image.ref.name") == name)
    return described, json.loads(blob(layout, described).read_bytes())


def blob(layout, described):
    return layout / "blobs" / described["digest"].replace(":", "/")


def layer(layout, name):
    """Open, as a tar file."""
    _, manifest = image(layout, name)
    return tarfile.open(blob(layout, manifest["layers"][0]))


def unpack(layout, name, root):
    with layer(layout, name) as tar:
        tar.extractall(root, numeric_owner=True)
    root.chmod(0o755)   # for the image's user
    return root


def inside(root):
    """The words that start a program with this root, as the image's user; for whom may not do so as root of a namespace."""
    if os.geteuid() == 0:
        return ["chroot", f"--userspec={USER}:{USER}", str(root)]
    return ["unshare", "--user", "--map-root-user", "chroot", str(root)]


def user_ids(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return {int(word) for word in next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]}


class InImages:
    """Where the programs of a run are started (ingot.py). A path is the same within a root as it is outside."""

    def __init__(self, programs, folder):
        self.folder = folder
        self.layout = make(folder / "images", programs)
        self.roots = {}

    def program(self, name):
        return [*inside(self._root(name)), f"/usr/bin/{name}"]

    def give(self, name, path):
        """The file, to be read by this program."""
        within = self._within(name, path)
        self._make_folders(name, within.parent)
        shutil.copyfile(path, within)

    def leave(self, name, path):
        """What this program writes there is found there from outside, too."""
        self._make_folders(name, self._within(name, path).parent)
        path.symlink_to(self._within(name, path))

    def seen(self, processes):
        """What was looked at: that they have these roots, as their images' user. As text for the audience."""
        for process in processes:
            root, users = os.readlink(f"/proc/{process.pid}/root"), user_ids(process.pid)
            if pathlib.Path(root) != self._root(process.name) or (os.geteuid() == 0 and users != {USER}):
                raise Failure(f"{process.name} runs in {root} as {users}, and not as its image has it", process.log)
        who = f"user {USER}" if os.geteuid() == 0 else "the user of this demo"
        return f"{' and '.join(process.name for process in processes)} run in the roots of their container images, as {who}"

    def _root(self, name):
        if name not in self.roots:
            self.roots[name] = unpack(self.layout, name, self.folder / "roots" / name)
        return self.roots[name]

    def _within(self, name, path):
        return self._root(name) / pathlib.Path(path).relative_to("/")

    def _make_folders(self, name, folder):
        """Those that are missing are the user's."""
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for each in missing if os.geteuid() == 0 else ():
            os.chown(each, USER, USER)
