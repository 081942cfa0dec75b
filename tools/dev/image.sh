# Container images in a folder (tools/image).

if ! asks_for_help "$@"; then
  . tools/dev/missing.sh
  [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
  build_preset release ingot-coordinator ingot-agent
fi
exec /usr/bin/python3 tools/image "$@"
