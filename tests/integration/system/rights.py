"""What an installation allows the coordinator (deploy/rbac), given to users of a test's kube-apiserver, and what they used of it."""
import contextlib
import itertools
import pathlib
import typing

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
RBAC = ROOT / "deploy/rbac"
GROUP = "/apis/rbac.authorization.k8s.io/v1"
OWN = "default"   # the coordinator's namespace in tests
IN_SPACES = ("ingot-coordinator-objects", "ingot-coordinator-secrets")   # roles that may be bound in some namespaces only
MIGRATION = "ingot-coordinator-migration"   # which nobody needs who looks at some namespaces only
PLURALS = {"ClusterRole": "clusterroles", "Role": "roles", "ClusterRoleBinding": "clusterrolebindings", "RoleBinding": "rolebindings"}


def shipped(spaces=()):
    """Roles and bindings as an installation creates them, in the namespace of the test's coordinator. `spaces`: the only namespaces
    that it looks at, as docs/guide/install.md has it; none: all."""
    for each in as_written():
        name = each["metadata"]["name"]
        if not spaces or each["kind"] != "ClusterRoleBinding" or name not in (*IN_SPACES, MIGRATION):
            yield each
        elif name in IN_SPACES:
            for space in spaces:
                yield {**each, "kind": "RoleBinding", "metadata": {"name": name, "namespace": space}}


def as_written():
    """For all namespaces."""
    for file in ("roles.yaml", "bindings.yaml"):
        for each in yaml.safe_load_all((RBAC / file).read_text()):
            if each["kind"] in PLURALS:
                if each["kind"] in ("Role", "RoleBinding"):
                    each["metadata"]["namespace"] = OWN
                yield each


def give(kube, users, spaces=()):
    """The users may do what the coordinator may, in these namespaces if there are some, and nothing else."""
    subjects = [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user} for user in users]
    for each in shipped(spaces):
        if "subjects" in each:
            each["subjects"] = subjects
        place = f"/namespaces/{each['metadata']['namespace']}" if "namespace" in each["metadata"] else ""
        kube.call("POST", f"{GROUP}{place}/{PLURALS[each['kind']]}", each)


class Grant(typing.NamedTuple):
    """One thing that a rule allows; `name`: of the only object, "" for all; `is_own`: in the coordinator's namespace only."""
    role: str
    group: str
    resource: str
    verb: str
    name: str
    is_own: bool

    def covers(self, request, own):
        """Whether it is what this request needed."""
        return (request.verb == self.verb and request.group == self.group and self.resource in ("*", request.resource)
                and self.name in ("", request.name) and (not self.is_own or request.namespace == own))

    @property
    def text(self):
        return " ".join(filter(None, (self.verb, f"{self.resource}.{self.group}".strip("."), self.name)))


def granted():
    for role in shipped():
        for rule in role.get("rules", ()):
            for resource, verb, name in itertools.product(rule["resources"], rule["verbs"], rule.get("resourceNames", [""])):
                yield Grant(f"{role['kind']} {role['metadata']['name']}", rule["apiGroups"][0], resource, verb, name, role["kind"] == "Role")


class Taking(typing.NamedTuple):
    """Of one rule of a role, by its place: what it allows with this verb on this resource."""
    role: str
    rule: int
    group: str
    resource: str
    verb: str
    names: tuple

    def __str__(self):
        return f"{self.verb} {self.resource}{'.' if self.group else ''}{self.group}{' of some names' if self.names else ''} ({self.role})"

    def texts(self, where):
        """As `ingot-coordinator check` names what is missing; `where`: the namespace that is asked for, or ""."""
        group = f".{self.group}" if self.group else ""
        place = f" in {where}" if where else ""
        return {f"{self.verb} {self.resource}{group}{' ' if name else ''}{name}{place}" for name in self.names or ("",)}


def takings():
    for role in shipped():
        for place, rule in enumerate(role.get("rules", ())):
            for resource, verb in itertools.product(rule["resources"], rule["verbs"]):
                yield Taking(f"{role['kind']} {role['metadata']['name']}", place, rule["apiGroups"][0], resource, verb,
                             tuple(rule.get("resourceNames", ())))


@contextlib.contextmanager
def taken(kube, taking, own):
    """The role without it; `own`: the coordinator's namespace."""
    kind, name = taking.role.split()
    path = f"{GROUP}{f'/namespaces/{own}' if kind == 'Role' else ''}/{PLURALS[kind]}/{name}"
    rules = kube.get(path)["rules"]
    rule = rules[taking.rule]
    rest = [{**rule, "resources": [each for each in rule["resources"] if each != taking.resource]},
            {**rule, "resources": [taking.resource], "verbs": [each for each in rule["verbs"] if each != taking.verb]}]
    kube.merge(path, {"rules": [*rules[:taking.rule], *(each for each in rest if each["resources"] and each["verbs"]),
                                *rules[taking.rule + 1:]]})
    try:
        yield
    finally:
        kube.merge(path, {"rules": rules})


def nothing_is_denied(test, api):
    """Of what its coordinators asked of the API."""
    test.assertEqual([], [each for user in api.coordinators for each in api.denials(user)])


def unused(requests, own=OWN):
    """Of what is granted, what no request that was allowed needed. `own`: the coordinator's namespace."""
    allowed = [each for each in requests if each.code != 403]
    return [grant for grant in granted() if not any(grant.covers(each, own) for each in allowed)]
