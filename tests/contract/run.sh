#!/usr/bin/env bash
# Runs a command against a server of its own, whose kubeconfig it finds in KUBECONFIG and INGOT_CONTRACT_KUBECONFIG.
#   run.sh kube COMMAND...                 a real kube-apiserver with etcd (built when missing)
#   run.sh INGOT-COORDINATOR COMMAND...    the coordinator as it ships, with its embedded API and its admission
#   run.sh EMBEDDED-APISERVER COMMAND...   that program
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
server=$1
shift
crds=("$root"/crds/*_*.yaml)
bin=$root/.cache/peers/bin
[ "$server" = kube ] && peers=() || peers=(kubectl)
"$root/tools/peers/kubernetes.sh" "${peers[@]}" >&2

work=$(mktemp -d)
trap 'exec 4>&-; [ -z "${pid:-}" ] || { kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; }; rm -rf "$work"' EXIT
mkfifo "$work/hold"

if [ "$server" = kube ]; then
  "$root/tests/contract/start_kube_apiserver.sh" "$bin" "${crds[@]}" < "$work/hold" > "$work/out" &
elif [ "${server##*/}" = ingot-coordinator ]; then
  "$server" --embedded --data-dir "$work/data" --listen 127.0.0.1:0 --kubeconfig-out "$work/kubeconfig" --provisioner fixture \
    --agents-endpoint "" < "$work/hold" 2> "$work/log" > /dev/null &
  served=$work/kubeconfig
  export INGOT_CONTRACT_ADMISSION=1
else
  "$server" "$work/data" 127.0.0.1:0 "$work/kubeconfig" "${crds[@]}" < "$work/hold" > "$work/out" &
fi
pid=$!
exec 4> "$work/hold"
for _ in $(seq 1 3000); do
  [ ! -s "${served:-$work/out}" ] || break
  kill -0 "$pid" 2> /dev/null || { echo "run.sh: the server did not start" >&2; exit 1; }
  sleep 0.2
done
[ -s "${served:-$work/out}" ] || { echo "run.sh: the server does not serve" >&2; exit 1; }
kubeconfig=$work/kubeconfig
if [ "$server" = kube ]; then
  kubeconfig=$(cat "$work/out")
  INGOT_CONTRACT_ETCD=$(cat "$(dirname "$kubeconfig")/etcd.url")
  export INGOT_CONTRACT_ETCD INGOT_CONTRACT_STARTER=$pid
fi

mkdir "$work/home" # kubectl keeps its caches there
HOME=$work/home PATH=$bin:$PATH KUBECONFIG=$kubeconfig INGOT_CONTRACT_KUBECONFIG=$kubeconfig "$@"
