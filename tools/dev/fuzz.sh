# Runs fuzz targets (all, or the named ones) for INGOT_FUZZ_SECONDS each, 60 unless told. The corpus grows in .cache/fuzz,
# from the seeds in tests/data/fuzz.

seconds=${INGOT_FUZZ_SECONDS:-60}
build_preset fuzz fuzz_targets
targets=${*:-$(cd build/fuzz/bin && ls fuzz_* | sed s/^fuzz_//)}
for target in $targets; do
  step "fuzz $target for $seconds s"
  mkdir -p ".cache/fuzz/$target"
  seeds=
  [ -d "tests/data/fuzz/$target" ] && seeds=tests/data/fuzz/$target
  # shellcheck disable=SC2086
  "build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=0 \
    -artifact_prefix=".cache/fuzz/$target-" ".cache/fuzz/$target" $seeds
done
