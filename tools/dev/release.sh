# A release for clusterctl in a folder (tools/release).

if ! asks_for_help "$@"; then
  . tools/dev/missing.sh
  [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
  tools/peers/kubernetes.sh kubectl
fi
exec /usr/bin/python3 tools/release "$@"
