"""What the audience reads: headings, findings, and the summary at the end."""
import sys

from ingot import PROGRAMS


class Tell:
    def __init__(self, out=None):
        self.out, self.facts = out or sys.stdout, []
        self.bold, self.green, self.plain_ink = ("\x1b[1m", "\x1b[32m", "\x1b[0m") if self.out.isatty() else ("", "", "")

    def begin(self, stage):
        self._line(f"Logs of this run: {stage.folder}")

    def chapter(self, number, title):
        self._line(f"\n{self.bold}{number}. {title}{self.plain_ink}")

    def fact(self, text):
        """Something that was checked; repeated in the summary."""
        self.facts.append(text)
        self._line(f"  {self.green}ok{self.plain_ink} {text}")

    def plain(self, text):
        self._line(f"     {text}")

    def said(self, *words, stage):
        """A command as a user would type it, and what it prints."""
        self.plain("$ " + " ".join(words))
        for line in stage.ingot.ctl(*words[1:]).splitlines():
            self.plain(line)

    def summary(self, seconds, processes):
        self._line(f"\n{self.bold}Summary{self.plain_ink}")
        for fact in self.facts:
            self._line(f"  {self.green}ok{self.plain_ink} {fact}")
        peaks = ", ".join(f"{process.name} {process.peak_mib():.0f} MiB" for process in processes if process.name in PROGRAMS)
        self._line(f"  {len(self.facts)} findings in {seconds:.0f} s; peak memory: {peaks}")

    def kept(self, stage):
        kubeconfig, namespace = stage.ingot.kubeconfig, stage.manifests.namespace
        host = sorted(stage.hosts.now)[0]
        self._line(f"\nEverything is still running. Kubeconfig: {kubeconfig}\n"
                   f"  export KUBECONFIG={kubeconfig}\n"
                   f"  {stage.ingot.programs}/ingotctl get hosts -n {namespace}\n"
                   f"  {stage.ingot.programs}/ingotctl power off -n {namespace} {host}\n"
                   f"  {stage.root}/.cache/peers/bin/kubectl -n {namespace} describe baremetalhost {host}\n"
                   "'./dev demo --stop' ends it.")

    def failure(self, failure):
        print(f"\ndemo: {failure}{failure.whereabouts()}", file=sys.stderr, flush=True)

    def _line(self, text):
        print(text, file=self.out, flush=True)
