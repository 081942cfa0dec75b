#!/usr/bin/env bash
# Builds kube-apiserver, kubectl and etcd, pinned by tests/tools/go.mod, into .cache/peers/bin.
# Runs again only when go.mod has changed. About 7 minutes on 2 cores the first time.
#   tools/peers/kubernetes.sh [kubectl]   the named programs only; all three without a name
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/dev/progress.sh"
bin=$root/.cache/peers/bin
stamp=$(sha256sum "$root/tests/tools/go.mod" | cut -c1-16)
mkdir -p "$bin"
exec 9> "$bin/.lock"
flock 9   # two test runs may start at once

declare -A package=(
  [kubectl]=k8s.io/kubernetes/cmd/kubectl
  [etcd]=go.etcd.io/etcd/server/v3
  [kube-apiserver]=k8s.io/kubernetes/cmd/kube-apiserver
)
release=$(awk '$1 == "k8s.io/kubernetes" {print $2}' "$root/tests/tools/go.mod")

# The list makes Go download the modules; its length is how many packages there are to compile.
build() (
  name=$1
  cd "$root/tests/tools" &&
    export CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS='-mod=mod -trimpath -buildvcs=false' &&
    listed=$("$go" list -deps "${package[$name]}") &&
    echo "packages: $(wc -l <<< "$listed")" &&
    "$go" build -v -ldflags "-s -w -X k8s.io/component-base/version.gitVersion=$release" \
      -o "$bin/$name.new" "${package[$name]}"
)

for program in "${@:-kubectl etcd kube-apiserver}"; do
  for name in $program; do
    [ -n "${package[$name]:-}" ] || { echo "kubernetes.sh: unknown program '$name'" >&2; exit 2; }
    [ "$(cat "$bin/.$name.stamp" 2>/dev/null)" = "$stamp" ] && continue
    go=$("$root/tools/peers/go.sh")
    with_progress "setup-$name" "$name $release" count_go build "$name"
    mv "$bin/$name.new" "$bin/$name"
    echo "$stamp" > "$bin/.$name.stamp"
  done
done
