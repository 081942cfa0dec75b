# A demo: builds what is needed and plays it. Without a name four simulated servers, real Ironic, Ingot: from manifest to
# running image. `cluster`: five of them become a Kubernetes cluster, with Cluster API's managers.

demo_programs=(ingot-coordinator ingot-agent ingotctl ingot-sim)

is() { if "$@"; then echo 1; else echo 0; fi; }

is_unbuilt() {
  local program
  for program in "${demo_programs[@]}"; do [ -x "build/release/bin/$program" ] || return 0; done
  return 1
}

demo=hosts stage=tools/demo peers=()
if [ "${1:-}" = cluster ]; then
  demo=cluster stage=tools/cluster_demo peers=(kubernetes cluster-api)
  shift
fi

go_is_missing() { if [ "$demo" = cluster ]; then cluster_api_is_missing; else kubectl_is_missing; fi; }

case " $* " in
  *" --help "*|*" -h "*|*" --stop "*) ;;   # nothing to build for these
  *)
    . tools/dev/missing.sh
    . tools/dev/demo_plan.sh
    demo_plan "$demo" "$(missing_packages | wc -l)" "$(is ironic_is_missing)" "$(is go_is_missing)" "$(is is_unbuilt)"
    set_up "${peers[@]}"
    build_preset release "${demo_programs[@]}"
    ;;
esac
exec /usr/bin/python3 "$stage" "$@"   # Debian's own: python3-yaml belongs to it
