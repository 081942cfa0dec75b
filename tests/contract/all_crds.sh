#!/usr/bin/env bash
# The server of $KUBECONFIG accepts every CRD of ours without a warning, and an object of each stored version.
# (What they refuse is asked case by case: tests/contract/manifests.) all_crds.sh SET...: the folders of crds/ to install.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
space=crds-$$-$RANDOM
fail() { printf 'all_crds.sh: %s\n' "$1" >&2; exit 1; }

for set in "$@"; do
  said=$(timeout 120 kubectl create -f "$root/crds/$set" 2>&1) || fail "crds/$set: $said"
  ! grep -v ' created$' <<< "$said" || fail "crds/$set: more than 'created' was said"
done
"$root/tests/contract/discovered.sh" || fail "not all are established"

timeout 60 kubectl create namespace "$space" > /dev/null
stored=$(timeout 60 kubectl get crd -o 'jsonpath={range .items[*]}{.spec.names.kind}.{.status.storedVersions[0]}{"\n"}{end}')
for object in $stored; do
  said=$(timeout 60 kubectl -n "$space" create -f "$root/tests/data/manifests/$object.yaml" 2>&1) || fail "$object: $said"
done
timeout 60 kubectl delete namespace "$space" --wait=false > /dev/null
echo "all_crds.sh: $(wc -w <<< "$stored") kinds accepted"
