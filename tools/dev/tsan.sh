# The unit tests of the lower layers under ThreadSanitizer; sourced.

tsan_parts="base net wire kube apiserver"

# One part that fails does not keep the others from running.
tsan() {
  local part code=0
  build_preset tsan $(for part in $tsan_parts; do echo "${part}_tests"; done) || return
  for part in $tsan_parts; do
    step "$part under ThreadSanitizer"
    TSAN_OPTIONS="suppressions=$root/tools/dev/tsan.supp" "build/tsan/bin/${part}_tests" || code=$?
  done
  return "$code"
}
