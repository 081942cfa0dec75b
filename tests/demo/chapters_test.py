"""What the chapters refuse to call right: a walk with a detour, a disk that was not wiped, a journal that breaks the rule."""
import contextlib
import http.client
import pathlib
import socket
import ssl
import tempfile
import threading
import types
import unittest

import parts
from parts import request

import chapters
from failure import Failure
from hosts import Host, Hosts
from kube import Kube
from witness import Looks


class Told:
    """What the audience was told."""

    def __init__(self):
        self.facts, self.lines = [], []

    def fact(self, text):
        self.facts.append(text)

    def plain(self, text):
        self.lines.append(text)


class WatchedHosts(Hosts):
    """Without a watch: a test says what the API says."""

    def _follow(self):
        pass

    def say(self, state, name="node-1", on=True, error="", version=None):
        status = {"provisioning": {"state": state}, "poweredOn": on, "errorMessage": error, "errorType": "power management error"}
        self._take(version, "MODIFIED", {"metadata": {"name": name}, "spec": {"online": True}, "status": status})


def stage(*walk):
    processes = parts.Processes()
    hosts = WatchedHosts(None, "metal3", processes)
    for state in walk:
        hosts.say(state)
    return types.SimpleNamespace(hosts=hosts, processes=processes, table=contextlib.nullcontext(),
                                 manifests=types.SimpleNamespace(hosts={"node-1": {}}, namespace="metal3"))


class TheWalk(unittest.TestCase):
    def setUp(self):
        self.addCleanup(setattr, chapters, "PROVISION_SECONDS", chapters.PROVISION_SECONDS)
        chapters.PROVISION_SECONDS = 0

    def test_in_its_order_is_told(self):
        told = Told()
        chapters.provisioning(stage(*chapters.WALK), told)
        self.assertIn("1 hosts went registering → inspecting", told.facts[0])

    def test_with_a_detour_is_a_failure(self):
        walk = ["registering", "inspecting", "preparing", "inspecting", *chapters.WALK[2:]]
        with self.assertRaises(Failure) as found:
            chapters.provisioning(stage(*walk), Told())
        self.assertEqual(str(found.exception), "node-1 went " + " → ".join(walk))
        self.assertEqual(found.exception.log, "ingot-coordinator.log")

    def test_that_takes_too_long_tells_how_each_host_stands(self):
        at = stage("registering", "inspecting")
        at.hosts.say("inspecting", on=False, error="the BMC is silent")
        with self.assertRaises(Failure) as found:
            chapters.provisioning(at, Told())
        self.assertEqual(str(found.exception), "provisioning every host did not happen within 0 s (node-1 is inspecting, power off, "
                         "power management error: the BMC is silent)")

    def test_of_a_host_that_never_appears_says_so(self):
        with self.assertRaisesRegex(Failure, r"did not happen within 0 s \(there are no hosts\)"):
            chapters.provisioning(stage(), Told())

    def test_ends_at_once_when_a_program_does(self):
        at = stage("registering")
        at.processes.ended = Failure("ironic ended with exit code 1: no space left")
        with self.assertRaisesRegex(Failure, "ironic ended with exit code 1"):
            chapters.provisioning(at, Told())


class TheHistoryOfHosts(unittest.TestCase):
    def test_a_new_list_forgets_hosts_that_are_gone(self):
        hosts = stage("available").hosts
        hosts._take("7", None, [])
        self.assertEqual(hosts.now, {})

    def test_a_deleted_host_is_gone(self):
        hosts = stage("available").hosts
        hosts._take(None, "DELETED", {"metadata": {"name": "node-1"}})
        self.assertEqual(hosts.now, {})

    def test_power_that_nobody_knows_is_not_shown_as_known(self):
        conditions = [{"type": "PowerStateKnown", "status": "Unknown"}]
        host = Host({"metadata": {"name": "a"}, "spec": {},
                     "status": {"provisioning": {"state": "available"}, "poweredOn": True, "conditions": conditions}})
        self.assertEqual(host.power, "unknown")


class TheWipedDisk(unittest.TestCase):
    def test_with_a_partition_table_is_a_failure(self):
        with tempfile.TemporaryDirectory() as folder:
            disk = pathlib.Path(folder) / "disk"
            disk.write_bytes(bytes(4 << 20))
            at = types.SimpleNamespace(fleet=types.SimpleNamespace(machines={"node-2": types.SimpleNamespace(disk=disk)},
                                                                   process=parts.Logged("ingot-sim.log")))
            self.assertEqual(chapters.verify_wiped(at, "node-2"), "blkid finds nothing on its disk")
            chapters.verify.run(["sfdisk", "--quiet", disk], "a table", stdin="label: gpt\n")
            with self.assertRaisesRegex(Failure, f"node-2: cleaning left a partition table on {disk}"):
                chapters.verify_wiped(at, "node-2")


