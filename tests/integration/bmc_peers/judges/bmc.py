"""A simulated server whose BMC is judged, for each test case its own."""
import unittest

import peers
import processes

simulator = None  # set by run.py


def environment():
    """For the clients: no proxy on the way, and no authority but the fleet's."""
    return {name: value for name, value in processes.clean_environment().items()
            if name not in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")}


class BmcCase(unittest.TestCase):
    MACHINE = "node-0"

    def setUp(self):
        self.stage = peers.Stage(simulator, [{"name": self.MACHINE}])
        self.addCleanup(lambda: self.stage.close(failed=not self._outcome.success))
        self.bmc = self.stage.fleet["machines"][0]

    def changes(self):
        """(action, detail) of each request that could change something; not of those that were refused before they could."""
        return [(entry["action"], entry.get("detail", "")) for entry in self.stage.journal(self.MACHINE)
                if entry["kind"] == "request"]
