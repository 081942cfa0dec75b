"""Container images without a daemon: an OCI layout with the coordinator's and the agent's, each made of the program, the libraries
of Debian that it needs, and certificates of authorities; with a bill of materials (SPDX). The same packages make the same digests.

    ./dev image DIR [--version v2.0.0]
    skopeo copy oci:DIR:ingot-coordinator docker://registry.example.org/metal/ingot-coordinator:v2.0.0
"""
import argparse
import pathlib
import sys

import layer
import layout
import materials
import root

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))
import project_version  # noqa: E402  (the path comes first)
from replacement import replaced  # noqa: E402

# What of other packages each image's program starts itself, and where it keeps its state (the coordinator's is in the API).
IMAGES = {"ingot-coordinator": ((), None), "ingot-agent": (("/usr/bin/ipmitool",), "/var/lib/ingot-agent")}
USER = f"{root.USER}:{root.USER}"
SOURCE = "Turns racks of servers into Kubernetes nodes"


def arguments():
    parser = argparse.ArgumentParser(prog="./dev image", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR", help="a folder that is not there yet, or an OCI layout, which is replaced")
    parser.add_argument("--version", default=project_version.tag(),
                        help=f"what the labels of the images say; untold, {project_version.tag()}")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin", help=argparse.SUPPRESS)
    return parser.parse_args()


def make(name, also, state, programs, version):
    """Files of the image, and the packages that they come from."""
    files = root.files(programs / name, also, state)
    packages = materials.packages_of([file.source for file in files if file.source], programs / name)
    return layer.Layer(files + root.copyrights(packages)), materials.spdx(name, version, packages)


def write(out, options):
    for name, (also, state) in IMAGES.items():
        image, bill = make(name, also, state, options.programs, options.version)
        size = out.add(name, image, layout.Config(
            entrypoint=[f"/usr/bin/{name}"], user=USER, labels={
                "org.opencontainers.image.title": name, "org.opencontainers.image.version": options.version,
                "org.opencontainers.image.description": SOURCE, "org.opencontainers.image.licenses": "Apache-2.0"}), bill)
        print(f"{name}: {size / 1e6:.1f} MB compressed, {out.digest_of(name)}")
    out.finish()


def main():
    options = arguments()
    try:
        layout.check(options.folder)
        with replaced(options.folder.resolve()) as folder:
            write(layout.Layout(folder), options)
    except (OSError, root.Missing, layout.NoLayout) as error:
        print(f"./dev image: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
