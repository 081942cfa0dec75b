# One line of progress for what takes long; sourced, with $root set to the checkout.
#
#   with_progress NAME WHAT COUNT COMMAND...
#
# runs COMMAND with all that it says in build/log/NAME.log. Meanwhile standard error shows WHAT, how much of it is done and
# for how long it has run: on a terminal one line that repaints itself, elsewhere a line a minute. COUNT is a command that
# gets the log's path and prints "N M", or nothing when that is not known. A COMMAND that fails shows its last words and the
# name of its log, and its exit code is returned.

progress_tick=1     # seconds from one look to the next
progress_every=60   # seconds from line to line where there is no terminal

with_progress() {
  local name=$1 what=$2 count=$3 log=$root/build/log/$1.log began=$EPOCHSECONDS code=0 ticker
  shift 3
  mkdir -p "${log%/*}"
  : > "$log"
  progress_ticker "$what" "$count" "$log" "$began" $$ &
  ticker=$!
  "$@" >> "$log" 2>&1 < /dev/null || code=$?
  kill "$ticker" 2> /dev/null || true
  wait "$ticker" 2> /dev/null || true
  [ ! -t 2 ] || printf '\r\e[K' >&2
  if [ "$code" = 130 ]; then   # Ctrl-C: there is nothing to explain
    printf '%s: interrupted after %s\n' "$what" "$(elapsed $((EPOCHSECONDS - began)))" >&2
    return "$code"
  elif [ "$code" != 0 ]; then
    progress_last_words "$log" >&2
    printf '%s failed after %s; all that it said is in %s\n' "$what" "$(elapsed $((EPOCHSECONDS - began)))" "${log#"$root"/}" >&2
    return "$code"
  fi
  progress_done "$what" "$("$count" "$log")" $((EPOCHSECONDS - began)) >&2
}

# Its last line may be cut short by its end, about which the tools that wrote it would complain.
progress_ticker() {
  local what=$1 count=$2 log=$3 began=$4 parent=$5 told=0 now line
  while sleep "$progress_tick" > /dev/null 2>&1 && kill -0 "$parent" 2> /dev/null; do
    now=$((EPOCHSECONDS - began))
    line=$({ progress_line "$what" "$("$count" "$log")" "$now"; } 2> /dev/null)
    if [ -t 2 ]; then
      printf '\r\e[K%s' "$line" >&2
    elif [ $((now - told)) -ge "$progress_every" ]; then
      told=$now
      printf '%s\n' "$line" >&2
    fi
  done
}

# progress_line WHAT "N M" SECONDS
progress_line() {
  if [ -n "$2" ]; then printf '%s: %s of %s, %s\n' "$1" "${2% *}" "${2#* }" "$(elapsed "$3")"
  else printf '%s: %s\n' "$1" "$(elapsed "$3")"; fi
}

# Nothing was to be done, or too little to tell of it: no line.
progress_done() {
  if [ -n "$2" ]; then printf '%s: all %s, %s\n' "$1" "${2#* }" "$(elapsed "$3")"
  elif [ "$3" -ge 2 ]; then printf '%s: done, %s\n' "$1" "$(elapsed "$3")"; fi
}

# What a compiler or linker said first; else the end.
progress_last_words() {
  if grep -q '^FAILED: ' "$1"; then sed -n '/^FAILED: /,$p' "$1" | grep -v '^\[[0-9]*/[0-9]*\] ' | head -n 60
  else tail -n 20 "$1"; fi
}

elapsed() {
  if [ "$1" -lt 60 ]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# --- how much of it is done, by what the tools say ---

count_nothing() { :; }

count_ninja() { tail -c 8192 "$1" | sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\] .*/\1 \2/p' | tail -n 1; }

# A package is fetched, unpacked and set up.
count_apt() {
  awk '/ newly installed, / {all = $1 + $3; steps = 0} /^(Get:|Unpacking |Setting up )/ {++steps}
       END {if (all) printf "%d %d\n", steps / 3 < all ? steps / 3 : all, all}' "$1"
}

# The constraints name every package that is installed; pip says "Collecting" once for each.
count_pip() {
  local of found
  of=$(grep -c '==' "${constraints:-$root/tests/tools/ironic-constraints.txt}")
  found=$(sed -n 's/^Collecting \([A-Za-z0-9_.-]*\).*/\1/p' "$1" | sort -u | wc -l)
  echo "$((found < of ? found : of)) $of"
}

# `go list` downloads modules, `go build -v` names each package that it compiles; the step before says how many there are.
count_go() { awk '/^packages: / {all = $2; next} /^go: / {next} all && n < all {++n} END {if (all) print n + 0, all}' "$1"; }
