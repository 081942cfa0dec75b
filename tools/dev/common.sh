# Shared by the ./dev commands; sourced with the checkout as working directory.

root=$PWD
jobs=${INGOT_JOBS:-$(nproc)}
export CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-10G}

step() { printf '\n== %s\n' "$*"; }
fail() { printf 'dev: %s\n' "$*" >&2; exit 1; }

# Configures when needed and builds the given targets (all without one).
build_preset() {
  local preset=$1
  shift
  if [ ! -f "build/$preset/build.ninja" ]; then
    cmake --preset "$preset" > "/tmp/ingot-configure.$$" 2>&1 || { cat "/tmp/ingot-configure.$$"; fail "cmake --preset $preset failed"; }
    rm -f "/tmp/ingot-configure.$$"
  fi
  ninja -C "build/$preset" -j "$jobs" --quiet "$@"
}

# Set-up from within another command: the function's own arguments, not the command's, are the peers to install.
set_up() { . tools/dev/setup.sh; }
