"""Four simulated servers, real Ironic, Ingot: from a Metal3 manifest to a running image, and what happens then.

    python3 tools/demo [--keep]        (./dev demo builds first)

Exit code 0 and a summary when everything was seen to be right, 1 and one error otherwise.
"""
import argparse
import pathlib
import sys

import chapters
import show
from failure import Failure
from manifests import Manifests
from stage import Stage

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev demo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    show.add_options(parser, ROOT, manifests="docs/examples")
    parser.add_argument("--hosts", default="", metavar="NAME,…", help="only these hosts of the manifests")
    parser.add_argument("--force-power-state", choices=("True", "False"), default="False",
                        help="Ironic's force_power_state_during_sync")
    parser.add_argument("--in-images", action="store_true", help="coordinator and agent run in the unpacked roots of their container images")
    return parser.parse_args()


def cast(manifests):
    """Which host plays which part: switched off, without power cord, retired (None when there are too few hosts)."""
    redfish = [name for name in manifests.hosts if manifests.scheme(name) != "ipmi"]
    ipxe = [name for name in redfish if manifests.scheme(name) == "redfish"]
    if not ipxe:
        raise Failure(f"the demo needs a host with a redfish:// address; it has {', '.join(manifests.hosts) or 'none'}", None)
    cordless = next((name for name in redfish if "virtualmedia" in manifests.scheme(name)), redfish[0])
    return ipxe[0], cordless, ipxe[1] if len(ipxe) > 1 else None


def play(stage, tell):
    switched, cordless, retired = cast(stage.manifests)
    tell.chapter(1, "Simulated servers")
    chapters.servers(stage, tell)
    tell.chapter(2, "Ironic")
    chapters.ironic(stage, tell)
    tell.chapter(3, "Coordinator and agent")
    chapters.coordinator(stage, tell)
    tell.chapter(4, "Manifests")
    chapters.manifests(stage, tell)
    tell.chapter("5 and 6", "From manifest to running image")
    chapters.provisioning(stage, tell)
    tell.chapter(7, "What is on the disks")
    chapters.disks(stage, tell)
    tell.chapter(8, "Power, and the end of a host")
    if retired:
        chapters.withdraw_image(stage, tell, retired)
    chapters.power_by_wish(stage, tell, switched)
    chapters.pulled_cord(stage, tell, cordless)
    if retired:
        chapters.retire(stage, tell, retired)
    tell.chapter(9, "Who wrote to the BMCs")
    chapters.journal(stage, tell)
    tell.summary(stage.seconds(), stage.processes.list)


def stage(args):
    manifests = Manifests(args.manifests)
    if args.hosts:
        manifests.keep_only(args.hosts.split(","))
    return Stage(ROOT, args.programs.resolve(), args.runs.resolve(), manifests, args.force_power_state, args.in_images)


def main():
    args = arguments()
    return show.main(args, lambda: stage(args), lambda *parts: play(*parts))


if __name__ == "__main__":
    sys.exit(main())
