"""A second coordinator on the same data, and an agent that claims to be another."""
import records
from case import SystemTest, within
from patience import Stopwatch
from processes import Process
from world import SANITIZERS


class Intruders(SystemTest):
    machines = 1

    def setUp(self):
        super().setUp()
        world = self.world
        self.agent = world.start_agent("rack")
        world.create_host("m0")
        self.wait_for_power(True, "m0", seconds=30)

    def works(self):
        """The first coordinator and the real agent still do what is asked of them."""
        world = self.world
        for wish in (False, True):
            mark = world.fleet.mark()
            world.set_online("m0", wish)
            self.wait_for_power(wish, "m0", seconds=15)
            records.one_command_each(world, ["m0"], mark, f"online: {wish}")

    def test_a_second_coordinator_on_the_same_data_folder_ends_at_once(self):
        world = self.world
        before = world.kubeconfig.read_bytes()
        log = world.folder / "second.log"
        watch = Stopwatch()
        second = Process("second", world.coordinator_command(), log, SANITIZERS)
        world.every_log.append(log)
        self.assertEqual(1, second.child.wait(120))
        self.assertFalse(watch.over(10), watch.seconds())
        complaints = [line for line in log.read_text().splitlines() if "level=error" in line or "error" in line.lower()]
        self.assertEqual(1, len(complaints), log.read_text())
        self.assertIn(str(world.data), complaints[0])
        self.assertEqual(before, world.kubeconfig.read_bytes())
        self.works()

    def test_a_second_agent_on_the_same_folder_ends_at_once(self):
        world = self.world
        log = world.folder / "second.log"
        second = Process("second", world.agent_command("rack"), log, SANITIZERS)
        world.every_log.append(log)
        self.assertEqual(1, second.child.wait(120))
        self.assertIn("is in use by another ingot-agent", log.read_text())
        self.works()

    def test_an_agent_with_another_key_under_a_known_name_is_refused(self):
        world = self.world
        key = world.agent("rack")["spec"]["publicKey"]
        stranger = world.start_agent("rack", folder="agent-stranger", approve=False)
        line = stranger.wait_until(lambda: stranger.said("the coordinator answered"), 15, "being answered")
        self.assertIn("refused", line)
        told, _ = within(10, "an Event tells of it", lambda: world.events("KeyMismatch"))
        self.assertEqual(("ProvisioningAgent", "rack"), (told[0]["involvedObject"]["kind"], told[0]["involvedObject"]["name"]))
        self.assertEqual("Warning", told[0]["type"])
        self.works()
        self.assertEqual(key, world.agent("rack")["spec"]["publicKey"])
        self.assertTrue(world.agent("rack")["status"]["connected"])
        self.assertIsNone(stranger.said("serving host"))
        self.assertEqual(1, len(world.events("KeyMismatch")))
