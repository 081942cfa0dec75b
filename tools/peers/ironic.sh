#!/usr/bin/env bash
# Installs Ironic and sushy-tools, pinned by tests/tools/ironic-constraints.txt, into .cache/peers/ironic and prints
# that path. Nothing to do when it is already there (a few milliseconds); about 40 s and 330 MB the first time.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/tools/dev/progress.sh"
venv=$root/.cache/peers/ironic
constraints=$root/tests/tools/ironic-constraints.txt

install() {
  rm -rf "$venv" &&
    /usr/bin/python3 -m venv "$venv" &&   # Debian's own: a newer python in PATH may lack wheels
    "$venv/bin/pip" install --disable-pip-version-check --progress-bar off --retries 5 \
      --constraint "$constraints" ironic sushy-tools bcrypt
}

stamp=$venv/.constraints
if ! cmp -s "$constraints" "$stamp"; then
  exec 9>"$(mkdir -p "$root/.cache/peers" && echo "$root/.cache/peers/ironic.lock")"
  flock 9   # two test runs may start at once
  if ! cmp -s "$constraints" "$stamp"; then
    with_progress setup-ironic "Ironic (Python packages)" count_pip install
    cp "$constraints" "$stamp"
  fi
fi
echo "$venv"
