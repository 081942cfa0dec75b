#!/usr/bin/env python3
"""Real Ironic takes simulated servers of each vendor through their life: what the simulator makes of a vendor's BMC is
judged by the client that most of these BMCs know.

    vendors.py --simulator build/dev/bin/ingot-sim [--only NAME] [--keep]
"""
import sys

import lifecycle

# Of what Ironic's plain redfish cannot boot a virtual CD: idrac10 does it by Dell's own way only, openbmc takes images
# by HTTPS, and the files of the fleet come by HTTP.
MODELS = {"xcc": {"model": "ThinkSystem SR650 V3"},   # no SR675: Ironic gives it no rest
          "ami": {"manufacturer": "AMI"}}             # Ironic knows it by its maker, not by its Oem
NETWORK_BOOT = {"idrac10", "openbmc"}
VENDORS = ("idrac9", "idrac10", "ilo5", "ilo6", "xcc", "supermicro", "openbmc", "ami")

MACHINES = [{"name": name, "personality": name, "timing": lifecycle.TIMING, **MODELS.get(name, {})} for name in VENDORS]
BOOT = {name: "ipxe" if name in NETWORK_BOOT else "redfish-virtual-media" for name in VENDORS}

if __name__ == "__main__":
    sys.exit(lifecycle.main(MACHINES, BOOT, __doc__))
