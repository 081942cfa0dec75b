"""A BMC that dies when it is asked more than twice a second, behind an agent that is told so."""
from case import SystemTest
from world import World


class Careful(World):
    def agent_command(self, name, folder=None, port=None):
        return [*super().agent_command(name, folder, port), "--bmc-max-rate", "2"]


class Fragile(SystemTest):
    machines = 1
    world_type = Careful

    def test_a_fragile_bmc_is_read_and_switched_and_never_dies(self):
        world = self.world
        world.fleet.set_fault("m0", "fragile", True)
        world.start_agent("rack")
        world.create_host("m0")
        self.wait_for_power(True, "m0", seconds=60)
        world.set_online("m0", False)
        self.wait_for_power(False, "m0", seconds=60)
        events = [f"{entry['action']} {entry.get('detail', '')}" for entry in world.fleet.journal("m0") if entry["kind"] == "event"]
        self.assertIn("fault fragile on", events)
        self.assertNotIn("bmc died", events)
        world.fleet.set_fault("m0", "fragile", False)   # the harness asks, too
