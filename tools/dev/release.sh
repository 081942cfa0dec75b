# A release for clusterctl in a folder (tools/release).

case " $* " in
  *" --help "*|*" -h "*) ;;   # nothing to fetch for these
  *)
    . tools/dev/missing.sh
    [ -z "$(missing_packages)" ] || . tools/dev/setup.sh
    tools/peers/kubernetes.sh kubectl
    ;;
esac
exec /usr/bin/python3 tools/release "$@"
