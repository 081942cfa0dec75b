"""What the --help of a program says, as data: manual pages and completions are made of it, so that they cannot say anything else."""
import re
import subprocess
import typing

COLUMN = 30   # where CLI11 begins to describe


class Entry(typing.NamedTuple):
    """An option, an operand or a command, with what is said of it."""
    names: list      # "-o", "--output"; of operands and commands the only one
    value: str       # "FORMAT", "" where none follows
    about: str
    remarks: list    # sentences: what it is limited to, what it needs


class Command(typing.NamedTuple):
    words: tuple     # "ingotctl", "power", "on"
    about: str
    usage: str       # behind the words: "[OPTIONS] names..."
    operands: list
    options: list
    commands: list   # Command


def read(program, *words):
    """With the commands below it. `program` is a path, whose name is the first word."""
    said = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    command = parse((program.name, *words), said)
    below = [read(program, *words, entry.names[0]) for entry in command.commands]
    return command._replace(commands=below)


def parse(words, text):
    """Its commands are entries yet: their own help says the rest."""
    about, usage, sections, section = [], "", {}, None
    lines = text.splitlines()
    for number, line in enumerate(lines):
        heading = re.fullmatch(r"(\w+):", line)
        if heading:
            section = sections.setdefault(heading[1], [])
        elif line.startswith("Usage: "):
            usage = line.removeprefix("Usage: " + " ".join(words)).strip()
        elif section is None:
            about.append(line)
        elif re.match(r"  \S", line):
            after = lines[number + 1] if number + 1 < len(lines) else ""
            section.append(entry(line, after))
    return Command(words, " ".join(about).strip(), usage, sections.get("Positionals", []), sections.get("Options", []),
                   sections.get("Subcommands", []))


def entry(line, after):
    """What does not fit before the column is described on the line after."""
    if re.match(rf" {{{COLUMN}}}\S", after):
        head, about = line, after
    else:
        head, about = line[:COLUMN], line[COLUMN:]
    names, _, rest = head.strip().partition(" ")
    remarks = []

    def note(sentence):
        def replace(match):
            remarks.append(sentence(match))
            return ""
        return replace

    for pattern, sentence in PARTS:
        rest = re.sub(pattern, note(sentence), rest)
    names = [name.removesuffix("{false}") for name in names.split(",")]
    return Entry(names, rest.strip(), about.strip(), [remark for remark in remarks if remark])


PARTS = (
    (r"\(Env:(\w+)\)", lambda match: f"Environment: {match[1]}."),
    (r"Needs:((?: --?[\w-]+)+)", lambda match: f"Needs{match[1]}."),
    (r"Excludes:((?: --?[\w-]+)+)", lambda match: f"Not together with{match[1]}."),
    (r"\bREQUIRED\b", lambda _: "Required."),
    (r":\{([^}]*)\}", lambda match: f"One of {match[1].replace(',', ', ')}."),
    (r":\w+ in \[(\S+) - (\S+)\]", lambda match: f"From {match[1]} to {match[2]}."),
    (r":NONNEGATIVE\b", lambda _: "Not below zero."),
    (r"(?<=[A-Z])=(\S+)", lambda match: f"Default: {match[1]}."),
    (r"\[(.*)\]", lambda match: f"Default: {match[1]}."),
)
