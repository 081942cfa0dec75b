# Shared by the ./dev commands; sourced with the checkout as working directory.

root=$PWD
jobs=${INGOT_JOBS:-$(nproc)}
export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G}
. tools/dev/progress.sh

step() { printf '\n== %s\n' "$*"; }
# Only what there is is asked for: nothing has to be installed or built.
asks_for_help() { case " $* " in *" --help "*|*" -h "*) return 0 ;; *) return 1 ;; esac; }
fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# Configures when needed and builds the given targets (all without one). One at a time in a checkout: ninja and the logs are
# for one only, and two demos may start together.
build_preset() {
  local lock code=0
  mkdir -p build/log
  exec {lock}> "build/log/build-$1.lock"
  flock --nonblock "$lock" || { echo "another build ($1) is under way here: waiting for it" >&2; flock "$lock"; }
  configure_and_build "$@" {lock}>&- || code=$?
  exec {lock}>&-
  return "$code"
}

configure_and_build() {
  local preset=$1 log
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    with_progress "configure-$preset" "configure ($preset)" count_nothing cmake --preset "$preset" || return
  fi
  log=build/log/build-$preset.log
  NINJA_STATUS='[%f/%t] ' with_progress "build-$preset" "build ($preset)" count_ninja \
    ninja -C "build/$preset" -j "$jobs" "$@" || return
  ! grep -q 'warning: ' "$log" || printf 'the compiler warns: read %s\n' "$log" >&2
}

# Set-up from within another command: the function's own arguments, not the command's, are the peers to install.
set_up() { . tools/dev/setup.sh; }
