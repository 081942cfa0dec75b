# Fuzz targets by hand: [TARGET...] [SECONDS], all of them for 60 s each without arguments.

. tools/dev/fuzzing.sh

seconds=60 targets=()
for word in "$@"; do
  case $word in
    *[!0-9]*) targets+=("$word") ;;
    *) seconds=$word ;;
  esac
done
known=$(fuzz_targets)
for target in "${targets[@]}"; do
  grep -qx "$target" <<< "$known" || fail "unknown fuzz target '$target' (known: ${known//$'\n'/, })"
done
[ ${#targets[@]} -gt 0 ] || mapfile -t targets <<< "$known"

set_up
fuzz "$seconds" "${targets[@]}"
