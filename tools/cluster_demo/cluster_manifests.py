"""The manifests of docs/examples/cluster with what this run needs filled in."""
from cluster import ETCD, EXPIRY
from failure import Failure
from manifests import Manifests, as_manifest

KINDS = ("Namespace", "Secret", "BareMetalHost", "IPPool", "Metal3DataTemplate", "Metal3MachineTemplate", "Metal3Cluster",
         "KubeadmConfigTemplate", "KubeadmControlPlane", "MachineDeployment", "Metal3RemediationTemplate", "MachineHealthCheck",
         "Cluster")
SHORTEST_TRY = 100   # seconds; a restart is not given less


class ClusterManifests(Manifests):
    """`name` of the Cluster, `workers` of its MachineDeployment."""

    kinds = KINDS

    def __init__(self, folder):
        super().__init__(folder)
        self.name, self.workers = self._only("Cluster"), self._only("MachineDeployment")
        self.version = self._of("MachineDeployment")["spec"]["template"]["spec"]["version"]

    def _only(self, kind):
        names = [each["metadata"]["name"] for each in self.documents if each["kind"] == kind]
        if len(names) != 1:
            raise Failure(f"the demo needs one {kind}; {self.folder} holds {', '.join(names) or 'none'}")
        return names[0]

    def _of(self, kind):
        return next(each for each in self.documents if each["kind"] == kind)

    def fill_in(self, machines, image, endpoint, secrets):
        """`secrets`: what an operator brings to the cluster besides the manifests."""
        self.documents[1:1] = secrets   # behind the Namespace
        for name, machine in machines.items():
            self.fill_in_host(name, machine)
        for template in (each for each in self.documents if each["kind"] == "Metal3MachineTemplate"):
            template["spec"]["template"]["spec"]["image"] = as_manifest(image)
        self._of("Metal3Cluster")["spec"]["controlPlaneEndpoint"] = endpoint
        self._without_members_of_etcd(self._of("KubeadmControlPlane")["spec"])
        strategy = self._of("Metal3RemediationTemplate")["spec"]["template"]["spec"]["strategy"]
        strategy["timeout"] = f"{SHORTEST_TRY}s"   # two tries are a chapter

    @staticmethod
    def _without_members_of_etcd(control_plane):
        """Nothing of the image runs on a simulated machine, so the control plane's etcd is elsewhere, and nobody connects to its
        Pods to learn when certificates expire."""
        control_plane["kubeadmConfigSpec"].setdefault("clusterConfiguration", {})["etcd"] = ETCD
        metadata = control_plane["machineTemplate"].setdefault("metadata", {})
        metadata.setdefault("annotations", {})[EXPIRY] = "2099-01-01T00:00:00Z"

    def template_of_workers(self):
        return self._of("MachineDeployment")["spec"]["template"]["spec"]["infrastructureRef"]["name"]

    def next_workers(self, name, image):
        """The template of the workers under another name, with another image, for the same hosts."""
        template = next(each for each in self.documents if each["kind"] == "Metal3MachineTemplate"
                        and each["metadata"]["name"] == self.template_of_workers())
        spec = {**template["spec"]["template"]["spec"], "image": as_manifest(image)}
        return {**template, "metadata": {**template["metadata"], "name": name},
                "spec": {"nodeReuse": True, "template": {"spec": spec}}}
