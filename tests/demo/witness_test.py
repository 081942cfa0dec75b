"""The witness: what it remembers of Ironic's nodes, and that it can be waited for. Ironic is a small HTTP server here."""
import http.server
import json
import pathlib
import tempfile
import threading
import unittest

import parts  # noqa: F401  (it finds the demo's modules)

import evidence
from evidence import Evidence
from witness import Looks, Witness


def node(**differs):
    return {"uuid": "u", "name": "metal3~node-1", "provision_state": "active", "target_provision_state": None,
            "power_state": "power on", "target_power_state": None, "reservation": None, **differs}


class Nodes(http.server.BaseHTTPRequestHandler):
    answers = []   # of the first requests, then the last again

    def do_GET(self):
        status, nodes = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        body = json.dumps({"nodes": nodes}).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class AWitness(unittest.TestCase):
    def watch(self, *answers):
        Nodes.answers = list(answers)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Nodes)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        witness = Witness(server.server_address[1], every=0.01)
        witness.start()
        for each in (server.server_close, server.shutdown, witness.close):
            self.addCleanup(each)
        return witness

    def test_sees_a_look_that_began_after_the_moment_it_is_waited_for(self):
        witness = self.watch((200, [node()]))
        self.assertTrue(witness.wait_for_look_after(0))
        moment = witness.looks.list[-1][1]
        self.assertTrue(witness.wait_for_look_after(moment))
        self.assertGreaterEqual(witness.looks.list[-1][0], moment)
        self.assertEqual(list(witness.nodes), ["node-1"])

    def test_goes_on_after_answers_that_are_no_list_of_nodes(self):
        witness = self.watch((503, None), (200, "nothing"), (200, [node()]))
        self.assertTrue(witness.wait_for_look_after(0))

    def test_that_gets_no_answer_says_so_when_the_time_is_over(self):
        witness = self.watch((200, "no list of nodes"))
        self.assertFalse(witness.wait_for_look_after(0, seconds=0.2))

    def test_remembers_what_ironic_owned(self):
        for owned, answer in ((True, node(provision_state="deploying")), (True, node(target_power_state="power off")),
                              (True, node(reservation="conductor")), (True, node(target_provision_state="active")),
                              (False, node()), (False, node(provision_state="deploy failed"))):
            with self.subTest(answer):
                witness = self.watch((200, [answer]))
                self.assertTrue(witness.wait_for_look_after(0))
                self.assertEqual("node-1" in witness.looks.list[-1][2], owned)


class AFileOfEvidence(unittest.TestCase):
    def test_reads_back_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Evidence([parts.request("agent", "On")], Looks([(1.0, 1.5, {"b", "a"}), (2.0, 2.1, ())]), ["c"]).write(
                pathlib.Path(folder) / "evidence.json")
            held = evidence.read(file)
        self.assertEqual(held.journal, [parts.request("agent", "On")])
        self.assertEqual(held.looks.list, [(1.0, 1.5, frozenset("ab")), (2.0, 2.1, frozenset())])
        self.assertEqual(held.ipmi, ["c"])


if __name__ == "__main__":
    unittest.main()
