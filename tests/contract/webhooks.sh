#!/usr/bin/env bash
# The webhooks of the shipped coordinator, of a replica that does not lead, called by the kube-apiserver of $KUBECONFIG:
# two versions of a kind, defaults, refusals, warnings, a new certificate. webhooks.sh INGOT-COORDINATOR
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
coordinator=$1
work=$(mktemp -d)
pids=()
trap 'for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; done; rm -rf "$work"' EXIT
space=webhooks-$$-$RANDOM
infra=infrastructure.cluster.x-k8s.io
k() { timeout 300 kubectl -n "$space" "$@"; }

fail() { printf 'webhooks.sh: %s\n' "$1" >&2; tail -5 "$work/log" >&2; exit 1; }
step() { # NAME WANTED-TEXT COMMAND...: the command succeeds and says the text
  local name=$1 wanted=$2 said
  shift 2
  said=$("$@" 2>&1) || fail "$name failed: $said"
  [[ "$said" == *"$wanted"* ]] || fail "$name: expected \"$wanted\" in: $said"
}
refused() { # NAME WANTED-TEXT COMMAND...: the command fails and says the text
  local name=$1 wanted=$2 said
  shift 2
  if said=$("$@" 2>&1); then fail "$name was expected to fail"; fi
  [[ "$said" == *"$wanted"* ]] || fail "$name: expected \"$wanted\" in: $said"
}
until_says() { # NAME WANTED-TEXT COMMAND...: within five minutes, whether it succeeds or not
  local name=$1 wanted=$2 said=
  shift 2
  for _ in $(seq 1 1500); do
    said=$("$@" 2>&1) || true
    [[ "$said" != *"$wanted"* ]] || return 0
    sleep 0.2
  done
  fail "$name: expected \"$wanted\" in: $said"
}

# --- two coordinators: one leads, and the webhooks are those of the other, whose certificate comes late ---

{ read -r port; read -r health; } < <(python3 "$root/tools/demo/ports.py" 2)
url=https://127.0.0.1:$port
mkdir "$work/certs"
start() { # LOG OPTION...
  local log=$1
  shift
  "$coordinator" --kubeconfig "$KUBECONFIG" --provisioner fixture --agents-endpoint "" --metrics-addr 0 "$@" 2> "$log" &
  pids+=($!)
}
start "$work/leader.log" --health-addr 0 --webhook-port 0
until_says 'one leads' ' leading term=' cat "$work/leader.log"
start "$work/log" --health-addr "127.0.0.1:$health" --webhook-port "$port" --webhook-cert-dir "$work/certs"
readyz() { curl -s "http://127.0.0.1:$health/readyz"; }
until_says 'without a certificate it is not ready' "webhooks: waits for its certificate: " readyz

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/ca.key" -subj /CN=webhooks-ca -days 2 \
  -out "$work/ca.crt" 2> /dev/null
certify() { # a new certificate and key, both in place before the coordinator may read the other
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$work/new.key" -subj /CN=webhooks -out "$work/new.csr" 2> /dev/null
  openssl x509 -req -in "$work/new.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial -days 2 \
    -extfile <(printf 'subjectAltName=IP:127.0.0.1\n') -out "$work/new.crt" 2> /dev/null
  mv "$work/new.key" "$work/certs/tls.key"
  mv "$work/new.crt" "$work/certs/tls.crt"
}
certify
until_says 'with a certificate it is ready' ok readyz
bundle=$(base64 -w0 < "$work/ca.crt")

# --- what a cluster is told of it ---

