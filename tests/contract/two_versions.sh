#!/usr/bin/env bash
# Drives unmodified kubectl through both versions of a kind on the embedded API: a Metal3MachineTemplate applied as
# v1beta1 and read as v1beta2. (On a kube-apiserver, which needs our webhooks for it: webhooks.sh.)
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
space=versions-$$-$RANDOM
old=metal3machinetemplates.v1beta1.infrastructure.cluster.x-k8s.io
new=metal3machinetemplates.v1beta2.infrastructure.cluster.x-k8s.io
k() { timeout 300 kubectl -n "$space" "$@"; }
step() { # NAME WANTED-TEXT COMMAND...: the command succeeds and says the text
  local name=$1 wanted=$2 said
  shift 2
  said=$("$@" 2>&1) || { printf 'two_versions.sh: %s failed:\n%s\n' "$name" "$said" >&2; exit 1; }
  [[ "$said" == *"$wanted"* ]] || { printf 'two_versions.sh: %s: expected "%s" in:\n%s\n' "$name" "$wanted" "$said" >&2; exit 1; }
}
template() { # NODE-REUSE
  cat << YAML
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: Metal3MachineTemplate
metadata: {name: workers}
spec:
  nodeReuse: $1
  template:
    spec:
      image: {url: "http://images.example/i.raw", checksum: "http://images.example/sums", checksumType: sha256, format: raw}
YAML
}
template true > "$work/on.yaml"
template false > "$work/off.yaml"

step 'install the definitions' created k create -f "$root/crds/cluster-api"
step 'wait for them' 'condition met' k wait --for condition=Established --timeout 240s crd/metal3machinetemplates.infrastructure.cluster.x-k8s.io
step 'create a namespace' created k create namespace "$space"
step 'apply as v1beta1' created k apply -f "$work/on.yaml"
step 'the deprecation' 'is deprecated' k apply -f "$work/on.yaml"
step 'apply the same again' unchanged k apply -f "$work/on.yaml"
step 'read as v1beta2' raw k get "$new" workers -o 'jsonpath={.spec.template.spec.image.diskFormat}'
step 'the preferred version' infrastructure.cluster.x-k8s.io/v1beta2 k get m3mt workers -o 'jsonpath={.apiVersion}'
step 'read as v1beta1' raw k get "$old" workers -o 'jsonpath={.spec.template.spec.image.format}'
step 'change what v1beta1 cannot say' patched k patch "$new" workers --type merge -p '{"spec":{"template":{"metadata":{"labels":{"rack":"r1"}}}}}'
step 'change the rest as v1beta1' configured k apply -f "$work/off.yaml"
step 'both hold' r1 k get "$new" workers -o 'jsonpath={.spec.template.metadata.labels.rack}'
step 'label as v1beta1' labeled k label "$old" workers a=b
step 'find it as v1beta2' workers k get "$new" -l a=b -o name
step 'explain v1beta1' format k explain metal3machinetemplates.spec.template.spec.image --api-version=infrastructure.cluster.x-k8s.io/v1beta1
step 'explain v1beta2' diskFormat k explain metal3machinetemplates.spec.template.spec.image --api-version=infrastructure.cluster.x-k8s.io/v1beta2
step 'delete as v1beta1' deleted k delete -f "$work/off.yaml"
echo "two_versions.sh: all as expected"
