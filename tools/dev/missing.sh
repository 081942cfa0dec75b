# What set-up would install; sourced. Asks dpkg and files only: no package manager is started.

# The Debian packages of tools/packages.txt that are not installed, one a line.
missing_packages() {
  local installed
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null | awk '$1 == "installed" {print $2}' | sort -u)
  grep -v '^#' tools/packages.txt | sort -u | comm -23 - <(echo "$installed")
}

ironic_is_missing() { ! cmp -s tests/tools/ironic-constraints.txt .cache/peers/ironic/.constraints; }

# Whether a program is not there as its go.mod wants it.
go_program_is_missing() {   # NAME GO.MOD
  [ "$(cat ".cache/peers/bin/.$1.stamp" 2>/dev/null)" != "$(sha256sum "$2" | cut -c1-16)" ]
}

kubectl_is_missing() { go_program_is_missing kubectl tests/tools/go.mod; }

# Its managers, or what they run with and is built last.
cluster_api_is_missing() {
  go_program_is_missing kube-apiserver tests/tools/go.mod || go_program_is_missing kube-controller-manager tests/tools/go.mod ||
    go_program_is_missing kube-scheduler tests/tools/go.mod ||
    go_program_is_missing core-manager tools/peers/cluster-api/go.mod
}
