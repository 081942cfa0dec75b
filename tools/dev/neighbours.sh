# `INGOT_UPSTREAM=DIR ./dev test neighbours`: Metal3's own managers beside ours, each replaced in turn, and ours in shadow
# beside them; sourced. Nothing here builds or fetches them.

metal3_managers=(baremetal-operator cluster-api-provider-metal3 ip-address-manager)

neighbours_are_there() {
  local name
  [ -n "${INGOT_UPSTREAM:-}" ] || fail "neighbours: INGOT_UPSTREAM must name the folder of the programs ${metal3_managers[*]}"
  for name in "${metal3_managers[@]}"; do
    [ -x "$INGOT_UPSTREAM/$name" ] || fail "neighbours: there is no program $name in $INGOT_UPSTREAM (INGOT_UPSTREAM; needed: ${metal3_managers[*]})"
  done
}

run_neighbours() {
  neighbours_are_there
  set_up cluster-api
  build_preset dev ingot-coordinator ingot-sim
  python3 tests/integration/cluster_api/run.py neighbours shadow_neighbours
}
