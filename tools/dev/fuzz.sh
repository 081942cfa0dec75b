# Runs fuzz targets: [TARGET...] [SECONDS], all of them for 60 s each without arguments. What one finds is left as
# .cache/fuzz/TARGET-crash-…; mend it and keep the input in tests/fuzz/corpus/TARGET, which `./dev test fuzz` runs again.

seconds=60 targets=()
for word in "$@"; do
  case $word in
    *[!0-9]*) targets+=("$word") ;;
    *) seconds=$word ;;
  esac
done
known=$(ls tests/fuzz/corpus)
for target in "${targets[@]}"; do
  [ -d "tests/fuzz/corpus/$target" ] || fail "unknown fuzz target '$target' (known: ${known//$'\n'/, })"
done
[ ${#targets[@]} -gt 0 ] || mapfile -t targets <<< "$known"

set_up
build_preset fuzz "${targets[@]/#/fuzz_}"
failed=()
for target in "${targets[@]}"; do
  step "fuzz $target for $seconds s"
  mkdir -p ".cache/fuzz/$target"
  "build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix=".cache/fuzz/$target-" ".cache/fuzz/$target" "tests/fuzz/corpus/$target" \
    || failed+=("$target")
done
[ ${#failed[@]} -eq 0 ] || fail "inputs that break ${failed[*]} are in .cache/fuzz"
