# Debian packages in a folder (tools/package).

if ! asks_for_help "$@"; then
  . tools/dev/missing.sh
  [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
  . tools/dev/packaged.sh
  build_preset release "${packaged[@]}"
fi
exec /usr/bin/python3 tools/package "$@"
