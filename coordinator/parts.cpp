#include "coordinator/parts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::coordinator {
namespace {

bool isKnown(std::string_view word) {
  if (word == "*") return true;
  if (word.starts_with('-')) word.remove_prefix(1);
  return std::ranges::any_of(kParts, [word](const PartRow& row) { return row.name == word; });
}

// The first word that names it counts.
bool isWanted(std::string_view name, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == name) return true;
    if (word.starts_with('-') && std::string_view(word).substr(1) == name) return false;
  }
  return std::ranges::find(words, "*") != words.end();
}

}  // namespace

std::string knownParts() {
  std::string names;
  for (const PartRow& row : kParts) names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
  return names;
}

std::expected<Parts, std::string> partsIn(const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (!isKnown(word)) return std::unexpected(fmt::format("there is no {} (known: {})", word, knownParts()));
  Parts parts;
  for (const PartRow& row : kParts)
    if (isWanted(row.name, words)) parts.insert(row.part);
  if (parts.empty()) return std::unexpected("nothing is left to do");
  return parts;
}

}  // namespace ingot::coordinator
