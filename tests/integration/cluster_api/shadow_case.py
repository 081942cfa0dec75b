"""Metal3's managers make a cluster of machines and take it back, and Ingot looks on in shadow: it only reads, decides what they
do, and each difference has a reason that is known."""
import re

import metal3
from cluster_case import NAMESPACE
from metal3_case import POOL
from neighbours_case import LEFT_BY_METAL3, NeighboursCase
from objects import place
from shadowed import ACCOUNT, Shadow

WORKERS = 2
HOSTS = tuple(f"host-{number}" for number in range(WORKERS + 2))
# What both are free to decide: which of the free hosts a machine gets, and what follows of it. What each one's fixture makes up,
# and which version of a Secret it has read. And that Metal3 calls each wait of a deletion a failure (docs/guide/shadow.md).
FREE = re.compile(r" Metal3Machine \S+ (metadata\.annotations\[metal3\.io/BareMetalHost\]|spec\.providerID|status\.addresses)"
                  r"| BareMetalHost \S+ (spec\.|metadata\.)"
                  r"| BareMetalHost \S+ status\.(provisioning\.ID|conditions\[Healthy\]|\w+Credentials\.credentialsVersion)"
                  r"| Metal3Machine \S+ status\..*(theirs \"DeletionFailed\" ours \"Deleting\"|severity: .* theirs \"Warning\" ours \"Info\")")


class ShadowCase(NeighboursCase):
    """A case gives programs()."""

    def provider_starts(self):
        super().provider_starts()
        self.shadow = Shadow(self.folder, self.ingot.programs, self.capi.api, self.capi.processes)
        self.shadow.install()
        self.shadow.start("--provisioner=fixture")
        self.assertIn("in shadow", self.shadow.readyz())

    def it_looks_on(self):
        """Machines come one after the other: of two that wait, each gets the host that Ingot had foreseen for the other one, and
        then Ingot sees none for one of them for a moment."""
        self.hosts_are_available(HOSTS)
        self.a_cluster_is_wanted(workers=1)
        self.machines_are_ready(2)
        self.workers_are_wanted(WORKERS)
        self.machines_are_ready(1 + WORKERS)
        self.workers_are_wanted(WORKERS - 1)
        self.machines_are_ready(WORKERS)
        self.metal3_deletes_the_cluster()
        for each in self.shadow.told():
            self.tell(each)
        counts = {outcome: self.shadow.count(outcome) for outcome in ("agreed", "differs", "not_done", "not_foreseen", "not_compared")}
        self.tell(f"decisions: {counts}")
        self.assertGreater(counts["agreed"], 0)
        self.assertEqual([], [each for each in self.shadow.told() if each.startswith("differs") and not FREE.search(each)])
        self.assertEqual([], self.capi.api.writes(ACCOUNT))

    def metal3_deletes_the_cluster(self):
        """As it does: a pool whose Cluster is gone takes nothing back before the garbage collector, which does not run here,
        has deleted it too (spec/ipam.md §9)."""
        self.the_cluster_goes(HOSTS)
        self.kube.delete(place(metal3.IPAM, "IPPool", NAMESPACE, POOL))
        self.no_address_is_left()
        for name in HOSTS:
            self.see(f"{name} holds no more than Metal3 leaves on it", lambda name=name: self.left_on(name) <= LEFT_BY_METAL3)
