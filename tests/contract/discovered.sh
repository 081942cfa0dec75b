#!/usr/bin/env bash
# Returns once clients of the server of $KUBECONFIG find the kinds of all its CRDs, and its first namespace: a kube-apiserver
# tells of a kind a little after it has established the CRD.
set -euo pipefail
k() { timeout 60 kubectl "$@"; }

crds=$(k get crd -o name | sed 's|.*/||' | sort)
[ -z "$crds" ] || timeout 320 kubectl wait --for condition=Established --timeout 300s crd --all > /dev/null
missing=unknown
for _ in $(seq 1200); do
  if known=$(k api-resources -o name 2> /dev/null | sort) && k get namespace default > /dev/null 2>&1; then
    missing=$(comm -23 <(echo "$crds") <(echo "$known") | xargs)
    [ -n "$missing" ] || exit 0
  fi
  sleep 0.2
done
echo "discovered.sh: clients do not find: $missing" >&2
exit 1
