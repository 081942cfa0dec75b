"""Metal3's three managers as programs of a folder, and what Ingot does in the place of each."""
import typing

from health import healthy
from ports import free_port

START_SECONDS = 180


class Manager(typing.NamedTuple):
    name: str          # of the program, and of its user
    controllers: str   # of Ingot, in its place
    writes: frozenset  # the kinds that are its to write
    flags: tuple


OPERATOR = Manager("baremetal-operator", "host", frozenset({"baremetalhosts", "hardwaredata", "secrets"}),
                   ("--provisioner=fixture", "--webhook-port=0", "--metrics-addr=0"))
PROVIDER = Manager("cluster-api-provider-metal3",
                   "metal3cluster,metal3machine,metal3machinetemplate,metal3data,metal3labelsync,metal3remediation",
                   frozenset({"customresourcedefinitions", "metal3clusters", "metal3machines", "metal3machinetemplates", "metal3datatemplates",
                              "metal3dataclaims", "metal3datas", "metal3remediations", "baremetalhosts", "secrets", "ipclaims"}),
                   ("--diagnostics-address=0",))
ADDRESSES = Manager("ip-address-manager", "ipam", frozenset({"ippools", "ipclaims", "ipaddresses"}),
                    ("--diagnostics-address=0",))
MANAGERS = (OPERATOR, PROVIDER, ADDRESSES)
OF_ALL = {"events", "leases"}   # that any of them may write


class Neighbours:
    """The programs of `folder`, each without leader election and metrics. `certificates`: for the webhooks of those that
    cannot do without; `port`: where the provider is asked to convert."""

    def __init__(self, folder, certificates, port):
        self.folder = folder
        self.webhooks = {PROVIDER.name: port, ADDRESSES.name: free_port()}
        self.certificates = certificates
        self.running = {}

    def start(self, capi, manager, turn):
        if manager.name in self.running:
            return
        health = f"127.0.0.1:{free_port()}"
        flags = [*manager.flags, f"--health-addr={health}"]
        if manager.name in self.webhooks:
            flags += [f"--webhook-port={self.webhooks[manager.name]}", f"--webhook-cert-dir={self.certificates}"]
        process = capi.processes.start(f"{turn}-{manager.name}", [self.folder / manager.name, *flags],
                                       {"KUBECONFIG": str(capi.api.kubeconfig_of(manager.name))})
        process.wait_until(lambda: healthy(f"http://{health}/readyz"), START_SECONDS, "being ready")
        self.running[manager.name] = process

    def stop(self, capi, manager):
        process = self.running.pop(manager.name, None)
        if process:
            capi.processes.end(process)
