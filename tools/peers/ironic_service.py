"""Ironic's all-in-one service, as its own program starts it, but that a key derived once is remembered.

Ironic derives a key from the BMC's password (PBKDF2, 600,000 rounds: half a second of one core) each time it opens a
Redfish resource, to look up its session: redfish/utils.py, SessionCache. The same input gives the same key; on a small
machine that runs a dozen Ironics nearly all of its time went there. Nothing else of Ironic is touched.
"""
import functools
import hashlib
import sys

from ironic.command.singleprocess import main

hashlib.pbkdf2_hmac = functools.cache(hashlib.pbkdf2_hmac)
sys.exit(main())
