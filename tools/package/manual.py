"""A manual page (man(7)) of what a program's --help says, and of sections that no help has."""
import re

HEADER = '.\\" Made of what {name} --help says.\n.TH {title} {section} "" "Ingot {version}" "{kind}"\n'
KINDS = {1: "User Commands", 8: "System Administration"}


def page(command, section, version, summary, more):
    """`summary` stands behind the name, `more` are sections in man(7). No date: the same program makes the same page."""
    name = command.words[0]
    out = HEADER.format(name=name, title=name.upper(), section=section, version=version, kind=KINDS[section])
    out += f".SH NAME\n{literal(name)} \\- {literal(summary)}\n.SH SYNOPSIS\n{synopsis(command)}"
    out += f".SH DESCRIPTION\n{literal(sentence(command.about))}\n"
    out += f".SH OPTIONS\n{entries(command.options)}"
    described = list(leaves(command))
    if described:
        out += ".SH COMMANDS\n"
    for each in described:
        out += f'.SS "{literal(" ".join(each.words[1:]))}"\n{synopsis(each)}.PP\n{literal(sentence(each.about))}\n'
        out += entries(each.operands) + entries([option for option in each.options if "--help" not in option.names])
    return out + more


def leaves(command):
    """The commands that can be given, in the help's order: "power on", not "power"."""
    for each in command.commands:
        if each.commands:
            yield from leaves(each)
        else:
            yield each


def synopsis(command):
    usage = " ".join(f"\\fI{literal(word)}\\fR" for word in command.usage.split())
    return f"\\fB{literal(' '.join(command.words))}\\fR {usage}\n"


def entries(rows):
    out = ""
    for row in rows:
        names = ", ".join(f"\\fB{literal(name)}\\fR" if name.startswith("-") else f"\\fI{literal(name)}\\fR" for name in row.names)
        value = f" \\fI{literal(row.value)}\\fR" if row.value and row.names[0].startswith("-") else ""
        out += f".TP\n{names}{value}\n{literal(' '.join([sentence(row.about), *row.remarks]))}\n"
    return out


def sentence(text):
    return text if not text or text.endswith(".") else text + "."


def literal(text):
    """For troff: a dash that can be copied, and no line that is taken for a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^(?=\.)", "\\&", text)
