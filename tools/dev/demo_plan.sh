# What `./dev demo` says before it begins; sourced.

# demo_plan PACKAGES IRONIC KUBECTL PROGRAMS: what there is to be done, each as a number of missing things; minutes on two cores.
demo_plan() {
  local number=1 minutes=4
  echo "Four simulated servers go from a Metal3 manifest to their running image, through a real Ironic. In order:"
  if [ "$1$2$3" != 000 ]; then
    local what=()
    [ "$1" = 0 ] || { what+=("$1 Debian packages"); minutes=$((minutes + 2)); }
    [ "$2" = 0 ] || { what+=("Ironic (into .cache)"); minutes=$((minutes + 1)); }
    [ "$3" = 0 ] || { what+=("kubectl (into .cache)"); minutes=$((minutes + 3)); }
    echo "  $number. install what is missing: $(printf '%s, ' "${what[@]}" | sed 's/, $//')"
    number=$((number + 1))
  fi
  if [ "$4" = 0 ]; then echo "  $number. build the four programs, should their sources have changed"
  else
    echo "  $number. build the four programs: the first time"
    minutes=$((minutes + 6))
  fi
  echo "  $((number + 1)). the demo itself, 3 to 4 minutes"
  echo "That takes up to $minutes minutes on two cores. Ctrl-C ends it and stops everything that it started."
}
