"""The simulated servers: one ingot-sim with a fleet file, its control interface and its journal."""
import http.client
import json
import secrets
import urllib.parse
import urllib.request

from failure import Unanswered

NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class Machine:
    """What the simulator says about one server once it listens."""

    def __init__(self, facts):
        self.name, self.address, self.port = facts["name"], facts["address"], facts["port"]
        self.username, self.password = facts["username"], facts["password"]
        self.mac, self.disk = facts["macs"][0], facts["disks"][0]
        self.system_path = facts["systemPath"]
        self.is_ipmi = facts["protocol"] == "ipmi"

    def bmc_address(self, scheme):
        """As a manifest gives it, for the scheme that the user chose."""
        return f"{scheme}://{self.address}:{self.port}{self.system_path}"


class Fleet:
    """`machines` by name; `url` serves files for Ironic, ramdisk commands and control; `ca` signed the BMCs' certificates."""

    def __init__(self, program, processes, folder):
        self.program, self.processes, self.folder = program, processes, folder
        self.http_root = folder / "http"
        self.machines = {}
        self.url = self.ca = self.process = None

    def start(self, protocols):
        """`protocols`: redfish or ipmi by machine name, in order; each machine gets a password and an address of its own."""
        self.start_with([{"name": name, "protocol": protocol, "password": secrets.token_hex(8)} for name, protocol in protocols.items()])

    def start_with(self, wanted, flags=()):
        """`wanted`: machines as in a fleet file; `flags`: further ones of the simulator."""
        self.http_root.mkdir(parents=True, exist_ok=True)
        config, ready = self.folder / "fleet.yaml", self.folder / "fleet.json"
        config.write_text(json.dumps({"machines": wanted}, indent=1))  # JSON is YAML
        self.process = self.processes.start("ingot-sim", [
            self.program, "run", "--config", config, "--data-dir", self.folder / "sim", "--http-root", self.http_root,
            "--ready-file", ready, *flags])
        self.process.wait_until(ready.exists, 60, "listening")
        facts = json.loads(ready.read_text())
        self.url, self.ca = facts["url"], facts["ca"]
        self.machines = {machine["name"]: Machine(machine) for machine in facts["machines"]}

    def call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with NO_PROXY.open(request, timeout=60) as answer:
                return json.loads(answer.read())
        except (OSError, http.client.HTTPException) as error:
            raise Unanswered(f"the simulator does not answer {method} {path}: {error}", self.process.log) from None

    def is_on(self, name):
        machines = self.call("GET", "/control/fleet")["machines"]
        return next(machine["power"] == "on" for machine in machines if machine["name"] == name)

    def journal(self, name="", since=0):
        query = urllib.parse.urlencode({"machine": name, "since": since})
        return self.call("GET", f"/control/journal?{query}")["entries"]

    def mark(self):
        """A place in the journal: everything after it is news."""
        entries = self.journal()
        return entries[-1]["sequence"] if entries else 0

    def set_fault(self, name, fault, on):
        self.call("PUT", f"/control/machines/{name}/faults/{fault}", {"on": on})
