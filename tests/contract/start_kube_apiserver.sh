#!/usr/bin/env bash
# Starts etcd and kube-apiserver on free loopback ports in a folder of their own, applies the CRDs, prints the path of an
# administrator's kubeconfig and stays until it is told to stop (SIGTERM, SIGINT, end of its standard input): then
# everything it started and wrote is gone.
# SIGUSR1 kills kube-apiserver and starts another one on the same etcd; KUBECONFIG.starts counts them.
#   start_kube_apiserver.sh [OPTION...] BIN-DIR [CRD...]     BIN-DIR holds kube-apiserver, etcd and kubectl
#   --user NAME     makes another administrator; the kubeconfig is NAME.kubeconfig beside the first one
#   --plain-user NAME       makes a user who may do what somebody allows; likewise
#   --audit FILE    who wrote what, in the order of the writes: one JSON line a request
#   --audit-reads-of NAME   and what that user asked for, watches too
#   --log FILE      what kube-apiserver says, which otherwise goes with everything else
#   --at ADDRESS    for a cluster that runs pods: serves at this address of the machine, port 443, which is the first one of its
#                   Services; pods have tokens of their accounts, webhooks are asked at the endpoints of their Service
set -euo pipefail
users=()
plain=()
audit=()
readers=()
address=127.0.0.1
advertised=192.0.2.1   # to nobody: there is no endpoint reconciler, and so it needs no route of this machine
services=10.0.0.0/24
# As OpenShift has it: who writes owner references needs the right to delete, and to the finalizers of who is blocked by them.
admission=(--enable-admission-plugins OwnerReferencesPermissionEnforcement)
cluster=(--disable-admission-plugins ServiceAccount)
while [[ "${1:-}" == --* ]]; do
  case $1 in
    --user) users+=("$2") ;;
    --plain-user) plain+=("$2") ;;
    --audit) audit_log=$2 ;;
    --audit-reads-of) readers+=("$2") ;;
    --log) api_log=$2 ;;
    --at) address=$2; advertised=$2; services=${2%.*}.0/24; cluster=(--enable-aggregator-routing=true) ;;
    *) echo "start_kube_apiserver.sh: unknown option '$1'" >&2; exit 2 ;;
  esac
  shift 2
done
bin=$1
shift
exec 3<&0
work=$(mktemp -d)
api_log=${api_log:-$work/kube-apiserver.log}
pids=()

cleanup() {
  trap - EXIT
  for pid in "${pids[@]}"; do kill -KILL "$pid" 2> /dev/null || true; done # nothing of theirs is kept
  for pid in "${pids[@]}"; do wait "$pid" 2> /dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 0' TERM INT HUP

make_certificate() { # NAME SUBJECT EXTENSIONS
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/$1.key" -subj "$2" -out "$work/$1.csr" 2> /dev/null
  openssl x509 -req -in "$work/$1.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial -days 2 \
    -extfile <(printf '%s\n' "$3") -out "$work/$1.crt" 2> /dev/null
}

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/ca.key" -subj /CN=test-ca -days 2 -out "$work/ca.crt" 2> /dev/null
make_certificate server /CN=kube-apiserver $'subjectAltName=IP:127.0.0.1,DNS:localhost,IP:'"$address"$'\nextendedKeyUsage=serverAuth'
for user in admin "${users[@]}"; do
  make_certificate "$user" "/O=system:masters/CN=$user" extendedKeyUsage=clientAuth
done
for user in "${plain[@]}"; do make_certificate "$user" "/CN=$user" extendedKeyUsage=clientAuth; done
openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out "$work/sa.key" 2> /dev/null

cat > "$work/authentication.yaml" << 'YAML'
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous:
  enabled: true
  conditions:
  - path: /livez
  - path: /readyz
YAML

if [ -n "${audit_log:-}" ]; then
  cat > "$work/audit.yaml" << 'YAML'
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Metadata, verbs: [create, update, patch, delete, deletecollection]}
YAML
  for reader in "${readers[@]}"; do
    echo "- {level: Metadata, verbs: [get, list, watch], users: [$reader]}" >> "$work/audit.yaml"
  done
  echo '- {level: None}' >> "$work/audit.yaml"
  audit=(--audit-policy-file "$work/audit.yaml" --audit-log-path "$audit_log" --audit-log-mode blocking)
fi

ports=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../tools/demo" && pwd)/ports.py
take_ports() { { read -r etcd_port; read -r peer_port; read -r api_port; } < <(python3 "$ports" 3); }

