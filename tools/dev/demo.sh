# Four simulated servers, real Ironic, Ingot: builds what is needed and shows them from manifest to running image.

case " $* " in
  *" --help "*|*" -h "*|*" --stop "*) ;;   # nothing to build for these
  *)
    set_up
    step "build (release)"
    build_preset release ingot-coordinator ingot-agent ingotctl ingot-sim
    ;;
esac
exec /usr/bin/python3 tools/demo "$@"   # Debian's own: python3-yaml belongs to it
