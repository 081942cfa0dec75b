#!/usr/bin/env bash
# Builds Cluster API's core, kubeadm bootstrap and kubeadm control-plane managers, pinned by tools/peers/cluster-api/go.mod,
# and the kube-controller-manager and kube-scheduler that a cluster has besides, into .cache/peers/bin, and renders what the
# managers need in their management cluster into .cache/peers/cluster-api: NAME.json for managers that run as plain processes, and
# with clusterctl, which is built, too, all of them as a release has it (NAME.yaml, metadata.yaml). Runs again only when go.mod has
# changed.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
"$root/tools/peers/kubernetes.sh" kubectl kube-controller-manager kube-scheduler
. "$root/tools/peers/go_programs.sh"

module=tools/peers/cluster-api
path=sigs.k8s.io/cluster-api
release=$(version_in_module $path)
variable=$path/version.gitVersion
declare -A package=(
  [core-manager]=$path/core
  [bootstrap-manager]=$path/bootstrap/kubeadm
  [control-plane-manager]=$path/controlplane/kubeadm
)
managers=("${!package[@]}")
package[clusterctl]=$path/cmd/clusterctl

build_missing "${!package[@]}"

# The manifests are in the module that was just built. kubectl renders them as kustomize does.
objects=$root/.cache/peers/cluster-api
renderer=$root/tools/peers/cluster_api_objects.py
stamp=$(cat "$root/$module/go.mod" "$renderer" | sha256sum | cut -c1-16)
[ "$(cat "$objects/.stamp" 2>/dev/null)" = "$stamp" ] && exit 0
go=$("$root/tools/peers/go.sh")
source=$(in_module "$go" list -m -f '{{.Dir}}' $path)
mkdir -p "$objects"
for name in "${managers[@]}"; do
  "$bin/kubectl" kustomize "$source/${package[$name]#"$path/"}/config/default" > "$objects/$name.yaml.new.$$"
  python3 "$renderer" < "$objects/$name.yaml.new.$$" > "$objects/$name.json.new.$$"
  mv "$objects/$name.json.new.$$" "$objects/$name.json"
  mv "$objects/$name.yaml.new.$$" "$objects/$name.yaml"
done
install -m 644 "$source/metadata.yaml" "$objects/metadata.yaml"
echo "$stamp" > "$objects/.stamp"
