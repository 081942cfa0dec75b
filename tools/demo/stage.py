"""Everything that runs during a demo, and the folder it runs in."""
import os
import shutil
import time

from container_images import InImages
from fleet import Fleet
from image import Image
from ingot import Ingot
from ironic import Ironic
from processes import Processes, running, stop_kept
from power import SYNC_SECONDS

KEPT_RUNS = 3


class Stage:
    """`in_images`: coordinator and agent run in their container images."""

    def __init__(self, root, programs, runs, manifests, force_power_state=False, in_images=False):
        self.root, self.runs, self.in_images = root, runs, in_images
        self.folder = new_run_folder(runs)
        self.processes = Processes(self.folder)
        self.manifests = manifests
        self.force_power_state = force_power_state
        self.ingot = self.ingot_of(programs)
        self.fleet = Fleet(programs / "ingot-sim", self.processes, self.folder)
        self.ironic = Ironic(root, self.processes, self.folder)
        self.image = self.hosts = self.table = None
        self.began = time.monotonic()

    def ingot_of(self, programs):
        return Ingot(programs, self.processes, self.folder, InImages(programs, self.folder) if self.in_images else None)

    def start_ironic(self):
        self.ironic.start(self.fleet, SYNC_SECONDS, self.force_power_state)

    def make_image(self):
        self.image = Image(self.fleet.http_root, self.fleet.url)
        self.image.make()

    def seconds(self):
        return time.monotonic() - self.began

    def look_away(self):
        """Ends the threads that watch; the programs go on."""
        self.ironic.close()
        if self.hosts:
            self.hosts.close()

    def close(self, succeeded):
        """Stops everything. What is large goes unless somebody has to look into a failure."""
        self.look_away()
        self.processes.stop()
        if succeeded:
            for large in ("sim/disks", "images", "roots"):
                shutil.rmtree(self.folder / large, ignore_errors=True)
            for large in (*self.folder.glob("*.iso"), *self.folder.glob("http/*.raw")):
                large.unlink()


def new_run_folder(runs):
    """A fresh one; of the old ones those stay that still run, and the youngest few, for their logs."""
    runs.mkdir(parents=True, exist_ok=True)
    old = sorted(path for path in runs.iterdir() if path.is_dir() and not path.is_symlink())
    for path in old[:-(KEPT_RUNS - 1)]:
        if not running(path):
            shutil.rmtree(path, ignore_errors=True)
    folder = runs / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    folder.mkdir(mode=0o700)
    latest = runs / "latest"
    latest.unlink(missing_ok=True)
    latest.symlink_to(folder.name)
    return folder


def stop_all_kept(runs):
    """For `./dev demo --stop`: names of what was stopped."""
    if not runs.exists():
        return []
    folders = [path for path in runs.iterdir() if path.is_dir() and not path.is_symlink()]
    return [name for folder in folders for name in stop_kept(folder)]
