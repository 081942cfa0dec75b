# What the Python peers have in common; sourced.
#
#   python_peer NAME WHAT PACKAGE...
#
# installs the packages into .cache/peers/NAME, a venv of Debian's Python, pinned by tests/tools/NAME-constraints.txt, and
# prints that path. Nothing to do when it is already there (a few milliseconds).
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/dev/progress.sh"

install_venv() {   # VENV PACKAGE...
  rm -rf "$1" &&
    /usr/bin/python3 -m venv "$1" &&   # a newer python in PATH may lack wheels
    "$1/bin/pip" install --disable-pip-version-check --progress-bar off --retries 5 --constraint "$constraints" "${@:2}"
}

python_peer() {
  local name=$1 what=$2 venv=$root/.cache/peers/$1 constraints=$root/tests/tools/$1-constraints.txt
  shift 2
  if ! cmp -s "$constraints" "$venv/.constraints"; then
    mkdir -p "$root/.cache/peers"
    exec 9> "$root/.cache/peers/$name.lock"
    flock 9   # two test runs may start at once
    if ! cmp -s "$constraints" "$venv/.constraints"; then
      with_progress "setup-$name" "$what (Python packages)" count_pip install_venv "$venv" "$@"
      cp "$constraints" "$venv/.constraints"
    fi
  fi
  echo "$venv"
}
