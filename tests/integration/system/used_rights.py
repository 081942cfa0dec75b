"""Every right that is shipped is used in a life on a real kube-apiserver, and none is missing. No single test lives all of it:
each has a share, and together they have everything."""
import rights

OBJECTS, SECRETS = (f"ClusterRole {name}" for name in rights.IN_SPACES)
AGENTS = "ingot.dev"
KINDS = ("metal3clusters", "metal3clustertemplates", "metal3dataclaims", "metal3datas", "metal3datatemplates", "metal3machines",
         "metal3machinetemplates", "metal3remediations", "metal3remediationtemplates")
# Who shows what.
SHARES = {
    "life": lambda grant: grant.role in (OBJECTS, SECRETS),              # cluster_api/metal3_test.py
    "agents": lambda grant: grant.group == AGENTS,                       # replicas_test.py
    "install": lambda grant: grant.role not in (OBJECTS, SECRETS) and grant.group != AGENTS}   # install_test.py

# What such a life does not use, and why not.
ENFORCED = "nothing is written, or deleted, there; OwnerReferencesPermissionEnforcement asks for it: rights_test.py"
OVERTAKEN = "read again after a write whose answer was lost, or that somebody overtook: tests/coordinator/seeds"
RACED = "when somebody changes the object while what is stored of it is brought up to date: tests/coordinator/migration"
ERASED = "certificates of erased disks, with --provisioner=agent only: without_ironic_test.py"
FOREIGN = "for pools of other providers: tests/coordinator/seeds"
MOVED = "when clusterctl moves hosts here, or somebody changes the Secret: move_test.py, tests/coordinator/agents"
UNUSED = {
    "life": {
        "update baremetalhosts/finalizers.metal3.io": ENFORCED,
        "update ipclaims/finalizers.ipam.metal3.io": ENFORCED,
        "update ippools/finalizers.ipam.metal3.io": ENFORCED,
        "update ipaddressclaims/finalizers.ipam.cluster.x-k8s.io": ENFORCED,
        "delete hardwaredata.metal3.io": ENFORCED,
        "delete ippools.ipam.metal3.io": ENFORCED,
        "delete secrets": ENFORCED,
        "get metal3datas.infrastructure.cluster.x-k8s.io": OVERTAKEN,
        "get ipaddresses.ipam.metal3.io": OVERTAKEN,
        "get ipaddresses.ipam.cluster.x-k8s.io": OVERTAKEN,
        "get ipclaims.ipam.metal3.io": OVERTAKEN,
        "get ipaddressclaims.ipam.cluster.x-k8s.io": FOREIGN,
        "create ipaddressclaims.ipam.cluster.x-k8s.io": FOREIGN,
        "delete ipaddressclaims.ipam.cluster.x-k8s.io": FOREIGN,
        "get ippools.ipam.metal3.io": "whether another coordinator serves a pool that --watch-filter hides: tests/coordinator/ipam",
        "patch machines/status.cluster.x-k8s.io": "after two attempts of a remediation, of 100 seconds each: tests/coordinator/seeds",
        "get configmaps": ERASED,
        "create configmaps": ERASED},
    "agents": {"delete provisioningagents.ingot.dev": "when many have come that nobody approves: tests/coordinator/agents"},
    "install": {**{f"get {kind}.infrastructure.cluster.x-k8s.io": RACED for kind in KINDS},
                "patch secrets ingot-coordinator-keys": MOVED,
                "patch secrets ingot-coordinator-keys-move": MOVED,
                "delete secrets ingot-coordinator-keys-move": "when hosts are in several namespaces: tests/coordinator/agents"}}


def all_are_used(test, share, requests, own=rights.OWN):
    """Of this test's share: but for what is listed above, which was not used, or would not be listed. What a race takes may have
    been used."""
    missed = {grant.text for grant in rights.unused(requests, own) if SHARES[share](grant)}
    by_chance = {text for text, why in UNUSED[share].items() if why in (OVERTAKEN, RACED)}
    test.assertEqual(sorted(set(UNUSED[share]) - by_chance), sorted(missed - by_chance))
