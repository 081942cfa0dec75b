"""Metal3's own managers, from the folder that INGOT_UPSTREAM names: `INGOT_UPSTREAM=DIR ./dev test neighbours`."""
import os
import pathlib

from neighbours_case import NeighboursCase


class NeighboursTest(NeighboursCase):
    def programs(self):
        return pathlib.Path(os.environ["INGOT_UPSTREAM"]).resolve()

    def test_each_manager_is_replaced_and_takes_its_work_back(self):
        self.each_is_replaced_in_turn()