class TheJournal(unittest.TestCase):
    def stage(self, folder, entries, looks, answers=True):
        fleet = parts.Fleet()
        fleet.entries, fleet.machines = entries, {"a": types.SimpleNamespace(is_ipmi=False)}
        witness = types.SimpleNamespace(looks=looks, wait_for_look_after=lambda when: answers)
        ironic = types.SimpleNamespace(witness=witness, log=lambda: "ironic.log")
        return types.SimpleNamespace(folder=pathlib.Path(folder), fleet=fleet, ironic=ironic)

    def test_that_breaks_the_rule_is_left_as_evidence(self):
        zero = chapters.audit.when(request("x", "y"))
        with tempfile.TemporaryDirectory() as folder:
            at = self.stage(folder, [request("agent", "On")], Looks([(zero - 1, zero - 0.9, "a"), (zero + 1, zero + 1.1, "a")]))
            with self.assertRaises(Failure) as found:
                chapters.journal(at, Told())
            self.assertRegex(str(found.exception), "the agent wrote to a BMC that Ironic owned: a reset On")
            self.assertEqual(found.exception.log, pathlib.Path(folder) / "evidence.json")
            self.assertTrue(found.exception.log.exists())

    def test_lets_nobody_but_ironic_switch_an_ipmi_host_unless_the_agent_may(self):
        zero = chapters.audit.when(request("x", "y"))
        with tempfile.TemporaryDirectory() as folder:
            at = self.stage(folder, [request("ipmi", "On")], Looks([(zero - 1, zero - 0.9, ""), (zero + 1, zero + 1.1, "")]))
            at.fleet.machines["a"].is_ipmi = True
            with self.assertRaisesRegex(Failure, "an IPMI host that Ironic did not own: a reset On"):
                chapters.journal(at, Told())
            told = Told()
            chapters.journal(at, told, agent_leaves_ipmi_alone=False)
            self.assertIn("none of the agent's 0 writes", told.facts[0])

    def test_without_a_witness_at_its_end_proves_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            at = self.stage(folder, [request("agent", "On")], Looks(), answers=False)
            with self.assertRaisesRegex(Failure, "Ironic no longer answers the witness who looks at its nodes"):
                chapters.journal(at, Told())


def break_off(listener):
    """Promises ten bytes and sends two."""
    connection, _ = listener.accept()
    with connection:
        connection.recv(4096)
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}")


def answer_twice_each(listener, came):
    """Ends the first connection after two answers, and the second after one."""
    for name, answers in (("first", 2), ("second", 1)):
        connection, _ = listener.accept()
        with connection:
            for _ in range(answers):
                connection.recv(4096)
                came.append(name)
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


class TheApi(unittest.TestCase):
    """Answers of the Kubernetes API that end a demo."""

    def kube(self, *answers):
        kube, left = Kube.__new__(Kube), list(answers)
        kube.ask = lambda *_: left.pop(0)
        return kube

    def test_a_refusal_is_told_in_the_servers_words(self):
        with self.assertRaisesRegex(Failure, "the Kubernetes API refuses PATCH /x: no such field"):
            self.kube((422, b'{"message": "no such field"}')).merge("/x", {})

    def test_a_refusal_that_is_not_json_is_told_as_it_is(self):
        with self.assertRaisesRegex(Failure, "the Kubernetes API refuses DELETE /x: bad gateway"):
            self.kube((502, b"bad gateway")).delete("/x")

    def test_a_server_that_is_gone_or_says_nothing_is_told_with_what_was_asked(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:   # it never takes a connection
            silent = "127.0.0.1:%d" % listener.getsockname()[1]
            for address, seconds, words in ((silent, 0.2, "timed out"), ("127.0.0.1:1", 5, "Connection refused")):
                kube = Kube.__new__(Kube)
                kube.address, kube.tls, kube.headers = address, ssl.create_default_context(), {}
                kube.connect = lambda kube=kube, seconds=seconds: Kube.connect(kube, seconds)
                with self.subTest(words), self.assertRaisesRegex(Failure, f"the Kubernetes API does not answer PATCH /x: .*{words}"):
                    kube.merge("/x", {})

    def test_an_answer_that_breaks_off_is_told(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            kube = Kube.__new__(Kube)
            kube.headers, kube.idle = {}, []
            kube.connect = lambda: http.client.HTTPConnection(*listener.getsockname(), timeout=5)
            server = threading.Thread(target=break_off, args=(listener,), daemon=True)
            server.start()
            with self.assertRaisesRegex(Failure, "the Kubernetes API does not answer GET /x: "):
                kube.get("/x")
            server.join()

    def test_who_only_looks_does_so_on_one_connection_until_it_ends(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            kube, came = Kube.__new__(Kube), []
            kube.headers, kube.idle = {}, []
            kube.connect = lambda: http.client.HTTPConnection(*listener.getsockname(), timeout=5)
            server = threading.Thread(target=answer_twice_each, args=(listener, came), daemon=True)
            server.start()
            self.assertEqual([{}] * 3, [kube.get("/x") for _ in range(3)])
            server.join()
            self.assertEqual(["first", "first", "second"], came)

    def test_what_is_not_there_is_none(self):
        self.assertIsNone(self.kube((404, b"{}")).get("/x"))


if __name__ == "__main__":
    unittest.main()
