"""Ingot in shadow beside Metal3's own managers, from the folder that INGOT_UPSTREAM names: `INGOT_UPSTREAM=DIR ./dev test neighbours`."""
import os
import pathlib

from shadow_case import ShadowCase


class ShadowNeighboursTest(ShadowCase):
    def programs(self):
        return pathlib.Path(os.environ["INGOT_UPSTREAM"]).resolve()

    def test_they_work_and_ingot_looks_on(self):
        self.it_looks_on()
