"""What deploy/monitoring asks Prometheus is there in what coordinator and agent really show, and Prometheus's own engine takes it;
its alerts say what they shall, once it has lasted."""
import json
import math
import re
import signal
import subprocess
import sys
import typing

import manifests
import yaml
from api_server import ROOT
from case import SystemTest
from health import directly
from kube import hosts_path
from patience import within
from ports import free_port
from world import NAMESPACE, World

sys.path.insert(0, str(ROOT / "tools"))
import check_metrics_docs  # noqa: E402

MONITORING = ROOT / "deploy/monitoring"
RULES = MONITORING / "rules.yaml"
SECONDS = 60
PAGE_SECONDS = 240   # each page of a trouble stands for so long (tests/tools/promql)


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
    rules = yaml.safe_load(RULES.read_text())
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


class Monitoring(SystemTest):
    """What coordinator and agent show when nothing has happened yet, when much has, and, of that, as it were in trouble."""

    machines = 2
    world_type = Shown

    def setUp(self):
        super().setUp()
        self.engine, self.pages = built(), {}

    def test_every_query_finds_what_it_asks_for_and_every_alert_fires_when_it_should(self):
        world, asked = self.world, queries()
        world.start_agent("rack")
        within(SECONDS, "the agent shows metrics", lambda: self.take("early"))
        for name in world.names:
            world.create_host(name, online=False, image=False)
        within(SECONDS, "the hosts are counted", lambda: self.take("middle") and all(f'host="{name}",on_off="on"}} 0\n' in self.pages["middle"]["coordinator"]
                                                                                     for name in world.names))
        world.kube.merge(hosts_path(NAMESPACE, "m0"), {"spec": {"online": True, "image": manifests.IMAGE}})
        world.hosts.wait_for("m0", lambda host: host.state == "provisioned" and host.power == "on", SECONDS, "provisioned and on")
        within(SECONDS, "every selector finds something", lambda: self.take("late") and not self.unmatched(asked), lambda: self.unmatched(asked))
        self.all_is_well_and_shown(asked)
        self.each_alert_fires(asked)
        self.pages_are_documented()

    def all_is_well_and_shown(self, asked):
        answers = self.ask(asked, *self.well())
        self.assertEqual({}, {name: answer["error"] for name, answer in answers.items() if answer["error"]})
        self.assertEqual({}, {name: each for name, each in self.standings(*self.well()).items() if each["firing"] or each["pending"]},
                         "all is well, and these alerts fire, or will")
        empty = {name for name, answer in answers.items() if name.startswith("panel ") and not any(map(is_shown, answer["numbers"]))}
        self.assertEqual(set(), empty)
        flat = {name for name in GROWS if not any(number > 0 for number in map(float, answers[name]["numbers"]))}
        self.assertEqual(set(), flat, "what has happened does not show")

    def each_alert_fires(self, asked):
        alerts = {name.removeprefix("alert ") for name in asked if name.startswith("alert ")}
        self.assertEqual(alerts, {*ILL, *GONE, IRONIC}, "an alert that nobody has seen firing")
        guide = (ROOT / "docs/guide/install.md").read_text()
        self.assertEqual(set(), {alert for alert in alerts if f"`{alert}`" not in guide}, "alerts of which nobody is told what to do")
        lasts = {alert: each["seconds"] for alert, each in self.standings(*self.well()).items()}
        for alert, trouble in ILL.items():
            with self.subTest(alert):
                late = self.texts(trouble.program)[-1]
                self.fires_once_it_has_lasted(alert, lasts[alert], trouble.program, lambda step, late=late, trouble=trouble: changed(late, trouble, step))
        for alert, program in GONE.items():
            with self.subTest(alert):
                self.fires_once_it_has_lasted(alert, lasts[alert], program, lambda _: "")
        self.a_dead_ironic_is_told_of(lasts[IRONIC])

    def fires_once_it_has_lasted(self, alert, seconds, program, page):
        """Alone, and not before; and says so in words. `page`: what the program shows in each step of the trouble."""
        well = {name: self.texts(name) for name in ("coordinator", "agent")}
        for steps in (1, 2 + math.ceil(seconds / PAGE_SECONDS)):
            pages = [self.written(f"{alert}-{name}", texts + ([page(step) for step in range(1, steps + 1)] if name == program else []))
                     for name, texts in well.items()]
            stands = self.standings(*pages)
            if steps * PAGE_SECONDS < seconds:
                self.assertEqual([], stands[alert]["firing"], "it fires before it has lasted")
            else:
                self.assertEqual({alert}, {name for name, each in stands.items() if each["firing"]})
        self.says_what_is_wrong(stands[alert]["firing"], {"job"} | ({"instance"} if program == "coordinator" else set()))

    def says_what_is_wrong(self, firing, untold):
        """How bad it is, and of what: whatever tells two of an alert apart stands in its text. Of coordinators one leads, whichever."""
        for each in firing:
            self.assertIn(each["labels"]["severity"], ("critical", "warning"))
            self.assertEqual({"summary"}, set(each["annotations"]))
            summary = each["annotations"]["summary"]
            self.assertRegex(summary, r"^[A-Z][^{}]+\.$")
            apart = {name: value for name, value in each["labels"].items() if name not in {"severity", *untold}}
            self.assertEqual({}, {name: value for name, value in apart.items() if value not in summary}, summary)

    def a_dead_ironic_is_told_of(self, seconds):
        """By a coordinator that has one, which does not answer."""
        dead = Ironless(self.world.programs, self.folder / "without-ironic", 0, {})
        self.addCleanup(dead.stop)
        dead.start()
        page = lambda: directly(page_of(dead), seconds=10).read().decode()   # noqa: E731
        within(SECONDS, "it knows that Ironic does not answer", lambda: "\ningot_ironic_up 0\n" in page())
        down = page()
        up = changed(down, Trouble("coordinator", r"^ingot_ironic_up \S+$", 1), 1)
        agent = self.written("agent", self.texts("agent"))
        lasting = [up, *[down] * (2 + math.ceil(seconds / PAGE_SECONDS))]
        for pages, fires in ([up], set()), ([up, down], set()), (lasting, {IRONIC}):
            stands = self.standings(self.written("ironic", pages), agent)
            self.assertEqual(fires, {name for name, each in stands.items() if each["firing"]})
        self.says_what_is_wrong(stands[IRONIC]["firing"], set())
        dead.signal(dead.coordinator, signal.SIGTERM)
        dead.signal(dead.fleet.process, signal.SIGTERM)

    def pages_are_documented(self):
        rows = check_metrics_docs.rows(check_metrics_docs.PAGE.read_text())
        shown = set()
        for program in ("coordinator", "agent"):
            page = self.texts(program)[-1]
            self.assertEqual(set(), undocumented(page, rows), program)
            shown |= {family[2] for family in map(FAMILY.fullmatch, page.splitlines()) if family}
        self.assertEqual(NOT_HERE, rows.keys() - shown, "rows of metrics that no page has, in a world that has cause to show them")

    # Pages

    def take(self, when):
        """True once there is something of both."""
        self.pages[when] = {name: directly(url, seconds=10).read().decode() for name, url in (
            ("coordinator", page_of(self.world)), ("agent", f"http://127.0.0.1:{self.world.agent_page}/metrics"))}
        return True

    def texts(self, program):
        return [self.pages[when][program] for when in ("early", "middle", "late")]

    def well(self):
        return [self.written(program, self.texts(program)) for program in ("coordinator", "agent")]

    def written(self, name, texts):
        """As the engine wants pages that follow each other."""
        files = [self.folder / f"page-{name}-{number}.txt" for number in range(len(texts))]
        for file, text in zip(files, texts):
            file.write_text(text)
        return ",".join(map(str, files))

    # Questions

    def ask(self, asked, *pages):
        done = subprocess.run([self.engine, *pages], input=json.dumps(asked), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def unmatched(self, asked):
        answers = self.ask(asked, *self.well()).items()
        return {name: answer["unmatched"] for name, answer in answers if answer["unmatched"] and name not in OF_FAILURES}

    def standings(self, *pages):
        """How each alert stands at the end, by Prometheus's own reading of the rules."""
        done = subprocess.run([self.engine, "-rules", RULES, *pages], capture_output=True, text=True, check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        answers = json.loads(done.stdout)
        self.assertEqual({}, {name: each["error"] for name, each in answers.items() if each["error"]})
        return answers


def page_of(world):
    return next(url for url in world.metrics() if url.endswith("/metrics"))


class Ironless(World):
    """Whose coordinator finds nobody at Ironic's address."""

    def start(self):
        self.folder.mkdir()
        super().start()

    def coordinator_command(self):
        command = super().coordinator_command()
        at = command.index("--provisioner")
        return command[:at] + command[at + 2:]

    def coordinator_environment(self):
        return {"IRONIC_ENDPOINT": f"http://127.0.0.1:{free_port()}/v1/"}


def is_shown(number):
    return number != "NaN"


class Growth(typing.NamedTuple):
    by: float


class Trouble(typing.NamedTuple):
    """Whose page, which of its series, and what they say then, or by how much they grow. `told`: what of their labels is another
    one in trouble, and which."""
    program: str
    pattern: str
    value: object
    told: tuple = ("", "")


def changed(text, trouble, step):
    """The page in that trouble; the series must be there."""
    def line(found):
        series, _, number = found[0].replace(*trouble.told).rpartition(" ")
        return f"{series} {float(number) + step * trouble.value.by if isinstance(trouble.value, Growth) else trouble.value}"
    out, count = re.subn(trouble.pattern, line, text, flags=re.M)
    assert count, f"no series is as {trouble.pattern}"
    return out


# There with Ironic, in shadow, or with workload clusters; of what fails, waits or is given back; of BMCs that say it.
NOT_HERE = {"ingot_ironic_up", "ingot_shadow_decisions_total", "ingot_shadow_pending", "ingot_shadow_withheld_total",
            "capi_cluster_cache_connection_up", "capi_cluster_cache_healthcheck", "capi_cluster_cache_healthchecks_total",
            "metal3_host_error_total", "metal3_host_config_data_error_total", "metal3_delayed__provisioning_total",
            "metal3_delayed__deprovisioning_total", "metal3_operation_deprovision_duration_seconds",
            "bmh_current_amperes", "bmh_fan_ratio", "bmh_log_entries_total", "bmh_sensors_left_out"}
IRONIC = "IngotIronicDown"
OF_FAILURES = ("alert IngotApiRefuses", "alert IngotBmcRefusesCredentials",   # of answers that nobody has given here
               f"alert {IRONIC}")                                             # of a back-end that this world has not
GROWS = ("panel Passes A", "panel Requests to Kubernetes A", "panel Changes of state A", "panel Seconds to provision, median and 95th percentile A",
         "panel Seconds to inspect, median A", "panel Power switched A")
# By what is seen of a program when it is gone.
GONE = {"IngotCoordinatorAbsent": "coordinator", "IngotAgentAbsent": "agent"}
ILL = {"IngotNobodyLeads": Trouble("coordinator", r"^ingot_leading \S+$", 0),
       "IngotStandsBy": Trouble("coordinator", r"^ingot_standing_by \S+$", 1),
       "IngotKindsNotServed": Trouble("coordinator", r'^ingot_unserved_kinds\{why="waited_for"\} \S+$', 2),
       "IngotReconcileErrors": Trouble("coordinator", r'^controller_runtime_reconcile_errors_total\{controller="baremetalhost"\} \S+$', Growth(4)),
       "IngotReconcileStuck": Trouble("coordinator", r'^workqueue_longest_running_processor_seconds\{name="baremetalhost",.*\} \S+$', 700),
       "IngotApiRefuses": Trouble("coordinator", r'^rest_client_requests_total\{code="200",.*method="PATCH"\} \S+$', Growth(300), ('"200"', '"500"')),
       "IngotBmcSilent": Trouble("coordinator", r'^bmh_bmc_up\{.*host="m0"\} \S+$', 0),
       "IngotBmcRefusesCredentials": Trouble("agent", r'^ingot_agent_bmcs\{state="ok"\} \S+$', 1, ('"ok"', '"authentication-failed"')),
       "IngotCredentialsUnusable": Trouble("coordinator", r"^metal3_credentials_invalid_total \S+$", Growth(1)),
       "IngotHostUnhealthy": Trouble("coordinator", r'^bmh_health_state\{.*host="m0"\} \S+$', 2),
       "IngotHostPartUnhealthy": Trouble("coordinator", r'^bmh_component_state\{.*component="Fan0".*\} \S+$', 2),
       "IngotHostTooWarm": Trouble("coordinator", r'^bmh_sensor_state\{.*kind="temperature".*\} \S+$', 2),
       "IngotAgentNotConnected": Trouble("agent", r"^ingot_agent_connected \S+$", 0),
       "IngotAgentNotApproved": Trouble("agent", r"^ingot_agent_approved \S+$", 0),
       "IngotAgentDropsMessages": Trouble("agent", r"^ingot_agent_messages_dropped_total \S+$", Growth(1))}
