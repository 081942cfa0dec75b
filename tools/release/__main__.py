"""A release as clusterctl reads it: a folder with a repository of each of both providers that Ingot is, and a configuration
that names them.

    ./dev release DIR [--image IMAGE] [--version v2.0.0]

    DIR/infrastructure-metal3/VERSION/   infrastructure-components.yaml, metadata.yaml, cluster-template*.yaml,
                                         clusterclass-metal3.yaml, example_variables.rc
    DIR/ipam-metal3/VERSION/             ipam-components.yaml, metadata.yaml
    DIR/clusterctl.yaml                  for clusterctl --config
"""
import argparse
import pathlib
import re
import shutil
import sys

import components
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
import project_version  # noqa: E402  (the path comes first)
from replacement import replaced  # noqa: E402

SOURCES = ROOT / "deploy/clusterctl"
TEMPLATES = {"": ("cluster", "data"), "-ipam": ("cluster", "data-ipam"),
             "-clusterclass": ("topology", "data"), "-clusterclass-ipam": ("topology", "data-ipam")}
PROVIDERS = (("infrastructure", "InfrastructureProvider"), ("ipam", "IPAMProvider"))
VERSION = re.compile(r"v(\d+)\.(\d+)\.\d+(-[0-9A-Za-z.-]+)?")


def arguments():
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--image", default="${INGOT_COORDINATOR_IMAGE}",
                        help="of the coordinator, with its registry; untold, clusterctl asks for variable INGOT_COORDINATOR_IMAGE")
    parser.add_argument("--version", default=project_version.tag(),
                        help=f"of both providers; untold, {project_version.tag()}; its series must be in deploy/clusterctl/metadata-*.yaml")
    return parser.parse_args()


def check(version):
    """Raises ValueError for one that clusterctl would refuse."""
    match = VERSION.fullmatch(version)
    if not match:
        raise ValueError(f"--version {version}: not a version as v2.0.0")
    for name, _ in PROVIDERS:
        series = yaml.safe_load(metadata(name).read_text())["releaseSeries"]
        if not any((each["major"], each["minor"]) == (int(match[1]), int(match[2])) for each in series):
            raise ValueError(f"--version {version}: {metadata(name).relative_to(ROOT)} has no series {match[1]}.{match[2]}")


def metadata(name):
    return SOURCES / f"metadata-{name}.yaml"


def write(folder, version, image):
    """Each repository of this version, and the configuration, are the old ones or the new ones; other versions stay."""
    parts = components.split(components.rendered(ROOT / "deploy/default"), image)
    places = {name: folder / f"{name}-metal3" / version for name, _ in PROVIDERS}
    with replaced(places["infrastructure"]) as infrastructure, replaced(places["ipam"]) as ipam:
        for name, repository in (("infrastructure", infrastructure), ("ipam", ipam)):
            (repository / f"{name}-components.yaml").write_text(components.text(parts[name]))
            shutil.copyfile(metadata(name), repository / "metadata.yaml")
        write_templates(infrastructure)
    providers = [{"name": "metal3", "type": kind, "url": str(places[name] / f"{name}-components.yaml")} for name, kind in PROVIDERS]
    new = folder / ".clusterctl.yaml.new"
    new.write_text(yaml.safe_dump({"providers": providers}, sort_keys=False))
    new.replace(folder / "clusterctl.yaml")


def write_templates(repository):
    for flavour, pieces in TEMPLATES.items():
        text = "---\n".join((SOURCES / "templates" / f"{piece}.yaml").read_text() for piece in pieces)
        (repository / f"cluster-template{flavour}.yaml").write_text(text)
    for file in ("clusterclass-metal3.yaml", "example_variables.rc"):
        shutil.copyfile(SOURCES / file, repository / file)


def main():
    options = arguments()
    try:
        check(options.version)
        folder = options.folder.resolve()
        write(folder, options.version, options.image)
    except (ValueError, OSError, components.NotRendered) as error:
        print(f"./dev release: {error}", file=sys.stderr)
        return 1
    print(f"""{options.version} is in {folder}. With a management cluster in your kubeconfig, whose namespace ingot-system has a
ConfigMap `ironic` with your IRONIC_ENDPOINT, and a Secret `ironic-credentials` where Ironic wants a password
(docs/guide/install.md; neither with INGOT_PROVISIONER=agent):

    clusterctl --config {folder}/clusterctl.yaml init --infrastructure metal3 --ipam metal3""")
    return 0


if __name__ == "__main__":
    sys.exit(main())
