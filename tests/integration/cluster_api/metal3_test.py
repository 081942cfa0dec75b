"""Metal3's manifests, Cluster API's managers, and Ingot between them: from hosts to Nodes and back."""
import itertools

import yaml

import cluster
import coordinator
import kubeadm
import metal3
import used_rights
import write_budget
from cluster_case import NAMESPACE, SECONDS
from kube import decoded
from metal3_case import HOSTS_PATH, MACHINE_KINDS, NAME, NODES, POOL, REUSE_LABEL, WORKERS, Metal3Case
from objects import conditions, create, holds, place

HOSTS = ("host-0", "host-1", "host-2", "host-3")
LEAST_WRITES, MOST_WRITES = 10, 18   # of a machine
MOST_TOLD = 2      # more for each on the average, where waits last and are told, as on a busy computer


def version_of(each):
    return int(each["metadata"]["resourceVersion"])


def is_out_of_service(node):
    taints = node["spec"].get("taints") or []
    return any(each["key"] == "node.kubernetes.io/out-of-service" for each in taints)


class Metal3Test(Metal3Case):
    def test_hosts_become_nodes_and_hosts_again(self):
        self.nodes = {}   # of each host that was given to a machine
        self.an_operator_applies_everything()
        self.the_control_plane_runs()
        self.two_workers_run()
        self.older_versions_are_served()
        self.the_writes_are_few()
        self.a_worker_that_hangs_is_restarted()
        self.another_control_plane_joins()
        self.fewer_workers_are_wanted()
        self.fewer_control_planes_are_wanted()
        self.the_next_control_plane_takes_what_was_kept()
        self.hardware_is_read_again()
        self.an_operator_claims_an_address()
        self.the_cluster_is_deleted(HOSTS)
        self.machines_had_only_their_drives(len(HOSTS))
        used_rights.all_are_used(self, "life", self.capi.api.requests(coordinator.USER))
        print(f"  most memory, MiB: {self.capi.memory()}")

    def an_operator_applies_everything(self):
        self.hosts_are_available(HOSTS)
        self.see("they are switched on", lambda: all(self.host(name)["status"]["poweredOn"] for name in HOSTS))
        self.before = len(self.capi.api.writes(coordinator.USER))
        self.a_cluster_is_wanted(workers=2)

    def the_control_plane_runs(self):
        """Its kubelet knows no providerID: the Node is found by the label of its host, and given one."""
        host = self.a_control_plane_comes()
        self.see("its Node has a providerID", lambda: self.node_of(host)["spec"].get("providerID"))
        self.machine_is_ready(host)

    def a_control_plane_comes(self):
        host = self.see("a host of the control plane is provisioned", self.new_host)
        node = self.a_node_comes_from(host)
        self.assertIn(kubeadm.ROLE, node["metadata"]["labels"])
        self.assertIn({"key": kubeadm.ROLE, "effect": "NoSchedule"}, node["spec"]["taints"])
        return host

    def another_control_plane_joins(self):
        """Cluster API lets it once the static Pods of the first one are well."""
        self.control_planes_are_wanted(2)
        self.machine_is_ready(self.a_control_plane_comes())

    def two_workers_run(self):
        for _ in range(2):
            host = self.see("a worker's host is provisioned", self.new_host)
            node = self.a_node_comes_from(host)
            self.machine_is_ready(host)
            provider_id = f"metal3://{NAMESPACE}/{host['metadata']['name']}/{host['spec']['consumerRef']['name']}"
            self.assertEqual(node["spec"]["providerID"], provider_id)
        self.see("the Cluster is available", lambda: holds(self.get(cluster.CORE, "Cluster", NAME), "Available"))

    def a_node_comes_from(self, host):
        """What ingot-sim makes of what the host was given: the Node has its name, its label and its address of it."""
        spec = host["spec"]
        meta = yaml.safe_load(decoded(self.get("v1", "Secret", spec["metaData"]["name"])["data"]["metaData"]))
        network = yaml.safe_load(decoded(self.get("v1", "Secret", spec["networkData"]["name"])["data"]["networkData"]))
        self.assertEqual(network["networks"][0]["ip_address"], meta["address"])
        self.nodes[host["metadata"]["name"]] = meta["local-hostname"]
        node = self.see(f"Node {meta['local-hostname']} is ready", lambda: self.ready_node_of(host))
        self.assertEqual(node["metadata"]["labels"]["metal3.io/uuid"], host["metadata"]["uid"])
        self.assertIn({"type": "InternalIP", "address": meta["address"]}, node["status"]["addresses"])
        return node

    def node_of(self, host):
        return self.workload.kube.get(place("v1", "Node", name=self.nodes[host["metadata"]["name"]]))

    def ready_node_of(self, host):
        node = self.node_of(host)
        return node if holds(node, "Ready") else None

    def machine_is_ready(self, host):
        consumer = host["spec"]["consumerRef"]["name"]
        metal = self.see(f"Metal3Machine {consumer} is provisioned", lambda: self.provisioned(consumer))
        self.assertEqual(metal["spec"]["providerID"], f"metal3://{NAMESPACE}/{host['metadata']['name']}/{consumer}")
        owner = metal["metadata"]["ownerReferences"][0]["name"]
        self.see(f"Machine {owner} is ready", lambda: holds(self.get(cluster.CORE, "Machine", owner), "Ready"))

    def older_versions_are_served(self):
        older = self.get(cluster.INFRASTRUCTURE.replace("v1beta2", "v1beta1"), "Metal3Machine", self.machines()[0])
        self.assertTrue(older["status"]["ready"])

    def the_writes_are_few(self):
        """From the creation of a machine to its providerID, its host's included: coordinator/README.md lists them."""
        own = self.own_writes(self.before, len(self.nodes))
        self.assertGreater(len(own), LEAST_WRITES * len(self.nodes))  # or it is looked at the wrong user
        own, told = write_budget.apart(own)
        self.assertLessEqual(len(own), MOST_WRITES * len(self.nodes))
        self.assertLessEqual(len(told), MOST_TOLD * len(self.nodes))

    def a_worker_that_hangs_is_restarted(self):
        """Off and on by a Metal3Remediation, with its Node out of service while it is off."""
        name, node = list(self.nodes.items())[-1]
        begun = {kube: kube.get(path)["metadata"]["resourceVersion"]
                 for kube, path in ((self.kube, HOSTS_PATH), (self.workload.kube, NODES))}
        check = place(cluster.CORE, "MachineHealthCheck", NAMESPACE, WORKERS)
        for each in (metal3.remediation_template(WORKERS, NAMESPACE),
                     cluster.health_check(WORKERS, NAME, NAMESPACE, WORKERS, "Metal3RemediationTemplate")):
            create(self.kube, each)
        self.hang(name, True)
        self.see("its host is on again", lambda: [each["status"].get("phase") for each in self.of("Metal3Remediation")
                                                  if "status" in each] == ["Waiting"] and self.is_left_alone(name))
        powered = self.past(self.kube, HOSTS_PATH, begun, name, lambda host: host["status"]["poweredOn"])
        self.assertEqual(powered, [True, False, True])
        self.see("its Node is in service again", lambda: not is_out_of_service(self.node_of(self.host(name))))
        out_of_service = self.past(self.workload.kube, NODES, begun, node, is_out_of_service)
        self.assertEqual(out_of_service, [False, True, False])
        self.hang(name, False)
        self.see("nothing is left of the remediation", lambda: not self.of("Metal3Remediation"))
        self.assertFalse(is_out_of_service(self.node_of(self.host(name))))
        self.kube.delete(check)

    def is_left_alone(self, name):
        """Nobody keeps the host off, and it is on."""
        host = self.host(name)
        annotations = host["metadata"].get("annotations", {})
        return host["status"]["poweredOn"] and not any(key.startswith("reboot.metal3.io") for key in annotations)

    def past(self, kube, path, since, name, what):
        """How `what` of that object has changed since then and until now, each value once."""
        now, values = version_of(kube.get(f"{path}/{name}")), []
        for _, each in kube.changes(path, since[kube], seconds=SECONDS):
            if each["metadata"]["name"] == name:
                values.append(what(each))
                if version_of(each) >= now:
                    break
        return [value for value, _ in itertools.groupby(values)]

    def fewer_workers_are_wanted(self):
        self.workers_are_wanted(1)
        self.one_more_host_is_free(set())

    def fewer_control_planes_are_wanted(self):
        """The host of the one that goes is kept for the next: the template of its control plane says so."""
        before = self.hosts_in("available")
        self.kube.merge(place(cluster.INFRASTRUCTURE, "Metal3MachineTemplate", NAMESPACE, NAME), {"spec": {"nodeReuse": True}})
        self.control_planes_are_wanted(1)
        self.kept = self.one_more_host_is_free(before, keeps={"apiVersion": cluster.CORE, "kind": "Cluster", "name": NAME,
                                                              "namespace": NAMESPACE})
        self.assertEqual(self.host(self.kept)["metadata"]["labels"][REUSE_LABEL], f"cp-{NAME}")

    def the_next_control_plane_takes_what_was_kept(self):
        """Though another host is free, which the workers have given back for anybody."""
        self.assertEqual(len(self.hosts_in("available")), 2)
        self.control_planes_are_wanted(2)
        host = self.a_control_plane_comes()
        self.machine_is_ready(host)
        self.assertEqual(host["metadata"]["name"], self.kept)
        self.assertNotIn(REUSE_LABEL, host["metadata"]["labels"])
        consumer = self.get(cluster.INFRASTRUCTURE, "Metal3Machine", host["spec"]["consumerRef"]["name"])
        self.assertIn("AssociateBareMetalHostViaNodeReuseSuccess", [each["reason"] for each in conditions(consumer)])

    def control_planes_are_wanted(self, count):
        self.kube.merge(place(cluster.CONTROL_PLANE, "KubeadmControlPlane", NAMESPACE, NAME), {"spec": {"replicas": count}})

    def hardware_is_read_again(self):
        """Because somebody asks for it: what was changed by hand is put right."""
        name = sorted(self.hosts_in("available"))[0]
        path = place(metal3.BMH, "HardwareData", NAMESPACE, name).replace("hardwaredatas", "hardwaredata")
        known = self.kube.get(path)["spec"]["hardware"]
        self.kube.merge(path, {"spec": {"hardware": {"ramMebibytes": 1}}})
        self.kube.merge(f"{HOSTS_PATH}/{name}", {"metadata": {"annotations": {"inspect.metal3.io": ""}}})
        self.see("its hardware was read again", lambda: self.kube.get(path)["spec"]["hardware"] == known)
        self.see("it is available again", lambda: name in self.hosts_in("available"))

    def an_operator_claims_an_address(self):
        """By a claim of Cluster API's, of Metal3's pool; and gives it back."""
        api = "ipam.cluster.x-k8s.io/v1beta2"
        claim = place(api, "IPAddressClaim", NAMESPACE, "vip")
        create(self.kube, cluster.thing(api, "IPAddressClaim", NAMESPACE, "vip", {"poolRef": {
            "apiGroup": "ipam.metal3.io", "kind": "IPPool", "name": POOL}}))
        self.see("it has one", lambda: self.kube.get(claim).get("status", {}).get("addressRef"))
        self.kube.delete(claim)
        self.see("it is given back", lambda: self.kube.get(claim) is None and not self.kube.items(place(api, "IPAddress", NAMESPACE)))

    def one_more_host_is_free(self, before, keeps=None):
        """Its name. `keeps`: who has it still, so that nobody but his next machine gets it."""
        self.see("a host is available again", lambda: len(self.hosts_in("available")) == len(before) + 1)
        free, = self.hosts_in("available") - before
        gone = self.nodes.pop(free)
        self.see("its Node is gone", lambda: self.workload.kube.get(place("v1", "Node", name=gone)) is None)
        self.see(f"it is kept for {keeps['kind']} {keeps['name']}" if keeps else "nothing holds it any more",
                 lambda: self.host(free)["spec"].get("consumerRef") == keeps)
        for kind in MACHINE_KINDS:
            self.see(f"the {kind} is gone", lambda kind=kind: len(self.of(kind)) == len(self.nodes))
        return free

    def new_host(self):
        """One that is provisioned and that was not looked at here."""
        return next((self.host(name) for name in self.hosts_in("provisioned") - set(self.nodes)), None)
