# Builds and proves. Without a name: everything, in the order in which a failure is cheapest to find.

if [ "${1:-}" = --tsan ]; then
  set_up
  step "build (tsan)"
  lower="base net wire kube apiserver"
  build_preset tsan $(for part in $lower; do echo "${part}_tests"; done)
  export TSAN_OPTIONS="suppressions=$root/tools/dev/tsan.supp"
  for part in $lower; do step "$part under ThreadSanitizer"; "build/tsan/bin/${part}_tests"; done
  exit 0
fi

# Side by side: most wait for a real Ironic or a BMC. Those that tell seconds (demo, system) run alone.
suites() { ctest --test-dir build/dev --output-on-failure --no-tests=error --parallel "$jobs" "$@"; }

if [ $# -gt 0 ]; then
  for what in "$@"; do
    case $what in
      unit) build_preset dev; suites -L "^unit\$" ;;
      ironic|ipmi|redfish|contract|system|demo) set_up; build_preset dev; suites -L "^$what\$" ;;
      vectors) build_preset dev vectors_tests; build/dev/bin/vectors_tests ;;
      *) build_preset dev "${what}_tests"; suites -R "^$what\$" ;;
    esac
  done
  exit 0
fi

# tests/demo needs the release programs; everything else runs the sanitizer build.
started=$SECONDS
step "set-up";             set_up kubernetes
step "build (dev)";        build_preset dev
step "lint";               . tools/dev/lint.sh
step "build (release)";    build_preset release
step "tests";              suites
step "all of it took $((SECONDS - started)) s"
