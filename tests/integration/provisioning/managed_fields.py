"""What managed fields say: whose a field is, and what stands in it."""
import json

ABSENT = "(absent)"
MAPS = ("/f:metadata/f:annotations", "/f:metadata/f:labels")   # who owns one owns that it is there


def owner_of(entry):
    return entry["manager"], entry["operation"], entry.get("subresource", "")


def entries(each):
    return {owner_of(entry): entry["fieldsV1"] for entry in each["metadata"].get("managedFields", ())}


def owned(fields, value, path=""):
    """Yields (path, value) of each field that the set names; of a struct that is named as such only that it is there."""
    for key, inner in fields.items():
        if key == ".":
            yield f"{path}/.", value is not ABSENT
            continue
        found = step(key, value)
        if inner:
            yield from owned(inner, found, f"{path}/{key}")
        else:
            yield f"{path}/{key}", found is not ABSENT if f"{path}/{key}" in MAPS else found


def step(key, value):
    what, _, name = key.partition(":")
    if what == "f":
        return value.get(name, ABSENT) if isinstance(value, dict) else ABSENT
    items = value if isinstance(value, list) else ()
    wanted = json.loads(name)
    if what == "k":
        return next((item for item in items if all(item.get(field) == wanted[field] for field in wanted)), ABSENT)
    return wanted if wanted in items else ABSENT


def extracted(fields, value):
    """As much of the value as the set names: what the manager would apply."""
    named = {key: inner for key, inner in fields.items() if key != "."}
    if not named:
        return value
    if isinstance(value, dict):
        return {key[2:]: extracted(inner, value[key[2:]]) for key, inner in named.items() if key[2:] in value}
    out = []
    for key, inner in named.items():
        item = step(key, value)
        if item is not ABSENT:
            out.append({**json.loads(key[2:]), **extracted(inner, item)} if key.startswith("k:") else item)
    return out


def compared(was, now, path=""):
    """Yields (path, old, new) of what differs."""
    if isinstance(was, dict) and isinstance(now, dict):
        for name in sorted({*was, *now}):
            yield from compared(was.get(name, ABSENT), now.get(name, ABSENT), f"{path}.{name}")
    elif was != now:
        yield path, was, now
