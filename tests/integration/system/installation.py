"""deploy/default on a real kube-apiserver that has no nodes: its objects are created as an operator creates them, and the
containers of its Deployment run as processes, with the arguments, the environment and the account that it gives them."""
import json
import ssl
import subprocess
import urllib.error
import urllib.request

import yaml

import manifests
from api_server import ROOT, ApiServer
from failure import Failure
from health import directly
from kube import Kube
from ports import free_port
from processes import Processes, clean_environment
from webhooks import client_configs

NAMESPACE = "ingot-system"
ACCOUNT = f"system:serviceaccount:{NAMESPACE}:ingot-coordinator"
KUBECTL = ROOT / ".cache/peers/bin/kubectl"
SERVICE = "ingot-webhook-service"
WITH_WEBHOOKS = ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                 "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                 "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations")
FIRST = ("Namespace", "PriorityClass", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")


class Installation:
    """`documents`: what is installed, when that is not deploy/default. `run`: how a program is started (Processes.start)."""

    def __init__(self, folder, programs, documents=None, run=None):
        self.folder, self.programs, self.processes = folder, programs, Processes(folder)
        self.run = run or self.processes.start
        self.api = self.kube = None
        self.front = None   # the URL at which replicas find the API, when it is not its own
        self.webhook_port = free_port()
        self.documents = documents or list(yaml.safe_load_all(self._kubectl("kustomize", ROOT / "deploy/default")))
        self.replicas, self.ports, self.urls, self.pages, self.containers = {}, {}, {}, {}, {}

    def start(self):
        self.use(ApiServer(self.folder, crds=(), reads_of=(ACCOUNT,)).start())

    def use(self, api):
        self.api, self.kube = api, Kube(api.kubeconfig)

    def stop(self):
        self.processes.stop()
        if self.api:
            self.api.stop()

    def create(self, documents):
        """There is nobody who gives Services addresses: the webhooks' one stands for a port of this machine."""
        text = yaml.safe_dump_all([self._reachable(each) for each in documents])
        return self._kubectl("--kubeconfig", self.api.kubeconfig, "create", "-f", "-", text=text)

    def reach_webhooks(self):
        """Of what is installed already, as create() does."""
        for path in WITH_WEBHOOKS:
            for each in self.kube.items(path):
                if any(config.get("service", {}).get("name") == SERVICE for config in client_configs(each)):
                    self.kube.merge(f"{path}/{each['metadata']['name']}", self._reachable(each))
        path = f"/api/v1/namespaces/{NAMESPACE}/services"
        self.kube.delete(f"{path}/{SERVICE}")
        self.kube.call("POST", path, self._reachable({"kind": "Service", "metadata": {"name": SERVICE}}))

    def without_webhooks_of(self, prefix):
        """Nobody would answer them."""
        for path in WITH_WEBHOOKS[1:]:
            for each in self.kube.items(path):
                if each["metadata"]["name"].startswith(prefix):
                    self.kube.delete(f"{path}/{each['metadata']['name']}")

    def rights(self):
        return [each for each in self.documents if each["kind"] in FIRST]

    def rest(self):
        return [each for each in self.documents if each["kind"] not in FIRST]

    def start_replica(self, name, *more, agents_port=None, webhook_port=None):
        """A pod, and its container. `more`: further arguments. Unless told otherwise, agents come to a port of its own, and
        webhooks are asked of the first replica. Returns the URL of /readyz."""
        deployment = next(each for each in self.documents if each["kind"] == "Deployment")
        template = deployment["spec"]["template"]
        container = template["spec"]["containers"][0]
        health, page = free_port(), free_port()
        self.ports[name] = webhook_port or (free_port() if self.replicas else self.webhook_port)
        ports = {"--webhook-port": self.ports[name], "--health-addr": f"127.0.0.1:{health}",
                 "--diagnostics-address": f"127.0.0.1:{page}",
                 "--agents-endpoint": f"tcp://127.0.0.1:{agents_port or free_port()}"}
        arguments = [f"{flag}={ports[flag]}" if (flag := each.partition("=")[0]) in ports else each for each in container["args"]]
        fields = {"metadata.name": name, "metadata.namespace": NAMESPACE}
        environment = {each["name"]: each["value"] if "value" in each else fields[each["valueFrom"]["fieldRef"]["fieldPath"]]
                       for each in container["env"]}
        self.create([{"apiVersion": "v1", "kind": "Pod", "metadata": {**template["metadata"], "name": name, "namespace": NAMESPACE},
                      "spec": template["spec"]}])
        self.containers[name] = [self.programs / "ingot-coordinator", "--kubeconfig", self._kubeconfig(name), "--log-level",
                                 "debug", *arguments, *more], environment
        self.urls[name], self.pages[name] = f"http://127.0.0.1:{health}/readyz", f"https://127.0.0.1:{page}/metrics"
        self.start_container(name)
        return self.urls[name]

    def start_container(self, name):
        """Of a pod that there is, as the kubelet does when the last one has ended."""
        self.replicas[name] = self.run(name, *self.containers[name])
        return self.replicas[name]

    def ended(self, closing):
        """Yields each container that has ended by itself, as (name, process), until `closing` is set."""
        while not closing.wait(0.1):
            for name, process in list(self.replicas.items()):
                if process.child.poll() is not None and self.replicas.get(name) is process:
                    yield name, process

    def check(self, *flags, kubeconfig=None):
        """What `ingot-coordinator check` says of it, with the account's rights or those of another: its exit code and its lines."""
        config = kubeconfig or self._kubeconfig()
        done = subprocess.run([self.programs / "ingot-coordinator", "check", "--kubeconfig", config, "--webhook-certs=self", *flags],
                              capture_output=True, text=True, timeout=120, check=False,
                              env={**clean_environment(), "POD_NAMESPACE": NAMESPACE, "IRONIC_ENDPOINT": f"http://127.0.0.1:{free_port()}/v1"})
        return done.returncode, done.stdout.splitlines()

    def metal3(self, ready):
        """An installation of Metal3 beside: its host manager wants, and has, so many replicas."""
        space, name = "baremetal-operator-system", "baremetal-operator-controller-manager"
        path = f"/apis/apps/v1/namespaces/{space}/deployments"
        if not self.kube.get(f"{path}/{name}"):
            self.kube.call("POST", "/api/v1/namespaces", {"metadata": {"name": space}})
            for each in rights_of_manager(space, "baremetal-operator"):
                self.kube.call("POST", f"/apis/rbac.authorization.k8s.io/v1/{each['kind'].lower()}s", each)
            labels = {"control-plane": "controller-manager"}
            pod = {"serviceAccountName": "baremetal-operator", "containers": [{"name": "manager", "image": "baremetal-operator"}]}
            self.kube.call("POST", path, {"metadata": {"name": name}, "spec": {
                "selector": {"matchLabels": labels}, "template": {"metadata": {"labels": labels}, "spec": pod}}})
        self.kube.merge(f"{path}/{name}", {"spec": {"replicas": ready}})
        self.kube.merge(f"{path}/{name}/status", {"status": {"replicas": ready, "readyReplicas": ready}})

    def lease(self, space=NAMESPACE, name="ingot-coordinator"):
        found = self.kube.get(f"/apis/coordination.k8s.io/v1/namespaces/{space}/leases/{name}")
        return found["spec"].get("holderIdentity", "") if found else ""

    def answers(self, name):
        """Whether this replica answers webhooks."""
        try:
            with directly(f"https://127.0.0.1:{self.ports[name]}/", strangers()):
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

    def ask_metrics(self, name):
        """With the account's token; the answer's code."""
        token = yaml.safe_load(self._kubeconfig().read_text())["users"][0]["user"]["token"]
        request = urllib.request.Request(self.pages[name], headers={"Authorization": f"Bearer {token}"})
        try:
            with directly(request, strangers(), seconds=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def terminate(self, name):
        """As the kubelet does; the process is the caller's from now on."""
        process = self.replicas.pop(name)
        self.processes.list.remove(process)
        process.child.terminate()
        return process

    def take_away(self, kind, name):
        self._kubectl("--kubeconfig", self.api.kubeconfig, "delete", kind, name)

    def kill(self, name):
        process = self.replicas.pop(name)
        self.processes.list.remove(process)
        process.child.kill()
        process.child.wait(60)

    def _kubeconfig(self, pod=""):
        """With a token of the account, as this pod has it; or any."""
        path = self.folder / f"{pod or 'account'}.kubeconfig"
        if not path.exists():
            bound = ["--bound-object-kind", "Pod", "--bound-object-name", pod] if pod else []
            token = self._kubectl("--kubeconfig", self.api.kubeconfig, "-n", NAMESPACE, "create", "token", "ingot-coordinator", *bound)
            config = yaml.safe_load(self.api.kubeconfig.read_text())
            config["users"][0]["user"] = {"token": token.strip()}
            if self.front:
                config["clusters"][0]["cluster"]["server"] = self.front
            path.touch(mode=0o600)
            path.write_text(json.dumps(config))
        return path

    def _reachable(self, document):
        if document.get("kind") == "Service" and document["metadata"]["name"] == SERVICE:
            return {**document, "spec": {"type": "ExternalName", "externalName": "localhost"}}
        for config in client_configs(document):
            config["service"]["port"] = self.webhook_port
        return document

    @staticmethod
    def _kubectl(*words, text=None):
        done = subprocess.run([KUBECTL, *words], input=text, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise AssertionError(f"kubectl {' '.join(map(str, words))}: {done.stderr}")
        return done.stdout


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
