"""A management cluster in which Metal3's managers have worked: their objects as they left them, a real Ironic that has their nodes,
servers behind it, and Ingot's deploy/default beside, whose pod runs (../nodes)."""
import json
import pathlib
import re
import subprocess
import time

import rest
from asked_ironic import AskedIronic
from fleet import Fleet
from health import asked
from installation import ACCOUNT, Installation
from installation import NAMESPACE as OWN
from kube import hosts_path
from nodes.cluster import CONTROLLERS, GARBAGE
from patience import within
from ports import free_port
from processes import Processes
from recorded import NAMESPACE, Etcd, Site, hosts_in, path_of, read, store, titled, wipe

ROOT = pathlib.Path(__file__).resolve().parents[3]
SECONDS = 60
IRONIC_SECONDS = 600   # to come up
QUIET = 20             # seconds without a write: it has found everything as it wants it
USER, PASSWORD = "admin", "pass"   # in the recorded Secrets
TIMING = {"powerOn": 100, "powerOff": 100, "softOff": 100, "boot": 100}
CLUSTER_API = ("Cluster", "Machine", "MachineDeployment", "MachineSet")
CLUSTER = f"/apis/cluster.x-k8s.io/v1beta2/namespaces/{NAMESPACE}/clusters/c1"
PAUSED = "baremetalhost.metal3.io/paused"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class ChangeoverWorld:
    """`site`: Ingot's installation, `kube`: its API; `fleet`: a server for each host that has a BMC; `ironic`: what is asked of it.
    Nobody collects garbage: of the objects' owners not all were recorded."""

    def __init__(self, programs, folder):
        self.folder, self.processes = folder, Processes(folder)
        self.fleet = Fleet(programs / "ingot-sim", self.processes, folder)
        self.site = Installation(folder, programs, replicas=0, words=("--insecure-diagnostics",),
                                 controllers=[each for each in CONTROLLERS if each != GARBAGE])
        self.ironic_port = free_port()
        self.ironic = self.kube = self.etcd = self.here = None

    def start(self):
        subprocess.run([ROOT / "tools/peers/cluster_api.sh"], check=True, stdout=subprocess.DEVNULL)
        hosts = hosts_in(read("2-other-states"))   # all there ever were
        self._start_fleet(hosts)
        self.site.start()
        self._start_ironic()
        self.kube, self.etcd = self.site.kube, Etcd(self.site.api.etcd())
        self.site.create([*self.site.rights(), self._settings(), *self.site.rest()])
        for each in cluster_api_kinds():
            self.kube.call("POST", CRDS, each)
        self.kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        self.here = Site({name: machine.bmc_address("redfish+http") for name, machine in self.fleet.machines.items()}, {},
                         f"{self.fleet.url}/x.qcow2")

    def stop(self):
        self.site.stop()
        self.processes.stop()
        if self.ironic:
            self.ironic.close()

    # What there was before

    def _start_fleet(self, hosts):
        self.fleet.start_with([{"name": name, "tls": False, "username": USER, "password": PASSWORD, "timing": TIMING,
                                "nics": [{"mac": host["spec"]["bootMACAddress"]}]}
                               for name, host in hosts.items() if has_bmc(host)])
        (self.fleet.http_root / "x.qcow2").write_bytes(b"stand-in for an image\n")

    def _start_ironic(self):
        state = self.folder / "ironic"
        process = self.processes.start("ironic", [
            ROOT / "tools/peers/run_ironic.sh", "--state", state, "--api-port", self.ironic_port, "--http-url", self.fleet.url,
            "--http-root", self.fleet.http_root, "--power-sync-interval", 5, "--force-power-state", "True"])
        process.wait_until((state / "ready").exists, IRONIC_SECONDS, "serving its API")
        self.ironic = AskedIronic(f"http://127.0.0.1:{self.ironic_port}", self.site.cluster.network.api)   # where pods come to

    def _make_node(self, host):
        """As the baremetal-operator would have it, in the state that the host's status tells."""
        name, spec = host["metadata"]["name"], host["spec"]
        machine, ironic = self.fleet.machines[name], rest.Ironic(self.ironic.url)
        image = spec.get("image", {})
        uuid = ironic.call("POST", "/v1/nodes", {
            "name": f"{NAMESPACE}~{name}", "driver": "redfish", "boot_interface": "ipxe", "bios_interface": "no-bios",
            "driver_info": {"redfish_address": f"http://{machine.address}:{machine.port}", "redfish_system_id": machine.system_path,
                            "redfish_username": USER, "redfish_password": PASSWORD,
                            "deploy_kernel": f"{self.fleet.url}/ipa.kernel", "deploy_ramdisk": f"{self.fleet.url}/ipa.initramfs",
                            "force_persistent_boot_device": "Default"},
            "instance_info": {"capabilities": {"boot_mode": "uefi"}, "root_device": {"name": "s== /dev/sda"},
                              **({"image_source": f"{self.fleet.url}/x.qcow2", "image_os_hash_algo": image["checksumType"],
                                  "image_os_hash_value": image["checksum"], "image_disk_format": image["format"]} if image else {})},
            "properties": {"capabilities": "boot_mode:uefi", "cpu_arch": spec.get("architecture", "x86_64")},
            "automated_clean": False})["uuid"]
        for mac in (spec["bootMACAddress"], "1" + spec["bootMACAddress"][1:]):
            ironic.call("POST", "/v1/ports", {"node_uuid": uuid, "address": mac, "pxe_enabled": True})
        self._move(ironic, uuid, "manage", "manageable")
        is_free = host["status"]["provisioning"]["state"] == "available"
        self._move(ironic, uuid, *(("provide", "available") if is_free else ("adopt", "active")))
        ironic.patch(uuid, automated_clean=True, **({} if is_free else {"instance_uuid": host["metadata"]["uid"]}))
        return uuid

    def _bring_node(self, name, host):
        """To what Metal3's managers have had Ironic do: a node, switched, or none."""
        ironic, nodes = rest.Ironic(self.ironic.url), self.here.nodes
        if has_node(host):
            nodes[name] = nodes.get(name) or self._make_node(host)
            power = "power on" if host["status"]["poweredOn"] else "power off"
            if ironic.node(nodes[name])["power_state"] != power:
                ironic.call("PUT", f"/v1/nodes/{nodes[name]}/states/power", {"target": power})
                within(SECONDS, f"{name} is switched", lambda: ironic.node(nodes[name])["power_state"] == power)
        elif node := nodes.pop(name, None):
            ironic.patch(node, maintenance=True)
            ironic.call("DELETE", f"/v1/nodes/{node}")

    @staticmethod
    def _move(ironic, uuid, verb, state):
        ironic.move(uuid, verb)
        within(SECONDS, f"the node is {state}", lambda: ironic.node(uuid)["provision_state"] == state,
               lambda: str(ironic.node(uuid)["last_error"]))

    def leave(self, state):
        """The objects of that recording are there, and no others of theirs. Returns them as the API tells them, by title."""
        objects = read(state)
        wipe(self.etcd, read("2-other-states"))
        within(SECONDS, "the API has forgotten what there was", lambda: not self.kube.get(path_of(objects[0])))
        hosts, versions = hosts_in(objects), {}
        for name, host in hosts.items():
            self._bring_node(name, host)
        for each in sorted(objects, key=lambda each: each["kind"] != "Secret"):   # whose versions hosts tell
            own = self.here.adapted(each, hosts, versions)
            store(self.etcd, own)
            if each["kind"] == "Secret":
                told, _ = within(SECONDS, "the API has the Secret", lambda own=own: self.kube.get(path_of(own)))
                versions[each["metadata"]["resourceVersion"]] = told["metadata"]["resourceVersion"]
        return titled(self.here.adapted(each, hosts, versions) for each in objects)

    # Whose turn it is

    def _settings(self):
        """What an operator tells Ingot of Ironic."""
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "ironic", "namespace": OWN}, "data": {
            "IRONIC_ENDPOINT": f"{self.ironic.url}/v1/", "DEPLOY_KERNEL_URL": f"{self.fleet.url}/ipa.kernel",
            "DEPLOY_RAMDISK_URL": f"{self.fleet.url}/ipa.initramfs"}}

    def metal3_acts(self):
        """One of its managers is ready: Ingot stops by itself, answers webhooks, and does nothing else."""
        self.site.metal3(ready=1)
        if not self.site.replicas_wanted:
            self.site.scale(1)
            self.site.wait_until_ready()
        within(SECONDS, "Ingot stands by", lambda: "stands by" in self.asked())
        within(SECONDS, "webhooks are believed", self.site.webhooks_are_believed)
        within(SECONDS, "webhooks answer", self.site.webhooks_answer)

    def metal3_leaves(self):
        """Scaled to 0; returns when Ingot has looked at everything and written nothing for some time."""
        self.site.metal3(ready=0)
        within(SECONDS, "Ingot has looked at every host", self.has_looked, self.asked)
        self.becomes_quiet()

    def asked(self):
        return asked(self.site.url(self.replica()))

    def becomes_quiet(self):
        seen = []

        def is_quiet():
            time.sleep(1)
            seen.append(len(self.writes()))
            return len(seen) > QUIET and seen[-1] == seen[-QUIET]
        within(10 * SECONDS, "it writes nothing any more", is_quiet, lambda: "\n".join(map(str, self.writes()[-20:])))

    def has_looked(self):
        page = asked(f"http://{self.site.address(self.replica())}:8443/metrics")
        if "\ningot_leading 1\n" not in page or "\ningot_standing_by 0\n" not in page:
            return False
        reconciled = set(re.findall(r'metal3_reconcile_total\{[^}]*host="([^"]+)"', page))
        return reconciled >= {each["metadata"]["name"] for each in self.hosts() if self.works(each)}

    def works(self, host):
        """Whether anybody is to work on it."""
        return PAUSED not in host["metadata"].get("annotations", {}) and not self.kube.get(CLUSTER)["spec"].get("paused")

    def replica(self):
        name, = self.site.replicas()
        return name

    def end(self):
        """Told to; its exit code."""
        process = self.site.process(self.replica())
        self.site.scale(0)
        return process.child.wait(SECONDS)

    def hosts(self):
        return self.kube.items(hosts_path(NAMESPACE))

    def writes(self):
        """To the objects that were taken over."""
        return [each for each in self.site.api.writes(ACCOUNT) if each.namespace == NAMESPACE and each.what != "events"]


def has_bmc(host):
    return bool(host["spec"].get("bmc", {}).get("address"))


def has_node(host):
    provisioning = host["status"]["provisioning"]
    return bool(provisioning["ID"]) and host["status"]["operationalStatus"] != "detached"


def cluster_api_kinds():
    """Those that the objects are owned by, in the versions that are stored: nobody is there who would convert them."""
    for each in json.loads((ROOT / ".cache/peers/cluster-api/core-manager.json").read_text()):
        if each["kind"] == "CustomResourceDefinition" and each["spec"]["names"]["kind"] in CLUSTER_API:
            each["spec"].pop("conversion", None)
            yield each
