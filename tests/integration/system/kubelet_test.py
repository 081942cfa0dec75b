"""What the kubelets of the tests (../nodes) promise, with a Deployment of a program that says what it sees: it becomes pods by
kube-controller-manager and kube-scheduler alone, and they are told of, asked, restarted and ended as pods are."""
import json
import pathlib

from case import LoggedTest, within
from health import directly
from nodes.cluster import Cluster, End, Image
from nodes.network import IP, Network
from processes import run

SECONDS = 60
PROGRAM = pathlib.Path(__file__).parents[1] / "nodes/mirror.py"
SPACE = "/api/v1/namespaces/default"
DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments"
LABELS = {"app": "mirror"}
ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
USER = 65532


def deployment(replicas=2, **container):
    return {"metadata": {"name": "mirror"}, "spec": {"replicas": replicas, "selector": {"matchLabels": LABELS}, "template": {
        "metadata": {"labels": LABELS}, "spec": {
            "terminationGracePeriodSeconds": 3, "securityContext": {"runAsNonRoot": True, "runAsUser": USER, "runAsGroup": USER},
            "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "DoNotSchedule",
                                           "labelSelector": {"matchLabels": LABELS}}],
            "volumes": [{"name": "secret", "secret": {"secretName": "words"}}, {"name": "scratch", "emptyDir": {}},
                        {"name": "perhaps", "secret": {"secretName": "nothing", "optional": True}}],
            "containers": [{
                "name": "manager", "image": "registry.example.org/some/mirror:v1", "args": ["--greeting=$(WHO)"],
                "env": [{"name": "WHO", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
                        {"name": "WHERE", "valueFrom": {"fieldRef": {"fieldPath": "status.podIP"}}}],
                "envFrom": [{"configMapRef": {"name": "settings"}}],
                "ports": [{"name": "web", "containerPort": 8080}],
                "volumeMounts": [{"name": "secret", "mountPath": "/etc-of-mine", "readOnly": True},
                                 {"name": "scratch", "mountPath": "/scratch"}, {"name": "perhaps", "mountPath": "/perhaps"}],
                "readinessProbe": {"httpGet": {"path": "/ready", "port": "web"}, "periodSeconds": 1, "failureThreshold": 1},
                "livenessProbe": {"httpGet": {"path": "/live", "port": "web"}, "periodSeconds": 1, "failureThreshold": 2},
                "startupProbe": {"exec": {"command": ["/usr/bin/test", "-e", "/scratch/started"]}, "periodSeconds": 1, "failureThreshold": 30},
                "lifecycle": {"preStop": {"httpGet": {"path": "/farewell", "port": "web"}}},
                "securityContext": {"readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
                **container}]}}}}


class Networks(LoggedTest):
    def test_pods_find_their_gateway_where_it_was_as_others_come_and_go(self):
        network = Network(number=1)
        self.addCleanup(network.close)
        first = hardware_address(network.bridge)
        for sandbox in [network.sandbox(1) for _ in range(3)]:
            self.assertEqual(first, hardware_address(network.bridge), "a pod has come")
            sandbox.close()
        self.assertEqual(first, hardware_address(network.bridge), "all have gone")


def hardware_address(link):
    link, = json.loads(run([IP, "-json", "link", "show", link], f"the link {link}"))
    return link["address"]