rule() { # GROUP VERSION PLURAL OPERATIONS
  printf '"rules": [{"apiGroups": ["%s"], "apiVersions": ["%s"], "resources": ["%s"], "operations": [%s]}]' "$1" "$2" "$3" "$4"
}
webhook() { # NAME PATH RULE
  printf '{"name": "%s", "clientConfig": {"url": "%s", "caBundle": "%s"}, %s, "failurePolicy": "Fail", "matchPolicy": "Equivalent", "sideEffects": "None", "admissionReviewVersions": ["v1", "v1beta1"]}' \
    "$1" "$url$2" "$bundle" "$3"
}
writes='"CREATE", "UPDATE"'
webhooks() { # KIND-OF-CONFIGURATION: the webhooks of upstream's managers, with commas between
  local between= kind word=validate prefix=validation
  [ "$1" != mutating ] || { word=mutate; prefix=default; }
  local -A plural=([metal3data]=metal3datas [hostfirmwarecomponents]=hostfirmwarecomponents [ipaddress]=ipaddresses)
  local capm3="metal3cluster metal3clustertemplate metal3machine metal3machinetemplate metal3data metal3dataclaim metal3datatemplate metal3remediation metal3remediationtemplate"
  [ "$1" != mutating ] || capm3="metal3cluster metal3remediationtemplate"
  for kind in $capm3; do
    printf '%s' "$between"; between=', '
    webhook "$prefix.$kind.$infra" "/$word-infrastructure-cluster-x-k8s-io-v1beta2-$kind" "$(rule $infra v1beta2 "${plural[$kind]:-${kind}s}" "$writes")"
  done
  for kind in ippool ipclaim ipaddress; do
    printf ', '
    webhook "$prefix.$kind.ipam.metal3.io" "/$word-ipam-metal3-io-v1alpha1-$kind" "$(rule ipam.metal3.io v1alpha1 "${plural[$kind]:-${kind}s}" "$writes")"
  done
  [ "$1" != mutating ] || return 0
  for kind in baremetalhost bmceventsubscription dataimage hostclaim hostfirmwarecomponents hostnetworkattachment; do
    local when=$writes
    [ $kind != hostnetworkattachment ] || when="$writes, \"DELETE\""
    printf ', '
    webhook "$kind.metal3.io" "/validate-metal3-io-v1alpha1-$kind" "$(rule metal3.io v1alpha1 "${plural[$kind]:-${kind}s}" "$when")"
  done
}
configuration() { # mutating | validating
  printf '{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "%sWebhookConfiguration", "metadata": {"name": "ingot"}, "webhooks": [%s]}\n' "${1^}" "$(webhooks "$1")"
}
client="{\"url\": \"$url/convert\", \"caBundle\": \"$bundle\"}"
for set in companions ipam cluster-api; do
  step "install crds/$set" created k create -f "$root/crds/$set"
done
step 'let the coordinator convert' patched k patch -f "$root/crds/cluster-api" --type=json \
  -p "[{\"op\": \"replace\", \"path\": \"/spec/conversion/webhook/clientConfig\", \"value\": $client}]"
configuration mutating > "$work/mutating.json"
configuration validating > "$work/validating.json"
step 'register the webhooks' created k create -f "$work/mutating.json" -f "$work/validating.json"
"$here/discovered.sh" || fail 'not all definitions are served'
step 'create a namespace' created k create namespace "$space"

# --- refusals, in the words of the embedded API ---

object() { # GROUP/VERSION KIND NAME SPEC
  printf '{apiVersion: %s, kind: %s, metadata: {name: %s}, spec: %s}\n' "$1" "$2" "$3" "$4" > "$work/object.yaml"
}
object $infra/v1beta2 Metal3Machine m '{}'
until_says 'the webhooks are called' 'either image or customDeploy is required' \
  k create --dry-run=server -f "$work/object.yaml"
object $infra/v1beta1 Metal3MachineTemplate t '{template: {spec: {image: {url: "not a url", checksum: a}}}}'
refused 'an older version is judged as the newer one' 'Invalid value: "not a url": not a valid URL' k create -f "$work/object.yaml"
object ipam.metal3.io/v1alpha1 IPPool p '{namePrefix: p, pools: [{start: 10.0.0.9, end: 10.0.0.1}]}'
refused 'a pool' 'end IP 10.0.0.1 is before start IP 10.0.0.9' k create -f "$work/object.yaml"
object metal3.io/v1alpha1 HostClaim c '{poweredOn: false, hostSelector: {matchExpressions: [{key: a, operator: near, values: [b]}]}}'
refused 'a companion of hosts' 'admission webhook "hostclaim.metal3.io" denied the request' k create -f "$work/object.yaml"
refused 'what was refused is not stored' '"c" not found' k get hostclaim c

# --- defaults, warnings, who uses an object ---

object $infra/v1beta2 Metal3Cluster c '{controlPlaneEndpoint: {host: 10.0.0.1}}'
until_says 'those that give defaults are called too' 6443 \
  k create --dry-run=server -f "$work/object.yaml" -o 'jsonpath={.spec.controlPlaneEndpoint.port}'
step 'a cluster' created k create -f "$work/object.yaml"
step 'its defaults' '6443 false' k get metal3cluster c -o 'jsonpath={.spec.controlPlaneEndpoint.port} {.spec.cloudProviderEnabled}'
object $infra/v1beta2 Metal3RemediationTemplate r '{template: {spec: {strategy: {retryLimit: 3}}}}'
step 'a remediation' created k create -f "$work/object.yaml"
step 'the defaults of a remediation' 'Reboot 3 600' k get metal3remediationtemplate r \
  -o 'jsonpath={.spec.template.spec.strategy.type} {.spec.template.spec.strategy.retryLimit} {.spec.template.spec.strategy.timeoutSeconds}'
object $infra/v1beta2 Metal3DataTemplate d '{clusterName: c}'
step 'a warning' 'Warning: spec.clusterName is deprecated' k create -f "$work/object.yaml"
object metal3.io/v1alpha1 HostNetworkAttachment net '{mode: access, nativeVLAN: 5}'
step 'a network' created k create -f "$work/object.yaml"
object metal3.io/v1alpha1 BareMetalHost h '{online: false, networkInterfaces: [{name: eth0, hostNetworkAttachment: {name: net}}]}'
step 'a host on it' created k create -f "$work/object.yaml"
refused 'a network in use' "cannot delete attachment while referenced by BMH interfaces: $space/h[eth0]" k delete hostnetworkattachment net
step 'the host lets go' patched k patch bmh h --type=merge -p '{"spec": {"networkInterfaces": []}}'
step 'a network that nobody uses' deleted k delete hostnetworkattachment net

