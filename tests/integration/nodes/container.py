"""One container of a pod: a program in the pod's network, with a root of its own, that is started anew when it ends."""
import datetime
import pathlib
import re
import signal
import threading
import time

from nodes.network import NSENTER
from nodes.probes import Probe, ask
from nodes.volumes import field_of

START = pathlib.Path(__file__).with_name("container.sh")
REFERENCE = re.compile(r"\$\(([A-Za-z_][A-Za-z0-9_]*)\)")


class Wrong(Exception):
    """Why it cannot be started: the reason and the message of its state."""


class Backoff:
    """From one end to the next start: at once the first time, then twice as long each time; it begins anew with a container that
    ran for `reset` seconds."""

    def __init__(self, first=10, most=300, reset=600):
        self.first, self.most, self.reset, self.next = first, most, reset, 0

    def after(self, ran):
        wait = 0 if ran >= self.reset else self.next
        self.next = min(self.most, max(self.first, 2 * wait))
        return wait


class Container:
    """`pod` has `spec`, `object`, `sandbox`, `volumes`, `folder`, `node`. Its methods are called by one thread."""

    def __init__(self, pod, spec):
        self.pod, self.spec, self.name = pod, spec, spec["name"]
        self.ports = {each["name"]: each["containerPort"] for each in spec.get("ports", ()) if "name" in each}
        self.backoff = pod.node.backoff()
        self.process, self.probes, self.restarts, self.starts_at = None, {}, 0, 0
        self.state = {"waiting": {"reason": "ContainerCreating"}}
        self.last = {}
        self.ending = None   # the thread that ends it

    @property
    def address(self):
        return self.pod.sandbox.address

    def tick(self):
        """Starts it, sees its end, restarts it when it is ill."""
        if self.process is None:
            if time.monotonic() >= self.starts_at:
                self._start()
        elif self.process.child.poll() is not None:
            self._ended()
        elif self._is_ill() and self.ending is None:
            self.pod.node.ended(self.pod, self.process, was_ill=True)
            self.ending = threading.Thread(target=self.end, args=(self.pod.grace(),), daemon=True)
            self.ending.start()

    def is_started(self):
        startup = self.probes.get("startupProbe")
        return self.process is not None and (startup is None or startup.good is True)

    def is_ready(self):
        process, readiness = self.process, self.probes.get("readinessProbe")
        return process is not None and process.child.poll() is None and self.is_started() and (readiness is None or readiness.good is True)

    def _is_ill(self):
        return any(kind in self.probes and self.probes[kind].good is False for kind in ("startupProbe", "livenessProbe"))

    def _start(self):
        try:
            argv = self._command()
        except Wrong as wrong:
            self.state = {"waiting": {"reason": wrong.args[0], "message": wrong.args[1]}}
            self.starts_at = time.monotonic() + self.pod.node.look_seconds
            return
        self.process = self.pod.node.run(f"{self.pod.name}-{self.name}-{self.restarts}", argv)
        self.began, self.ending = time.monotonic(), None
        self.state = {"running": {"startedAt": now()}}
        wanted = {kind: self.spec[kind] for kind in ("startupProbe", "livenessProbe", "readinessProbe") if kind in self.spec}
        self.probes = {kind: Probe(probe, self, may_begin=lambda kind=kind: kind == "startupProbe" or self.is_started())
                       for kind, probe in wanted.items()}

    def _ended(self):
        code = self.process.child.returncode
        if self.ending is None:
            self.pod.node.ended(self.pod, self.process, was_ill=False)
        self._forget_process()
        wait = self.backoff.after(time.monotonic() - self.began)
        self.starts_at = time.monotonic() + wait
        self.last = self._terminated(code)
        self.state = {"waiting": {"reason": "CrashLoopBackOff", "message": f"back-off {wait} s restarting failed container"}}
        self.restarts += 1

    def _terminated(self, code):
        return {"terminated": {"exitCode": code if code >= 0 else 128 - code, "reason": "Completed" if code == 0 else "Error",
                               **({"signal": -code} if code < 0 else {}), "startedAt": self.state["running"]["startedAt"],
                               "finishedAt": now()}}

    def _forget_process(self):
        for probe in self.probes.values():
            probe.end()
        self.pod.node.forget(self.process)
        self.process, self.probes = None, {}

    def end(self, seconds):
        """Its hook, SIGTERM, and SIGKILL after so many seconds in all."""
        process, ends_at = self.process, time.monotonic() + seconds
        if process is None:
            return
        hook = self.spec.get("lifecycle", {}).get("preStop")
        if hook:
            run_hook(hook, self, seconds)
        process.child.send_signal(signal.SIGTERM)
        while process.child.poll() is None and time.monotonic() < ends_at:
            time.sleep(0.05)
        if process.child.poll() is None:
            process.child.kill()
            process.child.wait(60)

    def stop(self, seconds):
        """For good."""
        if self.process is None:
            return
        self.end(seconds)
        code = self.process.child.wait(60)
        self._forget_process()
        self.state = self._terminated(code)

    def leave(self):
        """To itself, as it is."""
        for probe in self.probes.values():
            probe.end()

    def status(self):
        return {"name": self.name, "image": self.spec["image"], "imageID": self.spec["image"], "restartCount": self.restarts,
                "ready": self.is_ready(), "started": self.is_started(), "state": self.state, "lastState": self.last}

    def enter(self):
        """For probes and hooks."""
        return [NSENTER, "--target", str(self.process.pid), "--net", "--mount", "--root", "--wd"]

    # What is started

    def _command(self):
        entry = self.pod.node.entry_of(self.spec["image"])
        if entry is None:
            raise Wrong("ErrImagePull", f"there is no image {self.spec['image']} on this machine")
        environment = self._environment()
        command = self.spec.get("command") or entry.command
        words = [expanded(str(word), environment) for word in [*command, *self.spec.get("args", ())]]
        security = {**self.pod.spec.get("securityContext", {}), **self.spec.get("securityContext", {})}
        user, group = security.get("runAsUser", entry.user), security.get("runAsGroup", entry.user)
        if security.get("runAsNonRoot") and not user:
            raise Wrong("CreateContainerConfigError", "container has runAsNonRoot and image will run as root")
        root = self.pod.folder / f"root-{self.name}"
        root.mkdir(exist_ok=True)
        mounts = [*self.pod.volumes.mounts(self.spec), *(f"{folder}:{folder}:ro" for folder in entry.folders)]
        return ["/usr/bin/env", "-i", *(f"{name}={value}" for name, value in environment.items()),
                *self.pod.sandbox.enter(), "/usr/bin/unshare", "--mount", "--propagation", "private", "/usr/bin/bash", START, root,
                "ro" if security.get("readOnlyRootFilesystem") else "rw", f"{user}:{group}" if can_be(user) else "-", *mounts, "--", *words]

    def _environment(self):
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOSTNAME": self.pod.name, **self.pod.node.environment}
        for source in self.spec.get("envFrom", ()):
            wanted = source["configMapRef"]
            found = self.pod.node.config_maps.get(self.pod.namespace, wanted["name"])
            if found is None and not wanted.get("optional"):
                raise Wrong("CreateContainerConfigError", f'configmap "{wanted["name"]}" not found')
            environment |= {source.get("prefix", "") + key: value for key, value in ((found or {}).get("data") or {}).items()}
        for each in self.spec.get("env", ()):
            if "valueFrom" in each:
                environment[each["name"]] = field_of(self.pod.as_it_is(), each["valueFrom"]["fieldRef"]["fieldPath"])
            else:
                environment[each["name"]] = expanded(each.get("value", ""), environment)
        return environment


def run_hook(hook, container, seconds):
    if "sleep" in hook:
        time.sleep(min(seconds, hook["sleep"]["seconds"]))
    else:
        ask({**hook, "timeoutSeconds": seconds}, container)


def expanded(text, environment):
    """$(NAME) of what is known, as in a pod's command."""
    return REFERENCE.sub(lambda found: environment.get(found[1], found[0]), text)


def can_be(user):
    """Whether this program may become that user; 0 is who it is."""
    ranges = [line.split() for line in pathlib.Path("/proc/self/uid_map").read_text().splitlines()]
    return user and any(int(first) <= user < int(first) + int(count) for first, _, count in ranges)


def now():
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
