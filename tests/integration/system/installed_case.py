"""What tests of deploy/default in a cluster of its own start from."""
import case
from case import LoggedTest
from installation import Installation


class InstalledTest(LoggedTest):
    """`self.site` has a cluster, and nothing of ours in it yet. `settings`: of an Installation."""

    settings = {}

    def setUp(self):
        super().setUp()
        self.site = Installation(self.folder, case.programs, **self.settings)
        self.addCleanup(self.site.stop)
        self.site.start()
