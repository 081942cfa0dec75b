# Go programs of a pinned module, built once into .cache/peers/bin; sourced, with $root set to the checkout. The script says
#   module    the folder of the go.mod, from $root
#   release   the version that the programs name
#   variable  the Go variable that holds it
#   package   what to build, by name of the program (an associative array)

. "$root/tools/dev/progress.sh"
bin=$root/.cache/peers/bin

# build_missing NAME...: those that were not built from this go.mod.
build_missing() {
  local name stamp go
  stamp=$(sha256sum "$root/$module/go.mod" | cut -c1-16)
  mkdir -p "$bin"
  exec 9> "$bin/.lock"
  flock 9   # two test runs may start at once
  for name in "$@"; do
    [ -n "${package[$name]:-}" ] || { echo "${0##*/}: unknown program '$name'" >&2; exit 2; }
    [ "$(cat "$bin/.$name.stamp" 2>/dev/null)" = "$stamp" ] && continue
    go=$("$root/tools/peers/go.sh")
    with_progress "setup-$name" "$name $release" count_go build "$name"
    mv "$bin/$name.new" "$bin/$name"
    echo "$stamp" > "$bin/.$name.stamp"
  done
  exec 9>&-
}

in_module() (
  cd "$root/$module"
  CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS='-mod=mod -trimpath -buildvcs=false' exec "$@"
)

# The list makes Go download the modules; its length is how many packages there are to compile.
build() {
  local listed
  listed=$(in_module "$go" list -deps "${package[$1]}") &&
    echo "packages: $(wc -l <<< "$listed")" &&
    in_module "$go" build -v -ldflags "-s -w -X $variable=$release" -o "$bin/$1.new" "${package[$1]}"
}

# version_in_module PATH: of a required module.
version_in_module() { awk -v path="$1" '$1 == path {print $2; exit}' "$root/$module/go.mod"; }