# --- two versions ---

old=metal3machinetemplates.v1beta1.$infra
new=metal3machinetemplates.v1beta2.$infra
object $infra/v1beta1 Metal3MachineTemplate workers '{nodeReuse: true, template: {spec: {automatedCleaningMode: metadata, hostSelector: {matchLabels: {rack: r1}},
  dataTemplate: {name: d}, image: {url: "http://images.example/i.raw", checksum: "http://images.example/sums", checksumType: sha256, format: raw}}}}'
step 'create as v1beta1' created k create -f "$work/object.yaml"
step 'stored and read as v1beta2' 'raw sha256' k get "$new" workers -o 'jsonpath={.spec.template.spec.image.diskFormat} {.spec.template.spec.image.checksumType}'
before=$(k get "$old" workers -o 'jsonpath={.spec}')
k get "$new" workers -o yaml > "$work/newer.yaml"
step 'write it back as v1beta2' replaced k replace -f "$work/newer.yaml"
step 'add what v1beta1 cannot say' patched k patch "$new" workers --type merge -p '{"spec": {"template": {"metadata": {"labels": {"rack": "r1"}}}}}'
[ "$(k get "$old" workers -o 'jsonpath={.spec}')" = "$before" ] || fail "there and back, v1beta1 was $before and is $(k get "$old" workers -o 'jsonpath={.spec}')"
k get "$old" workers -o yaml > "$work/older.yaml"
step 'write it back as v1beta1' replaced k replace -f "$work/older.yaml"
step 'nothing is lost' r1 k get "$new" workers -o 'jsonpath={.spec.template.metadata.labels.rack}'
object $infra/v1beta2 Metal3MachineTemplate plain '{template: {spec: {image: {url: "http://i/i.raw", checksum: "http://i/s"}}}}'
step 'no format and no checksum type' created k create -f "$work/object.yaml"
k get "$old" plain -o yaml > "$work/older.yaml"
step 'written back as v1beta1, nothing is said of them' replaced k replace -f "$work/older.yaml"
step 'nor is it in v1beta2' '{"checksum":"http://i/s","url":"http://i/i.raw"}' k get "$new" plain -o 'jsonpath={.spec.template.spec.image}'
object $infra/v1beta2 Metal3DataTemplate links '{clusterName: c, networkData: {links: {ethernets: [{type: phy, id: a, macAddress: {fromHostInterface: eth0}}]},
  networks: {ipv4: [{id: b, link: a, ipAddressFromIPPool: p, routes: [{network: 0.0.0.0, gateway: {fromIPPool: p}}]}]}}}'
step 'no references to pools' created k create -f "$work/object.yaml"
k get "metal3datatemplates.v1beta1.$infra" links -o yaml > "$work/older.yaml"
! grep -e 'fromPoolRef' -e '""' "$work/older.yaml" || fail 'v1beta1 shows what nobody said'
step 'written back as v1beta1, there are none' replaced k replace -f "$work/older.yaml"
printf '{apiVersion: %s/v1beta1, kind: Metal3MachineTemplate, metadata: {name: odd, annotations: {cluster.x-k8s.io/conversion-data: "{"}}, spec: {template: {spec: {image: {url: "http://i/i", checksum: "http://i/s"}}}}}\n' $infra > "$work/object.yaml"
refused 'what cannot be converted is named' "Metal3MachineTemplate $space/odd: annotation cluster.x-k8s.io/conversion-data: " k create -f "$work/object.yaml"
step 'a list in the older version' 'workers' k get "$old" -o name

# --- a new certificate, while it serves ---

certificates() { grep -c 'webhooks use this certificate' "$work/log"; }
certify
until_says 'the new certificate is taken up' 2 certificates
object $infra/v1beta1 Metal3MachineTemplate more '{template: {spec: {image: {url: "http://i/i.raw", checksum: "http://i/s"}}}}'
step 'with the new certificate' created k create -f "$work/object.yaml"
! grep -q -e 'PRIVATE KEY' -e "$(sed -n 2p "$work/certs/tls.key")" "$work/log" || fail 'the log holds a key'

# Hosts as users handle them, with what admission refuses.
INGOT_CONTRACT_ADMISSION=1 "$here/kubectl.sh"
k delete namespace "$space" --wait=false > /dev/null
! grep -q ' leading term=' "$work/log" || fail 'the coordinator with the webhooks leads'
kill "${pids[1]}"
wait "${pids[1]}" || fail 'the coordinator did not end cleanly'
echo 'webhooks.sh: all as expected'
