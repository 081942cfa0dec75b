#!/usr/bin/env bash
# Drives unmodified kubectl through everything a Metal3 user does, against the server of $KUBECONFIG: the same
# expectations on every server, and with INGOT_CONTRACT_ADMISSION set also what our admission refuses. The hosts are paused:
# where a coordinator serves, it leaves them alone. Says what differed and exits 1 at the first surprise.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
space=kubectl-$$-$RANDOM
k() { timeout 300 kubectl -n "$space" "$@"; }

step() { # NAME WANTED-TEXT COMMAND...: the command succeeds and says the text
  local name=$1 wanted=$2 said
  shift 2
  said=$("$@" 2>&1) || { printf 'kubectl.sh: %s failed:\n%s\n' "$name" "$said" >&2; exit 1; }
  [[ "$said" == *"$wanted"* ]] || { printf 'kubectl.sh: %s: expected "%s" in:\n%s\n' "$name" "$wanted" "$said" >&2; exit 1; }
}
refused() { # NAME WANTED-TEXT COMMAND...: the command fails and says the text
  local name=$1 wanted=$2 said
  shift 2
  if said=$("$@" 2>&1); then printf 'kubectl.sh: %s was expected to fail\n' "$name" >&2; exit 1; fi
  [[ "$said" == *"$wanted"* ]] || { printf 'kubectl.sh: %s: expected "%s" in:\n%s\n' "$name" "$wanted" "$said" >&2; exit 1; }
}
until_holds() { # NAME COMMAND...: within five minutes
  local name=$1
  shift
  for _ in $(seq 1 3000); do
    ! "$@" || return 0
    sleep 0.1
  done
  printf 'kubectl.sh: %s: it did not\n' "$name" >&2
  exit 1
}

