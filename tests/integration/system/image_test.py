"""Container images: made twice they are the same, and what is in them is enough: coordinator and agent work in nothing but their root."""
import gzip
import hashlib
import json

import case
import container_images
from api_server import ROOT
from case import LoggedTest, within
from container_images import inside
from failure import Failure
from health import healthy
from kube import Kube
from ports import free_port
from processes import Processes, run

MOST = 60e6   # bytes of what is pulled
SECONDS = 60
IMAGES = ("ingot-coordinator", "ingot-agent")


class Image(LoggedTest):
    def made(self, name):
        return container_images.make(self.folder / name, case.programs)

    def test_images_are_whole_and_always_the_same(self):
        self.layout = self.made("images")
        self.blobs_are_what_they_are_called()
        self.made_again_they_are_the_same()

    def made_again_they_are_the_same(self):
        """And nothing of earlier ones stays beside them."""
        files = {path.relative_to(self.layout): path.read_bytes() for path in self.layout.rglob("*") if path.is_file()}
        (self.layout / "blobs/sha256" / ("0" * 64)).write_text("of an earlier image")
        self.made("images")
        self.assertEqual(files, {path.relative_to(self.layout): path.read_bytes() for path in self.layout.rglob("*") if path.is_file()})

    def blobs_are_what_they_are_called(self):
        for file in (self.layout / "blobs/sha256").iterdir():
            self.assertEqual(file.name, hashlib.sha256(file.read_bytes()).hexdigest())
        for name in IMAGES:
            described, manifest = self.image(name)
            config = json.loads(self.blob(manifest["config"]))
            packed = self.blob(manifest["layers"][0])
            self.assertLess(len(packed), MOST)
            self.assertEqual(["sha256:" + hashlib.sha256(gzip.decompress(packed)).hexdigest()], config["rootfs"]["diff_ids"])
            self.assertEqual((["/usr/bin/" + name], "65532:65532"), (config["config"]["Entrypoint"], config["config"]["User"]))
            self.assertIn("libssl3", self.materials(described))

    def test_a_folder_that_is_no_layout_is_left_alone(self):
        (self.folder / "mine").mkdir()
        (self.folder / "mine/letter").write_text("dear")
        with self.assertRaisesRegex(Failure, "holds other things than an OCI layout"):
            self.made("mine")
        self.assertEqual("dear", (self.folder / "mine/letter").read_text())

    def test_they_are_enough_and_hold_nothing_of_the_machine_that_made_them(self):
        self.layout = self.made("images")
        self.nothing_tells_of_this_machine()
        self.programs_work_in_the_root_of_their_image()

    def nothing_tells_of_this_machine(self):
        for name in IMAGES:
            for path, content in self.files(name).items():
                self.assertNotIn(str(ROOT).encode(), content, path)

    def programs_work_in_the_root_of_their_image(self):
        """A coordinator with its API, and an agent that it comes to know; both see no file but those of the image."""
        roots = {name: self.unpacked(name) for name in IMAGES}
        processes = Processes(self.folder)
        self.addCleanup(processes.stop)
        health, api, agents = free_port(), free_port(), free_port()
        processes.start("coordinator", [*inside(roots["ingot-coordinator"]), "/usr/bin/ingot-coordinator", "--embedded", "--data-dir=/tmp/data",
                                        f"--listen=127.0.0.1:{api}", "--kubeconfig-out=/tmp/kubeconfig", "--provisioner=fixture",
                                        f"--health-addr=127.0.0.1:{health}", f"--agents-endpoint=tcp://127.0.0.1:{agents}"])
        within(SECONDS, "the coordinator is ready", lambda: healthy(f"http://127.0.0.1:{health}/readyz"))
        key = roots["ingot-coordinator"] / "tmp/data/coordinator.pub"
        within(SECONDS, "the key that agents need is there", key.exists)
        (roots["ingot-agent"] / "tmp/coordinator.pub").write_bytes(key.read_bytes())
        processes.start("agent", [*inside(roots["ingot-agent"]), "/usr/bin/ingot-agent", "--name=rack",
                                  f"--server=tcp://127.0.0.1:{agents}", "--server-key=/tmp/coordinator.pub"])
        kube = Kube(roots["ingot-coordinator"] / "tmp/kubeconfig")
        within(SECONDS, "the agent is known", lambda: kube.get("/apis/ingot.dev/v1alpha1/provisioningagents/rack"))
        self.assertIn("ipmitool version", run([*inside(roots["ingot-agent"]), "/usr/bin/ipmitool", "-V"], "ipmitool of the agent's image"))

    def image(self, name):
        return container_images.image(self.layout, name)

    def blob(self, described):
        return container_images.blob(self.layout, described).read_bytes()

    def materials(self, image):
        """Names of the packages in the bill of materials that refers to this image."""
        index = json.loads((self.layout / "index.json").read_text())
        manifests = [json.loads(self.blob(each)) for each in index["manifests"]]
        bill = next(each for each in manifests if each.get("subject", {}).get("digest") == image["digest"])
        return {package["name"] for package in json.loads(self.blob(bill["layers"][0]))["packages"]}

    def files(self, name):
        with container_images.layer(self.layout, name) as tar:
            return {entry.name: tar.extractfile(entry).read() for entry in tar if entry.isfile()}

    def unpacked(self, name):
        self.folder.chmod(0o755)   # for the image's user
        return container_images.unpack(self.layout, name, self.folder / f"{name}-root")
