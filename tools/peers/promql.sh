#!/usr/bin/env bash
# Builds tests/tools/promql, which asks Prometheus's engine, into .cache/peers/bin and prints where: half a minute the first time.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tools/peers/go_programs.sh"

module=tests/tools/promql
release=$(version_in_module github.com/prometheus/prometheus)
variable=main.release
declare -A package=([promql]=.)

build_missing promql
echo "$bin/promql"
