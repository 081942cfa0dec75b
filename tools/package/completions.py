"""Completion of a program's options, made of its --help: for coordinator and agent, which take nothing else."""
import re

FOLDERS = {"bash": "bash-completion/completions/{}", "zsh": "zsh/vendor-completions/_{}", "fish": "fish/vendor_completions.d/{}.fish"}


def scripts(command):
    """By shell."""
    return {"bash": bash(command), "zsh": zsh(command), "fish": fish(command)}


def bash(command):
    name = command.words[0]
    function = "_" + name.replace("-", "_")
    words = [each.words[-1] for each in command.commands] + [option for each in command.options for option in each.names]
    return f"""# {name} completion for bash
{function}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}}
  case $cur in
    -*) mapfile -t COMPREPLY < <(compgen -W "{' '.join(words)}" -- "$cur") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "{' '.join(each.words[-1] for each in command.commands)}" -- "$cur") ;;
  esac
}}
complete -o default -F {function} {name}
"""


def zsh(command):
    name = command.words[0]
    out = f"#compdef {name}\n_arguments \\\n"
    for each in command.options:
        for option in each.names:
            value = f":{bare(each.value)}:{values(each, '({})') or '_files'}" if each.value else ""
            out += f"  '{option}[{bare(each.about)}]{value}' \\\n"
    below = " ".join(each.words[-1] for each in command.commands)
    return out + (f"  '1:command:({below})'\n" if below else "  ':'\n")


def fish(command):
    name = command.words[0]
    out = "".join(f"complete -c {name} -f -n __fish_use_subcommand -a {each.words[-1]} -d '{quoted(each.about)}'\n"
                  for each in command.commands)
    for each in command.options:
        names = " ".join(f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}" for option in each.names)
        value = values(each, " -x -a '{}'") or " -r" if each.value else ""
        out += f"complete -c {name} {names}{value} -d '{quoted(each.about)}'\n"
    return out


def values(option, form):
    """Where the help lists them."""
    listed = [re.fullmatch(r"One of (.*)\.", remark) for remark in option.remarks]
    found = next((match[1].replace(",", "") for match in listed if match), None)
    return form.format(found) if found else ""


def quoted(text):
    return text.replace("\\", "\\\\").replace("'", "\\'")


def bare(text):
    """What _arguments would read as its own, and the quote around it, escaped."""
    return re.sub(r"([\[\]:\\])", r"\\\1", text).replace("'", "'\\''")
