"""The real clusterctl takes Ingot for its providers metal3: it installs them, makes clusters of their templates, upgrades them, and
takes them away without the hosts."""
import subprocess

import case
import manifests
import yaml
from api_server import ROOT
from case import LoggedTest, within
from failure import Failure
from installation import ACCOUNT, NAMESPACE, Installation
from management import ManagementCluster
from webhooks import client_configs

SECONDS = 60
HOSTS = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts"
IMAGE = {"INGOT_COORDINATOR_IMAGE": "registry.example.org/metal/ingot-coordinator:v2.0.0", "INGOT_PROVISIONER": "fixture"}
OURS = ("--infrastructure", "metal3", "--ipam", "metal3")
EVERYTHING = ("--core", "cluster-api", "--bootstrap", "kubeadm", "--control-plane", "kubeadm", *OURS)
DEPLOYMENTS = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments"
FLAVOURS = {"": ("KubeadmControlPlane", 0), "ipam": ("KubeadmControlPlane", 1), "clusterclass": ("ClusterClass", 0),
            "clusterclass-ipam": ("ClusterClass", 1)}
WEBHOOKS = [f"/apis/admissionregistration.k8s.io/v1/{kind}webhookconfigurations" for kind in ("mutating", "validating")]
METAL3 = {"infrastructure": "capm3-system", "ipam": "metal3-ipam-system"}   # where Metal3's releases have their namespaces
OTHERWISE = {"INGOT_COORDINATOR_IMAGE": "registry.example.org/other:v1", "INGOT_PROVISIONER": "agent", "CAPM3_DIAGNOSTICS_ADDRESS": ":9999",
             "CAPM3_INSECURE_DIAGNOSTICS": "true", "ENABLE_BMH_NAME_BASED_PREALLOCATION": "true", "CAPM3_FAST_TRACK": "true",
             "INGOT_AGENTS_SERVICE_TYPE": "NodePort"}


def example_variables():
    """Of example_variables.rc, as a shell reads it."""
    done = subprocess.run(["bash", "-c", f". {ROOT}/deploy/clusterctl/example_variables.rc; env -0"], capture_output=True, text=True, check=True,
                          env={})
    return {name: value for name, _, value in (each.partition("=") for each in done.stdout.split("\0")) if name not in ("PWD", "SHLVL", "_", "")}


