#!/usr/bin/env python3
"""Real Ironic enrols, inspects, cleans, deploys and undeploys simulated servers: redfish with iPXE, redfish with virtual
media (both over HTTPS, certificates verified against the fleet's private CA) and ipmi behind Debian's ipmi_sim. A fourth
one is only inspected out of band.

    lifecycle.py --simulator build/dev/bin/ingot-sim [--only NAME] [--keep]
"""
import argparse
import json
import signal
import sys
import time
import uuid

import image
import peers
import rest
from patience import Stopwatch

TIMING = {"powerOn": 100, "powerOff": 100, "softOff": 500, "boot": 200}
MACHINES = [
    {"name": "ipxe", "timing": TIMING},
    {"name": "vmedia", "timing": TIMING},
    {"name": "ipmi", "protocol": "ipmi", "timing": TIMING},
    {"name": "fast", "timing": TIMING},
]
BOOT = {"ipxe": "ipxe", "vmedia": "redfish-virtual-media", "ipmi": "ipxe", "fast": "ipxe"}
USER_DATA = "#cloud-config\nhostname: simulated\n"
NETWORK_DATA = {"links": [{"id": "eth0", "type": "phy"}], "networks": [], "services": []}


class Life:
    """One node on its way through the states; step() looks once and goes on when it may."""

    def __init__(self, stage, ironic, machine, picture, boot):
        self.stage, self.ironic, self.machine, self.picture = stage, ironic, machine, picture
        self.name = machine["name"]
        self.began = self.since = time.monotonic()
        self.took = {}
        driver, interfaces, info = rest.bmc_info(machine)
        node = self.ironic.call("POST", "/v1/nodes", {
            "name": self.name, "driver": driver, "driver_info": info, **interfaces, "boot_interface": boot,
            "inspect_interface": "redfish" if self.name == "fast" else "agent", "automated_clean": True, "properties": {"capabilities": "boot_mode:uefi"}})
        self.uuid = node["uuid"]
        self.instance = str(uuid.uuid4())
        for mac in machine["macs"]:
            self.ironic.call("POST", "/v1/ports", {"node_uuid": self.uuid, "address": mac, "pxe_enabled": True})
        self.path = [("manageable", "manage"), ("manageable", "inspect")]
        if self.name != "fast":
            self.path += [("available", "provide"), ("active", self.deploy), ("available", self.undeploy)]
        self.path.append((None, self.remove))
        self.wanted = None

    def begin_next(self):
        self.wanted, verb = self.path.pop(0)
        self.verb = verb if isinstance(verb, str) else verb.__name__
        self.since = time.monotonic()
        if isinstance(verb, str):
            self.ironic.move(self.uuid, verb)
        else:
            verb()

    def done(self):
        return self.wanted is None and not self.path

    def step(self):
        node = self.ironic.node(self.uuid)
        state = node["provision_state"]
        if state.endswith(" failed"):
            raise RuntimeError(f"{self.name}: {self.verb} ended in '{state}': {node['last_error']}")
        if state in rest.WAITING or node["target_provision_state"] or node["reservation"]:
            return
        if self.wanted is not None:
            if state != self.wanted:
                raise RuntimeError(f"{self.name}: {self.verb} ended in '{state}': {node['last_error']}")
            self.took[self.verb] = round(time.monotonic() - self.since, 1)
            print(f"{self.name:<8} {self.verb:<9} → {state:<11} {self.took[self.verb]:6.1f} s", flush=True)
            if self.verb == "inspect":
                self.check_inventory()
            if self.verb == "deploy":
                self.check_deployed()
        self.begin_next()

    def check_inventory(self):
        inventory = self.ironic.call("GET", f"/v1/nodes/{self.uuid}/inventory")["inventory"]
        assert inventory["interfaces"][0]["mac_address"] == self.machine["macs"][0], inventory
        assert inventory["memory"]["physical_mb"] == 16384, inventory
        assert inventory["cpu"]["count"] == 8, inventory
        assert inventory["disks"][0]["size"] == 8 << 30, inventory
        assert self.name == "fast" or inventory["hostname"] == self.name, inventory

    def deploy(self):
        self.ironic.patch(self.uuid, instance_uuid=self.instance)
        self.ironic.patch(self.uuid, instance_info={
            "image_source": f"{self.stage.fleet['url']}/{self.picture['file']}", "image_disk_format": "raw",
            "image_os_hash_algo": "sha256", "image_os_hash_value": self.picture["sha256"], "capabilities": {}})
        self.ironic.move(self.uuid, "active", configdrive={
            "user_data": USER_DATA, "meta_data": {"uuid": self.instance, "name": self.name, "metal3-name": self.name},
            "network_data": NETWORK_DATA})

    def check_deployed(self):
        disk = self.machine["disks"][0]
        image.check_disk(disk, self.stage.http_root / self.picture["file"])
        drive = image.config_drive(disk, self.stage.folder)
        assert drive["user_data"] == USER_DATA, drive
        assert json.loads(drive["meta_data.json"])["metal3-name"] == self.name, drive
        assert json.loads(drive["network_data.json"]) == NETWORK_DATA, drive
        journal = self.stage.journal(self.name)
        boots = [entry["detail"] for entry in journal if entry["action"] == "boot"]
        assert boots[-1] == "Hdd", boots
        senders = {entry["sender"] for entry in journal if entry["kind"] == "request"}
        assert senders == {"ipmi" if self.machine["protocol"] == "ipmi" else "ironic"}, senders

    def undeploy(self):
        self.ironic.move(self.uuid, "deleted")

    def remove(self):
        self.ironic.call("DELETE", f"/v1/nodes/{self.uuid}")


def run(stage, boot, only, deadline=480):
    pictures = {"gpt": {"file": "image-gpt.raw"}, "dos": {"file": "image-mbr.raw"}}
    for label, picture in pictures.items():
        picture["sha256"] = image.make_image(stage.http_root / picture["file"], label=label)
    ironic = rest.Ironic(stage.ironic_url)
    lives = [Life(stage, ironic, machine, pictures["dos" if machine["protocol"] == "ipmi" else "gpt"],
                  boot[machine["name"]])
             for machine in stage.fleet["machines"] if only in ("", machine["name"])]
    watch = Stopwatch()
    while not all(life.done() for life in lives):
        if watch.over(deadline):
            raise RuntimeError(f"not done after {deadline} s")
        for life in lives:
            if not life.done():
                life.step()
        time.sleep(0.5)
    said = (stage.folder / "sim.log").read_text()
    for life in lives:
        booted = f"nothing calls kubeadm: it is no Node machine={life.name}\n" in said   # its config drive was read
        assert booted == ("deploy" in life.took), said
        print(f"{life.name:<8} whole life {sum(life.took.values()):.1f} s")


def main(machines, boot, description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulator", required=True)
    parser.add_argument("--only", default="", choices=["", *boot])
    parser.add_argument("--keep", action="store_true", help="keep the scratch folder")
    args = parser.parse_args()

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is stopped
    failed = True
    stage = peers.Stage(args.simulator, machines, args.keep)
    try:
        began = time.monotonic()
        stage.start_ironic()
        print(f"Ironic up after {time.monotonic() - began:.1f} s", flush=True)
        run(stage, boot, args.only)
        failed = False
    finally:
        stage.close(failed)
    return 0


if __name__ == "__main__":
    sys.exit(main(MACHINES, BOOT, __doc__))
