"""How a demo begins and ends, whatever it plays."""
import pathlib
import signal
import sys
import traceback

from failure import Failure
from stage import stop_all_kept
from tell import Tell


def add_options(parser, root, manifests):
    parser.add_argument("--keep", action="store_true", help="leave everything running at the end")
    parser.add_argument("--stop", action="store_true", help="end what an earlier --keep left running, and nothing else")
    parser.add_argument("--programs", type=pathlib.Path, default=root / "build/release/bin", help="folder of Ingot's programs")
    parser.add_argument("--manifests", type=pathlib.Path, default=root / manifests, help="folder of YAML manifests")
    parser.add_argument("--runs", type=pathlib.Path, default=root / "build/demo", help="where run folders (logs, disks) go")


def main(args, set_stage, play):
    """`set_stage` makes the stage on which `play(stage, tell)` is performed. The exit code."""
    tell = Tell()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))
    if args.stop:
        stopped = stop_all_kept(args.runs.resolve())
        print("stopped " + ", ".join(stopped) if stopped else "nothing was running")
        return 0
    try:
        demo(set_stage(), tell, play, args.keep)
    except Failure as failure:
        tell.failure(failure)
        return 1
    except KeyboardInterrupt:
        print("\ndemo: interrupted; everything was stopped", file=sys.stderr)
        return 1
    return 0


def demo(stage, tell, play, keep):
    succeeded = False
    try:
        tell.begin(stage)
        perform(stage, tell, play)
        succeeded = True
    except Failure as failure:
        failure.folder = stage.folder
        raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)   # cleaning up is not to be interrupted
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if succeeded and keep:
            tell.kept(stage)
            stage.look_away()
        else:
            stage.close(succeeded)


def perform(stage, tell, play):
    try:
        play(stage, tell)
    except (Failure, KeyboardInterrupt):
        raise
    except Exception:   # a mistake of the demo itself: one line for the audience, the rest for who mends it
        log = stage.folder / "demo.log"
        log.write_text(traceback.format_exc())
        raise Failure("the demo itself is at fault", log) from None
