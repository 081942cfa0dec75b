# Runs fuzz targets; sourced. What one finds is left as .cache/fuzz/TARGET-crash-…: mend it and keep the input in
# tests/fuzz/corpus/TARGET, which `./dev test fuzz` runs again.

# One a line: a target without seeds is a mistake, not a target to be left out.
fuzz_targets() {
  local target
  for target in $(grep -l LLVMFuzzerTestOneInput tests/fuzz/*.cpp | xargs -n1 basename -s .cpp | sort); do
    [ "$target" != replay_test ] || continue
    [ -n "$(ls "tests/fuzz/corpus/$target" 2>/dev/null)" ] || fail "the fuzz target '$target' has no seeds in tests/fuzz/corpus/$target"
    echo "$target"
  done
}

# fuzz SECONDS TARGET...: builds them, then as many at a time as there are processors.
fuzz() {
  local seconds=$1
  shift
  [ $# -gt 0 ] || fail "no fuzz targets"
  build_preset fuzz "${@/#/fuzz_}" || return
  fuzz_all=$#
  rm -f build/log/fuzz-*.log
  with_progress fuzz "fuzz, $seconds s each" count_fuzz fuzz_each "$seconds" "$@" ||
    fail "inputs that break these are in .cache/fuzz: $(sed -n 's/^broken: //p' build/log/fuzz.log | sort | tr '\n' ' ')"
}

fuzz_every() {
  local targets
  targets=$(fuzz_targets) || return
  # shellcheck disable=SC2086
  fuzz "$1" $targets
}

count_fuzz() { echo "$(grep -c '^\(passed\|broken\): ' "$1") $fuzz_all"; }

fuzz_each() {
  local seconds=$1
  shift
  export -f fuzz_one
  printf '%s\n' "$@" | xargs -P "$jobs" -I{} bash -c 'fuzz_one "$@"' fuzz "$seconds" {}
}

fuzz_one() {
  local seconds=$1 target=$2
  mkdir -p ".cache/fuzz/$target"
  if "build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix=".cache/fuzz/$target-" ".cache/fuzz/$target" "tests/fuzz/corpus/$target" \
    > "build/log/fuzz-$target.log" 2>&1
  then echo "passed: $target"
  else
    tail -n 30 "build/log/fuzz-$target.log"
    echo "broken: $target"
    return 1
  fi
}
