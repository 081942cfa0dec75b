"""Four simulated servers, real Ironic, Ingot: from a Metal3 manifest to a running image, and what happens then.

    python3 tools/demo [--keep]        (./dev demo builds first)

Exit code 0 and a summary when everything was seen to be right, 1 and one error otherwise.
"""
import argparse
import pathlib
import signal
import sys
import traceback

import chapters
from failure import Failure
from stage import Stage, stop_all_kept
from tell import Tell

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    parser = argparse.ArgumentParser(prog="./dev demo", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", action="store_true", help="leave everything running at the end")
    parser.add_argument("--stop", action="store_true", help="end what an earlier --keep left running, and nothing else")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build/release/bin", help="folder of Ingot's programs")
    parser.add_argument("--manifests", type=pathlib.Path, default=ROOT / "docs/examples", help="folder of YAML manifests")
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "build/demo", help="where run folders (logs, disks) go")
    parser.add_argument("--hosts", default="", metavar="NAME,…", help="only these hosts of the manifests")
    parser.add_argument("--force-power-state", choices=("True", "False"), default="False",
                        help="Ironic's force_power_state_during_sync")
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


def perform(stage, tell):
    try:
        play(stage, tell)
    except (Failure, KeyboardInterrupt):
        raise
    except Exception:   # a mistake of the demo itself: one line for the audience, the rest for who mends it
        log = stage.folder / "demo.log"
        log.write_text(traceback.format_exc())
        raise Failure("the demo itself is at fault", log) from None


def demo(args, tell):
    stage = Stage(ROOT, args.programs.resolve(), args.runs.resolve(), args.manifests, args.force_power_state)
    if args.hosts:
        stage.manifests.keep_only(args.hosts.split(","))
    succeeded = False
    try:
        tell.begin(stage)
        perform(stage, tell)
        succeeded = True
    except Failure as failure:
        failure.folder = stage.folder
        raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)   # cleaning up is not to be interrupted
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if succeeded and args.keep:
            tell.kept(stage)
            stage.look_away()
        else:
            stage.close(succeeded)


def main():
    args, tell = arguments(), Tell()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    if args.stop:
        stopped = stop_all_kept(args.runs.resolve())
        print("stopped " + ", ".join(stopped) if stopped else "nothing was running")
        return 0
    try:
        demo(args, tell)
    except Failure as failure:
        tell.failure(failure)
        return 1
    except KeyboardInterrupt:
        print("\ndemo: interrupted; everything was stopped", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
