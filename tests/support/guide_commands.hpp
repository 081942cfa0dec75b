// The command lines of a program that README and guides have their readers copy.
#pragma once

#include "base/file.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace ingot::tests {

struct GuideCommand {
  std::string page, line;
  std::vector<std::string> words;  // after the program's name

  // "…" stands for what the reader knows.
  [[nodiscard]] bool isWhole() const { return std::ranges::find(words, "…") == words.end(); }
};

// As much of a shell as the guides need: quotes, and what ends a command.
inline std::vector<std::string> shellWords(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool isBegun = false;
  char quote = 0;
  const auto end = [&] {
    if (isBegun) words.push_back(std::exchange(word, ""));
    isBegun = false;
  };
  for (const char c : line + " ") {
    if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? 0 : c;
      isBegun = true;
    } else if (quote == 0 && c == ' ') {
      end();
    } else if (quote == 0 && std::string_view("|&;><)").contains(c)) {
      end();
      words.emplace_back(1, c);
    } else if (quote == 0 && c == '#' && !isBegun) {
      break;
    } else {
      word += c;
      isBegun = true;
    }
  }
  return words;
}

// Not the user (sudo -u), the unit (journalctl -u) or the Lease of that name.
inline bool isCalled(const std::vector<std::string>& words, std::size_t at, const std::string& program) {
  const bool isNamed = words[at] == program || words[at].ends_with("/bin/" + program);
  return isNamed && (at == 0 || (words[at - 1] != "-u" && words[at - 1] != "lease"));
}

inline void addCommands(std::vector<GuideCommand>& out, const std::string& page, const std::string& line,
                        const std::string& program) {
  const auto words = shellWords(line);
  if (std::ranges::find(words, "systemctl") != words.end()) return;  // speaks of its unit
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (!isCalled(words, at, program)) continue;
    const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at) + 1;
    const auto end = std::find_if(begin, words.end(), [](const auto& word) {
      return word.size() == 1 && std::string_view("|&;><)").contains(word[0]);
    });
    out.push_back({page, line, {begin, end}});
  }
}

// Those in blocks of shell, and those behind a prompt ("$ ").
inline std::vector<GuideCommand> guideCommands(const std::string& program) {
  const std::filesystem::path root(INGOT_SOURCE_DIR);
  std::vector<std::filesystem::path> pages{root / "README.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs/guide")) pages.push_back(entry.path());
  std::ranges::sort(pages);
  std::vector<GuideCommand> out;
  for (const auto& page : pages) {
    std::istringstream text(base::readFile(page.string()));
    bool isShell = false;
    std::string whole;
    for (std::string line; std::getline(text, line);) {
      const std::string_view trimmed = base::trimmed(line);
      if (trimmed.starts_with("```")) isShell = trimmed == "```sh";
      const bool isPrompt = trimmed.starts_with("$ ");
      if (!isShell && !isPrompt) continue;
      whole += trimmed.substr(isPrompt ? 2 : 0);
      if (whole.ends_with('\\')) {
        whole.back() = ' ';
        continue;
      }
      addCommands(out, page.filename().string(), std::exchange(whole, ""), program);
    }
  }
  return out;
}

}  // namespace ingot::tests
