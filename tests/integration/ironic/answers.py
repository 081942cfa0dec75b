#!/usr/bin/env python3
"""Holds tests/data/ironic/answers.json against a real Ironic: what it answers to each request, and where the node is then.
tests/ironic-client/answers_test.cpp holds the double against the same file.

    answers.py            compare
    answers.py --record   write the file anew (then look at the difference)
"""
import argparse
import functools
import hashlib
import http.server
import json
import pathlib
import shutil
import signal
import sys
import tempfile
import threading
import time

import answers_stories
import peers
import rest
from patience import Stopwatch

FILE = peers.ROOT / "tests/data/ironic/answers.json"
VERSION = "1.110"
NEVER = "86400"
# A power sync that finds what is recorded empties last_error: one by chance would change an answer.
STAGES = ((answers_stories.STORIES, ("--power-sync-interval", NEVER)),
          (answers_stories.LOST_BMCS, ("--power-sync-interval", "2", "--power-recovery-interval", "3")))
ALL = [story for stories, _ in STAGES for story in stories]
TARGETS = ("provision_state", "target_provision_state", "target_power_state", "fault")


def shown(node, power):
    """The fields by which a step is judged, as far as they are set. The holder of the node and the words of last_error
    are left out: they differ from run to run."""
    out = {key: node[key] for key in TARGETS}
    out["maintenance"] = node["maintenance"]
    out["error"] = bool(node["last_error"])
    out["aborted"] = "aborted" in (node["last_error"] or "")
    out["instance_uuid"] = bool(node["instance_uuid"])
    out["instance_info"] = bool(node["instance_info"])
    if power:
        out["power_state"] = node["power_state"]
    return {key: value for key, value in out.items() if value}


def settle(ironic, path, wanted, fault=None, forgotten=False, seconds=60):
    """The node once it is in one of the wanted states, has the fault that is waited for, its last error is forgotten if that is
    waited for, and nobody holds it."""
    watch = Stopwatch()
    while True:
        status, node = ironic.request("GET", path)
        if status != 200:
            raise RuntimeError(f"{path}: {node}")
        resting = not node["reservation"] and not node["target_power_state"]
        awaited = (fault is None or (node["fault"] or "") == fault) and not (forgotten and node["last_error"])
        if resting and awaited and (not wanted or node["provision_state"] in wanted):
            return node
        if watch.over(seconds):
            raise RuntimeError(f"{node['name']} is \"{node['provision_state']}\" with fault {node['fault']} instead of "
                               f"{wanted or fault}: {node['last_error']}")
        time.sleep(0.2)


def tell(ironic, story, replaced):
    """The story with its answers."""
    def here(value):
        return json.loads(functools.reduce(lambda text, pair: text.replace(*pair), replaced.items(), json.dumps(value)))
    status, node = ironic.request("POST", "/v1/nodes", here({"name": story["name"].replace(" ", "-"), **story["node"]}))
    if status != 201:
        raise RuntimeError(f"{story['name']}: no node: {node}")
    path = f"/v1/nodes/{node['uuid']}"
    if "mac" in story:
        ironic.request("POST", "/v1/ports", {"node_uuid": node["uuid"], "address": story["mac"], "pxe_enabled": True})
    steps = []
    for step in story["steps"]:
        began = time.monotonic()
        below = step["path"] if step["path"][:1] in ("", "?") else f"/{step['path']}"
        status, answer = ironic.request(step["method"], path + below, here(step.get("body")))
        told = {**step, "status": status}
        if not (step["method"] == "DELETE" and not step["path"] and status < 300):
            node = settle(ironic, path, step.get("until") if status < 300 else None, step.get("fault"), step.get("forgotten"))
            told["then"] = shown(node, step["path"] == "states/power" or bool(step.get("fault")))
        steps.append(told)
        words = json.dumps(answer)[:160] if status >= 400 else node["last_error"] or ""
        print(f"{story['name']}: {step['method']} {step['path']} {json.dumps(step.get('body'))[:80]} → {status}, "
              f"{node['provision_state']} ({time.monotonic() - began:.1f} s) {words}", flush=True)
    return {**story, "steps": steps}


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Stage:
    """A real Ironic with fake hardware, and the web server its ramdisks and images come from."""

    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ingot-ironic-"))
        root = self.folder / "http"
        root.mkdir()
        image = b"\0" * (1 << 20)
        (root / "image.raw").write_bytes(image)
        self.web = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=str(root)))
        threading.Thread(target=self.web.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self.web.server_port}"
        self.replaced = {"http://files": url, "SHA256": hashlib.sha256(image).hexdigest()}
        self.ironic = peers.IronicProcess(self.folder, url, root, "--callback-timeout", "600", *options,
                                          env={"INGOT_IRONIC_DRIVER": "fake-hardware"})

    def close(self, failed):
        self.ironic.stop()
        self.web.shutdown()
        if failed:
            print(self.ironic.tail())
        shutil.rmtree(self.folder, ignore_errors=True)


