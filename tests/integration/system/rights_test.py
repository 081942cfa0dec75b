"""A right that is taken away is noticed: by who needs it, which says so, and by `ingot-coordinator check`, which names it."""
import yaml

import manifests
import rights
import used_rights
from case import LoggedTest, within
from installation import ACCOUNT, FIXTURE, NAMESPACE
from installed_case import InstalledTest
from kubectl import kubectl

SECONDS = 60
SPACE = "metal"   # where hosts live in the installation that looks at one namespace only
AT_ONCE = "--shutdown-delay-duration=0s"
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
IPAM = "/apis/ipam.metal3.io/v1alpha1/namespaces/default"
SIX = (
    "watch baremetalhosts.metal3.io (ClusterRole ingot-coordinator-objects)",
    "update leases.coordination.k8s.io (Role ingot-coordinator)",
    "patch baremetalhosts/status.metal3.io (ClusterRole ingot-coordinator-objects)",
    "create ipaddresses.ipam.metal3.io (ClusterRole ingot-coordinator-objects)",
    "patch secrets (ClusterRole ingot-coordinator-secrets)",
    "list customresourcedefinitions.apiextensions.k8s.io (ClusterRole ingot-coordinator-webhook-certificates)")
# What nobody asks for, but a kube-apiserver with OwnerReferencesPermissionEnforcement, and how it says that it is missing.
OF_OWNERS = {
    "update baremetalhosts/finalizers.metal3.io (ClusterRole ingot-coordinator-objects)": "cannot set blockOwnerDeletion",
    "delete secrets (ClusterRole ingot-coordinator-secrets)": "cannot set an ownerRef on a resource you can't delete"}
CERTIFICATES = "ingot-coordinator-webhook-certificates"
# Of two roles that give the same everywhere, one may go.
TWICE = {"list baremetalhosts.metal3.io", "list ipaddresses.ipam.metal3.io", "list ipaddresses.ipam.cluster.x-k8s.io"}


class Shares(LoggedTest):
    def test_every_right_is_some_tests_to_show(self):
        for grant in rights.granted():
            self.assertEqual(1, sum(is_in(grant) for is_in in used_rights.SHARES.values()), grant)


class SomeNamespaces(LoggedTest):
    def test_what_the_guide_leaves_in_all_namespaces(self):
        """A cluster's life with no more than that is cluster_api/clusterclass_test.py."""
        guide = (rights.ROOT / "docs/guide/install.md").read_text().partition("\n## Rights\n")[2]
        for name in ("deploy", "crds"):
            (self.folder / name).symlink_to(rights.ROOT / name)
        (self.folder / "overlay").mkdir()
        (self.folder / "overlay/kustomization.yaml").write_text(guide.partition("<<'EOF'\n")[2].partition("\nEOF\n")[0])
        made = list(yaml.safe_load_all(kubectl("kustomize", self.folder / "overlay")))
        bound = {each["metadata"]["name"] for each in made if each["kind"] == "ClusterRoleBinding"}
        self.assertEqual({each["metadata"]["name"] for each in rights.shipped((SPACE,)) if each["kind"] == "ClusterRoleBinding"}, bound)
        deployment = next(each for each in made if each["kind"] == "Deployment")
        self.assertIn("--namespace=metal,edge", deployment["spec"]["template"]["spec"]["containers"][0]["args"])


