"""Hosts for machines, and what a cluster of theirs is made of, on any API."""
from arrivals import Arrivals, is_in
from measured import HOSTS, SECRETS, host, image, secret

CAPI, CAPM3, IPAM = "cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta2", "ipam.metal3.io/v1alpha1"
NAME = "edge"
LABELS = {"cluster.x-k8s.io/cluster-name": NAME}


def path(api_version: str, plural: str, name: str = "") -> str:
    return f"/apis/{api_version}/namespaces/default/{plural}" + (f"/{name}" if name else "")


def reference(kind: str, name: str) -> dict:
    return {"apiGroup": CAPM3.split("/")[0], "kind": kind, "name": name}


def make_hosts(api, count: int):
    available = Arrivals(api, HOSTS, is_in("available"), count)
    for number in range(count):
        api.call("POST", SECRETS, secret(number))
        api.call("POST", HOSTS, host(number))
    available.wait()


def metal_cluster(owners=()):
    return {"apiVersion": CAPM3, "kind": "Metal3Cluster",
            "metadata": {"name": NAME, "labels": LABELS, "ownerReferences": list(owners)},
            "spec": {"controlPlaneEndpoint": {"host": "192.0.2.1", "port": 6443}, "cloudProviderEnabled": False}}


def machine_spec() -> dict:
    return {"image": image(), "dataTemplate": {"name": NAME}}


def make_data_template(api):
    """With an address of a pool for each machine, in its meta data and in its network data."""
    api.call("POST", path(IPAM, "ippools"), {
        "apiVersion": IPAM, "kind": "IPPool", "metadata": {"name": NAME},
        "spec": {"clusterName": NAME, "namePrefix": NAME, "prefix": 16, "gateway": "10.9.0.1",
                 "pools": [{"start": "10.9.0.10", "end": "10.9.255.250"}]}})
    pool = {"apiGroup": IPAM.split("/")[0], "kind": "IPPool", "name": NAME}
    api.call("POST", path(CAPM3, "metal3datatemplates"), {
        "apiVersion": CAPM3, "kind": "Metal3DataTemplate", "metadata": {"name": NAME},
        "spec": {"clusterName": NAME,
                 "metaData": {"objectNames": [{"key": "name", "object": "machine"}],
                              "ipAddressesFromPool": [{"key": "address", **pool}]},
                 "networkData": {
                     "links": {"ethernets": [{"type": "phy", "id": "eth0", "mtu": 1500,
                                              "macAddress": {"fromHostInterface": "nic-1"}}]},
                     "networks": {"ipv4": [{"id": "net", "link": "eth0", "ipAddressFromIPPool": NAME}]}}}})


def make_secret(api, name: str, value: str):
    """Of the kind that Cluster API and its bootstrap providers make."""
    api.call("POST", SECRETS, {"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
                               "metadata": {"name": name, "labels": LABELS}, "stringData": {"value": value}})


def check_own(api, count: int):
    """That nothing is used twice."""
    consumers = [each["spec"].get("consumerRef", {}).get("name") for each in api.call("GET", HOSTS)["items"]]
    indexes = [each["spec"]["index"] for each in api.call("GET", path(CAPM3, "metal3datas"))["items"]]
    addresses = [each["spec"]["address"] for each in api.call("GET", path(IPAM, "ipaddresses"))["items"]]
    for what, values in (("machine with a host", consumers), ("index", indexes), ("address", addresses)):
        if len(set(values)) != count or None in values:
            raise RuntimeError(f"{len(set(values))} times another {what} for {count} machines")
