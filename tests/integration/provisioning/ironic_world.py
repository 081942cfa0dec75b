"""An installation with a real Ironic: simulated servers, Ironic, a coordinator with the embedded API, perhaps agents."""
import pathlib

import rest
from case import SystemTest
from image import Image
from kube import hosts_path
from ports import free_port
from processes import Processes
from world import NAMESPACE, PASSWORD, USERNAME, World

import manifests

ROOT = pathlib.Path(__file__).resolve().parents[3]
IRONIC_SECONDS = 600    # to come up; the first run installs it
PROVISION_SECONDS = 240


class IronicWorld(World):
    """`schemes`: the scheme of each host's BMC address, by its name."""

    trusts_fleet = True   # Ironic knows the authority that signed the BMCs' certificates
    sync_seconds = 5      # Ironic compares power with its record that often

    def __init__(self, programs, folder, schemes, timing):
        super().__init__(programs, folder, 0, timing)
        self.schemes, self.names = schemes, list(schemes)
        self.peers = Processes(make(folder / "peers"))   # not ours: judged by what they do, not by how they end
        self.ironic_port = free_port()
        self.ironic_url = f"http://127.0.0.1:{self.ironic_port}"
        self.ironic_folder = folder / "ironic"
        self.ironic_process = self.image = None

    def start(self):
        self.start_fleet()
        self.image = Image(self.fleet.http_root, self.fleet.url, "image.raw")
        self.image.make()
        self.start_ironic()
        self.start_coordinator()

    def start_fleet(self):
        self.fleet.start_with([manifests.machine(name, self.is_ipmi(name), USERNAME, PASSWORD, self.timing)
                               for name in self.names])
        self.every_log.append(self.fleet.process.log)

    def is_ipmi(self, name):
        return self.schemes[name] == "ipmi"

    def stop(self):
        self.peers.stop()
        super().stop()

    # Ironic

    def start_ironic(self):
        """On the same port and, when there is one, the same database. It puts nodes back to the power it remembers."""
        authority = self.fleet.ca if self.trusts_fleet else "/etc/ssl/certs/ca-certificates.crt"
        self.starts += 1
        self.ironic_process = self.peers.start(f"ironic-{self.starts}", [
            ROOT / "tools/peers/run_ironic.sh", "--state", self.ironic_folder, "--api-port", self.ironic_port,
            "--http-url", self.fleet.url, "--http-root", self.fleet.http_root, "--verify-ca", authority,
            "--power-sync-interval", self.sync_seconds, "--force-power-state", "True", "--log-locks"])
        self.ironic_process.wait_until((self.ironic_folder / "ready").exists, IRONIC_SECONDS, "serving its API")

    def stop_ironic(self):
        self.peers.stop()

    def delete_database(self):
        (self.ironic_folder / "state/ironic.sqlite").unlink()

    def nodes(self):
        """Host name → node, as Ironic tells it."""
        listed = rest.Ironic(self.ironic_url).call("GET", "/v1/nodes/detail")["nodes"]
        return {node["name"].split("~")[-1]: node for node in listed}

    # Ingot

    def coordinator_command(self):
        command = super().coordinator_command()
        at = command.index("--provisioner")
        return command[:at] + command[at + 2:]

    def coordinator_environment(self):
        return {"IRONIC_ENDPOINT": f"{self.ironic_url}/v1/", "DEPLOY_KERNEL_URL": f"{self.fleet.url}/ipa.kernel",
                "DEPLOY_RAMDISK_URL": f"{self.fleet.url}/ipa.initramfs"}

    def create_host(self, name, password=None, online=True, **spec):
        """Inspection and cleaning are off, unless `spec` says otherwise."""
        machine = self.fleet.machines[name]
        self.kube.call("POST", f"/api/v1/namespaces/{NAMESPACE}/secrets",
                       manifests.secret(name, machine.username, password or machine.password))
        host = manifests.host(name, machine, online, self.schemes[name])
        host["metadata"]["labels"] = {"name": name}
        host["spec"].update({"inspectionMode": "disabled", "automatedCleaningMode": "disabled", **spec})
        host["spec"].pop("image") if spec.get("image", True) is None else None
        self.kube.call("POST", hosts_path(NAMESPACE), host)

    def image_spec(self, **changes):
        return {"url": self.image.url, "checksum": self.image.sha256, "checksumType": "sha256", "format": "raw", **changes}

    def patch_host(self, name, spec):
        self.kube.merge(hosts_path(NAMESPACE, name), {"spec": spec})

    def provisioned(self, *names, seconds=PROVISION_SECONDS):
        for name in names or self.names:
            self.hosts.wait_for(name, lambda host: host.state == "provisioned" and host.power == "on" and not host.error,
                                seconds, "provisioned and on")


class IronicTest(SystemTest):
    """`machines`: scheme by host name."""

    world_type = IronicWorld


def make(folder):
    folder.mkdir(parents=True, exist_ok=True)
    return folder

