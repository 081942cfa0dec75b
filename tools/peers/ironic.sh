#!/usr/bin/env bash
# Installs Ironic and sushy-tools, pinned by tests/tools/ironic-constraints.txt, into .cache/peers/ironic and prints
# that path. Nothing to do when it is already there (a few milliseconds); about 40 s and 330 MB the first time.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
venv=$root/.cache/peers/ironic
constraints=$root/tests/tools/ironic-constraints.txt

stamp=$venv/.constraints
if ! cmp -s "$constraints" "$stamp"; then
  exec 9>"$(mkdir -p "$root/.cache/peers" && echo "$root/.cache/peers/ironic.lock")"
  flock 9   # two test runs may start at once
  if ! cmp -s "$constraints" "$stamp"; then
    echo "ironic.sh: installing Ironic into ${venv#"$root"/}" >&2
    rm -rf "$venv"
    /usr/bin/python3 -m venv "$venv"   # Debian's own: a newer python in PATH may lack wheels
    "$venv/bin/pip" install --quiet --disable-pip-version-check --retries 5 \
      --constraint "$constraints" ironic sushy-tools bcrypt >&2
    cp "$constraints" "$stamp"
  fi
fi
echo "$venv"
