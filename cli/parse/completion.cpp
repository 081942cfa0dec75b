#include "cli/parse/completion.hpp"

#include <fmt/ranges.h>

#include <set>

namespace ingot::cli {
namespace {

// Every command with the words before it: "power on".
struct Path {
  std::string words;  // "" for the program itself
  const CommandNode* node;
};

void collect(std::vector<Path>& into, const CommandNode& node, const std::string& words) {
  into.push_back({words, &node});
  for (const CommandNode& child : node.children)
    collect(into, child, words.empty() ? child.name : words + " " + child.name);
}

std::vector<Path> pathsOf(const CommandNode& root) {
  std::vector<Path> all;
  collect(all, root, "");
  return all;
}

std::string childNames(const CommandNode& node) {
  std::vector<std::string> names;
  names.reserve(node.children.size());
  for (const CommandNode& child : node.children) names.push_back(child.name);
  return fmt::format("{}", fmt::join(names, " "));
}

// Shell text that prints the operands a command takes.
std::string_view operandCommand(Operand operand) {
  switch (operand) {
    case Operand::none: return "";
    case Operand::host: return "_ingotctl_names hosts";
    case Operand::agent: return "_ingotctl_names agents";
    case Operand::machine: return "_ingotctl_names machines";
    case Operand::cluster: return "_ingotctl_clusters";
    case Operand::subject: return "_ingotctl_kinds";
    case Operand::shell: return "_ingotctl_words bash zsh fish";
    case Operand::file: return "_ingotctl_files";
  }
  return "";
}

// Candidates are lines. What a server or a folder has named something is never expanded by the shell, and quoted where
// it is offered; a name with control characters is not offered at all. Options that have a value are left out of
// `typed`, those that choose the cluster are handed on to ingotctl. zsh runs it, too, where `path` and `words` are
// variables of its own.
constexpr std::string_view bashHead = R"sh(# ingotctl completion for bash: source <(ingotctl completion bash)
_ingotctl_words() { printf '%s\n' "$@"; }
_ingotctl_names() { "${COMP_WORDS[0]}" "${cluster[@]}" get "$1" -o name 2>/dev/null | sed 's|.*/||'; }
_ingotctl_clusters() {
  "${COMP_WORDS[0]}" "${cluster[@]}" get clusters --no-headers 2>/dev/null | awk '$2 != "-" { print $2 }' | sort -u
}
_ingotctl_files() { compgen -f -- "$cur"; }
_ingotctl_kinds() {
  case " ${typed[*]} " in
    *" get hosts "*) _ingotctl_names hosts ;;
    *" get agents "*) _ingotctl_names agents ;;
    *" get machines "*) _ingotctl_names machines ;;
    *" get clusters "*) _ingotctl_names clusters ;;
    *" get addresses "*) _ingotctl_names addresses ;;
    *) _ingotctl_words hosts agents machines clusters addresses ;;
  esac
}
_ingotctl_values() {
  case $1 in
    -o|--output)
      case " ${typed[*]} " in
        *" support-bundle "*) _ingotctl_files ;;
        *) _ingotctl_words table wide json yaml name ;;
      esac ;;
    -f|--filename|--kubeconfig|--logs) _ingotctl_files ;;
    --to) _ingotctl_words v1beta1 v1beta2 ;;
    --for) _ingotctl_words provisioned available power=on power=off condition=Ready deleted ;;
  esac
}
_ingotctl_offer() {
  local line quoted
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in ''|*[[:cntrl:]]*) continue ;; esac
    case $cur in
      "~"*) printf -v quoted '~%q' "${line#?}" ;;
      *) printf -v quoted %q "$line" ;;
    esac
    case $line in "$cur"*) COMPREPLY+=("$quoted"); continue ;; esac
    case $quoted in "$cur"*) COMPREPLY+=("$quoted") ;; esac
  done <<< "$1"
}
)sh";

constexpr std::string_view bashMain = R"sh(_ingotctl() {
  local cur=${COMP_WORDS[COMP_CWORD]} typed=() cluster=() option='' word begun
  for word in "${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    [ "$word" = = ] && continue
    if [ -n "$option" ]; then
      case $option in --kubeconfig|--context|--namespace|-n) cluster+=("$option" "$word") ;; esac
      option=
    elif _ingotctl_has_value "$word"; then
      option=$word
    else
      case $word in -*) ;; *) typed+=("$word") ;; esac
    fi
  done
  if [ -n "$option" ]; then
    [ "$cur" = = ] && cur=
    _ingotctl_offer "$(_ingotctl_values "$option")"
    return
  fi
  begun="${typed[*]:0:2}"
  _ingotctl_offer "$(_ingotctl_candidates)"
}
complete -F _ingotctl ingotctl kubectl-ingot
)sh";

// Every option that a value follows.
std::set<std::string> valueOptions(const std::vector<Path>& paths) {
  std::set<std::string> all;
  for (const Path& p : paths) all.insert(p.node->valueOptions.begin(), p.node->valueOptions.end());
  return all;
}

