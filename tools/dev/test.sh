# Builds and proves. Without a name: everything but what ./dev test long adds, in the order in which a failure is cheapest
# to find.

. tools/dev/environment.sh
. tools/dev/fuzzing.sh
. tools/dev/linting.sh
. tools/dev/packaged.sh
clear_environment "$@"

# Programs of tests that take too long under the sanitizers but for ./dev test long.
optimised_tests=(matrix_tests seeds_tests fleet_seeds_tests)

# Most of what has a real peer waits, and takes some tenths of a core (tools/cmake/IngotTargets.cmake): many run side by side.
# What is written in Go (kube-apiserver, etcd, Cluster API's managers) lets more garbage pile up for a fifth of its CPU.
suites() { GOGC=${GOGC:-400} ctest --test-dir build/dev --output-on-failure --no-tests=error --parallel $((10 * jobs)) "$@"; }

if [ "${1:-}" = --tsan ]; then
  . tools/dev/tsan.sh
  set_up
  tsan
  exit 0
fi

if [ $# -gt 0 ]; then
  for what in "$@"; do
    case $what in
      neighbours) . tools/dev/neighbours.sh; run_neighbours ;;
      long) . tools/dev/long.sh; run_long ;;
      unit) build_preset dev; suites -L "^unit\$" ;;
      redfish) set_up redfish; build_preset dev; suites -L "^redfish\$" ;;
      ironic|ipmi|contract) set_up; build_preset dev; suites -L "^$what\$" ;;
      package)
        . tools/dev/missing.sh
        [ -z "$(missing_packages)" ] || set_up
        build_preset release "${packaged[@]}"
        /usr/bin/python3 tests/run_unittests.py tests/package
        /usr/bin/python3 tests/package/packages.py build/release
        ;;
      release)
        set_up kubernetes cluster-api
        build_preset dev
        build_preset release all "${optimised_tests[@]}"
        suites -L "^release\$"
        ;;
      system|demo) set_up; build_preset dev; suites -L "^$what\$" ;;
      cluster_api) set_up cluster-api; build_preset dev; suites -L "^$what\$" ;;
      vectors) build_preset dev vectors_tests; build/dev/bin/vectors_tests ;;
      mockups)
        build_preset dev mockups_tests
        suites -R '^mockups$'
        [ -z "${INGOT_MOCKUPS:-}" ] || build/dev/bin/mockups_tests '[elsewhere]'
        ;;
      *) build_preset dev "${what}_tests"; suites -R "^$what(\.|\$)" ;;
    esac
  done
  exit 0
fi

# tests/demo, the matrix of faults, the thousand seeds and the hours of a fleet need the release build; everything else runs the
# sanitizer build.
started=$SECONDS
step "set-up";             set_up kubernetes cluster-api redfish promql
step "lint (texts)";       lint_text
step "build (dev)";        build_preset dev
step "lint (built)";       lint_built
step "build (release)";    build_preset release all "${optimised_tests[@]}"
step "fuzz";               fuzz_every 10
step "tests";              suites -LE "^long\$"
step "all of it took $(elapsed $((SECONDS - started)))"
