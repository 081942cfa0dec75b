"""Which Debian packages an image is made of, as dpkg tells, and that as a bill of materials (SPDX 2.3)."""
import hashlib
import re
import subprocess
import typing

EPOCH = "1970-01-01T00:00:00Z"


class Package(typing.NamedTuple):
    name: str
    version: str


def packages_of(sources, program):
    """Those that own these files. What none owns is the program itself, or what the machine makes of packages (certificates)."""
    owned = [str(source) for source in sources if source != program]
    said = subprocess.run(["dpkg-query", "-S", *owned, *(path.removeprefix("/usr") for path in owned)], capture_output=True, text=True,
                          check=False).stdout
    names = {line.split(":")[0] for line in said.splitlines() if ": " in line} | {"ca-certificates"}
    listed = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *sorted(names)], capture_output=True, text=True,
                            check=True).stdout
    return sorted({Package(*line.split()) for line in listed.splitlines()})


def spdx(name, version, packages):
    described = [_package(name, version, "SPDXRef-image", "Apache-2.0")]
    described += [_package(each.name, each.version, reference(each), "NOASSERTION", f"pkg:deb/debian/{each.name}@{each.version}")
                  for each in packages]
    contents = hashlib.sha256(repr((name, version, packages)).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": name,
            "documentNamespace": f"https://ingot.dev/spdx/{name}-{version}-{contents[:16]}",
            "creationInfo": {"created": EPOCH, "creators": ["Tool: ./dev image"]},
            "packages": described,
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-image"},
                              *({"spdxElementId": "SPDXRef-image", "relationshipType": "CONTAINS", "relatedSpdxElement": reference(each)}
                                for each in packages)]}


def reference(package):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", package.name)


def _package(name, version, reference_, licence, locator=None):
    out = {"name": name, "versionInfo": version, "SPDXID": reference_, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
           "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
    if locator:
        out["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]
    return out
