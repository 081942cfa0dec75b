#include "cli/run/bundle/contents.hpp"

#include "cli/words/plain_text.hpp"

#include <fmt/format.h>

namespace ingot::cli::bundle {

void Contents::add(const std::string& name, std::string_view about, std::string_view text) {
  const std::string free = nameFor(name);
  archive_.add(free, redaction_.text(text));
  files_.push_back(fmt::format("{}: {}", free, about));
}

void Contents::addRedacted(const std::string& name, std::string_view about, const Spool& text) {
  if (text.size() == 0) return;
  const std::string free = nameFor(name);
  archive_.add(free, text);
  files_.push_back(fmt::format("{}: {}", free, about));
}

void Contents::missing(std::string_view what, std::string_view why) {
  errors_.push_back(plainText(redaction_.text(fmt::format("{}: {}", what, why))));
}

void Contents::absent(std::string_view what) {
  absent_.push_back(plainText(fmt::format("{}: the server has none", what)));
}

std::string Contents::firstError() const {
  if (!errors_.empty()) return errors_.front();
  return absent_.empty() ? "" : absent_.front();
}

void Contents::remark(std::string_view line) { remarks_.push_back(plainText(redaction_.text(line))); }

// Of two that want one name, the second has a number: no server is trusted to list in order.
std::string Contents::nameFor(const std::string& name) {
  std::string free = name;
  const auto dot = name.rfind('.');
  for (int next = 2; !names_.insert(free).second; ++next)
    free = fmt::format("{}-{}{}", name.substr(0, dot), next, dot == std::string::npos ? "" : name.substr(dot));
  return free;
}

void Contents::close(std::string_view head) {
  std::string index(head);
  index += "\n";
  for (const auto& remark : remarks_) index += remark + "\n";
  if (!remarks_.empty()) index += "\n";
  for (const auto& file : files_) index += file + "\n";
  std::string errors;
  for (const auto* lines : {&errors_, &absent_})
    for (const auto& line : *lines) errors += line + "\n";
  if (!errors.empty()) {
    index += "errors.txt: what is not here, and why\n";
    archive_.add("errors.txt", errors);
  }
  archive_.add("index.txt", index);
}

std::string pathWord(std::string_view name) {
  std::string word;
  for (const char c : name) {
    const bool isPlain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
    word += isPlain ? c : '_';
  }
  return word.empty() || word.starts_with('.') ? "_" + word : word;
}

}  // namespace ingot::cli::bundle