host() { # NAME ONLINE
  cat << YAML
apiVersion: metal3.io/v1alpha1
kind: BareMetalHost
metadata: {name: $1, annotations: {baremetalhost.metal3.io/paused: ""}}
spec:
  online: $2
  bootMACAddress: 52:54:00:00:00:0${1#h}
  bmc: {address: "redfish://10.0.0.1/redfish/v1/Systems/1", credentialsName: s1}
YAML
}
host h1 true > "$work/h1.yaml"
host h1 false > "$work/h1-off.yaml"
host h2 true > "$work/h2.yaml"
host h3 true | sed 's/online/onlin/' > "$work/typo.yaml"
host h3 maybe > "$work/wrong.yaml"

step 'create namespace' created k create namespace "$space"
step 'create secret' created k create secret generic s1 --from-literal=username=a --from-literal=password=b
step 'create configmap' created k create configmap c1 --from-literal=a=b
step 'apply' created k apply -f "$work/h1.yaml"
step 'apply again' unchanged k apply -f "$work/h1.yaml"
step 'apply a change' configured k apply -f "$work/h1-off.yaml"
step 'create -f' created k create -f "$work/h2.yaml"
refused 'create twice' 'Error from server (AlreadyExists): error when creating' k create -f "$work/h2.yaml"
refused 'an unknown field' 'unknown field "spec.onlin"' k apply -f "$work/typo.yaml"
refused 'a wrong type' 'spec.online in body must be of type boolean: "string"' k apply -f "$work/wrong.yaml"

step 'get' 'NAME   STATE   CONSUMER   ONLINE   ERROR   AGE' k get bmh
step 'get -o wide' 'redfish://10.0.0.1' k get bmh h1 -o wide
step 'get -o name' baremetalhost.metal3.io/h1 k get baremetalhosts -o name
step 'get -o json' '"kind": "BareMetalHost"' k get bmh h1 -o json
step 'get -o yaml' 'online: false' k get bmh h1 -o yaml
step 'get -o jsonpath' false k get bmh h1 -o 'jsonpath={.spec.online}'
step 'get -A' "$space" kubectl get bmh -A
step 'get --sort-by' h1 k get bmh --sort-by=.metadata.name
step 'get several kinds' secret/s1 k get secrets,configmaps,bmh -o name
step 'get by chunks' h2 k get bmh --chunk-size=1
step 'get by field' h1 k get bmh --field-selector=metadata.name=h1
refused 'get of a missing one' 'Error from server (NotFound): baremetalhosts.metal3.io "nope" not found' k get bmh nope
step 'secrets table' Opaque k get secrets

timeout 600 kubectl -n "$space" get bmh h1 -w -o 'jsonpath={.metadata.annotations.watched}{"\n"}' > "$work/watched" 2>&1 &
watch=$!
until_holds 'get -w begins' test -s "$work/watched"
step 'annotate what is watched' annotated k annotate bmh h1 watched=yes
until_holds 'get -w shows the change' grep -q yes "$work/watched"
kill "$watch"
wait "$watch" || true

step 'describe' 'Credentials Name:  s1' k describe bmh h1
step 'describe secret' 'password:  1 bytes' k describe secret s1
step 'describe namespace' 'Status:       Active' kubectl describe namespace "$space"
step 'patch merge' patched k patch bmh h1 --type=merge -p '{"spec":{"online":true}}'
step 'patch nothing' '(no change)' k patch bmh h1 --type=merge -p '{"spec":{"online":true}}'
step 'patch json' patched k patch bmh h1 --type=json -p '[{"op":"add","path":"/spec/description","value":"rack 1"}]'
step 'patch strategic of a core kind' patched k patch configmap c1 -p '{"data":{"x":"y"}}'
refused 'patch strategic of a custom kind' 'application/json-patch+json, application/merge-patch+json' k patch bmh h1 -p '{}'
step 'patch status' patched k patch bmh h1 --subresource=status --type=merge \
  -p '{"status":{"errorCount":0,"errorMessage":"","hardwareProfile":"","operationalStatus":"OK","poweredOn":true,"provisioning":{"ID":"","state":"available","image":{"url":""}}}}'
step 'the state column' available k get bmh h1
if [ -n "${INGOT_CONTRACT_ADMISSION:-}" ]; then
  host h3 true | sed 's#redfish://10.0.0.1/#redfish://[::1/#' > "$work/address.yaml"
  refused 'a BMC address that is none' 'failed to parse BMC address information' k apply -f "$work/address.yaml"
  refused 'nothing of it is stored' '"h3" not found' k get bmh h3
  refused 'another BMC for a host in use' 'BMC address can not be changed if the BMH is not in the Registering state' \
    k patch bmh h1 --type=merge -p '{"spec":{"bmc":{"address":"redfish://10.0.0.2/redfish/v1/Systems/1"}}}'
  refused 'another boot MAC' 'bootMACAddress can not be changed once it is set' \
    k patch bmh h1 --type=json -p '[{"op":"replace","path":"/spec/bootMACAddress","value":"52:54:00:00:00:99"}]'
  step 'the host is as before' 'redfish://10.0.0.1/redfish/v1/Systems/1 52:54:00:00:00:01' \
    k get bmh h1 -o 'jsonpath={.spec.bmc.address} {.spec.bootMACAddress}'
fi
step 'annotate' annotated k annotate bmh h1 a=b
step 'label' labeled k label bmh h1 rack=r1
step 'get by label' h1 k get bmh -l rack=r1
step 'edit' edited env KUBE_EDITOR="sed -i s/rack.1/rack-2/" timeout 300 kubectl -n "$space" edit bmh h1
step 'the edited text' 'rack-2' k get bmh h1 -o 'jsonpath={.spec.description}'
step 'replace' replaced k replace -f "$work/h2.yaml"
step 'apply what was created otherwise' configured k apply -f "$work/h2.yaml"
step 'diff of nothing new' '' k diff -f "$work/h2.yaml"
step 'wait for a value' 'condition met' k wait --for=jsonpath='{.status.provisioning.state}'=available bmh/h1 --timeout=120s
explained() { k explain bmh.spec.bmc > /dev/null 2>&1; }
until_holds 'the kind is explained' explained # a kube-apiserver makes its documents later
step 'explain' credentialsName k explain bmh.spec.bmc
step 'explain a core kind' 'KIND:       Secret' k explain secret.data
step 'api-resources' baremetalhosts k api-resources
step 'can-i' yes k auth can-i create bmh
step 'whoami' system:masters k auth whoami
step 'events' 'No events found' k events --for bmh/h1

timeout 600 kubectl -n "$space" wait --for=delete bmh/h2 --timeout=590s -v=6 > "$work/gone" 2> "$work/gone.log" &
waiting=$!
until_holds 'the wait for a deletion begins' grep -q 'watch=true' "$work/gone.log"
step 'delete what is waited for' deleted k delete bmh h2 --wait=false
wait "$waiting" || { cat "$work/gone.log" >&2; exit 1; }
step 'wait for a deletion' 'condition met' cat "$work/gone"
step 'delete' deleted k delete bmh h1
step 'delete the rest' deleted k delete secret/s1 configmap/c1
step 'delete namespace' deleted k delete namespace "$space" --wait=false
echo "kubectl.sh: all as expected"
