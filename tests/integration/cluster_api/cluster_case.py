"""What every test with Cluster API starts from: the managers in a management cluster of their own."""
import time

from case import LoggedTest
from cluster import CONTROL_PLANE, CORE
from cluster_api import ClusterApi
from objects import complaints_of, place
from patience import within

NAMESPACE = "default"
SECONDS = 120   # the managers try a workload cluster again after 30 s, and a busy machine may let the second try fail too
KINDS = ((CORE, "Cluster"), (CONTROL_PLANE, "KubeadmControlPlane"), (CORE, "MachineDeployment"), (CORE, "Machine"))


class ClusterApiTest(LoggedTest):
    """`self.capi` runs; each step that the test waited for is told with its time since the start of the programs."""

    def setUp(self):
        super().setUp()
        self.began = time.monotonic()
        self.capi = self.cluster_api()
        self.addCleanup(self.capi.stop)
        self.capi.start()
        self.kube = self.capi.kube
        self.tell("the managers are ready")

    def cluster_api(self):
        return ClusterApi(self.folder)

    def see(self, what, condition, seconds=SECONDS):
        """Waits for it, with every program running, and tells when it came."""
        def seen():
            self.capi.processes.check()
            return condition()
        answer, _ = within(seconds, what, seen, self.standing)
        self.tell(what)
        return answer

    def standing(self):
        """What the objects of Cluster API say against themselves."""
        return "".join(f"\n{kind} {each['metadata']['name']}: {complaint}" for api_version, kind in KINDS
                       for each in self.kube.items(place(api_version, kind, NAMESPACE)) for complaint in complaints_of(each))

    def tell(self, what):
        print(f"  {time.monotonic() - self.began:5.1f} s  {what}", flush=True)
