"""A witness of which nodes Ironic owned when: looks at them again and again and remembers every look."""
import http.client
import json
import threading
import time

from failure import Failure

FIELDS = ("uuid,name,provision_state,target_provision_state,power_state,target_power_state,reservation,"
          "clean_step,deploy_step,last_error")
RESTING = {"enroll", "manageable", "available", "active", "inspect failed", "clean failed", "deploy failed", "error",
           "adopt failed"}
BLIND_SECONDS = 10   # without a look at Ironic for longer the witness is worth nothing
LOOK_SECONDS = 60    # Ironic answers that late at most, however busy the machine is


def owned_by_ironic(node):
    """Ironic may be changing power, boot or disks of this node right now."""
    return bool(node["provision_state"] not in RESTING or node["target_provision_state"] or node["target_power_state"]
                or node["reservation"])


def named(nodes):
    """By host name: ours are called NAMESPACE~NAME. A node without a name is nobody's yet."""
    return {node["name"].split("~")[-1]: node for node in nodes if node["name"]}


class Looks:
    """Every look: wall time asked, wall time answered, and the names of the nodes that Ironic owned."""

    def __init__(self, looks=()):
        self.list = [(asked, answered, frozenset(owned)) for asked, answered, owned in looks]

    def add(self, asked, answered, owned):
        self.list.append((asked, answered, frozenset(owned)))

    def copy(self):
        return Looks(self.list)

    def owned_at(self, name, when):
        """Whether Ironic owned the node at that wall time: seen so right before and right after it."""
        return all(name in look[2] for look in self._beside(name, when))

    def owned_around(self, name, when):
        """Whether Ironic may have owned the node at that time: seen so right before or right after it."""
        return any(name in look[2] for look in self._beside(name, when))

    def _beside(self, name, when):
        before = next((look for look in reversed(self.list) if look[1] <= when), None)
        after = next((look for look in self.list if look[0] >= when), None)
        if not before or not after or after[0] - before[1] > BLIND_SECONDS:
            raise Failure(f"nobody looked at Ironic when the BMC of {name} was written to")
        return before, after


class Witness:
    """`nodes` is what was seen last, by host name."""

    def __init__(self, port, every=0.5):
        self.port, self.every, self.nodes, self.looks = port, every, {}, Looks()
        self.looked, self.stopping = threading.Condition(), threading.Event()

    def start(self):
        threading.Thread(target=self._watch, daemon=True).start()

    def close(self):
        self.stopping.set()

    def wait_for_look_after(self, when, seconds=LOOK_SECONDS):
        """Returns once a look has been answered that was asked for after that wall time; whether there was one."""
        with self.looked:
            return self.looked.wait_for(lambda: bool(self.looks.list) and self.looks.list[-1][0] >= when, seconds)

    def _watch(self):
        """Over one kept connection: Ironic accepts few."""
        connection = None
        while not self.stopping.wait(self.every):
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
            try:
                asked = time.time()
                connection.request("GET", f"/v1/nodes?fields={FIELDS}", headers={"X-OpenStack-Ironic-API-Version": "1.110"})
                nodes = named(json.loads(connection.getresponse().read())["nodes"])
            except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
                connection = None   # it is starting, ending, or too busy: look again
                continue
            self._note(asked, nodes)

    def _note(self, asked, nodes):
        with self.looked:
            self.nodes = nodes
            self.looks.add(asked, time.time(), (name for name, node in nodes.items() if owned_by_ironic(node)))
            self.looked.notify_all()
