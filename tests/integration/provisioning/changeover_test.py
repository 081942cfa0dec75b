"""Metal3's managers are replaced in place by Ingot, and come back: on what they left in a cluster, with the managed fields that
tell whose each field is. Nothing is written to a BMC, no verb goes to Ironic, no address changes, no Secret is made or written;
and each field that they own is theirs still, and says what it said."""
import re

import audit
import case
from case import LoggedTest, within
from changeover_world import CLUSTER, PAUSED, SECONDS, ChangeoverWorld
from kube import hosts_path
from managed_fields import compared, entries, extracted, owned
from recorded import NAMESPACE, STATES, path_of

PLACED, AWAY, PACKED = STATES   # machines on their hosts; hosts in other states, too; the Cluster paused for a move
BLOCK, STATUS = "clusterctl.cluster.x-k8s.io/block-move", "baremetalhost.metal3.io/status"
# What Metal3's own managers leave when a remediation goes on, and when it has ended.
REMEDIATION, UNHEALTHY = "metal3remediation.infrastructure.cluster.x-k8s.io", "capm3.metal3.io/unhealthy"
HOLD = "reboot.metal3.io/metal3-remediation-8327e924-d23c-4712-acc4-5105e4740931"
TERM = "ingot.dev/term"
TOLD_BY = "ingot.dev/told-by"
MAKES_WAY = "stops acting: Deployment baremetal-operator-system/"
LEFT = "note  Metal3    ClusterRole baremetal-operator-manager-role gives rights to nobody of ours"
# Whose status a manager tells anew when it looks: what it is in, and since when.
WATCHED = {"BareMetalHost", "Metal3Machine", "Metal3Cluster", "Metal3Remediation"}
TOLD_ANEW = re.compile(r"/f:status/(f:lastUpdated|f:conditions/.*|f:deprecated/f:v1beta1/(\.|f:conditions))")


class Changeover(LoggedTest):
    def setUp(self):
        super().setUp()
        self.world = ChangeoverWorld(case.programs, self.folder)
        self.addCleanup(self.world.stop)
        self.world.start()

    def test_what_metal3_has_made_is_taken_over_and_given_back(self):
        world = self.world
        for state in STATES:
            print(f"  {state}", flush=True)
            before = self.metal3_leaves(state)
            self.is_as_it_was(before, adds(state))
        self.the_cluster_works_again(before)
        self.what_is_left_is_named()
        self.ingot_works()
        self.assertEqual(0, world.end())
        ends = world.site.ends()
        self.assertEqual({(1, False)}, {(each.process.child.returncode, each.was_ill) for each in ends})
        made_way = [each for each in ends if each.process.said(MAKES_WAY)]
        self.assertTrue(made_way, "it never made way")
        for process in (each.process for each in ends if each not in made_way):   # a machine that is busy may let a Lease run out
            self.assertTrue(process.said("leadership was lost"), process.last_words())

    def metal3_leaves(self, state):
        """Its managers have left the objects so, and Ingot begins. Returns them, by title."""
        world = self.world
        world.metal3_acts()
        before, written = world.leave(state), len(world.writes())
        self.assertEqual({}, self.differences(before), "the API tells them otherwise than Metal3's managers left them")
        self.assertEqual(written, len(world.writes()), "Ingot does not stand by")
        self.versions = {title: each["metadata"]["resourceVersion"] for title, each in self.now(before).items()}
        self.mark = world.fleet.mark()
        world.ironic.clear()
        world.metal3_leaves()
        return before

    def is_as_it_was(self, before, added):
        world, now = self.world, self.now(before)
        self.assertEqual([], audit.changes(world.fleet.journal(since=self.mark)), "a BMC was written to")
        self.assertEqual([], world.ironic.changes(), "Ironic was told something")
        self.assertEqual(sorted(before), self.titles(before), "objects were made, or are gone")
        written = {title for title, each in now.items() if each["metadata"]["resourceVersion"] != self.versions[title]}
        self.assertLessEqual({title.split("/")[0] for title in written}, WATCHED)
        self.assertTrue(written, "nobody has looked")
        for title, each in before.items():
            with self.subTest(title):
                self.assertEqual([], list(taken(each, now[title])))
                self.assertEqual({}, marks_differ(each, now[title], added(each)))
                self.assertEqual(each["metadata"].get("ownerReferences"), now[title]["metadata"].get("ownerReferences"))
                self.assertLessEqual(conditions(each), conditions(now[title]))
                self.may_be_written_by_who_did(now[title])

    def may_be_written_by_who_did(self, each):
        """The API takes the object as it is, also of its managers that apply, and tells it in the version that they may want."""
        kube, path = self.world.kube, path_of(each)
        kube.call("PUT", f"{path}?dryRun=All", each)
        for (manager, operation, _), fields in entries(each).items():
            if operation == "Apply":
                applied = {"apiVersion": each["apiVersion"], "kind": each["kind"], **extracted(fields, each)}
                applied.setdefault("metadata", {})["name"] = each["metadata"]["name"]
                told = kube.call("PATCH", f"{path}?dryRun=All&fieldManager={manager}", applied, kind="application/apply-patch+yaml")
                self.assertEqual(each.get("spec"), told.get("spec"))
                self.assertEqual(each["metadata"].get("labels"), told["metadata"].get("labels"))
        if each["apiVersion"] == "infrastructure.cluster.x-k8s.io/v1beta2":
            older = kube.get(path_of(each, "v1beta1"))
            self.assertEqual(("infrastructure.cluster.x-k8s.io/v1beta1", each["metadata"]["uid"]), (older["apiVersion"], older["metadata"]["uid"]))

    def the_cluster_works_again(self, before):
        """Its pause ends: the hosts work, and carry nothing of the move any more."""
        world = self.world
        world.kube.merge(CLUSTER, {"spec": {"paused": None}})
        within(SECONDS, "no host but the user's is paused", lambda: {"host-0"} == {
            each["metadata"]["name"] for each in world.hosts() if PAUSED in each["metadata"]["annotations"]})
        world.becomes_quiet()
        for each in before.values():
            if each["kind"] == "BareMetalHost" and each["metadata"]["annotations"].get(PAUSED) == "metal3.io/capm3":
                for annotation in (PAUSED, STATUS):
                    del each["metadata"]["annotations"][annotation]
                self.of_pauses_is_nobody(each)
        before.pop("Cluster/c1")
        self.is_as_it_was(before, adds(AWAY, had_moved=True))

    @staticmethod
    def of_pauses_is_nobody(each):
        for entry in each["metadata"]["managedFields"]:
            annotations = entry["fieldsV1"].get("f:metadata", {}).get("f:annotations", {})
            for annotation in (PAUSED, STATUS):
                annotations.pop(f"f:{annotation}", None)
            if list(annotations) == ["."]:
                annotations.clear()

    def what_is_left_is_named(self):
        site = self.world.site
        code, lines = site.check("--provisioner=fixture", kubeconfig=site.api.kubeconfig)
        self.assertEqual((0, True), (code, LEFT in lines), lines)

    def ingot_works(self):
        """It is not that nobody does anything."""
        world = self.world
        world.kube.merge(hosts_path(NAMESPACE, "spare"), {"spec": {"online": True}})
        within(SECONDS, "a host that is wished on is on", lambda: world.fleet.is_on("spare"))
        self.assertTrue(any(each.path.endswith("/states/power") for each in world.ironic.changes()))

    # What there is

    def now(self, before):
        return {title: self.world.kube.get(path_of(each)) for title, each in before.items()}

    def titles(self, before):
        """Of all objects of those kinds."""
        places = {path_of(each).rpartition("/")[0]: each["kind"] for each in before.values()}
        return sorted(f"{kind}/{each['metadata']['name']}" for place, kind in places.items() for each in self.world.kube.items(place))

    def differences(self, before):
        now = self.now(before)
        return {title: found for title, each in before.items() if (found := list(compared(without_version(each), without_version(now[title]))))}