// Those that choose the cluster may stand anywhere.
std::string optionNames(const CommandNode& root, const CommandNode& node) {
  std::vector<std::string> names = node.options;
  names.insert(names.end(), node.valueOptions.begin(), node.valueOptions.end());
  if (&node != &root) names.insert(names.end(), root.valueOptions.begin(), root.valueOptions.end());
  return fmt::format("{}", fmt::join(names, " "));
}

// The longest path first: "power on" before "power".
std::string bashScript(const CommandNode& root) {
  auto paths = pathsOf(root);
  std::ranges::sort(paths, std::greater{}, &Path::words);  // longer words come before what they begin with
  std::string out(bashHead);
  out += fmt::format("_ingotctl_has_value() {{ case $1 in {}) return 0 ;; esac; return 1; }}\n",
                     fmt::join(valueOptions(paths), "|"));
  out += "_ingotctl_candidates() {\n  case $begun in\n";
  for (const Path& p : paths) {
    const std::string pattern = p.words.empty() ? "*" : fmt::format("\"{0}\"|\"{0} \"*", p.words);
    const std::string_view operands = operandCommand(p.node->operand);
    out += fmt::format("    {}) _ingotctl_words {} {}{}{} ;;\n", pattern, childNames(*p.node),
                       optionNames(root, *p.node), operands.empty() ? "" : "; ", operands);
  }
  return out + "  esac\n}\n" + std::string(bashMain);
}

// zsh runs the bash function through its own adapter. As a file of $fpath the script is what zsh calls _ingotctl until
// it has run once, which is when something is to be completed already.
std::string zshScript(const CommandNode& root) {
  return "#compdef ingotctl kubectl-ingot\n# ingotctl completion for zsh: source <(ingotctl completion zsh)\n"
         "(( $+functions[compdef] )) || { autoload -U +X compinit && compinit; }\n"
         "autoload -U +X bashcompinit && bashcompinit\n"
         "_ingotctl_autoloaded=${funcstack[1]}\n" +
         bashScript(root) + "[[ $_ingotctl_autoloaded != _ingotctl ]] || _bash_complete -F _ingotctl\n";
}

std::string quoted(std::string text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("\\'") : std::string(1, c);
  return out + "'";
}

// True when exactly the words of a path were typed so far.
std::string fishCondition(const Path& p, bool hasChildren) {
  if (p.words.empty()) return "__fish_use_subcommand";
  std::string condition;
  std::string_view rest = p.words;
  for (;;) {
    const auto space = rest.find(' ');
    condition +=
        (condition.empty() ? "" : "; and ") + fmt::format("__fish_seen_subcommand_from {}", rest.substr(0, space));
    if (space == std::string_view::npos) break;
    rest.remove_prefix(space + 1);
  }
  if (hasChildren) condition += fmt::format("; and not __fish_seen_subcommand_from {}", childNames(*p.node));
  return condition;
}

std::string fishOperands(Operand operand) {
  switch (operand) {
    case Operand::none:
    case Operand::file: return "";
    case Operand::host: return "(__ingotctl_names hosts)";
    case Operand::agent: return "(__ingotctl_names agents)";
    case Operand::machine: return "(__ingotctl_names machines)";
    case Operand::cluster: return "(__ingotctl_clusters)";
    case Operand::subject: return "hosts agents machines clusters addresses";
    case Operand::shell: return "bash zsh fish";
  }
  return "";
}

std::string fishOption(const std::string& when, std::string_view option, std::string_view value) {
  const bool isLong = option.starts_with("--");
  return fmt::format("complete -c ingotctl -n {} -{} {}{}\n", when, isLong ? "l" : "s", option.substr(isLong ? 2 : 1),
                     value);
}

std::string fishScript(const CommandNode& root) {
  std::string out =
      "# ingotctl completion for fish: ingotctl completion fish | source\n"
      "function __ingotctl_names; ingotctl get $argv[1] -o name 2>/dev/null | string replace -r '.*/' ''; end\n"
      "function __ingotctl_clusters\n"
      "  ingotctl get clusters --no-headers 2>/dev/null | awk '$2 != \"-\" { print $2 }' | sort -u\n"
      "end\n"
      "complete -c ingotctl -f\n";
  for (const Path& p : pathsOf(root)) {
    const std::string when = quoted(fishCondition(p, !p.node->children.empty()));
    for (const CommandNode& child : p.node->children)
      out += fmt::format("complete -c ingotctl -n {} -a {} -d {}\n", when, child.name, quoted(child.description));
    for (const std::string& option : p.node->options) out += fishOption(when, option, "");
    for (const std::string& option : p.node->valueOptions)
      out += fishOption(p.words.empty() ? "true" : when, option, " -r");  // the program's own may stand anywhere
    if (p.node->operand == Operand::file) out += fmt::format("complete -c ingotctl -n {} -F\n", when);
    if (const std::string operands = fishOperands(p.node->operand); !operands.empty())
      out += fmt::format("complete -c ingotctl -n {} -a {}\n", when, quoted(operands));
  }
  return out;
}

}  // namespace

std::string completionScript(Shell shell, const CommandNode& root) {
  switch (shell) {
    case Shell::bash: return bashScript(root);
    case Shell::zsh: return zshScript(root);
    case Shell::fish: return fishScript(root);
  }
  return "";
}

}  // namespace ingot::cli
