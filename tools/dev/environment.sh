# A variable that narrows a test, or points it elsewhere, must not empty a proof by accident; sourced.

# Which runs obey which: `INGOT_VECTORS=DIR ./dev test vectors`.
declare -A obeyed_by=([INGOT_MATRIX]=matrix [INGOT_SEEDS]="agents seeds fleet_seeds" [INGOT_VECTORS]=vectors [INGOT_PROGRAMS]=demo
                     [INGOT_UPSTREAM]=neighbours [INGOT_MOCKUPS]=mockups)
harmless=" INGOT_JOBS INGOT_TEST_LOG "   # how many at once; how much is said

# clear_environment WHAT...: unsets every other INGOT_ variable, for what `./dev test` was asked to run.
clear_environment() {
  local name
  for name in $(compgen -e INGOT_); do
    case $harmless in *" $name "*) continue ;; esac
    if [ $# -eq 1 ] && [[ " ${obeyed_by[$name]:-} " == *" $1 "* ]]; then continue; fi
    printf 'dev: %s is set and ignored%s\n' "$name" "${obeyed_by[$name]:+: only ./dev test ${obeyed_by[$name]// / or } obeys it}" >&2
    unset "$name"
  done
}
