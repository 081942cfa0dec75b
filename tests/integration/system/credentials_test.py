"""A password that the BMC refuses is tried once; a corrected Secret heals at once."""
import time

import records
from case import SystemTest, within
from world import NAMESPACE, PASSWORD

WRONG, ANOTHER = "mistyped-19af", "mistyped-20be"
QUIET = 8   # seconds in which it would have polled again


class Credentials(SystemTest):
    machines = 1

    def secret(self, password):
        self.world.kube.merge(f"/api/v1/namespaces/{NAMESPACE}/secrets/m0-bmc", {"stringData": {"password": password}})

    def refused(self, host):
        return host.error_type == "registration error" and "refused the user name or password" in host.error

    def test_a_wrong_password_is_tried_once_and_heals_with_the_secret(self):
        world = self.world
        world.start_agent("rack")
        within(10, "the agent is connected", lambda: world.agent("rack").get("status", {}).get("connected"))
        world.create_host("m0", password=WRONG)
        world.hosts.wait_for("m0", self.refused, 15, "a registration error that names the refusal")
        self.one_attempt_only(0)
        self.correct()

        mark = world.fleet.mark()   # and the same once more on a host that works
        self.secret(ANOTHER)
        world.hosts.wait_for("m0", self.refused, 15, "a registration error on a provisioned host")
        self.one_attempt_only(mark)
        self.correct()
        self.assertEqual("provisioned", world.hosts.now["m0"].state)

        mark = world.fleet.mark()   # a password that was refused a moment ago is not tried at all
        self.secret(WRONG)
        world.hosts.wait_for("m0", self.refused, 15, "a registration error without a try")
        self.assertEqual([], records.logins(world, "m0", mark))
        self.correct()

    def one_attempt_only(self, since):
        """Checks that the password is tried once only, also when the next poll is due."""
        world = self.world
        attempts = lambda: [entry["status"] for entry in records.logins(world, "m0", since)]
        end = time.monotonic() + QUIET
        while time.monotonic() < end:
            self.assertEqual([401], attempts())
            time.sleep(0.25)

    def correct(self):
        world = self.world
        mark = world.fleet.mark()
        self.secret(PASSWORD)
        within(10, "healed", lambda: world.power()["m0"] and world.right(["m0"]) and not world.hosts.now["m0"].error
               and world.hosts.now["m0"].state == "provisioned", world.hosts.standing)
        self.assertEqual([201], [entry["status"] for entry in records.logins(world, "m0", mark)])