def without_version(each):
    return {**each, "metadata": {name: value for name, value in each["metadata"].items() if name != "resourceVersion"}}


def taken(before, now):
    """Fields of upstream's managers that are not theirs any more, or say something else."""
    theirs = entries(now)
    for owner, fields in entries(before).items():
        still = dict(owned(theirs.get(owner, {}), now))
        for path, value in owned(fields, before):
            if not TOLD_ANEW.fullmatch(path) and still.get(path, "(lost)") != value:
                yield owner, path, value, still.get(path, "(lost)")


def conditions(each):
    """Types of those that there are; readers wait for some."""
    return {found["type"] for found in each.get("status", {}).get("conditions", ())}


def marks_differ(before, now, added):
    """Finalizers, labels and annotations; `added`: those that Ingot may have added, and values that it chooses."""
    was, is_ = marks(before), marks(now)
    return {name: (was.get(name), is_.get(name)) for name in {*was, *is_}
            if was.get(name) != is_.get(name) and not (name in added and was.get(name) is None)}


def marks(each):
    metadata = each["metadata"]
    return {**{name: "finalizer" for name in metadata.get("finalizers", ())}, **metadata.get("labels", {}), **metadata.get("annotations", {})}


def adds(state, had_moved=False):
    """What Ingot adds to an object in this state, as docs/guide/migrating.md tells."""
    def to(each):
        name, is_free = each["metadata"]["name"], "consumerRef" not in each.get("spec", {})
        if each["kind"] == "Metal3Remediation" and state != PACKED:
            yield REMEDIATION
        if each["kind"] != "BareMetalHost":
            return
        if not is_free:
            yield TOLD_BY
        if state == PACKED:
            yield from (PAUSED, STATUS, TERM)
        elif is_free or had_moved:
            yield BLOCK
        if state == AWAY and name == "host-1":
            yield from (HOLD, UNHEALTHY)   # it is detached: nothing comes of it
        if had_moved and name == "host-0":
            yield STATUS   # its pause is the user's, and lasts
    return lambda each: set(to(each))