class Kubelets(LoggedTest):
    def setUp(self):
        super().setUp()
        image = Image(("/usr/bin/python3", str(PROGRAM)), (str(PROGRAM.parent),))
        self.cluster = Cluster(self.folder, {"mirror": image, "other": image})
        self.addCleanup(self.cluster.stop)
        self.cluster.start().start_nodes()
        self.kube = self.cluster.kube

    def test_a_deployment_becomes_pods_that_are_looked_after(self):
        self.pods_wait_for_what_they_mount()
        self.they_see_what_they_were_given()
        self.secrets_change_under_them()
        self.who_is_not_ready_is_no_endpoint()
        self.who_is_ill_or_ends_is_started_anew()
        self.a_pod_has_time_to_end()
        self.budgets_hold()
        self.another_image_rolls_out()

    def pods_wait_for_what_they_mount(self):
        kube = self.kube
        kube.call("POST", f"{SPACE}/configmaps", {"metadata": {"name": "settings"}, "data": {"COLOUR": "green"}})
        kube.call("POST", f"{SPACE}/services", {"metadata": {"name": "mirror"}, "spec": {
            "selector": LABELS, "ports": [{"name": "web", "port": 80, "targetPort": "web"}]}})
        kube.call("POST", DEPLOYMENTS, deployment())
        self.see("two pods wait for a Secret", lambda: [self.waiting(each) for each in self.pods()] == ["ContainerCreating"] * 2)
        self.see("it is said which", lambda: all("secrets words is not there" in str(each["status"]) for each in self.pods()))
        kube.call("POST", f"{SPACE}/secrets", {"metadata": {"name": "words"}, "stringData": {"word": "first"}})
        self.see("the Deployment is available", lambda: self.deployment()["status"].get("availableReplicas") == 2)
        self.assertEqual(["node-1", "node-2"], sorted(each["spec"]["nodeName"] for each in self.pods()))

    def they_see_what_they_were_given(self):
        for pod in self.pods():
            name, seen = pod["metadata"]["name"], self.ask(pod, "/")
            self.assertEqual([f"--greeting={name}"], seen["arguments"])
            self.assertEqual((name, pod["status"]["podIP"], "green"), tuple(seen["environment"][key] for key in ("WHO", "WHERE", "COLOUR")))
            self.assertNotIn("HOME", seen["environment"], "it has something of ours")
            self.assertEqual("first", seen["files"]["/etc-of-mine/word"])
            self.assertEqual("default", seen["files"][f"{ACCOUNT}/namespace"])
            self.assertEqual({"/": "read-only", "/scratch": "written", "/etc-of-mine": "read-only"}, seen["writes"])
            self.assertEqual(pod["status"]["podIP"], seen["address"])
            self.assertNotIn("root", seen["folders"], "it sees files of this machine")
            self.assertEqual("10.96.0.1 443 200 system:serviceaccount:default:default", seen["api"])
            self.assertIn((seen["user"], seen["capabilities"]), ((USER, 0), (0, None)))   # who may not change users is root of its own

    def secrets_change_under_them(self):
        self.kube.merge(f"{SPACE}/secrets/words", {"stringData": {"word": "second", "more": "yes"}})
        for pod in self.pods():
            self.see("it has changed", lambda pod=pod: self.ask(pod, "/")["files"]["/etc-of-mine/word"] == "second")
        self.assertEqual("yes", self.ask(self.pods()[0], "/")["files"]["/etc-of-mine/more"])
        self.assertEqual([0, 0], [self.restarts(each) for each in self.pods()])

    def who_is_not_ready_is_no_endpoint(self):
        one, other = self.pods()
        self.see("both answer at the Service", lambda: self.who_answers() == {name_of(one), name_of(other)})
        self.ask(one, "/be?ready=no")
        self.see("one is no endpoint", lambda: set(self.cluster.services.ready("default", "mirror")) == {name_of(other)})
        self.assertEqual({name_of(other)}, self.who_answers())
        self.ask(one, "/be?ready=yes")
        self.see("both are", lambda: len(self.cluster.services.ready("default", "mirror")) == 2)

    def who_is_ill_or_ends_is_started_anew(self):
        one, other = self.pods()
        ill = self.cluster.container(name_of(one)).process
        self.ask(one, "/be?live=no")
        self.see("it was started anew", lambda: self.restarts(self.pod(one)) == 1 and self.is_ready(self.pod(one)))
        self.assertEqual("Completed", self.last(one)["reason"])   # it ended when it was told to
        self.assertEqual([End(name_of(one), ill, was_ill=True)], self.cluster.ends)
        for count in (1, 2):
            killed = self.cluster.container(name_of(other)).process
            killed.child.kill()
            self.see("its end is told", lambda count=count: self.restarts(self.pod(other)) == count)
            self.assertEqual((137, 9), (self.last(other)["exitCode"], self.last(other)["signal"]))
            self.assertEqual(End(name_of(other), killed), self.cluster.ends[-1])
            if count == 2:
                self.see("it waits", lambda: self.waiting(self.pod(other)) == "CrashLoopBackOff")
            self.see("it runs", lambda: self.is_ready(self.pod(other)))
        self.assertEqual(name_of(other), self.ask(other, "/")["environment"]["WHO"])

    def a_pod_has_time_to_end(self):
        """Its hook is run, it is told, and killed when its time is over; another one takes its place."""
        one, other = self.pods()
        self.ask(one, "/be?stubborn=yes")
        process = self.cluster.container(name_of(one)).process
        address, started = one["status"]["podIP"], self.restarts(one)
        self.kube.delete(f"{SPACE}/pods/{name_of(one)}")
        self.see("it is no endpoint", lambda: name_of(one) not in self.cluster.services.ready("default", "mirror"))
        self.assertIsNone(process.child.poll(), "it goes on until its time is over")
        self.see("it is gone", lambda: self.kube.get(f"{SPACE}/pods/{name_of(one)}") is None)
        self.assertEqual(-9, process.child.poll())
        said = process.log.read_text()
        self.assertLess(said.index("farewell"), said.index("told to end"))
        with self.assertRaises(OSError):
            directly(f"http://{address}:8080/", seconds=2)
        self.assertEqual(0, started - self.restarts(one))
        self.assertNotIn(process, [each.process for each in self.cluster.ends])
        self.see("another one is there", lambda: len(self.pods()) == 2 and all(self.is_ready(each) for each in self.pods()))
        self.assertNotIn(name_of(one), map(name_of, self.pods()))
        self.assertIn(name_of(other), map(name_of, self.pods()))

    def budgets_hold(self):
        self.kube.call("POST", "/apis/policy/v1/namespaces/default/poddisruptionbudgets", {
            "metadata": {"name": "mirror"}, "spec": {"minAvailable": 2, "selector": {"matchLabels": LABELS}}})
        self.see("the budget is known", lambda: self.kube.get(
            "/apis/policy/v1/namespaces/default/poddisruptionbudgets/mirror").get("status", {}).get("currentHealthy") == 2)
        name = name_of(self.pods()[0])
        status, text = self.kube.ask("POST", f"{SPACE}/pods/{name}/eviction", {
            "apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": name, "namespace": "default"}})
        self.assertEqual((429, True), (status, b"disruption budget" in text), text)

    def another_image_rolls_out(self):
        """An image that there is not does not; one that there is does, and nothing of the old one is left."""
        before = set(map(name_of, self.pods()))
        for image, what in (("nothing", "ErrImagePull"), ("other", None)):
            self.kube.call("PATCH", f"{DEPLOYMENTS}/mirror", {"spec": {"template": {"spec": {"containers": [{"name": "manager", "image": image}]}}}},
                           kind="application/strategic-merge-patch+json")
            if what:
                self.see("it cannot be started", lambda what=what: what in map(self.waiting, self.pods()))
                self.assertLessEqual(before, set(map(name_of, self.pods())))
        self.see("all are of the other one", lambda: len(self.pods()) == 2 and not before & set(map(name_of, self.pods()))
                 and self.deployment()["status"].get("updatedReplicas") == self.deployment()["status"].get("readyReplicas") == 2)
        self.assertEqual(["other"] * 2, [each["spec"]["containers"][0]["image"] for each in self.pods()])

    # What the API says

    def see(self, what, condition):
        within(SECONDS, what, condition, lambda: json.dumps([each["status"] for each in self.pods()]))

    def pods(self):
        return sorted(self.kube.items(f"{SPACE}/pods?labelSelector=app%3Dmirror"), key=name_of)

    def pod(self, each):
        return self.kube.get(f"{SPACE}/pods/{name_of(each)}")

    def deployment(self):
        return self.kube.get(f"{DEPLOYMENTS}/mirror")

    @staticmethod
    def waiting(pod):
        found = pod["status"].get("containerStatuses")
        return found[0]["state"].get("waiting", {}).get("reason") if found else None

    @staticmethod
    def restarts(pod):
        return pod["status"]["containerStatuses"][0]["restartCount"]

    def last(self, pod):
        return self.pod(pod)["status"]["containerStatuses"][0]["lastState"]["terminated"]

    @staticmethod
    def is_ready(pod):
        return any(each["type"] == "Ready" and each["status"] == "True" for each in pod["status"].get("conditions", ()))

    # What the program says

    @staticmethod
    def ask(pod, path):
        with directly(f"http://{pod['status']['podIP']}:8080{path}", seconds=30) as answer:
            return json.loads(answer.read())

    def who_answers(self):
        """At the Service's own address."""
        address = self.kube.get(f"{SPACE}/services/mirror")["spec"]["clusterIP"]
        names = set()
        for _ in range(6):
            with directly(f"http://{address}/", seconds=30) as answer:
                names.add(json.loads(answer.read())["environment"]["WHO"])
        return names


def name_of(pod):
    return pod["metadata"]["name"]
