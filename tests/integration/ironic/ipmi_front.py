#!/usr/bin/env python3
"""ipmitool against a simulated server behind the real ipmi_sim: power, boot device, faults.

    ipmi_front.py --simulator build/dev/bin/ingot-sim
"""
import argparse
import os
import subprocess
import sys
import time

import peers
from patience import Stopwatch


class Bmc:
    def __init__(self, machine):
        self.argv = ["ipmitool", "-I", "lanplus", "-C", "3", "-H", machine["address"], "-p", str(machine["port"]),
                     "-U", machine["username"], "-R", "1", "-N", "5", "-E"]
        self.env = {**os.environ, "IPMITOOL_PASSWORD": machine["password"], "LC_ALL": "C"}

    def run(self, *words):
        return subprocess.run([*self.argv, *words], env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120)

    def says(self, *words):
        result = self.run(*words)
        return result.stdout.strip() if result.returncode == 0 else f"failed: {result.stderr.strip()}"


def until(what, holds, seconds=15):
    watch = Stopwatch()
    while not holds():
        if watch.over(seconds):
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(0.3)
    print("ok:", what, flush=True)


def check(stage):
    machine = stage.fleet["machines"][0]
    name, bmc = machine["name"], Bmc(machine)
    power = lambda: bmc.says("power", "status")
    off, on = "Chassis Power is off", "Chassis Power is on"

    until("a fresh server is off", lambda: power() == off)
    assert "Up/On" in bmc.says("power", "on")
    until("power on is seen through ipmi_sim", lambda: power() == on)
    assert "Soft" in bmc.says("power", "soft")
    until("a soft off ends with the server off", lambda: power() == off)

    bmc.says("chassis", "bootdev", "pxe")
    until("the boot device reaches the machine", lambda: "PXE" in bmc.says("chassis", "bootparam", "get", "5"))
    bmc.says("power", "on")
    until("it boots from the network", lambda: stage.journal(name)[-1]["sender"] == "ramdisk" or power() == on)
    boots = lambda: [entry["detail"] for entry in stage.journal(name) if entry["action"] == "boot"]
    until("its journal says so", lambda: boots()[-1:] == ["Pxe"])
    before = len(boots())
    bmc.says("power", "reset")
    until("a reset is off, then on", lambda: len(boots()) == before + 1)

    stage.sim("fault", name, "cord-out", "on")
    until("a pulled cord turns it off", lambda: power() == off)
    assert bmc.run("power", "on").returncode != 0 or power() == off
    stage.sim("fault", name, "cord-out", "off")

    stage.sim("fault", name, "refuse-password", "on")
    until("a changed password is refused", lambda: "Unable to establish" in power())
    stage.sim("fault", name, "refuse-password", "off")
    until("and the right one accepted again", lambda: power() == off)

    stage.sim("fault", name, "hang", "on")
    until("a hanging BMC does not answer", lambda: power().startswith("failed"))
    stage.sim("fault", name, "hang", "off")
    until("and answers again", lambda: power() == off)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--simulator", required=True)
    stage = peers.Stage(parser.parse_args().simulator, [{"name": "ipmi", "protocol": "ipmi"}])
    failed = True
    try:
        check(stage)
        failed = False
    finally:
        stage.close(failed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
