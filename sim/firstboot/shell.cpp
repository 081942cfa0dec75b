#include "sim/firstboot/shell.hpp"

#include "sim/firstboot/program.hpp"

namespace ingot::sim::firstboot {

namespace {

class ShellReader {
 public:
  explicit ShellReader(std::string_view line) : line_(line) {}

  std::vector<std::vector<std::string>> run() {
    while (at_ < line_.size()) {
      const char c = line_[at_++];
      if (c == '\'' || c == '"')
        quoted(c);
      else if (c == '\\')
        escaped();
      else if (c == '#' && !inWord_)
        at_ = std::min(line_.find('\n', at_), line_.size());
      else if (c == ' ' || c == '\t')
        endWord();
      else if (std::string_view(";&|\n(){}").contains(c))
        endCommand();
      else
        add(c);
    }
    endCommand();
    return std::move(commands_);
  }

 private:
  void add(char c) {
    word_ += c;
    inWord_ = true;
  }
  void quoted(char mark) {
    inWord_ = true;
    while (at_ < line_.size() && line_[at_] != mark) {
      if (mark == '"' && line_[at_] == '\\' && at_ + 1 < line_.size()) ++at_;
      word_ += line_[at_++];
    }
    ++at_;
  }
  void escaped() {
    if (at_ >= line_.size()) return;
    const char c = line_[at_++];
    if (c != '\n') add(c);
  }
  void endWord() {
    if (inWord_) words_.push_back(std::move(word_));
    word_.clear();
    inWord_ = false;
  }
  void endCommand() {
    endWord();
    if (!words_.empty()) commands_.push_back(std::move(words_));
    words_.clear();
  }

  std::string_view line_;
  std::size_t at_ = 0;
  bool inWord_ = false;
  std::string word_;
  std::vector<std::string> words_;
  std::vector<std::vector<std::string>> commands_;
};

}  // namespace

std::vector<std::vector<std::string>> commandsOf(std::string_view line) {
  std::vector<std::vector<std::string>> all;
  for (auto& words : ShellReader(line).run()) {
    const std::string script(scriptIn(words));  // shorter than the line itself
    all.push_back(std::move(words));
    for (auto& inner : commandsOf(script)) all.push_back(std::move(inner));
  }
  return all;
}

}  // namespace ingot::sim::firstboot
