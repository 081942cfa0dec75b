# `./dev test long`: what takes too long for every change. A suite is a line: what it is, and the command that runs it.
# A test of ctest joins by the label `long`, which `./dev test` leaves out.

. tools/dev/fuzzing.sh
. tools/dev/tsan.sh

long_suites=(
  "lower layers under ThreadSanitizer = tsan"
  "unit tests, every check of ASan    = suites_checked"
  "fuzz targets, two minutes each     = fuzz_long"
  "every fault at every effect        = suites_of_the_whole_matrix"
  "tests with the label 'long'        = suites -L ^long\$ -E ^matrix\\."
)

# With what tools/cmake/asan_options.cpp leaves out.
suites_checked() {
  ASAN_OPTIONS=malloc_context_size=30:max_malloc_fill_size=4096:detect_stack_use_after_return=1:quarantine_size_mb=256 \
    suites -L ^unit\$
}
suites_of_the_whole_matrix() { INGOT_MATRIX_WHOLE=1 suites -R ^matrix\\.; }
fuzz_long() { fuzz_every 120; }

# A suite that fails does not keep the others from running. The summary at the end is for whoever says what was run.
run_long() {
  local suite name result started failed=() summary=()
  set_up kubernetes cluster-api
  build_preset dev
  build_preset release fleet_seeds_tests "${packaged[@]}"
  for suite in "${long_suites[@]}"; do
    name=${suite%%=*} result=passed started=$SECONDS
    step "$name"
    (${suite#*= }) || { result=FAILED; failed+=("$name"); }
    summary+=("$(printf '%s %6s   %s' "$name" "$result" "$(elapsed $((SECONDS - started)))")")
  done
  step "summary, at commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)"
  printf '%s\n' "${summary[@]}"
  [ ${#failed[@]} -eq 0 ] || fail "failed:$(printf ' %s;' "${failed[@]}")"
}
