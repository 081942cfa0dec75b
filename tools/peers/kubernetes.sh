#!/usr/bin/env bash
# Builds kube-apiserver, kubectl and etcd, pinned by tests/tools/go.mod, into .cache/peers/bin.
# Runs again only when go.mod has changed. About 7 minutes on 2 cores the first time.
#   tools/peers/kubernetes.sh [kubectl|etcd|kube-apiserver|kube-controller-manager|kube-scheduler]...   the first three without a name
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/peers/go_programs.sh"

module=tests/tools
release=$(version_in_module k8s.io/kubernetes)
variable=k8s.io/component-base/version.gitVersion
declare -A package=(
  [kubectl]=k8s.io/kubernetes/cmd/kubectl
  [etcd]=go.etcd.io/etcd/server/v3
  [kube-apiserver]=k8s.io/kubernetes/cmd/kube-apiserver
  [kube-controller-manager]=k8s.io/kubernetes/cmd/kube-controller-manager
  [kube-scheduler]=k8s.io/kubernetes/cmd/kube-scheduler
)

[ $# -gt 0 ] || set -- kubectl etcd kube-apiserver
build_missing "$@"
