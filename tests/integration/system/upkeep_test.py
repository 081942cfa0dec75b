"""What operators, and cert-manager, do to three replicas of deploy/cert-manager while webhooks are asked all the time: certificates are
renewed, nodes are drained, the Deployment is rolled out anew. No call fails, and nothing is done twice."""
import subprocess

from case import within
from cert_manager import CRDS, CertManager, definitions
from installation import NAMESPACE, PODS
from kubectl import KUBECTL
from replicas_case import PATIENCE, Replicas
from replicated_world import REPLICAS, ReplicatedWorld

SECONDS = 60
CERTIFICATE = "ingot-webhook-certificate"
LITTLE = 20   # seconds for a drain that cannot be


class CertManagedWorld(ReplicatedWorld):
    base = "cert-manager"

    def install(self):
        for each in definitions():
            self.kube.call("POST", CRDS, each)
        within(SECONDS, "cert-manager's kinds are served", lambda: self.kube.get("/apis/cert-manager.io/v1/certificates"))
        super().install()
        self.cert_manager = CertManager(self.kube, self.folder, NAMESPACE)
        self.cert_manager.issue_all()


class Upkeep(Replicas):
    world_type = CertManagedWorld

    def test_renewals_drains_and_rollouts_cost_nothing(self):
        self.all_become(False, self.cert_manager_renews_the_certificate)
        self.all_become(True, self.the_node_of_the_leader_is_drained)
        self.all_become(False, self.the_deployment_is_rolled_out)
        self.none_ended_by_itself()

    def cert_manager_renews_the_certificate(self):
        """cert-manager renews the certificate"""
        before, processes = self.shown(), self.processes()
        self.assertEqual((1, False), (len(before), None in before))
        self.world.cert_manager.renew(CERTIFICATE)
        within(SECONDS, "each replica shows the new certificate", lambda: len(now := self.shown()) == 1 and not now & {*before, None})
        self.assertEqual(processes, self.processes(), "none was started anew")

    def the_node_of_the_leader_is_drained(self):
        """the node of the leader is drained"""
        site = self.world.site
        leader, _ = within(PATIENCE, "one leads", site.leader)
        first = site.kube.get(f"{PODS}/{leader}")["spec"]["nodeName"]
        second, = set(site.cluster.kubelets) - {first}
        before = self.processes()
        site.kubectl("drain", first, f"--timeout={2 * SECONDS}s")
        self.another_leads(leader, PATIENCE)
        site.wait_until_ready()
        self.assertEqual({second}, self.nodes())
        self.others_have_ended_well(before)
        before = self.processes()
        self.the_last_one_is_not_evicted(second)
        site.kubectl("uncordon", first)
        site.kubectl("drain", second, f"--timeout={2 * SECONDS}s")
        site.kubectl("uncordon", second)
        site.wait_until_ready()
        self.assertEqual({first}, self.nodes())
        self.others_have_ended_well(before)

    def the_last_one_is_not_evicted(self, node):
        """Where no other one could take its place."""
        site = self.world.site
        done = subprocess.run([KUBECTL, "--kubeconfig", site.api.kubeconfig, "drain", node, f"--timeout={LITTLE}s"], capture_output=True,
                              text=True, timeout=4 * SECONDS, check=False)
        self.assertNotEqual(0, done.returncode)
        self.assertIn("would violate the pod's disruption budget", done.stderr)
        self.assertEqual(1, len(site.ready()))
        within(PATIENCE, "it leads", lambda: site.leader() in site.ready())

    def the_deployment_is_rolled_out(self):
        """the Deployment is rolled out anew"""
        site, before = self.world.site, self.processes()
        site.kubectl("-n", NAMESPACE, "rollout", "restart", "deployment/ingot-coordinator")
        site.kubectl("-n", NAMESPACE, "rollout", "status", "deployment/ingot-coordinator", f"--timeout={4 * SECONDS}s")
        site.wait_until_ready()
        self.assertEqual(set(), before.keys() & set(site.replicas()))
        self.others_have_ended_well(before)
        self.assertEqual(REPLICAS, len(site.ready()))
        within(PATIENCE, "one of the new ones leads", lambda: site.leader() in site.ready())

    def others_have_ended_well(self, before):
        """Each that has been replaced did what it does when it is told to end, and had the time."""
        replaced = {name: process for name, process in before.items() if name not in self.world.site.replicas()}
        self.assertTrue(replaced)
        for name, process in replaced.items():
            self.assertEqual(0, process.child.wait(PATIENCE), f"{name}: {process.last_words()}")

    def processes(self):
        return {name: self.world.site.process(name) for name in self.world.site.replicas()}

    def nodes(self):
        """Where the pods are."""
        return {self.world.site.kube.get(f"{PODS}/{name}")["spec"]["nodeName"] for name in self.world.site.replicas()}
