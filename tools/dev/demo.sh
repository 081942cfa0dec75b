# Four simulated servers, real Ironic, Ingot: builds what is needed and shows them from manifest to running image.

demo_programs=(ingot-coordinator ingot-agent ingotctl ingot-sim)

is() { if "$@"; then echo 1; else echo 0; fi; }

is_unbuilt() {
  local program
  for program in "${demo_programs[@]}"; do [ -x "build/release/bin/$program" ] || return 0; done
  return 1
}

case " $* " in
  *" --help "*|*" -h "*|*" --stop "*) ;;   # nothing to build for these
  *)
    . tools/dev/missing.sh
    . tools/dev/demo_plan.sh
    demo_plan "$(missing_packages | wc -l)" "$(is ironic_is_missing)" "$(is kubectl_is_missing)" "$(is is_unbuilt)"
    set_up
    build_preset release "${demo_programs[@]}"
    ;;
esac
exec /usr/bin/python3 tools/demo "$@"   # Debian's own: python3-yaml belongs to it
