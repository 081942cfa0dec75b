# Installs what is missing. Names of extra peers may follow: kubernetes (kube-apiserver and etcd: 7 minutes once), cluster-api
# (its managers, clusterctl, kube-controller-manager and kube-scheduler: 3 minutes more), redfish (a validator: 15 s), promql
# (Prometheus's engine: half a minute).

. tools/dev/missing.sh

# LC_ALL=C, because the progress line counts words of apt-get.
apt_install() {
  $sudo apt-get update &&
    $sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
}

install_packages() {
  local missing sudo=
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get > /dev/null || fail "this set-up is for Debian 12; install these packages yourself: ${missing[*]}"
  if [ "$(id -u)" != 0 ]; then
    sudo=sudo
    sudo -v   # asks for the password now: later, a line of progress would hide the question
  fi
  with_progress setup-packages "Debian packages" count_apt apt_install "${missing[@]}"
}

install_packages
tools/peers/ironic.sh > /dev/null
tools/peers/kubernetes.sh kubectl
for peer in "$@"; do
  case $peer in
    kubernetes) tools/peers/kubernetes.sh ;;
    cluster-api) tools/peers/cluster_api.sh ;;
    redfish) tools/peers/redfish.sh > /dev/null ;;
    promql) tools/peers/promql.sh > /dev/null ;;
    *) fail "unknown peer '$peer' (known: kubernetes, cluster-api, redfish, promql)" ;;
  esac
done
