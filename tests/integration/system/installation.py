"""deploy/default in a management cluster whose pods run (../nodes): its objects are created as an operator creates them, and all
else is the cluster's doing."""
import copy
import json
import ssl
import subprocess
import sys
import urllib.error
import urllib.request

import yaml

import manifests
from api_server import ROOT
from failure import Failure
from health import directly
from kubectl import kubectl
from nodes.cluster import CONTROLLERS, Cluster, Image
from nodes.pod import is_leaving
from patience import within
from processes import Processes, clean_environment
from ports import free_port
from webhooks import WITH_WEBHOOKS, client_configs
from world import SANITIZERS

NAMESPACE = "ingot-system"
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:ingot-coordinator"
DEPLOYMENT = f"/apis/apps/v1/namespaces/{NAMESPACE}/deployments/ingot-coordinator"
PODS = f"/api/v1/namespaces/{NAMESPACE}/pods"
SERVICE = "ingot-webhook-service"
FIRST = ("Namespace", "PriorityClass", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
FIXTURE = "--provisioner=fixture"
USER = 65532
SECONDS = 60


def images(programs):
    """What stands for the images that tests name: ours, and one that only is there."""
    return {"ingot-coordinator": Image((str(programs / "ingot-coordinator"),), (str(programs),), USER),
            "baremetal-operator": Image(("/usr/bin/sleep", "infinity"), (), USER)}


class Installation:
    """`base`: the kustomization that is installed. `replicas`, `words`: of its Deployment, and further arguments. `cluster`: one
    that runs, and is another's; what is in it is installed already."""

    def __init__(self, folder, programs, base="default", replicas=2, words=(FIXTURE,), controllers=CONTROLLERS, cluster=None):
        self.folder, self.programs, self.processes = folder, programs, Processes(folder)
        self.replicas_wanted, self.words, self.is_guest = replicas, (*words, "--log-level=debug"), cluster is not None
        self.cluster = cluster or Cluster(folder, images(programs), reads_of=(ACCOUNT,), controllers=controllers, environment=SANITIZERS)
        self.killed = []   # processes
        self.documents = [] if cluster else [self._as_tested(each) for each in yaml.safe_load_all(self.kubectl("kustomize", ROOT / "deploy" / base))]

    @property
    def api(self):
        return self.cluster.api

    @property
    def kube(self):
        return self.cluster.kube

    def start(self):
        self.cluster.start().start_nodes()

    def stop(self):
        self.processes.stop()
        if not self.is_guest:
            self.cluster.stop()

    def create(self, documents):
        return self.kubectl("create", "-f", "-", text=yaml.safe_dump_all(documents))

    def rights(self):
        return [each for each in self.documents if each["kind"] in FIRST]

    def rest(self):
        return [each for each in self.documents if each["kind"] not in FIRST]

    def without_webhooks_of(self, prefix):
        """Nobody would answer them."""
        for path in WITH_WEBHOOKS[1:]:
            for each in self.kube.items(path):
                if each["metadata"]["name"].startswith(prefix):
                    self.kube.delete(f"{path}/{each['metadata']['name']}")

    # Its pods

    def replicas(self):
        """Names of the pods that are to stay."""
        pods = self.kube.items(f"{PODS}?labelSelector=app.kubernetes.io%2Fname%3Dingot-coordinator")
        return sorted(each["metadata"]["name"] for each in pods if not is_leaving(each))

    def ready(self):
        """Names and addresses of those that are asked."""
        return self.cluster.services.ready(NAMESPACE, SERVICE)

    def all_are_ready(self):
        status = (self.kube.get(DEPLOYMENT) or {}).get("status", {})
        return status.get("readyReplicas", 0) == status.get("updatedReplicas", 0) == self.replicas_wanted and \
            len(self.ready()) == self.replicas_wanted == len(self.replicas())

    def wait_until_ready(self):
        within(2 * SECONDS, "all replicas are ready", self.all_are_ready, lambda: self.kubectl("-n", NAMESPACE, "get", "pods", "-o", "wide"))

    def scale(self, replicas):
        self.replicas_wanted = replicas
        self.kube.merge(DEPLOYMENT, {"spec": {"replicas": replicas}})

    def process(self, name):
        """Of the pod's container; None: there is none now."""
        container = self.cluster.container(name)
        return container and container.process

    def address(self, name):
        return self.cluster.container(name).address

    def url(self, name):
        """Of its /readyz."""
        return f"http://{self.address(name)}:9440/readyz"

    def delete(self, name):
        """The pod. Returns the process that ends now."""
        process = self.process(name)
        self.kube.delete(f"{PODS}/{name}")
        return process

    def kill(self, name):
        """Its process, which the kubelet starts anew."""
        process = self.process(name)
        self.killed.append(process)
        process.child.kill()

    def ends(self):
        """Of all that ended by themselves, or were ill."""
        return [each for each in self.cluster.ends if each.process not in self.killed]

    # What it is like

    def check(self, *flags, kubeconfig=None, space=NAMESPACE):
        """What `ingot-coordinator check` says of it, with the account's rights or those of another: its exit code and its lines.
        `space`: where it is told that it is."""
        config = kubeconfig or self._kubeconfig("ingot-coordinator")
        done = subprocess.run([self.programs / "ingot-coordinator", "check", "--kubeconfig", config, "--webhook-certs=self", *flags],
                              capture_output=True, text=True, timeout=120, check=False,
                              env={**clean_environment(), "POD_NAMESPACE": space, "IRONIC_ENDPOINT": f"http://127.0.0.1:{free_port()}/v1"})
        return done.returncode, done.stdout.splitlines()

    def metal3(self, ready):
        """An installation of Metal3 beside: its host manager wants, and has, so many replicas."""
        space, name = "baremetal-operator-system", "baremetal-operator-controller-manager"
        path = f"/apis/apps/v1/namespaces/{space}/deployments"
        if not self.kube.get(f"{path}/{name}"):
            self.kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": space}})
            self.kube.call("POST", f"/api/v1/namespaces/{space}/serviceaccounts", {"metadata": {"name": "baremetal-operator"}})
            for each in rights_of_manager(space, "baremetal-operator"):
                self.kube.call("POST", f"/apis/rbac.authorization.k8s.io/v1/{each['kind'].lower()}s", each)
            labels = {"control-plane": "controller-manager"}
            pod = {"serviceAccountName": "baremetal-operator", "terminationGracePeriodSeconds": 1,
                   "containers": [{"name": "manager", "image": "baremetal-operator"}]}
            self.kube.call("POST", path, {"metadata": {"name": name}, "spec": {
                "replicas": ready, "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}})
        self.kube.merge(f"{path}/{name}", {"spec": {"replicas": ready}})
        within(SECONDS, f"{ready} replicas of Metal3's manager are ready", lambda: self.kube.get(f"{path}/{name}").get("status", {}).get(
            "readyReplicas", 0) == ready)

    def lease(self, space=NAMESPACE, name="ingot-coordinator"):
        found = self.kube.get(f"/apis/coordination.k8s.io/v1/namespaces/{space}/leases/{name}")
        return found["spec"].get("holderIdentity", "") if found else ""

    def leader(self):
        """The pod that holds the Lease and works; None: nobody."""
        holder = self.lease().partition("_")[0]
        process = self.process(holder) if holder else None
        leads = process and process.child.poll() is None and process.said(" leading term=") and not process.said("leadership lost")
        return holder if leads else None

    @staticmethod
    def answers(address):
        """Whether there somebody answers webhooks."""
        try:
            with directly(f"https://{address}:9443/", strangers()):
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False

    def webhooks_are_believed(self):
        """Whether everything that has them asked knows who signs their certificate."""
        asked = [config for path in WITH_WEBHOOKS for each in self.kube.items(path) for config in client_configs(each)
                 if config.get("service", {}).get("name") == SERVICE]
        return bool(asked) and all(config.get("caBundle") for config in asked)

    def webhooks_answer(self):
        """Whether the API has one asked, and believes it: it refuses what it shall."""
        path = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts?dryRun=All"
        try:
            self.kube.call("POST", path, manifests.plain_host("wrong", "nonsense://10.0.0.1"))
        except Failure as refused:
            return "Unknown BMC type 'nonsense'" in str(refused)
        return False

    def metrics(self, name, account="ingot-coordinator"):
        """Those of this replica, asked for with the account's token; the answer's code, and its text."""
        token = yaml.safe_load(self._kubeconfig(account).read_text())["users"][0]["user"]["token"]
        request = urllib.request.Request(f"https://{self.address(name)}:8443/metrics", headers={"Authorization": f"Bearer {token}"})
        try:
            with directly(request, strangers(), seconds=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, b""

    def forwarded(self, name, port, path):
        """What a pod answers on its loopback address, where `kubectl port-forward` leads."""
        ask = f"import sys, urllib.request; sys.stdout.buffer.write(urllib.request.urlopen('http://127.0.0.1:{port}{path}', timeout=10).read())"
        return subprocess.run(["nsenter", f"--target={self.process(name).child.pid}", "--net", sys.executable, "-c", ask],
                              stdout=subprocess.PIPE, check=True).stdout

    def let_read_metrics(self, account):
        """As deploy/monitoring says; the account is made."""
        reader = yaml.safe_load((ROOT / "deploy/monitoring/reader.yaml").read_text())
        self.create([reader, {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": account, "namespace": NAMESPACE}},
                     {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": account},
                      "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": reader["metadata"]["name"]},
                      "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}]}])

    def kubectl(self, *words, text=None):
        """What it says."""
        config = ["--kubeconfig", self.api.kubeconfig] if self.cluster.api else []
        return kubectl(*config, *words, text=text)

    def _kubeconfig(self, account):
        """With a token of this account."""
        path = self.folder / f"{account}.kubeconfig"
        if not path.exists():
            config = yaml.safe_load(self.api.kubeconfig.read_text())
            config["users"][0]["user"] = {"token": self.kubectl("-n", NAMESPACE, "create", "token", account).strip()}
            path.touch(mode=0o600)
            path.write_text(json.dumps(config))
        return path

    def _as_tested(self, document):
        """With what the test wants of the coordinators."""
        if document["kind"] != "Deployment":
            return document
        document = copy.deepcopy(document)
        document["spec"]["replicas"] = self.replicas_wanted
        document["spec"]["template"]["spec"]["containers"][0]["args"] += self.words
        return document


def strangers():
    """TLS that believes everybody."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def rights_of_manager(space, account):
    """As Metal3's manifests give them, as far as one is known by them."""
    group, name = "rbac.authorization.k8s.io", "baremetal-operator-manager-role"
    return [{"apiVersion": f"{group}/v1", "kind": "ClusterRole", "metadata": {"name": name},
             "rules": [{"apiGroups": ["metal3.io"], "resources": ["baremetalhosts"], "verbs": ["get", "update"]}]},
            {"apiVersion": f"{group}/v1", "kind": "ClusterRoleBinding", "metadata": {"name": name},
             "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": name},
             "subjects": [{"kind": "ServiceAccount", "name": account, "namespace": space}]}]
