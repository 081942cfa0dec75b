#!/usr/bin/env bash
# verify.sh SOURCE BUILD: what systemd itself says of our units, users and folders. Silent when all is well.
set -euo pipefail
source=$1 build=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
failed=0
complain() { echo "$1" >&2; failed=1; }

# The units name programs below /usr/bin and settings below /etc that need not be on this machine: copies name stand-ins.
mkdir -p "$root/bin" "$root/etc"
for unit in ingot-coordinator ingot-agent; do
  printf '#!/bin/sh\n' > "$root/bin/$unit"
  chmod +x "$root/bin/$unit"
  sed "s|/usr/bin/$unit|$root/bin/$unit|; s|=/etc/ingot/|=$root/etc/|" "$source/systemd/$unit.service" > "$root/$unit.service"
  grep -q "ExecStart=$root/bin/$unit" "$root/$unit.service" || complain "$unit: ExecStart is not /usr/bin/$unit"
done
cp "$source"/systemd/*.env "$root/etc/"

said=$(systemd-analyze verify --man=no "$root"/ingot-coordinator.service "$root"/ingot-agent.service 2>&1 | grep -F ingot || true)
[ -z "$said" ] || complain "systemd-analyze verify: $said"

# 1.5 of 10 at most; today it is 1.4.
for unit in ingot-coordinator ingot-agent; do
  systemd-analyze security --offline=true --threshold=15 --no-pager "$root/$unit.service" > "$root/report" 2>&1 ||
    { cat "$root/report" >&2; complain "$unit: too exposed"; }
done

# Users and folders, made in an empty root.
mkdir -p "$root/tree/etc" "$root/tree/var/lib"
for component in coordinator-service agent-service; do
  DESTDIR="$root/tree" cmake --install "$build" --prefix /usr --component $component > /dev/null || complain "cmake --install $component"
done
for unit in ingot-coordinator ingot-agent; do
  [ -f "$root/tree/usr/lib/systemd/system/$unit.service" ] || complain "cmake --install: no unit $unit"
done
said=$(systemd-sysusers --root="$root/tree" 2>&1 | grep -v '^Creating ' || true)
[ -z "$said" ] || complain "systemd-sysusers: $said"
for user in ingot ingot-agent; do
  grep -q "^$user:" "$root/tree/etc/passwd" || complain "systemd-sysusers: no user $user"
  grep -q "^User=$user\$" "$source/systemd"/*.service || complain "no unit runs as $user"
done
systemd-tmpfiles --root="$root/tree" --create --prefix=/etc/ingot --prefix=/var/lib/ingot --prefix=/var/lib/ingot-agent ||
  complain "systemd-tmpfiles refused"
for folder in var/lib/ingot var/lib/ingot-agent etc/ingot; do
  [ -d "$root/tree/$folder" ] || complain "systemd-tmpfiles: no folder $folder"
done

# Every option in the examples exists.
for program in coordinator agent; do
  for option in $(grep -ohE -e '--[a-z][a-z0-9-]*' -- "$source/systemd/$program.env" "$source/systemd/ingot-$program.service" | sort -u); do
    grep -rqE --include='*options.cpp' -- "[\"!]$option[\",]" "$source/$program" || complain "ingot-$program has no option $option"
  done
done

# Both command lines of the coordinator are taken as they are written: only what they name is not there (1), and 2 would
# be a command line that systemd never tries again.
echo occupied > "$root/file"
for form in '' '#'; do
  line=$(sed -n "s|^${form}INGOT_COORDINATOR_OPTIONS=||p" "$source/systemd/coordinator.env" | sed "s|/var/lib/ingot|$root/file|; s|/etc/ingot/|$root/nowhere/|; s|:[0-9][0-9]*|:0|g")
  [ -n "$line" ] || complain "coordinator.env: no line ${form}INGOT_COORDINATOR_OPTIONS"
  code=0
  # shellcheck disable=SC2086
  said=$(env -u KUBECONFIG HOME="$root" "$build/bin/ingot-coordinator" --provisioner fixture $line 2>&1) || code=$?
  [ "$code" = 1 ] || complain "ingot-coordinator $line: code $code: $said"
done
exit $failed
