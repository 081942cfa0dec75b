# Measurements on the release build. Names: lifecycle [N...], lifecycle-kube [N], machines [N...], machines-kube [N...], agent [--only NAME...] [--hosts N], replicas [--hosts N], support-bundle [N], webhooks, lookups, poll, store, api, render, ipam, convert, review, build; all of them without a name.

bench_lifecycle() {
  build_preset release ingot-coordinator
  /usr/bin/python3 tools/bench/lifecycle.py "$@"
}

# The same on a real kube-apiserver with etcd.
bench_lifecycle_kube() {
  build_preset release ingot-coordinator
  tools/peers/kubernetes.sh
  # shellcheck disable=SC2016
  tests/contract/run.sh kube bash -c '/usr/bin/python3 tools/bench/lifecycle.py --kubeconfig "$KUBECONFIG" "$@"' bench "${@:-300}"
}

# From Machine and Metal3Machine to a provisioned host, with data and an address.
bench_machines() {
  build_preset release ingot-coordinator
  /usr/bin/python3 tools/bench/machines.py "$@"
}

# The same on a real kube-apiserver with etcd and Cluster API's core manager, to a Machine with its Node.
bench_machines_kube() {
  build_preset release ingot-coordinator
  tools/peers/kubernetes.sh
  /usr/bin/python3 tools/bench/machines_kube.py "$@"
}

bench_poll() {
  build_preset release poll_bench
  build/release/bin/poll_bench
}

# What the relay of agents' connections costs.
bench_link() {
  build_preset release link_bench
  build/release/bin/link_bench
}

bench_store() {
  build_preset release store_bench
  build/release/bin/store_bench
}

# What readers cost: lists and watches.
bench_api() {
  build_preset release api_bench
  build/release/bin/api_bench
}

bench_render() {
  build_preset release render_bench
  build/release/bin/render_bench
}

# Addresses of a pool, decided and through the embedded API; hosts for machines.
bench_ipam() {
  build_preset release ipam_bench ipam_claims_bench host_choice_bench
  build/release/bin/ipam_bench
  build/release/bin/ipam_claims_bench "$@"
  build/release/bin/host_choice_bench
}

bench_convert() {
  build_preset release convert_bench
  build/release/bin/convert_bench
}

# Hosts without Ironic, behind simulated BMCs: one agent and the coordinator, each figure beside its goal.
bench_agents() {
  build_preset release ingot-coordinator ingot-agent ingotctl ingot-sim poll_bench
  /usr/bin/python3 tools/bench/agents.py "$@"
}

# What idle replicas of the coordinator cost on a real kube-apiserver with etcd.
bench_replicas() {
  build_preset release ingot-coordinator
  tools/peers/kubernetes.sh
  /usr/bin/python3 tools/bench/replicas.py "$@"
}

# Seconds and memory that ingotctl support-bundle takes of so many hosts.
bench_support_bundle() {
  build_preset release ingot-coordinator ingotctl
  /usr/bin/python3 tools/bench/support_bundle.py "$@"
}

# Reviews of admission and conversion, asked directly.
bench_webhooks() {
  build_preset release ingot-coordinator
  /usr/bin/python3 tools/bench/webhooks.py
}

# Addresses of a pool that a review of it hangs on.
bench_lookups() {
  build_preset release lookup_bench
  build/release/bin/lookup_bench
}

# The coordinator's look at the hosts that agents serve.
bench_review() {
  build_preset release review_bench
  build/release/bin/review_bench
}

# Seconds per file of the last build of the dev preset, the slowest first.
bench_build() {
  build_preset dev
  /usr/bin/python3 tools/bench/build_times.py build/dev
}

what=${1:-all}
[ $# -gt 0 ] && shift
case $what in
  lifecycle) bench_lifecycle "$@" ;;
  lifecycle-kube) bench_lifecycle_kube "$@" ;;
  machines) bench_machines "$@" ;;
  machines-kube) bench_machines_kube "$@" ;;
  agent|agents) bench_agents "$@" ;;
  replicas) bench_replicas "$@" ;;
  support-bundle) bench_support_bundle "$@" ;;
  webhooks) bench_webhooks ;;
  lookups) bench_lookups ;;
  poll) bench_poll ;;
  store) bench_store ;;
  api) bench_api ;;
  render) bench_render ;;
  ipam) bench_ipam "$@" ;;
  convert) bench_convert ;;
  review) bench_review ;;
  build) bench_build ;;
  all) bench_lifecycle; bench_lifecycle_kube; bench_machines; bench_machines_kube; bench_agents; bench_replicas; bench_support_bundle; bench_webhooks; bench_lookups; bench_poll; bench_store; bench_api; bench_render; bench_ipam; bench_convert; bench_review; bench_build ;;
  *) fail "unknown measurement '$what' (known: lifecycle, lifecycle-kube, machines, machines-kube, agent, replicas, support-bundle, webhooks, lookups, poll, store, api, render, ipam, convert, review, build)" ;;
esac
