"""What the audit judges: the simulator's journal and the witness's looks at Ironic, in one file of a run's folder."""
import json

from witness import Looks


class Evidence:
    """`ipmi` names the machines whose BMC cannot tell who asks."""

    def __init__(self, journal, looks, ipmi=()):
        self.journal, self.looks, self.ipmi = journal, looks, list(ipmi)

    def write(self, path):
        """One line an entry and one a look, so that a reader and a diff can follow it."""
        looks = (json.dumps([asked, answered, sorted(owned)]) for asked, answered, owned in self.looks.list)
        entries = (json.dumps(entry) for entry in self.journal)
        path.write_text(f'{{"ipmi": {json.dumps(self.ipmi)},\n"looks": [\n{lines(looks)}],\n"journal": [\n{lines(entries)}]}}\n')
        return path


def lines(texts):
    return ",\n".join(texts) + "\n"


def read(path):
    held = json.loads(path.read_text())
    return Evidence(held["journal"], Looks(held["looks"]), held["ipmi"])
