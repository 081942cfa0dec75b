"""What an installation allows the coordinator (deploy/rbac), given to users of a test's kube-apiserver, and what they used of it."""
import pathlib

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
RBAC = ROOT / "deploy/rbac"
GROUP = "/apis/rbac.authorization.k8s.io/v1"
OWN = "default"   # the coordinator's namespace in tests
PLURALS = {"ClusterRole": "clusterroles", "Role": "roles", "ClusterRoleBinding": "clusterrolebindings", "RoleBinding": "rolebindings"}


def shipped():
    """Roles and bindings as an installation creates them, in the namespace of the test's coordinator."""
    for file in ("roles.yaml", "bindings.yaml"):
        for each in yaml.safe_load_all((RBAC / file).read_text()):
            if each["kind"] in PLURALS:
                if each["kind"] in ("Role", "RoleBinding"):
                    each["metadata"]["namespace"] = OWN
                yield each


def give(kube, users):
    """The users may do what the coordinator may, and nothing else."""
    subjects = [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": user} for user in users]
    for each in shipped():
        if "subjects" in each:
            each["subjects"] = subjects
        place = f"/namespaces/{OWN}" if "namespace" in each["metadata"] else ""
        kube.call("POST", f"{GROUP}{place}/{PLURALS[each['kind']]}", each)


def granted():
    """(role, group, resource, verb) of each of them."""
    for role in shipped():
        for rule in role.get("rules", ()):
            for group in rule["apiGroups"]:
                for resource in rule["resources"]:
                    for verb in rule["verbs"]:
                        yield f"{role['kind']} {role['metadata']['name']}", group, resource, verb


def nothing_is_denied(test, api):
    """Of what its coordinators asked of the API."""
    test.assertEqual([], [each for user in api.coordinators for each in api.denials(user)])


def unused(requests):
    """Of what is granted, what no request that was allowed needed."""
    used = {(each.group, each.resource, each.verb) for each in requests if each.code != 403}
    groups = {(group, verb) for group, _, verb in used}
    return [(role, group, resource, verb) for role, group, resource, verb in granted()
            if ((group, verb) not in groups if resource == "*" else (group, resource, verb) not in used)]
