"""What deploy/monitoring asks Prometheus is there in what coordinator and agent really show, and Prometheus's own engine takes it."""
import json
import re
import subprocess
import sys

import yaml
from api_server import ROOT
from case import LoggedTest, SystemTest
from health import directly
from patience import within
from ports import free_port
from world import World

sys.path.insert(0, str(ROOT / "tools"))
import check_metrics_docs  # noqa: E402

MONITORING = ROOT / "deploy/monitoring"
SECONDS = 60


class Shown(World):
    """Whose agent shows metrics, too, and whose coordinator reads sensors at once."""

    def start(self):
        self.agent_page = free_port()
        super().start()

    def coordinator_command(self):
        return [*super().coordinator_command(), "--sensor-poll-seconds", "1"]

    def agent_command(self, *words):
        return [*super().agent_command(*words), "--metrics-addr", f"127.0.0.1:{self.agent_page}"]


def queries():
    """By where they are: of each rule, and of each panel."""
    rules = yaml.safe_load((MONITORING / "rules.yaml").read_text())
    out = {f"alert {rule['alert']}": rule["expr"] for group in rules["spec"]["groups"] for rule in group["rules"]}
    for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"]:
        out |= {f"panel {panel['title']} {each['refId']}": each["expr"] for each in panel.get("targets", ())}
    return out


FAMILY = re.compile(r"# (HELP|TYPE) (\S+) (.+)")
SAMPLE = re.compile(r"([a-z0-9_]+)(?:\{(.*)\})? \S+")


def undocumented(page, rows):
    """What a page of metrics shows otherwise than docs/guide/metrics.md says."""
    found, kind = set(), ""
    for line in page.splitlines():
        if family := FAMILY.fullmatch(line):
            name, kind = family[2], family[3] if family[1] == "TYPE" else kind
            row = rows.get(name)
            if row is None or family[3] not in (row[0], row[2].replace("\\", "\\\\")):
                found.add(line)
        elif sample := SAMPLE.fullmatch(line):
            name = re.sub(r"_(bucket|sum|count)$", "", sample[1]) if kind == "histogram" else sample[1]
            labels = set(re.findall(r'([a-z_]+)="(?:[^"\\]|\\.)*"', sample[2] or "")) - {"le"}
            if name not in rows or not labels <= rows[name][1]:
                found.add(line)
        else:
            found.add(line)
    return found


def built():
    return subprocess.run([ROOT / "tools/peers/promql.sh"], capture_output=True, text=True, check=True).stdout.strip().splitlines()[-1]


class Alerts(LoggedTest):
    def test_alerts_fire(self):
        """Where what they are about is so."""
        engine = built()
        page = self.folder / "ill.txt"
        page.write_text("\n".join(ILL) + "\n")
        asked = {name: query for name, query in queries().items() if name.startswith("alert ")}
        done = subprocess.run([engine, page], input=json.dumps(asked), capture_output=True, text=True, check=True)
        silent = {name for name, answer in json.loads(done.stdout).items() if not answer["series"]}
        self.assertEqual(set(COUNTED) | {"alert IngotCoordinatorAbsent", "alert IngotAgentAbsent"}, silent)   # what never changes was never counted


class Monitoring(SystemTest):
    machines = 2
    world_type = Shown

    def test_every_query_finds_what_it_asks_for(self):
        world = self.world
        engine = built()
        world.start_agent("rack")
        world.create_host("m0")
        world.create_host("m1", online=False, image=False)
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned", SECONDS, "provisioned")
        asked = queries()
        within(SECONDS, "every selector finds something", lambda: not self.unmatched(engine, asked), lambda: self.unmatched(engine, asked))
        answers = self.answers(engine, asked)
        self.assertEqual({}, {name: answer["error"] for name, answer in answers.items() if answer["error"]})
        fires = {name for name, answer in answers.items() if name.startswith("alert ") and answer["series"]}
        self.assertEqual(set(), fires, "all is well, and these alerts fire")
        empty = {name for name, answer in answers.items() if name.startswith("panel ") and not answer["series"]}
        self.assertEqual(set(), empty)
        rows = check_metrics_docs.rows(check_metrics_docs.PAGE.read_text())
        for program in ("coordinator", "agent"):
            self.assertEqual(set(), undocumented((self.folder / f"{program}.txt").read_text(), rows), program)

    def unmatched(self, engine, asked):
        answers = self.answers(engine, asked).items()
        return {name: answer["unmatched"] for name, answer in answers if answer["unmatched"] and name not in OF_FAILURES}

    def answers(self, engine, asked):
        pages = []
        for name, url in (("coordinator", next(url for url in self.world.metrics() if url.endswith("/metrics"))),
                          ("agent", f"http://127.0.0.1:{self.world.agent_page}/metrics")):
            pages.append(self.folder / f"{name}.txt")
            pages[-1].write_bytes(directly(url, seconds=10).read())
        done = subprocess.run([engine, *pages], input=json.dumps(asked), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


OF_FAILURES = ("alert IngotApiRefuses", "alert IngotBmcRefusesCredentials")   # of answers that nobody has given here
COUNTED = ("alert IngotReconcileErrors", "alert IngotApiRefuses", "alert IngotCredentialsUnusable", "alert IngotAgentDropsMessages")
ILL = ('ingot_leading 0', 'ingot_standing_by 1', 'ingot_unserved_kinds{why="waited_for"} 2', 'workqueue_longest_running_processor_seconds{name="host"} 700',
       'bmh_bmc_up{namespace="metal",host="a"} 0', 'bmh_health_state{namespace="metal",host="a"} 2',
       'bmh_component_state{namespace="metal",host="a",component="Fan0",kind="fan"} 2',
       'bmh_sensor_state{namespace="metal",host="a",sensor="Inlet",kind="temperature"} 2', 'ingot_agent_connected 0', 'ingot_agent_approved 0',
       'ingot_agent_bmcs{state="authentication-failed"} 1')
