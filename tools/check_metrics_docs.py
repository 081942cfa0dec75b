#!/usr/bin/env python3
"""docs/guide/metrics.md: every metric that the code names has its row there, with the words that the code explains it by.

A metric is a literal in C++ that is called as those of ours are, or that is handed to gauge(), counter(), histogram() or metricHead().
Its explanation has to be a literal of the same file, its type the one it is registered as, where that can be seen. What
deploy/monitoring asks for has to be a metric of the page.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/guide/metrics.md"
MONITORING = ROOT / "deploy/monitoring"
FOLDERS = ("agent", "coordinator", "kube", "net", "wire", "apiserver")
MARKS = {"ingot_erasure_owed", "ingot_live_iso", "ingot_inspection_to_be_asked"}   # of nodes in Ironic

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
NAME = r"(?:bmh|capi_cluster_cache|controller_runtime|ingot|metal3|rest_client|workqueue)_[a-z0-9_]+"
REGISTERED = re.compile(r'\b(gauge|counter|histogram|metricHead)\(\s*"([a-z0-9_]+)"')
ROW = re.compile(r"^\| `([a-z0-9_]+)` \| (gauge|counter|histogram) \| ([^|]*) \| ([^|]*) \| ([^|]+) \|$")


def rows(page):
    """name: (type, labels, explanation)"""
    found = {}
    for line in page.splitlines():
        if row := ROW.match(line):
            labels = frozenset(re.findall(r"`([a-z_]+)`", row[3]))
            if row[1] in found:
                raise ValueError(f"{row[1]} has two rows")
            found[row[1]] = (row[2], labels, row[4])
    return found


def named(source):
    """Metrics of a C++ source, each with the type that it is registered as; "" where that cannot be seen."""
    source = re.sub(r'(?<!\\)"\s*\n\s*"', "", source)   # literals joined, as the compiler does
    found = {text: "" for text in STRING.findall(source) if re.fullmatch(NAME, text) and text not in MARKS}
    for kind, name in REGISTERED.findall(source):
        found[name] = "" if kind == "metricHead" else kind
    return found, set(STRING.findall(source))


def asked(expression):
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in re.findall(rf"\b{NAME}\b", expression)}


def asked_of_prometheus():
    """Metrics by the file that asks for them."""
    for line in (MONITORING / "rules.yaml").read_text().splitlines():
        if "expr:" in line:
            yield from (("rules.yaml", name) for name in asked(line))
    for panel in json.loads((MONITORING / "dashboard.json").read_text())["panels"]:
        for target in panel.get("targets", ()):
            yield from (("dashboard.json", name) for name in asked(target["expr"]))


def problems(known, sources, monitored):
    seen = set()
    for path, source in sources:
        metrics, literals = named(source)
        for name, kind in sorted(metrics.items()):
            seen.add(name)
            if name not in known:
                yield f"{path}: {name} has no row"
                continue
            documented, _, explanation = known[name]
            if kind and kind != documented:
                yield f"{path}: {name} is a {kind}, its row says {documented}"
            if explanation not in literals:
                yield f"{path}: {name} is not explained by the words of its row: {explanation}"
    for name in sorted(known.keys() - seen):
        yield f"{name} is no metric of the code"
    for place, name in sorted(set(monitored)):
        if name not in known:
            yield f"deploy/monitoring/{place} asks for {name}, which has no row"


def main():
    sources = [(path.relative_to(ROOT), path.read_text()) for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.[ch]pp"))]
    found = list(problems(rows(PAGE.read_text()), sources, asked_of_prometheus()))
    for problem in found:
        print(f"{PAGE.relative_to(ROOT)}: {problem}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
