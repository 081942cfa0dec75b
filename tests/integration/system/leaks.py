"""Secrets are nowhere but in their Secrets and in the memory of who uses them."""
import base64
import pathlib
import re
import stat
import sys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "package"))

import secrets_in
from manifests import IPMI_PASSWORD
from world import PASSWORD, USERNAME

LOOK_FOR = [text.encode() for text in (
    PASSWORD, base64.b64encode(PASSWORD.encode()).decode(), base64.b64encode(f"{USERNAME}:{PASSWORD}".encode()).decode(),
    IPMI_PASSWORD, base64.b64encode(IPMI_PASSWORD.encode()).decode())]


# Each password that a test plants begins so.
PLANTED = b"never-print-"


def in_base64(text):
    """A pattern of `text` within anything that is encoded: it begins at any of three places."""
    return b"|".join(re.escape(base64.b64encode(b"\0" * before + text)[4 if before else 0:(before + len(text)) // 3 * 4])
                     for before in range(3))


IN_LOGS = {"a password": PLANTED, "a password in base64": in_base64(PLANTED),
           "user data": rb"#cloud-config|## template: ?jinja|" + in_base64(b"#cloud-config") + b"|" + in_base64(b"## template: jinja"),
           # the name of an Event ends in as many hexadecimal digits, and that of a field has no digit
           "a bootstrap token": rb"\b[a-z0-9]{6}\.(?=[0-9a-f]*[g-z])(?=[a-z]*[0-9])[a-z0-9]{16}\b",
           **{what: secrets_in.PATTERNS[what] for what in ("a private key", "a private key in base64", "a token")}}


def nothing_leaks(world):
    """Checks the running programs and everything that they show."""
    for process in world.processes.list:
        clean(pathlib.Path(f"/proc/{process.pid}/cmdline").read_bytes(), f"the command line of {process.name}")
        if process is not world.fleet.process:
            no_core_dump(process)
    for path, item in objects(world.kube):
        clean(repr(item).encode(), f"{path} {item['metadata']['name']}")
    for where, page in world.pages():
        clean(page, where)
    for folder in [world.data, *world.folder.glob("agent-*")]:
        private(folder)
    for path in (path for folder in world.folder.glob("agent-*") for path in folder.rglob("*") if path.is_file()):
        clean(path.read_bytes(), f"the agent's file {path}")


def secrets_in_logs(folder):
    """Of all programs of a test, theirs of other projects included: what was found, and where."""
    return [f"{log}: {what}" for log in sorted(folder.rglob("*.log")) for what in secrets_in_log(log.read_bytes())]


def secrets_in_log(content):
    return [f"{what} at byte {found.start()}" for what, pattern in IN_LOGS.items() if (found := re.search(pattern, content))]


def clean(data, where):
    assert not any(text in data for text in LOOK_FOR), f"{where} holds the BMC password"


def no_core_dump(process):
    limits = pathlib.Path(f"/proc/{process.pid}/limits").read_text().splitlines()
    line = next(line for line in limits if line.startswith("Max core file size"))
    assert line.split()[4:6] == ["0", "0"], f"{process.name} may dump core: {line}"


def private(folder):
    assert mode(folder) == 0o700, f"{folder} has mode {mode(folder):o}"
    for path in folder.rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        public = path.suffix in (".pub", ".crt")
        assert public or mode(path) == wanted, f"{path} has mode {mode(path):o}"


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def objects(kube):
    """Every object of every kind that can be listed, but Secrets: the path of its list, and the object."""
    groups = ["/api/v1"] + [f"/apis/{version['groupVersion']}" for group in kube.get("/apis")["groups"]
                            for version in group["versions"]]
    lists = [f"{group}/{resource['name']}" for group in groups for resource in kube.get(group)["resources"]
             if "list" in resource["verbs"] and resource["name"] != "secrets"]
    assert "/apis/metal3.io/v1alpha1/baremetalhosts" in lists and "/api/v1/events" in lists, lists
    return [(path, item) for path in lists for item in kube.items(path)]
