"""What is read of a --help, and the manual page and completions that come of it."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools/package"))
import completions   # noqa: E402  after the path
import help_text     # noqa: E402
import manual        # noqa: E402

HELP = """Serves 'racks'
Usage: prog [OPTIONS] name [SUBCOMMAND]

Positionals:
  name HOST ... REQUIRED      Whose it is; node[01-12] stands for many

Options:
  -h,--help                   Print this help message and exit
  --embedded Excludes: --kubeconfig
                              Serve the API in this process
  --data-dir TEXT Needs: --embedded
                              Where it keeps its objects
  --namespace TEXT (Env:WATCH_NAMESPACE)
                              Look at these only
  --mode TEXT:{agent,ironic}  Who does the work
  -v,--v INT:INT in [0 - 100] .debug from 4 on
  --server TEXT=tcp://127.0.0.1:7460
                              The endpoint, e.g. tcp://10.0.0.1:7460
  --rate N [0]                At most so many
  --no-events{false}          Opens no stream \\ at all

Subcommands:
  check                       Says what is wrong; it's short
"""


def command():
    read = help_text.parse(("prog",), HELP)
    return read._replace(commands=[help_text.parse(("prog", "check"), "Says what is wrong\nUsage: prog check [OPTIONS]\n")])


class Help(unittest.TestCase):
    def setUp(self):
        self.command = command()
        self.options = {each.names[-1]: each for each in self.command.options}

    def test_its_parts_are_told_apart(self):
        self.assertEqual(("Serves 'racks'", "[OPTIONS] name [SUBCOMMAND]"), (self.command.about, self.command.usage))
        self.assertEqual((["name"], "HOST ...", ["Required."]),
                         (self.command.operands[0].names, self.command.operands[0].value, self.command.operands[0].remarks))
        self.assertEqual(9, len(self.options))

    def test_what_an_option_needs_and_takes_is_a_remark(self):
        for name, value, remarks in (("--help", "", []), ("--embedded", "", ["Not together with --kubeconfig."]),
                                     ("--data-dir", "TEXT", ["Needs --embedded."]),
                                     ("--namespace", "TEXT", ["Environment: WATCH_NAMESPACE."]),
                                     ("--mode", "TEXT", ["One of agent, ironic."]), ("--v", "INT", ["From 0 to 100."]),
                                     ("--server", "TEXT", ["Default: tcp://127.0.0.1:7460."]), ("--rate", "N", ["Default: 0."]),
                                     ("--no-events", "", [])):
            with self.subTest(name):
                self.assertEqual((value, remarks), (self.options[name].value, self.options[name].remarks))
        self.assertEqual("Serve the API in this process", self.options["--embedded"].about)


class Made(unittest.TestCase):
    def test_a_manual_page_shows_dots_quotes_and_backslashes_as_they_are(self):
        with tempfile.NamedTemporaryFile("w", suffix=".8") as page:
            page.write(manual.page(command(), 8, "1.2.3", "serves racks", ".SH FILES\nnone\n"))
            page.flush()
            done = subprocess.run(["man", "--warnings", "--local-file", page.name], capture_output=True, text=True, check=True,
                                  env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "MANWIDTH": "100"})
        self.assertEqual("", done.stderr)
        for said in ("PROG(8)", "Serves 'racks'.", "-v, --v INT", ".debug from 4 on. From 0 to 100.", "Opens no stream \\ at all",
                     "prog check [OPTIONS]", "FILES"):
            self.assertIn(said, done.stdout)

    def test_completions_are_what_their_shells_understand(self):
        for shell, script in completions.scripts(command()).items():
            with self.subTest(shell):
                if not shutil.which(shell):
                    self.skipTest(f"there is no {shell}")
                done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
                self.assertEqual((0, ""), (done.returncode, done.stderr))

    def test_bash_offers_options_and_commands(self):
        script = completions.bash(command())
        for typed, offered in (("--e", "--embedded"), ("c", "check"), ("--da", "--data-dir")):
            done = subprocess.run(["bash", "-c", f"{script}\nCOMP_WORDS=(prog {typed}) COMP_CWORD=1; _prog; echo ${{COMPREPLY[@]}}"],
                                  capture_output=True, text=True, check=True)
            self.assertEqual(offered, done.stdout.strip())


if __name__ == "__main__":
    unittest.main()
