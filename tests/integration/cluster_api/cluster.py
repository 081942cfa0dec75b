"""The objects of one cluster as its operator writes them. `provider`: what the names of its infrastructure's kinds begin with."""

GROUP, VERSION = "infrastructure.cluster.x-k8s.io", "v1beta2"
INFRASTRUCTURE = f"{GROUP}/{VERSION}"
CORE = "cluster.x-k8s.io/v1beta2"
BOOTSTRAP = "bootstrap.cluster.x-k8s.io/v1beta2"
CONTROL_PLANE = "controlplane.cluster.x-k8s.io/v1beta2"
EXPIRY = "machine.cluster.x-k8s.io/certificates-expiry"
NETWORK = {"pods": {"cidrBlocks": ["192.168.0.0/18"]}, "services": {"cidrBlocks": ["10.0.0.0/24"]}}
UNKNOWN = {"type": "Ready", "status": "Unknown", "timeoutSeconds": 1}   # a Node that says nothing
ETCD = {"external": {"endpoints": ["https://127.0.0.1:2379"], "caFile": "/etc/kubernetes/pki/etcd/ca.crt",
                     "certFile": "/etc/kubernetes/pki/apiserver-etcd-client.crt",
                     "keyFile": "/etc/kubernetes/pki/apiserver-etcd-client.key"}}


def cluster(name, namespace, provider="Generic"):
    return thing(CORE, "Cluster", namespace, name, {
        "clusterNetwork": NETWORK,
        "infrastructureRef": infrastructure(f"{provider}Cluster", name),
        "controlPlaneRef": {"apiGroup": group(CONTROL_PLANE), "kind": "KubeadmControlPlane", "name": name}})


def control_plane(name, namespace, version, replicas=1, provider="Generic", kubeadm=None):
    """With an external etcd, so that the manager asks no member, and with certificates whose expiry is known, so that it
    opens no connection into a Pod. `kubeadm`: more of the kubeadm configuration."""
    return thing(CONTROL_PLANE, "KubeadmControlPlane", namespace, name, {
        "replicas": replicas, "version": version, "kubeadmConfigSpec": {"clusterConfiguration": {"etcd": ETCD}, **(kubeadm or {})},
        "machineTemplate": {"metadata": {"annotations": {EXPIRY: "2099-01-01T00:00:00Z"}},
                            "spec": {"infrastructureRef": infrastructure(f"{provider}MachineTemplate", name)}}})


def cluster_class(name, namespace, workers_name, provider):
    """Of templates with these names. A worker whose Node says nothing is replaced; workers are rolled out two at a time."""
    return thing(CORE, "ClusterClass", namespace, name, {
        "infrastructure": {"templateRef": template(INFRASTRUCTURE, f"{provider}ClusterTemplate", name)},
        "controlPlane": {
            "metadata": {"annotations": {EXPIRY: "2099-01-01T00:00:00Z"}},
            "templateRef": template(CONTROL_PLANE, "KubeadmControlPlaneTemplate", name),
            "machineInfrastructure": {"templateRef": template(INFRASTRUCTURE, f"{provider}MachineTemplate", name)}},
        "workers": {"machineDeployments": [{
            "class": workers_name,
            "bootstrap": {"templateRef": template(BOOTSTRAP, "KubeadmConfigTemplate", workers_name)},
            "infrastructure": {"templateRef": template(INFRASTRUCTURE, f"{provider}MachineTemplate", workers_name)},
            "rollout": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}}},
            "healthCheck": {"checks": {"nodeStartupTimeoutSeconds": 0, "unhealthyNodeConditions": [UNKNOWN]}}}]}})


def from_class(name, namespace, version, workers_name, replicas):
    """A Cluster of the class of its name."""
    return thing(CORE, "Cluster", namespace, name, {"clusterNetwork": NETWORK, "topology": {
        "classRef": {"name": name}, "version": version, "controlPlane": {"replicas": 1},
        "workers": {"machineDeployments": [{"class": workers_name, "name": workers_name, "replicas": replicas}]}}})


def control_plane_template(name, namespace, kubeadm):
    return thing(CONTROL_PLANE, "KubeadmControlPlaneTemplate", namespace, name, {"template": {"spec": {
        "kubeadmConfigSpec": {"clusterConfiguration": {"etcd": ETCD}, **kubeadm}}}})


def template(api_version, kind, name):
    return {"apiVersion": api_version, "kind": kind, "name": name}


def workers(name, cluster_name, namespace, version, replicas=1, provider="Generic"):
    return thing(CORE, "MachineDeployment", namespace, name, {
        "clusterName": cluster_name, "replicas": replicas,
        "template": {"spec": {
            "clusterName": cluster_name, "version": version,
            "bootstrap": {"configRef": {"apiGroup": group(BOOTSTRAP), "kind": "KubeadmConfigTemplate", "name": name}},
            "infrastructureRef": infrastructure(f"{provider}MachineTemplate", name)}}})


def worker_bootstrap(name, namespace, registration=None):
    return thing(BOOTSTRAP, "KubeadmConfigTemplate", namespace, name, {"template": {"spec": {"joinConfiguration": {
        "nodeRegistration": registration or {"name": "{{ ds.meta_data.local_hostname }}"}}}}})


def health_check(name, cluster_name, namespace, deployment, kind):
    """Of the machines of a deployment: a Node that says nothing has its machine restarted by a template of this `kind`."""
    return thing(CORE, "MachineHealthCheck", namespace, name, {
        "clusterName": cluster_name, "selector": {"matchLabels": {"cluster.x-k8s.io/deployment-name": deployment}},
        "checks": {"nodeStartupTimeoutSeconds": 0,
                   "unhealthyNodeConditions": [UNKNOWN]},
        "remediation": {"templateRef": template(INFRASTRUCTURE, kind, name)}})


def infrastructure(kind, name):
    return {"apiGroup": GROUP, "kind": kind, "name": name}


def thing(api_version, kind, namespace, name, spec):
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, "spec": spec}


def group(api_version):
    return api_version.split("/")[0]