def written(told):
    """JSON with a line for each step."""
    stories = []
    for story in told:
        about = json.dumps({key: value for key, value in story.items() if key != "steps"})[:-1]
        stories.append(about + ', "steps": [\n  ' + ",\n  ".join(map(json.dumps, story["steps"])) + "]}")
    return "[\n" + ",\n".join(stories) + "]\n"


def recorded():
    return json.loads(FILE.read_text()) if FILE.exists() else []


def same_but_later(old, new, later):
    """Whether the same was answered, and the node was on its way from what it showed then to what it shows next."""
    before, after, seen = (set(then.items()) for then in (old["then"], later, new["then"]))
    return {**old, "then": None} == {**new, "then": None} and before & after <= seen <= before | after


def differences(before_all, told):
    for before, now in zip(before_all, told):
        following = [step.get("then", {}) for step in before["steps"][1:]] + [{}]
        for old, new, later in zip(before["steps"], now["steps"], following):
            if old != new and not (old.get("passing") and same_but_later(old, new, later)):
                yield f"{now['name']}: {new['method']} {new['path']} {new.get('body')}\n  recorded {old}\n  answered {new}"
    if [(s["name"], len(s["steps"])) for s in before_all] != [(s["name"], len(s["steps"])) for s in told]:
        yield "the stories are not those of the file: record it anew"


def tell_all(ironic, stories, replaced):
    """The stories whose answers were received, and the names of the others."""
    told, broken = [], []
    for story in stories:
        try:
            told.append(tell(ironic, story, replaced))
        except RuntimeError as error:
            broken.append(story["name"])
            print(f"{story['name']}: {error}", flush=True)
    return told, broken


def record(told):
    """Writes the answers into the file, which keeps those of the other stories."""
    now = {story["name"]: story for story in recorded() + told}
    FILE.write_text(written([now[story["name"]] for story in ALL if story["name"] in now]))


def compare(told, names):
    """Whether the answers are those of the file."""
    found = list(differences([story for story in recorded() if story["name"] in names], told))
    print("\n".join(found) or f"{sum(len(story['steps']) for story in told)} answers are as recorded")
    return not found


def tell_stories(stories, options, args):
    """Whether an Ironic with these options answers them as recorded."""
    stories = [each for each in stories if args.only in (None, each["name"])]
    if not stories:
        return True
    stage = Stage(*options)
    well = False
    try:
        stage.ironic.wait()
        told, broken = tell_all(rest.Ironic(stage.ironic.url, VERSION), stories, stage.replaced)
        if broken:
            print("could not be told:", broken)
        if args.record:
            record(told)
            well = not broken
        else:
            well = compare(told, [story["name"] for story in stories]) and not broken
    finally:
        stage.close(failed=not well)
    return well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--only", metavar="STORY", help="this one, not all")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is stopped
    wells = [tell_stories(stories, options, args) for stories, options in STAGES]
    return int(not all(wells))


if __name__ == "__main__":
    sys.exit(main())
