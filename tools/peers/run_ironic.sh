#!/usr/bin/env bash
# Runs a real Ironic in the foreground until SIGTERM or SIGINT, then stops it cleanly.
#   tools/peers/run_ironic.sh --state DIR --api-port P --http-url URL --http-root DIR [more of ironic_config.py]
#   INGOT_IRONIC_DRIVER=redfish   the driver to wait for (default)
# Once Ironic serves, prints "ready http://127.0.0.1:P" and touches DIR/ready. When it does not come up within 240 s, or
# dies, prints what it said and exits 1.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
driver=${INGOT_IRONIC_DRIVER:-redfish}

venv=$("$root/tools/peers/ironic.sh")
conf=$("$venv/bin/python" "$root/tools/peers/ironic_config.py" "$@")
state=$(dirname "$conf")
url=$(awk '/^public_endpoint/ {print $3}' "$conf")
rm -f "$state/ready"

show_and_fail() {
  echo "run_ironic.sh: $1" >&2
  tail -n 30 "$state/ironic.err" >&2 || true
  grep -E ' (ERROR|CRITICAL) ' "$state/ironic.log" 2>/dev/null | tail -n 10 >&2 || true
  exit 1
}

pid=
stop() {
  trap - TERM INT EXIT
  rm -f "$state/ready"
  [ -n "$pid" ] || exit 0
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
  kill -KILL -- "-$pid" 2>/dev/null || true   # its worker, should it still be there
  wait "$pid" 2>/dev/null || true
}
trap stop EXIT
trap 'stop; exit 0' TERM INT

export PATH=$venv/bin:/usr/sbin:/sbin:$PATH   # mkfs, blkid and friends that Ironic calls
database=$state/state/ironic.sqlite
empty=$venv/empty.sqlite   # one of this version, whatever the configuration: making it takes as long as starting Ironic
if [ ! -s "$database" ] && [ -s "$empty" ]; then
  cp "$empty" "$database"
elif [ ! -s "$database" ]; then
  "$venv/bin/ironic-dbsync" --config-file "$conf" create_schema > "$state/dbsync.log" 2>&1 ||
    { cat "$state/dbsync.log" >&2; show_and_fail "cannot create the database"; }
  cp "$database" "$empty.$$" && mv "$empty.$$" "$empty"
fi

set -m   # a process group of its own
"$venv/bin/python" "$root/tools/peers/ironic_service.py" --config-file "$conf" > "$state/ironic.err" 2>&1 &
pid=$!
set +m

serves() { curl -s --noproxy '*' --max-time 5 "$url/v1/drivers" | grep -q "\"$driver\""; }
for _ in $(seq 1200); do
  kill -0 "$pid" 2>/dev/null || show_and_fail "Ironic ended while starting"
  if serves; then
    touch "$state/ready"
    echo "ready $url"
    break
  fi
  sleep 0.2
done
[ -e "$state/ready" ] || show_and_fail "Ironic does not list the driver '$driver' after 240 s"

wait "$pid" || show_and_fail "Ironic ended by itself"
