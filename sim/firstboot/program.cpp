#include "sim/firstboot/program.hpp"

#include <algorithm>

namespace ingot::sim::firstboot {

namespace {

constexpr std::string_view keywords[] = {"if", "then", "else", "elif", "while", "until", "do", "!"};
constexpr std::string_view shells[] = {"sh", "ash", "bash", "dash", "ksh", "zsh"};

// A program that runs another: which of its flags have a word of their own behind them, and how many words of its own
// stand before the other program.
struct Runner {
  std::string_view name, flagsWithWord;
  int ownWords = 0;
};
constexpr Runner runners[] = {
    {"sudo", "CDghpRrTtUu"},  {"env", "Cu"},        {"exec", "a"},     {"command", ""},
    {"time", "fo"},           {"timeout", "ks", 1}, {"nice", "n"},     {"nohup", ""},
    {"setsid", ""},           {"ionice", "cn"},     {"stdbuf", "eio"}, {"chroot", "", 1},
    {"systemd-run", "EHMpu"},
};
constexpr std::string_view longFlagsWithWord[] = {"--rcfile", "--init-file"};  // of a shell

bool isOneOf(std::span<const std::string_view> names, std::string_view word) {
  return std::ranges::find(names, word) != names.end();
}

bool isName(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && std::ranges::all_of(text, fits) && !(text[0] >= '0' && text[0] <= '9');
}

bool setsVariable(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && isName(word.substr(0, equals));
}

bool isFlag(std::string_view word) { return word.size() > 1 && (word[0] == '-' || word[0] == '+'); }

CommandWords from(CommandWords words, std::size_t at) { return words.subspan(std::min(at, words.size())); }

// Its flags, variables and other words of its own.
CommandWords behind(const Runner& runner, CommandWords words) {
  std::size_t at = 1;
  for (int own = runner.ownWords; at < words.size(); ++at) {
    const std::string_view word = words[at];
    if (isFlag(word)) {
      const bool isShort = !word.starts_with("--");
      if (isShort && runner.flagsWithWord.contains(word.back())) ++at;
    } else if (!setsVariable(word) && own-- == 0) {
      break;
    }
  }
  return from(words, at);
}

}  // namespace

std::string_view baseName(std::string_view program) { return program.substr(program.rfind('/') + 1); }

CommandWords programIn(CommandWords words) {
  while (!words.empty()) {
    const std::string_view first = words.front();
    if (isOneOf(keywords, first) || setsVariable(first)) {
      words = words.subspan(1);
      continue;
    }
    const auto* runner = std::ranges::find(runners, baseName(first), &Runner::name);
    if (runner == std::end(runners)) break;
    words = behind(*runner, words);
  }
  return words;
}

std::string_view scriptIn(CommandWords words) {
  const auto shell = programIn(words);
  if (shell.empty() || !isOneOf(shells, baseName(shell.front()))) return {};
  bool isGiven = false;
  std::size_t at = 1;
  for (; at < shell.size() && isFlag(shell[at]); ++at) {
    const std::string_view flag = shell[at];
    if (flag.starts_with("--")) {
      if (isOneOf(longFlagsWithWord, flag)) ++at;
      continue;
    }
    isGiven = isGiven || (flag[0] == '-' && flag.contains('c'));
    at += static_cast<std::size_t>(std::ranges::count_if(flag, [](char c) { return c == 'o' || c == 'O'; }));
  }
  return isGiven && at < shell.size() ? std::string_view(shell[at]) : std::string_view();
}

}  // namespace ingot::sim::firstboot
