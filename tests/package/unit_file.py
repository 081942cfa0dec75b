"""A service as its unit describes it, started where systemd is not there to do so."""
import configparser
import re


class Service:
    def __init__(self, root, name):
        self.root = root
        unit = configparser.RawConfigParser(strict=False)
        unit.optionxform = str
        unit.read_string(root.file(f"/usr/lib/systemd/system/{name}.service").read_text())
        self.section = unit["Service"]

    @property
    def user(self):
        return self.section["User"]

    def environment(self):
        told = dict([self.section["Environment"].replace("%b", "0123456789abcdef").split("=", 1)]) if "Environment" in self.section else {}
        for line in self.root.file(self.section["EnvironmentFile"]).read_text().splitlines():
            if re.match(r"[A-Za-z_]\w*=", line):
                told.update([line.split("=", 1)])
        return told

    def words(self):
        """$NAME alone is as many words as its value has; systemd's rule."""
        told = self.environment()
        words = []
        for word in self.section["ExecStart"].split():
            words += told.get(word[1:], "").split() if word.startswith("$") else [word]
        return words

    def command(self):
        """As its user, without any capability."""
        variables = [f"{name}={value}" for name, value in self.environment().items()]
        return self.root.command("setpriv", f"--reuid={self.user}", f"--regid={self.section['Group']}", "--clear-groups", "--no-new-privs",
                                 "--bounding-set=-all", "--inh-caps=-all", "env", "-i", *variables, *self.words())
