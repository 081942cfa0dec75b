"""A MachineDeployment of ten workers that grows to twenty and shrinks to ten: every machine has everything for itself."""
import coordinator
from metal3_case import Metal3Case

HOSTS = tuple(f"host-{number}" for number in range(22))
SECONDS = 600


class MachineDeploymentTest(Metal3Case):
    def test_ten_workers_become_twenty_and_ten_again(self):
        self.hosts_are_available(HOSTS)
        self.workers_become(10, lambda: self.a_cluster_is_wanted(workers=10))
        self.workers_become(20, lambda: self.workers_are_wanted(20))
        self.workers_are_wanted(10)
        self.see("eleven hosts are available", lambda: len(self.hosts_in("available")) == len(HOSTS) - 11, SECONDS)
        self.see("ten Nodes are gone", lambda: len(self.workload_nodes()) == 11)
        self.machines_are_ready(11, SECONDS)
        for name in self.hosts_in("available"):
            self.assertFalse(self.left_on(name))
        self.the_cluster_is_deleted(HOSTS, SECONDS)
        print(f"  most memory, MiB: {self.capi.memory()}")

    def workers_become(self, count, wish):
        """Beside the one control plane."""
        before, machines = len(self.capi.api.writes(coordinator.USER)), len(self.machines())
        wish()
        self.machines_are_ready(count + 1, SECONDS)
        self.assertEqual(len(self.hosts_in("provisioned")), count + 1)
        self.own_writes(before, count + 1 - machines)
