"""Three coordinators, each in the place of one of Metal3's managers and under its name: the parts work apart, each may be
replaced while the others go on, and neighbours_case.py would see if they did not."""
from neighbours import MANAGERS, OF_ALL
from neighbours_case import NeighboursCase

SCRIPT = """#!/bin/bash
exec {program} --controllers={controllers} --leader-elect-resource-name={name} --agents-endpoint= "${{@/#--diagnostics-address=/--metrics-addr=}}"
"""


class PartsTest(NeighboursCase):
    def programs(self):
        folder = self.folder / "managers"
        folder.mkdir()
        for manager in MANAGERS:
            script = folder / manager.name
            script.write_text(SCRIPT.format(program=self.ingot.programs / "ingot-coordinator", controllers=manager.controllers,
                                            name=manager.name))
            script.chmod(0o755)
        return folder

    def test_each_part_is_replaced_and_takes_its_work_back(self):
        self.each_is_replaced_in_turn()
        for manager in MANAGERS:
            with self.subTest(manager.name):
                kinds = {each.what for each in self.capi.api.writes(manager.name)} - OF_ALL
                self.assertTrue(kinds)
                self.assertLessEqual(kinds, manager.writes)
