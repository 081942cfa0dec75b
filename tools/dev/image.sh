# Container images in a folder (tools/image).

case " $* " in
  *" --help "*|*" -h "*) ;;   # nothing to build for these
  *)
    . tools/dev/missing.sh
    [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
    build_preset release ingot-coordinator ingot-agent
    ;;
esac
exec /usr/bin/python3 tools/image "$@"
