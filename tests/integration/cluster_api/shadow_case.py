"""Metal3's managers make a cluster of machines and take it back, and Ingot looks on in shadow: it only reads, decides what they
do, and each difference has a reason that is known."""
import re

from neighbours_case import NeighboursCase
from shadowed import ACCOUNT, Shadow

WORKERS = 2
HOSTS = tuple(f"host-{number}" for number in range(WORKERS + 2))
# What both are free to decide: which of the free hosts a machine gets, and what follows of it.
FREE = re.compile(r" Metal3Machine \S+ (metadata\.annotations\[metal3\.io/BareMetalHost\]|spec\.providerID|status\.addresses)"
                  r"| BareMetalHost \S+ (spec\.|metadata\.)")


class ShadowCase(NeighboursCase):
    """A case gives programs()."""

    def provider_starts(self):
        super().provider_starts()
        self.shadow = Shadow(self.folder, self.ingot.programs, self.capi.api, self.capi.processes)
        self.shadow.install()
        self.shadow.start("--provisioner=fixture")
        self.assertIn("in shadow", self.shadow.readyz())

    def it_looks_on(self):
        self.hosts_are_available(HOSTS)
        self.a_cluster_is_wanted(WORKERS)
        self.machines_are_ready(1 + WORKERS)
        self.workers_are_wanted(WORKERS - 1)
        self.machines_are_ready(WORKERS)
        self.the_cluster_is_deleted(HOSTS)
        for each in self.shadow.told():
            self.tell(each)
        counts = {outcome: self.shadow.count(outcome) for outcome in ("agreed", "differs", "not_done", "not_foreseen", "not_compared")}
        self.tell(f"decisions: {counts}")
        self.assertGreater(counts["agreed"], 0)
        self.assertEqual([], [each for each in self.shadow.told() if each.startswith("differs") and not FREE.search(each)])
        self.assertEqual([], self.capi.api.writes(ACCOUNT))
