#!/usr/bin/env bash
# Installs DMTF's Redfish protocol validator and prints where: about 15 s and 60 MB the first time.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/python_peer.sh"
python_peer redfish "Redfish protocol validator" redfish-protocol-validator
