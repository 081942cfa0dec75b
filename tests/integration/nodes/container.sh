#!/usr/bin/env bash
# What a container runtime does last, in a mount namespace of the container's own: gives it a root of which only this machine's
# programs and libraries, and what it mounts, are to be seen, and becomes its program.
#   container.sh ROOT ro|rw USER:GROUP|- [SOURCE:TARGET:ro|rw]... -- PROGRAM [ARGUMENT]...
# ROOT is an empty folder. `-` is who we are, with all that we may.
set -euo pipefail
root=$1 access=$2 user=$3
shift 3

mount -t tmpfs -o mode=755 container "$root"
mkdir -m 1777 "$root/tmp"
mkdir "$root/proc" "$root/dev"
mount --rbind /proc "$root/proc"
for name in null zero full random urandom; do
  : > "$root/dev/$name"
  mount --bind "/dev/$name" "$root/dev/$name"
done
for name in bin sbin lib lib32 lib64 usr etc; do
  if [ -L "/$name" ]; then
    cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then
    mkdir "$root/$name"
    mount --bind -o ro "/$name" "$root/$name"
  fi
done
while [ "$1" != -- ]; do
  IFS=: read -r source target mode <<< "$1"
  mkdir -p "$root$target"
  mount --bind -o "$mode" "$source" "$root$target"
  shift
done
shift
[ "$access" = rw ] || mount -o remount,bind,ro "$root"

# No capability, no way to any, and nobody's groups.
[ "$user" = - ] || set -- /usr/bin/setpriv --reuid="${user%:*}" --regid="${user#*:}" --clear-groups --bounding-set=-all \
  --inh-caps=-all --no-new-privs "$@"
exec chroot "$root" "$@"
