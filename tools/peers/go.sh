#!/usr/bin/env bash
# Prints the path of a Go that can build tests/tools/go.mod: the machine's own when new enough, else the toolchain
# fetched once as a Go module into .cache/peers/go (Debian 12's Go 1.19 can do that much).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/dev/progress.sh"
version=1.26.8
module=golang.org/toolchain@v0.0.1-go$version.linux-amd64

new_enough() {
  local have
  have=$("$1" env GOVERSION 2>/dev/null) || return 1
  have=${have#go}
  [ "$(printf '%s\n1.26\n' "${have%%[!0-9.]*}" | sort -V | head -1)" = 1.26 ]
}

for candidate in "$root/.cache/peers/go/bin/go" "$(command -v go || true)"; do
  if [ -x "$candidate" ] && GOTOOLCHAIN=local new_enough "$candidate"; then
    echo "$candidate"
    exit 0
  fi
done

command -v go > /dev/null || { echo "go.sh: no 'go' on this machine: apt-get install golang-go" >&2; exit 1; }
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
fetch() ( cd "$scratch" && GOFLAGS=-modcacherw GOMODCACHE=$scratch/mod GOTOOLCHAIN=local GO111MODULE=on go mod download "$module" )
with_progress setup-go "Go $version" count_nothing fetch
mkdir -p "$root/.cache/peers"
rm -rf "$root/.cache/peers/go"
mv "$scratch/mod/$module" "$root/.cache/peers/go"
chmod +x "$root"/.cache/peers/go/bin/* "$root"/.cache/peers/go/pkg/tool/*/*
echo "$root/.cache/peers/go/bin/go"
