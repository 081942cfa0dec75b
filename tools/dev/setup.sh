# Installs what is missing. Names of extra peers may follow: kubernetes (kube-apiserver and etcd: 7 minutes once).

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | awk '$1 == "installed" {print $2}' | sort -u)
  grep -v '^#' tools/packages.txt | sort -u | comm -23 - <(echo "$installed")
}

install_packages() {
  local missing sudo=
  missing=$(missing_packages)
  [ -z "$missing" ] && return
  [ "$(id -u)" = 0 ] || sudo=sudo
  command -v apt-get > /dev/null || fail "this set-up is for Debian 12; install these packages yourself: $missing"
  step "installing $(echo "$missing" | wc -l) Debian packages"
  $sudo apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing > /dev/null
}

install_packages
tools/peers/ironic.sh
tools/peers/kubernetes.sh kubectl
for peer in "$@"; do
  case $peer in
    kubernetes) tools/peers/kubernetes.sh ;;
    *) fail "unknown peer '$peer' (known: kubernetes)" ;;
  esac
done
