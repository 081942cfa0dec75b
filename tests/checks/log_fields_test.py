"""Fields of log lines: none is called as what `ingotctl support-bundle` hides, for an operator has to see which Secret is meant."""
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CALL = re.compile(r"\blog_?(?:\.|->)(?:info|warn|error|debug)\((.*?)\);", re.S)
FIELD = re.compile(r'\{"([A-Za-z_]+)",')
# cli/bundle/redaction.cpp, maskAssignments(): "secret=metal3/s" becomes "secret=***". The name of a Secret is `secretName`.
HIDDEN = re.compile(r"(?:(?:password|passwd|passphrase|pwd|token|api_?key|private_?key)s?|secret)$", re.I)
FOLDERS = ("agent", "apiserver", "base", "bmc", "cli", "coordinator", "ironic-client", "kube", "net", "sim", "wire")


def fields(text):
    return {name for call in CALL.findall(text) for name in FIELD.findall(call)}


class LogFields(unittest.TestCase):
    def test_none_is_hidden_in_a_bundle(self):
        named = {}
        for file in (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.[ch]pp")):
            for name in fields(file.read_text()):
                named.setdefault(name, set()).add(str(file.relative_to(ROOT)))
        self.assertIn("secretName", named)
        self.assertGreater(len(named), 50)
        self.assertEqual({}, {name: files for name, files in named.items() if HIDDEN.search(name)})

    def test_fields_are_found_in_calls_of_some_lines(self):
        self.assertEqual({"secret", "error"}, fields('runtime_.log.warn("a Secret",\n   {{"secret", key.text()}, {"error", e.what()}});'))
        self.assertEqual(set(), fields('json::Object{{"secret", 1}};'))


if __name__ == "__main__":
    unittest.main()
