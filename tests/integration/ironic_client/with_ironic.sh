#!/usr/bin/env bash
# with_ironic.sh PROGRAM [ARGUMENT...]   runs PROGRAM with INGOT_TEST_IRONIC set to a fresh real Ironic
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
state=$(mktemp -d /tmp/ingot-ironic-XXXXXX)
{ read -r api; read -r http; } < <(python3 "$root/tools/demo/ports.py" 2)   # nothing listens on the second: fake hardware downloads nothing

INGOT_IRONIC_DRIVER=fake-hardware "$root/tools/peers/run_ironic.sh" --state "$state/ironic" --api-port "$api" \
  --http-url "http://127.0.0.1:$http" --http-root "$state/http" > "$state/log" 2>&1 &
ironic=$!
stop() { kill -TERM "$ironic" 2>/dev/null || true; wait "$ironic" 2>/dev/null || true; rm -rf "$state"; }
trap stop EXIT

for _ in $(seq 6000); do   # the first run installs Ironic
  [ -e "$state/ironic/ready" ] && break
  kill -0 "$ironic" 2>/dev/null || break
  sleep 0.1
done
[ -e "$state/ironic/ready" ] || { cat "$state/log" >&2; exit 1; }
INGOT_TEST_IRONIC="http://127.0.0.1:$api/v1" "$@"
