"""A terminal as far as the demo uses one: what a person sees on it after all that was written."""
import os
import pty
import re

CONTROL = re.compile(r"\x1b\[(\d*)([A-Za-z])")


class Screen:
    """Lines as they stand. Knows line feed, carriage return, cursor up, erase line, erase to the line's end, and colours."""

    def __init__(self):
        self.lines, self.row, self.column, self.colours = [""], 0, 0, set()

    def write(self, text):
        position = 0
        while position < len(text):
            found = CONTROL.match(text, position)
            if found:
                self._control(found.group(1), found.group(2))
                position = found.end()
            else:
                self._character(text[position])
                position += 1
        return self

    def _control(self, number, letter):
        if letter == "A":
            self.row = max(0, self.row - int(number or 1))
        elif letter == "K":
            self.lines[self.row] = "" if number == "2" else self.lines[self.row][:self.column]
        elif letter == "m":
            self.colours.add(number)
        else:
            raise AssertionError(f"the screen does not know ESC [ {number}{letter}")

    def _character(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":   # a terminal driver makes CR LF of it
            self.row, self.column = self.row + 1, 0
            if self.row == len(self.lines):
                self.lines.append("")
        else:
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    def shown(self):
        return [line.rstrip() for line in self.lines if line.strip()]


def run_on_terminal(argv, cwd=None, environment=None):
    """Runs a program on a pseudo-terminal of its own. Its exit code, and all that it wrote there."""
    pid, terminal = pty.fork()
    if pid == 0:
        try:
            if cwd:
                os.chdir(cwd)
            os.execvpe(argv[0], [str(word) for word in argv], environment or os.environ)
        finally:
            os._exit(127)
    said = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:   # EIO: the last program that had it open has ended
            break
        if not more:
            break
        said += more
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode(errors="replace")
