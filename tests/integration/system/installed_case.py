"""What tests of deploy/default on a kube-apiserver of its own start from."""
import case
from case import LoggedTest
from installation import Installation


class InstalledTest(LoggedTest):
    """`self.site` has an API, and nothing of ours in it yet."""

    def setUp(self):
        super().setUp()
        self.site = Installation(self.folder, case.programs)
        self.addCleanup(self.site.stop)
        self.site.start()
