"""As much of Ironic's REST interface as a life cycle needs, with the driver_info keys that Metal3 sends."""
import http.client
import json
import time
import urllib.parse

WAITING = {"inspect wait", "clean wait", "wait call-back", "deploying", "cleaning", "inspecting", "verifying", "deleting"}


def document_in(text):
    """None without text; what is no JSON (a proxy's words) stays text."""
    try:
        return json.loads(text) if text else None
    except ValueError:
        return text.decode(errors="replace")


class Ironic:
    """One kept connection: the API accepts with a backlog of 5."""

    def __init__(self, url, version="1.89"):
        self.host = urllib.parse.urlsplit(url).netloc
        self.headers = {"X-OpenStack-Ironic-API-Version": version, "Content-Type": "application/json",
                        "Accept": "application/json"}
        self.connection = None

    def request(self, method, path, body=None):
        """Status and document. A lock of Ironic's own (power sync, a periodic task) is waited for, and one of its database by who reads."""
        for attempt in range(30):
            try:
                self.connection = self.connection or http.client.HTTPConnection(self.host, timeout=60)
                self.connection.request(method, path, json.dumps(body) if body is not None else None, self.headers)
                answer = self.connection.getresponse()
                text = answer.read()
            except (OSError, http.client.HTTPException):
                self.connection = None
                time.sleep(0.5)
                continue
            is_locked = answer.status == 409 and b"is locked by" in text or answer.status >= 500 and method == "GET"
            if is_locked and attempt < 29:
                time.sleep(1)
                continue
            return answer.status, document_in(text)
        raise RuntimeError(f"{method} {path}: no answer")

    def call(self, method, path, body=None, accept=(200, 201, 202, 204)):
        """The document of an answer with an accepted status."""
        status, document = self.request(method, path, body)
        if status not in accept:
            raise RuntimeError(f"{method} {path}: {status} {json.dumps(document)[:500]}")
        return document

    def node(self, uuid):
        return self.call("GET", f"/v1/nodes/{uuid}")

    def move(self, uuid, target, **more):
        self.call("PUT", f"/v1/nodes/{uuid}/states/provision", {"target": target, **more})

    def patch(self, uuid, **values):
        self.call("PATCH", f"/v1/nodes/{uuid}", [{"op": "add", "path": "/" + key.replace("__", "/"), "value": value}
                                                  for key, value in values.items()])


def bmc_info(machine):
    """driver, interfaces and driver_info as baremetal-operator creates them from a BMC address."""
    if machine["protocol"] == "ipmi":
        return "ipmi", {"boot_interface": "ipxe", "raid_interface": "no-raid"}, {
            "ipmi_address": machine["address"], "ipmi_port": str(machine["port"]), "ipmi_username": machine["username"],
            "ipmi_password": machine["password"], "ipmi_priv_level": "ADMINISTRATOR"}
    return "redfish", {"raid_interface": "redfish", "firmware_interface": "redfish"}, {
        "redfish_address": f"https://{machine['address']}:{machine['port']}", "redfish_system_id": machine["systemPath"],
        "redfish_username": machine["username"], "redfish_password": machine["password"]}