serve_etcd() {
  "$bin/etcd" --data-dir "$work/etcd" --listen-client-urls "http://127.0.0.1:$etcd_port" \
    --advertise-client-urls "http://127.0.0.1:$etcd_port" --listen-peer-urls "http://127.0.0.1:$peer_port" \
    --initial-advertise-peer-urls "http://127.0.0.1:$peer_port" --initial-cluster "default=http://127.0.0.1:$peer_port" \
    --unsafe-no-fsync --log-level error > "$work/etcd.log" 2>&1 &
  pids[0]=$!
  for _ in $(seq 1200); do
    kill -0 "${pids[0]}" 2> /dev/null || return 1
    curl -s "http://127.0.0.1:$etcd_port/health" 2> /dev/null | grep -q '"health":"true"' && return 0
    sleep 0.1
  done
  return 1
}

# Another program may take a port between the look and etcd's own.
for attempt in 1 2 3; do
  take_ports
  serve_etcd && break
  kill -KILL "${pids[0]}" 2> /dev/null || true
  wait "${pids[0]}" 2> /dev/null || true
  rm -rf "$work/etcd"
  [ "$attempt" -lt 3 ] || { echo "etcd does not serve:" >&2; tail -5 "$work/etcd.log" >&2; exit 1; }
done

serve_api() {
  "$bin/kube-apiserver" --etcd-servers "http://127.0.0.1:$etcd_port" --bind-address "$address" --secure-port "$api_port" \
    --advertise-address "$advertised" \
    --tls-cert-file "$work/server.crt" --tls-private-key-file "$work/server.key" --client-ca-file "$work/ca.crt" \
    --service-account-issuer https://test --service-account-key-file "$work/sa.key" \
    --service-account-signing-key-file "$work/sa.key" --authorization-mode RBAC --service-cluster-ip-range "$services" \
    --authentication-config "$work/authentication.yaml" "${admission[@]}" "${cluster[@]}" \
    --endpoint-reconciler-type none "${audit[@]}" --v 0 >> "$api_log" 2>&1 &
  pids[1]=$!
  for _ in $(seq 1 1200); do
    kill -0 "${pids[1]}" 2> /dev/null || return 1
    [ "$(curl -s --cacert "$work/ca.crt" "https://$address:$api_port/readyz" || true)" = ok ] && return 0
    sleep 0.25
  done
  return 1
}

stop_api() {
  kill -KILL "${pids[1]}" 2> /dev/null || true
  wait "${pids[1]}" 2> /dev/null || true
}

# try_api [COMMAND]: starts it up to three times, with the command before each new one.
try_api() {
  local attempt
  for attempt in 1 2 3; do
    ! serve_api || return 0
    stop_api
    "${@:-true}"
  done
  echo "kube-apiserver does not serve:" >&2
  tail -5 "$api_log" >&2
  exit 1
}

take_api_port() { [ "$address" != 127.0.0.1 ] || read -r api_port < <(python3 "$ports" 1); }

count_start() { # read by others while it is written
  starts=$((starts + 1))
  echo "$starts" > "$work/starts.new"
  mv "$work/starts.new" "$work/kubeconfig.starts"
}

restart() {
  stop_api
  try_api
  count_start
}

base64_of() { base64 -w0 < "$work/$1"; }
write_kubeconfig() { # NAME FILE
  cat > "$work/$2" << YAML
apiVersion: v1
kind: Config
clusters:
- name: test
  cluster:
    server: https://$address:$api_port
    certificate-authority-data: $(base64_of ca.crt)
users:
- name: $1
  user:
    client-certificate-data: $(base64_of "$1.crt")
    client-key-data: $(base64_of "$1.key")
contexts:
- name: test
  context: {cluster: test, user: $1, namespace: default}
current-context: test
YAML
  chmod 600 "$work/$2"
}
echo "http://127.0.0.1:$etcd_port" > "$work/etcd.url" # for who wants to compact it
echo "${pids[0]}" > "$work/etcd.pid"                     # or to have it stand still
[ "$address" = 127.0.0.1 ] || api_port=443
try_api take_api_port # as for etcd
write_kubeconfig admin kubeconfig
for user in "${users[@]}" "${plain[@]}"; do write_kubeconfig "$user" "$user.kubeconfig"; done
starts=0
count_start

[ $# -eq 0 ] || HOME=$work "$bin/kubectl" --kubeconfig "$work/kubeconfig" create "${@/#/--filename=}" > /dev/null
HOME=$work KUBECONFIG=$work/kubeconfig PATH=$bin:$PATH "${BASH_SOURCE[0]%/*}/discovered.sh"

trap restart USR1
echo "$work/kubeconfig"
cat <&3 > /dev/null & # until our standard input ends
stdin=$!
while kill -0 "$stdin" 2> /dev/null; do wait "$stdin" || true; done
