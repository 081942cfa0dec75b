"""Agents that trust nobody's certificate by themselves: the CA of a Secret, the public key of an annotation."""
import json
import re
import subprocess

import records
from case import SystemTest
from kube import hosts_path
from patience import within
from world import NAMESPACE, World

PIN = "ingot.dev/bmc-pinned-key"
WRONG = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="


class Untrusting(World):
    def agent_command(self, name, folder=None, port=None):
        command = super().agent_command(name, folder, port)
        at = command.index("--bmc-ca-file")
        return command[:at] + command[at + 2:]


class Trust(SystemTest):
    machines = 3
    world_type = Untrusting

    def pin(self, name, key):
        self.world.kube.merge(hosts_path(NAMESPACE, name), {"metadata": {"annotations": {PIN: key}}})

    def key_by_hand(self, name):
        """As the guide has it."""
        machine = self.world.fleet.machines[name]
        told = subprocess.run(
            f"openssl s_client -connect {machine.address}:{machine.port} </dev/null 2>/dev/null | openssl x509 -pubkey -noout |"
            " openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64",
            shell=True, check=True, capture_output=True, text=True, timeout=30).stdout
        return "sha256//" + told.strip()

    def says(self, name):
        """All that is told of why the BMC cannot be spoken to."""
        return json.dumps(self.world.host(name))

    def test_a_password_goes_to_the_bmc_that_the_host_names(self):
        world = self.world
        world.start_agent("rack")
        for name in world.names:
            world.create_host(name)
        for name in world.names:
            within(30, f"{name} is refused for its certificate", lambda name=name: "certificate" in self.says(name), world.hosts.standing)

        ca = open(world.fleet.ca, encoding="ascii").read()
        world.kube.merge(f"/api/v1/namespaces/{NAMESPACE}/secrets/m0-bmc", {"stringData": {"ca.crt": ca}})
        self.pin("m1", self.key_by_hand("m1"))
        self.pin("m2", WRONG)
        world.kube.merge(hosts_path(NAMESPACE, "m2"), {"spec": {"bmc": {"disableCertificateVerification": True}}})
        self.wait_for_power(True, "m0", "m1", seconds=60)

        shown = re.compile(r"the server's public key is (sha256//[^ ]+), which is not the pinned one")
        within(30, "m2 is refused for its key", lambda: shown.search(self.says("m2")), world.hosts.standing)
        self.assertEqual([], records.logins(world, "m2"))
        self.pin("m2", shown.search(self.says("m2")).group(1))
        self.wait_for_power(True, "m2", seconds=60)
