# What `./dev demo` says before it begins; sourced.

declare -A demo_says=(
  [hosts]="Four simulated servers go from a Metal3 manifest to their running image, through a real Ironic. In order:"
  [cluster]="Five simulated servers become a Kubernetes cluster, through a real Ironic and Cluster API's managers. In order:"
)
declare -A demo_least=([hosts]=3 [cluster]=9)   # minutes of the demo itself
declare -A demo_most=([hosts]=4 [cluster]=12)
declare -A demo_go=([hosts]="kubectl" [cluster]="kube-apiserver, etcd, kubectl, Cluster API's managers")   # programs that are built
declare -A demo_go_minutes=([hosts]=3 [cluster]=13)

# demo_plan DEMO PACKAGES IRONIC GO PROGRAMS: what there is to be done, each as a number of missing things; minutes on two cores.
demo_plan() {
  local demo=$1
  local number=1 minutes=${demo_most[$demo]}
  echo "${demo_says[$demo]}"
  if [ "$2$3$4" != 000 ]; then
    local what=()
    [ "$2" = 0 ] || { what+=("$2 Debian packages"); minutes=$((minutes + 2)); }
    [ "$3" = 0 ] || { what+=("Ironic (into .cache)"); minutes=$((minutes + 1)); }
    [ "$4" = 0 ] || { what+=("${demo_go[$demo]} (into .cache)"); minutes=$((minutes + demo_go_minutes[$demo])); }
    echo "  $number. install what is missing: $(printf '%s, ' "${what[@]}" | sed 's/, $//')"
    number=$((number + 1))
  fi
  if [ "$5" = 0 ]; then echo "  $number. build the four programs, should their sources have changed"
  else
    echo "  $number. build the four programs: the first time"
    minutes=$((minutes + 6))
  fi
  echo "  $((number + 1)). the demo itself, ${demo_least[$demo]} to ${demo_most[$demo]} minutes"
  echo "That takes up to $minutes minutes on two cores. Ctrl-C ends it and stops everything that it started."
}
