"""Five simulated servers become a Kubernetes cluster, by real Ironic, Cluster API's managers and Ingot: Nodes come, one hangs, one
loses its power, workers are rolled out on their hosts, all is given back.

    python3 tools/cluster_demo [--keep]        (./dev demo cluster builds first)

Exit code 0 and a summary when everything was seen to be right, 1 and one error otherwise.
"""
import argparse
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[1:1] = [str(ROOT / folder) for folder in ("tools/demo", "tests/integration/cluster_api", "tests/integration/system")]

import acts  # noqa: E402  (the path comes first)
import chapters  # noqa: E402
import show  # noqa: E402
from cluster_manifests import ClusterManifests  # noqa: E402
from cluster_stage import ClusterStage  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(prog="./dev demo cluster", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    show.add_options(parser, ROOT, manifests="docs/examples/cluster")
    return parser.parse_args()


def play(stage, tell):
    tell.chapter(1, "Simulated servers")
    chapters.servers(stage, tell)
    tell.chapter(2, "A management cluster, and Ironic")
    acts.management_cluster(stage, tell)
    chapters.ironic(stage, tell)
    tell.chapter(3, "Coordinator and agent")
    chapters.coordinator(stage, tell)
    tell.chapter(4, "Manifests")
    acts.manifests(stage, tell)
    tell.chapter(5, "From manifests to Nodes")
    acts.nodes_come(stage, tell)
    tell.chapter(6, "One worker more")
    acts.one_more(stage, tell)
    tell.chapter(7, "Two workers fail")
    acts.two_workers_fail(stage, tell)
    tell.chapter(8, "Another image, on the same hosts")
    acts.rollout(stage, tell)
    tell.chapter(9, "The end of the cluster, and who wrote to the BMCs")
    acts.deletion(stage, tell)
    chapters.journal(stage, tell, agent_leaves_ipmi_alone=False)
    tell.summary(stage.seconds(), stage.processes.list)


def main():
    args = arguments()
    return show.main(args, lambda: ClusterStage(ROOT, args.programs.resolve(), args.runs.resolve(), ClusterManifests(args.manifests)), play)


if __name__ == "__main__":
    sys.exit(main())
