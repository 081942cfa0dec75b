# Debian packages in a folder (tools/package).

case " $* " in
  *" --help "*|*" -h "*) ;;   # nothing to build for these
  *)
    . tools/dev/missing.sh
    [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
    . tools/dev/packaged.sh
    build_preset release "${packaged[@]}"
    ;;
esac
exec /usr/bin/python3 tools/package "$@"
