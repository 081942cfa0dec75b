"""Manifests of Metal3 as its users write them: hosts, and what a cluster of theirs is made of."""
from cluster import INFRASTRUCTURE, thing

BMH = "metal3.io/v1alpha1"
IPAM = "ipam.metal3.io/v1alpha1"
IMAGE = {"url": "http://192.0.2.1/node.img", "checksum": "0" * 64, "checksumType": "sha256", "diskFormat": "raw"}

# What Metal3's templates give to every kubelet.
KUBELET = {"name": "{{ ds.meta_data.local_hostname }}",
           "kubeletExtraArgs": [{"name": "node-labels", "value": "metal3.io/uuid={{ ds.meta_data.uuid }}"}]}
# And what those do who want the providerID to be known before the Node is.
KUBELET_WITH_PROVIDER_ID = {**KUBELET, "kubeletExtraArgs": [
    *KUBELET["kubeletExtraArgs"], {"name": "provider-id", "value": "metal3://{{ ds.meta_data.providerid }}"}]}


def host(name, namespace, number):
    """With the Secret of its BMC."""
    return [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"{name}-bmc", "namespace": namespace},
             "stringData": {"username": "operator", "password": "never-print-1c8b"}},
            thing(BMH, "BareMetalHost", namespace, name, {
                "online": True, "bootMACAddress": f"52:54:00:00:00:{number:02x}",
                "bmc": {"address": f"redfish://192.0.2.{number}/redfish/v1/Systems/1", "credentialsName": f"{name}-bmc"}})]


def infrastructure(name, namespace, endpoint):
    return thing(INFRASTRUCTURE, "Metal3Cluster", namespace, name, _infrastructure_spec(endpoint))


def cluster_template(name, namespace, endpoint):
    return thing(INFRASTRUCTURE, "Metal3ClusterTemplate", namespace, name, {
        "template": {"spec": _infrastructure_spec(endpoint)}})


def _infrastructure_spec(endpoint):
    return {"controlPlaneEndpoint": endpoint, "cloudProviderEnabled": False}


def machine_template(name, namespace, data_template, image=IMAGE["url"]):
    return thing(INFRASTRUCTURE, "Metal3MachineTemplate", namespace, name, {"template": {"spec": {
        "image": {**IMAGE, "url": image}, "dataTemplate": {"name": data_template}}}})


def pool(name, cluster, namespace):
    return thing(IPAM, "IPPool", namespace, name, {
        "clusterName": cluster, "namePrefix": name, "prefix": 24, "gateway": "10.9.0.1",
        "pools": [{"start": "10.9.0.10", "end": "10.9.0.40"}]})


def data_template(name, cluster, namespace, pool_name):
    return thing(INFRASTRUCTURE, "Metal3DataTemplate", namespace, name, {
        "clusterName": cluster,
        "metaData": {
            "objectNames": [{"key": key, "object": "machine"} for key in ("name", "local-hostname", "local_hostname")],
            "ipAddressesFromPool": [{"key": "address", "apiGroup": "ipam.metal3.io", "kind": "IPPool", "name": pool_name}]},
        "networkData": {
            "links": {"ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500, "macAddress": {"fromHostInterface": "nic-1"}}]},
            "networks": {"ipv4": [{"id": "net", "link": "eth0", "ipAddressFromIPPool": pool_name}]}}})


def remediation_template(name, namespace):
    return thing(INFRASTRUCTURE, "Metal3RemediationTemplate", namespace, name, {"template": {"spec": {"strategy": {
        "type": "Reboot", "retryLimit": 1, "timeoutSeconds": 600}}}})
