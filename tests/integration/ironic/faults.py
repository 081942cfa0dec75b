#!/usr/bin/env python3
"""What a real Ironic says when something is wrong with a simulated server: wrong password, untrusted certificate, image
missing, checksum mismatch; and that each heals.

    faults.py --simulator build/dev/bin/ingot-sim
"""
import argparse
import signal
import sys
import time

import image
import peers
import rest
from patience import Stopwatch

TIMING = {"powerOn": 100, "powerOff": 100, "softOff": 500, "boot": 200}
NAMES = ("password", "untrusted", "missing", "checksum")


def enrol(ironic, machine, **more_info):
    driver, interfaces, info = rest.bmc_info(machine)
    node = ironic.call("POST", "/v1/nodes", {
        "name": machine["name"], "driver": driver, "driver_info": {**info, **more_info}, **interfaces, "boot_interface": "ipxe",
        "inspect_interface": "agent", "automated_clean": False, "properties": {"capabilities": "boot_mode:uefi"}})
    for mac in machine["macs"]:
        ironic.call("POST", "/v1/ports", {"node_uuid": node["uuid"], "address": mac, "pxe_enabled": True})
    return node["uuid"]


def settled(ironic, uuid, seconds=90):
    watch = Stopwatch()
    while True:
        node = ironic.node(uuid)
        if node["provision_state"] not in rest.WAITING and not node["reservation"] and not node["target_provision_state"]:
            return node
        if node["provision_state"].endswith(("failed", "enroll")) and not node["reservation"]:
            return node
        if watch.over(seconds):
            raise AssertionError(f"{node['name']} stays in {node['provision_state']}")
        time.sleep(0.5)


def manage(ironic, uuid):
    ironic.move(uuid, "manage")
    return settled(ironic, uuid)


def see(what, condition, node):
    assert condition, f"{what}: {node['provision_state']}: {node['last_error']}"
    print(f"ok: {what}: {node['provision_state']}: {str(node['last_error'])[:110]}", flush=True)


def check_bmc_faults(stage, ironic, machines):
    stage.sim("fault", "password", "refuse-password", "on")
    uuid = enrol(ironic, machines["password"])
    node = manage(ironic, uuid)
    see("a wrong password", node["provision_state"] == "enroll" and node["last_error"], node)
    stage.sim("fault", "password", "refuse-password", "off")
    node = manage(ironic, uuid)
    see("the right password", node["provision_state"] == "manageable", node)

    strangers = "/etc/ssl/certs/ca-certificates.crt"
    uuid = enrol(ironic, machines["untrusted"], redfish_verify_ca=strangers)
    node = manage(ironic, uuid)
    see("an authority that did not sign the BMC", node["provision_state"] == "enroll" and node["last_error"], node)
    ironic.call("PATCH", f"/v1/nodes/{uuid}", [{"op": "remove", "path": "/driver_info/redfish_verify_ca"}])
    node = manage(ironic, uuid)
    see("the fleet's authority", node["provision_state"] == "manageable", node)


def check_image_faults(stage, ironic, machines, wrong):
    """Both at once: each costs a boot."""
    uuids = {}
    for name, info in wrong.items():
        uuids[name] = enrol(ironic, machines[name])
        manage(ironic, uuids[name])
        ironic.move(uuids[name], "provide")
        settled(ironic, uuids[name])
        ironic.patch(uuids[name], instance_info={"image_disk_format": "raw", "image_os_hash_algo": "sha256", "capabilities": {}, **info})
        ironic.move(uuids[name], "active")
    for name, uuid in uuids.items():
        node = settled(ironic, uuid)
        word = "checksum" if name == "checksum" else "404"
        see(f"image: {name}", node["provision_state"] == "deploy failed" and word in node["last_error"], node)
        ironic.move(uuid, "deleted")
    for name, uuid in uuids.items():
        node = settled(ironic, uuid)
        see(f"undeployed after image: {name}", node["provision_state"] == "available", node)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulator", required=True)
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is stopped
    stage = peers.Stage(args.simulator, [{"name": name, "timing": TIMING} for name in NAMES])
    failed = True
    try:
        stage.start_ironic("--power-sync-interval", "86400")   # a sync that finds what is recorded empties last_error
        ironic = rest.Ironic(stage.ironic_url)
        machines = {machine["name"]: machine for machine in stage.fleet["machines"]}
        sha256 = image.make_image(stage.http_root / "image.raw", mebibytes=4)
        check_bmc_faults(stage, ironic, machines)
        files = stage.fleet["url"]
        check_image_faults(stage, ironic, machines, {
            "missing": {"image_source": f"{files}/nowhere.raw", "image_os_hash_value": sha256},
            "checksum": {"image_source": f"{files}/image.raw", "image_os_hash_value": "0" * 64}})
        failed = False
    finally:
        stage.close(failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
