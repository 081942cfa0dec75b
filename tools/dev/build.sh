preset=${1:-dev}
build_preset "$preset" "${@:2}"