class Clusterctl(LoggedTest):
    def setUp(self):
        super().setUp()
        self.cluster = ManagementCluster(self.folder, case.programs)
        self.addCleanup(self.cluster.stop)
        self.cluster.start()
        self.kube = self.cluster.kube

    def test_clusterctl_installs_upgrades_and_removes(self):
        self.see_it_installs()
        self.see_cluster_api_may_touch_our_kinds()
        self.see_what_was_installed_works()
        self.see_clusters_are_made_of_its_templates()
        before = self.make_a_host()
        self.see_it_upgrades()
        self.see_what_was_upgraded_works()
        self.assertEqual([], [each for each in self.cluster.api.requests(ACCOUNT) if each.code == 403])
        self.assertEqual([], self.site.ends())
        self.see_it_removes()
        self.assertEqual(before, self.kube.get(f"{HOSTS}/m0")["metadata"]["uid"])
        self.cluster.clusterctl("init", *OURS, variables=IMAGE)
        self.assertEqual(before, self.kube.get(f"{HOSTS}/m0")["metadata"]["uid"])

    def see_it_installs(self):
        """Once it knows the image; and a second time there is nothing to do."""
        cluster = self.cluster
        self.assertIn("ConfigMap `ironic`", cluster.release("v2.0.0"))
        without = cluster.tried("init", *EVERYTHING)
        self.assertIn("INGOT_COORDINATOR_IMAGE", without.stderr)
        self.assertNotEqual(0, without.returncode)
        cluster.clusterctl("init", *EVERYTHING, variables=IMAGE)
        cluster.clusterctl("init", *OURS, variables=IMAGE)
        self.assertEqual(("v2.0.0", "v2.0.0"), (self.version("infrastructure"), self.version("ipam")))
        container = self.deployment()["spec"]["template"]["spec"]["containers"][0]
        self.assertEqual(IMAGE["INGOT_COORDINATOR_IMAGE"], container["image"])
        self.assertIn("--diagnostics-address=:8443", container["args"])

    def see_cluster_api_may_touch_our_kinds(self):
        """By the role that it ships itself (docs/decisions/0051)."""
        wanted = [("infrastructure.cluster.x-k8s.io", resource, verb)
                  for resource in ("metal3clusters", "metal3machines", "metal3machinetemplates", "metal3remediations")
                  for verb in ("create", "delete", "get", "list", "patch", "update", "watch")]
        within(SECONDS, "Cluster API's manager may touch what is ours", lambda: all(self.cluster_api_may(*each) for each in wanted))
        self.assertFalse(self.cluster_api_may("metal3.io", "baremetalhosts", "get"))

    def cluster_api_may(self, group, resource, verb):
        review = {"spec": {"user": "system:serviceaccount:capi-system:capi-manager",
                           "groups": ["system:serviceaccounts", "system:authenticated"],
                           "resourceAttributes": {"group": group, "resource": resource, "verb": verb, "namespace": "default"}}}
        return self.kube.call("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)["status"]["allowed"]

    def see_what_was_installed_works(self):
        """Both of its pods, where nothing but restricted ones is allowed. Cluster API's managers do not run: nobody would answer their
        webhooks."""
        site = self.site = Installation(self.folder, case.programs, cluster=self.cluster.nodes)
        site.without_webhooks_of("capi-")
        site.wait_until_ready()
        within(SECONDS, "webhooks are believed", site.webhooks_answer)

    def see_clusters_are_made_of_its_templates(self):
        for flavour, (kind, pools) in FLAVOURS.items():
            namespace = f"metal-{flavour or 'plain'}"
            self.kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}})
            words = ["--flavor", flavour] if flavour else []
            text = self.cluster.tried("generate", "cluster", "edge", "--kubernetes-version", "v1.36.3", "--control-plane-machine-count", "3",
                                      "--worker-machine-count", "2", "-n", namespace, *words, variables=example_variables()).stdout
            kinds = [each["kind"] for each in yaml.safe_load_all(text)]
            self.assertEqual((1, pools), (kinds.count(kind), kinds.count("IPPool")), kinds)
            self.cluster.apply(text)
        command = ["systemctl enable --now crio kubelet"]
        at = "bootstrap.cluster.x-k8s.io/v1beta2/namespaces/metal-plain/kubeadmconfigtemplates/edge-workers"
        control_plane = "controlplane.cluster.x-k8s.io/v1beta2/namespaces/metal-plain/kubeadmcontrolplanes/edge"
        self.assertEqual(command, self.kube.get(f"/apis/{control_plane}")["spec"]["kubeadmConfigSpec"]["preKubeadmCommands"])
        self.assertEqual(command, self.kube.get(f"/apis/{at}")["spec"]["template"]["spec"]["preKubeadmCommands"])
        self.assertIn("Metal3Cluster metal-plain/edge", self.cluster.clusterctl("describe", "cluster", "edge", "-n", "metal-plain"))
        self.refuses_what_is_wrong()

    def refuses_what_is_wrong(self):
        """That is, the webhooks of both providers were asked."""
        with self.assertRaisesRegex(Failure, "Unknown BMC type 'nonsense'"):
            self.kube.call("POST", HOSTS, manifests.plain_host("wrong", "nonsense://10.0.0.1"))
        with self.assertRaisesRegex(Failure, "cannot be modified"):
            self.kube.merge("/apis/ipam.metal3.io/v1alpha1/namespaces/metal-ipam/ippools/edge-nodes", {"spec": {"namePrefix": "other"}})

    def make_a_host(self):
        self.kube.call("POST", "/api/v1/namespaces/default/secrets", manifests.secret("m0", "admin", "secret"))
        made = self.kube.call("POST", HOSTS, manifests.plain_host("m0", "redfish://10.0.0.1/redfish/v1/Systems/1"))
        within(SECONDS, "the host is available", lambda: self.state() == "available")
        return made["metadata"]["uid"]

    def see_it_upgrades(self):
        before = set(self.site.replicas())
        self.make_a_way_for_agents()
        self.cluster.release("v2.0.1")
        self.assertRegex(self.cluster.clusterctl("upgrade", "plan", variables=IMAGE), r"infrastructure-metal3 .* v2\.0\.0 +v2\.0\.1")
        self.cluster.clusterctl("upgrade", "apply", "--infrastructure", f"{NAMESPACE}/metal3:v2.0.1", "--ipam", f"{NAMESPACE}/metal3:v2.0.1",
                                variables=IMAGE)
        self.assertEqual(("v2.0.1", "v2.0.1"), (self.version("infrastructure"), self.version("ipam")))
        within(SECONDS, "there are other pods", lambda: (now := set(self.site.replicas())) and not now & before)
        self.site.wait_until_ready()
        self.assertEqual("available", self.state())
        self.assertEqual("ClusterIP", self.agents_service()["spec"]["type"], "what was edited would be there still")
        self.assertEqual("NodePort", self.agents_service(name="agents-of-site")["spec"]["type"])
        within(SECONDS, "the way for agents leads to the pod that leads", lambda: self.site.cluster.services.ready(NAMESPACE, "agents-of-site"))

    def make_a_way_for_agents(self):
        """As the guide has it, a Service of one's own; and one that is edited."""
        self.kube.merge(f"/api/v1/namespaces/{NAMESPACE}/services/ingot-agents", {"spec": {"type": "NodePort"}})
        self.cluster.apply((ROOT / "docs/guide/install.md").read_text().partition("```yaml\n")[2].partition("```")[0].replace("LoadBalancer", "NodePort"))

    def agents_service(self, space=NAMESPACE, name="ingot-agents"):
        return self.kube.get(f"/api/v1/namespaces/{space}/services/{name}")

    def see_what_was_upgraded_works(self):
        """The webhooks of both providers are asked, and the host is looked after."""
        within(SECONDS, "webhooks are believed", self.site.webhooks_answer)
        self.refuses_what_is_wrong()
        within(SECONDS, "one leads", self.site.leader)
        self.kube.merge(f"{HOSTS}/m0", {"spec": {"online": True}})
        within(SECONDS, "the host is on", lambda: self.kube.get(f"{HOSTS}/m0")["status"]["poweredOn"])

    def see_it_removes(self):
        """And leaves the kinds, and the hosts, which nobody keeps from being written."""
        self.cluster.clusterctl("delete", *OURS)
        self.assertEqual({}, {name: version for name, version in self.cluster.providers().items() if "metal3" in name})
        self.assertIsNone(self.kube.get(f"{DEPLOYMENTS}/ingot-coordinator"))
        self.assertEqual([], [each["metadata"]["name"] for path in WEBHOOKS for each in self.kube.items(path)])
        self.kube.merge(f"{HOSTS}/m0", {"metadata": {"labels": {"rack": "a"}}})

    def test_it_takes_the_place_of_metal3s_releases(self):
        """In the two namespaces where Metal3's are: its webhooks ask the Service that is there. What goes before is made of our own
        release, for what clusterctl does with it."""
        cluster = self.cluster
        cluster.release("v1.14.0")
        cluster.clusterctl("init", "--core", "cluster-api", "--bootstrap", "-", "--control-plane", "-", "--infrastructure", "metal3", "--target-namespace",
                           METAL3["infrastructure"], variables=IMAGE)
        cluster.clusterctl("init", "--ipam", "metal3", "--target-namespace", METAL3["ipam"], variables=IMAGE)
        cluster.release("v2.0.0")
        self.assertRegex(cluster.clusterctl("upgrade", "plan", variables=IMAGE), r"ipam-metal3 .* v1\.14\.0 +v2\.0\.0")
        cluster.clusterctl("upgrade", "apply", *(word for kind, space in METAL3.items() for word in (f"--{kind}", f"{space}/metal3:v2.0.0")),
                           variables=OTHERWISE)
        asked = {config["service"]["namespace"] for path in WEBHOOKS for each in self.kube.items(path)
                 if not each["metadata"]["name"].startswith("capi-") for config in client_configs(each)}
        self.assertEqual({METAL3["infrastructure"]}, asked)
        container = self.kube.get(f"/apis/apps/v1/namespaces/{METAL3['infrastructure']}/deployments/ingot-coordinator")[
            "spec"]["template"]["spec"]["containers"][0]
        self.assertEqual(OTHERWISE["INGOT_COORDINATOR_IMAGE"], container["image"])
        self.assertLessEqual({"--provisioner=agent", "--diagnostics-address=:9999", "--insecure-diagnostics=true",
                              "--enable-bmh-name-based-preallocation=true"}, set(container["args"]))
        self.assertIn({"name": "CAPM3_FAST_TRACK", "value": "true"}, container["env"])
        self.assertEqual("NodePort", self.agents_service(METAL3["infrastructure"])["spec"]["type"])

    def state(self):
        return self.kube.get(f"{HOSTS}/m0").get("status", {}).get("provisioning", {}).get("state")

    def deployment(self):
        return self.kube.get(f"{DEPLOYMENTS}/ingot-coordinator")

    def version(self, kind):
        return self.cluster.providers()[f"{kind}-metal3"]
