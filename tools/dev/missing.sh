# What set-up would install; sourced. Asks dpkg and files only: no package manager is started.

# The Debian packages of tools/packages.txt that are not installed, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | awk '$1 == "installed" {print $2}' | sort -u)
  grep -v '^#' tools/packages.txt | sort -u | comm -23 - <(echo "$installed")
}

ironic_is_missing() { ! cmp -s tests/tools/ironic-constraints.txt .cache/peers/ironic/.constraints; }

kubectl_is_missing() {
  [ "$(cat .cache/peers/bin/.kubectl.stamp 2>/dev/null)" != "$(sha256sum tests/tools/go.mod | cut -c1-16)" ]
}
