#!/usr/bin/env bash
# The server of $KUBECONFIG accepts every CRD of ours without a warning, fills in their defaults and refuses what they
# forbid. all_crds.sh SET...: the folders of crds/ to install.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
space=crds-$$-$RANDOM
fail() { printf 'all_crds.sh: %s\n' "$1" >&2; exit 1; }

for set in "$@"; do
  said=$(timeout 120 kubectl create -f "$root/crds/$set" 2>&1) || fail "crds/$set: $said"
  ! grep -v ' created$' <<< "$said" || fail "crds/$set: more than 'created' was said"
done
timeout 60 kubectl wait --for condition=Established --timeout 30s crd --all > /dev/null || fail "not all are established"

timeout 60 kubectl create namespace "$space" > /dev/null
objects=$root/tests/data/manifests
for set in "$@"; do
  for file in "$objects/$set"/*.yaml; do
    said=$(timeout 60 kubectl -n "$space" create -f "$file" 2>&1) || fail "$file: $said"
  done
  while IFS=$'\t' read -r resource path wanted; do
    found=$(timeout 60 kubectl -n "$space" get "$resource" -o "jsonpath={$path}")
    [ "$found" = "$wanted" ] || fail "$resource: $path is '$found', not '$wanted'"
  done < "$objects/$set/defaults.tsv"
  while IFS=$'\t' read -r resource patch wanted; do
    if said=$(timeout 60 kubectl -n "$space" patch "$resource" --type merge -p "$patch" 2>&1); then
      fail "$resource: $patch was accepted"
    fi
    [[ "$said" == *"$wanted"* ]] || fail "$resource: $patch: '$wanted' is not in '$said'"
  done < "$objects/$set/refused.tsv"
done
timeout 60 kubectl delete namespace "$space" --wait=false > /dev/null
echo "all_crds.sh: $* accepted"