class RightIsMissing(InstalledTest):
    settings = {"replicas": 0, "words": (FIXTURE, AT_ONCE)}

    def test_six_are_missed_at_work(self):
        site = self.site
        site.create(site.rights())
        site.create(site.rest())
        known = {str(each): each for each in rights.takings()}
        for number, wanted in enumerate(SIX):
            with rights.taken(site.kube, known[wanted], NAMESPACE):
                process = self.is_missed(known[wanted], f"host-{number}", f"10.9.{number}")
            self.all_is_well(f"host-{number}", process)

    def test_rights_that_owner_references_need_are_missed(self):
        site = self.site
        site.create(site.rights())
        site.create(site.rest())
        known = {str(each): each for each in rights.takings()}
        for number, (wanted, words) in enumerate(OF_OWNERS.items()):
            name = f"host-{number}"
            with rights.taken(site.kube, known[wanted], NAMESPACE):
                process = self.starts_with_work(name, f"10.9.{number}")
                within(SECONDS, f"it is told that {words}", lambda process=process, words=words: self.is_told(process, words))
                self.is_named_by_the_check(known[wanted])
            self.all_is_well(name, process)

    def starts_with_work(self, name, addresses):
        """A replica that has work of that name; its process."""
        self.some_work(name, addresses)
        self.site.scale(1)
        return within(SECONDS, "it runs", lambda: next(filter(None, map(self.site.process, self.site.replicas())), None))[0]

    def is_missed(self, taking, name, addresses):
        """By a replica that starts without it; its process."""
        site, process = self.site, self.starts_with_work(name, addresses)
        _, took = within(SECONDS, "it is denied", lambda: any(
            (each.verb, each.resource) == (taking.verb, taking.resource) for each in site.api.denials(ACCOUNT)))
        within(SECONDS, "it is told", lambda: self.is_told(process, f'cannot {taking.verb} resource "{taking.resource}"'))
        print(f"{taking}: missed after {took:.1f} s", flush=True)
        self.is_named_by_the_check(taking)
        return process

    def is_named_by_the_check(self, taking):
        code, lines = self.site.check(FIXTURE)
        self.assertEqual(1, code, lines)
        where = NAMESPACE if taking.role.startswith("Role ") else ""
        self.assertEqual(taking.texts(where), denied_in(lines), lines)

    def is_told(self, process, words):
        """In the log, or by an Event about what waits for it."""
        quoted = words.replace('"', '\\"')
        return process.said(quoted) or any(words in each["message"] for each in self.site.kube.items("/api/v1/namespaces/default/events"))

    def all_is_well(self, name, process):
        """What waited for it goes on, without a new start."""
        site = self.site
        within(2 * SECONDS, "the host is available", lambda: self.status(f"{HOSTS}/{name}").get("provisioning", {}).get("state") == "available")
        within(2 * SECONDS, "the claim has its address", lambda: self.status(f"{IPAM}/ipclaims/{name}").get("address"))
        within(2 * SECONDS, "webhooks are believed", site.webhooks_are_believed)
        self.assertIsNone(process.child.poll(), process.last_words())
        site.scale(0)
        self.assertEqual(0, process.child.wait(SECONDS), process.last_words())

    def some_work(self, name, addresses):
        """That takes some right of each role. Where webhooks are not there yet nobody is asked."""
        kube = self.site.kube
        self.site.without_webhooks_of("")
        kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret(name, "admin", "secret"))
        kube.call("POST", HOSTS, manifests.plain_host(name, "redfish://10.0.0.1/redfish/v1/Systems/1"))
        kube.call("POST", f"{IPAM}/ippools", {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPPool", "metadata": {"name": name},
                                              "spec": {"namePrefix": name, "pools": [{"start": f"{addresses}.10", "end": f"{addresses}.20"}]}})
        kube.call("POST", f"{IPAM}/ipclaims", {"apiVersion": "ipam.metal3.io/v1alpha1", "kind": "IPClaim", "metadata": {"name": name},
                                               "spec": {"pool": {"name": name}}})

    def status(self, path):
        return (self.site.kube.get(path) or {}).get("status", {})

    def test_at_length_each_is_missed_by_the_check(self):
        """Where roles give the same, one after the other is not there, as in installations that do without it."""
        site = self.site
        site.create(site.rights())
        left = self.unnoticed(list(rights.takings()))
        self.bind_in_one_namespace()
        site.kubectl("delete", "clusterrolebinding", rights.MIGRATION)
        left = self.unnoticed(left, f"--namespace={SPACE}")
        site.create([each for each in site.rights() if each["kind"] == "ClusterRoleBinding" and each["metadata"]["name"] == rights.MIGRATION])
        site.kubectl("delete", "clusterrolebinding", CERTIFICATES)
        left = self.unnoticed(left)
        self.assertEqual(TWICE, {text for each in left for text in each.texts("")})

    def unnoticed(self, takings, *flags):
        """Of these, what the check does not miss; it never misses anything else."""
        left, before = [], denied_in(self.site.check(FIXTURE, *flags)[1])
        for taking in takings:
            with self.subTest(str(taking)), rights.taken(self.site.kube, taking, NAMESPACE):
                wanted = {text for where in ("", NAMESPACE, SPACE) for text in taking.texts(where)}
                found = denied_in(self.site.check(FIXTURE, *flags)[1]) - before
                self.assertLessEqual(found, wanted)
                if not found:
                    left.append(taking)
        return left

    def bind_in_one_namespace(self):
        """As the guide has it where one is looked at."""
        kube = self.site.kube
        kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": SPACE}})
        for each in rights.shipped((SPACE,)):
            if each["metadata"].get("namespace") == SPACE:
                kube.delete(f"{rights.GROUP}/clusterrolebindings/{each['metadata']['name']}")
                kube.call("POST", f"{rights.GROUP}/namespaces/{SPACE}/rolebindings", each)


def denied_in(lines):
    return {line.split(" may not ", 1)[1] for line in lines if line.startswith("FAIL") and " rights " in line}
