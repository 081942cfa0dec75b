// Enumerations and their words. Private to bmc/model.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ingot::bmc {

template <class Word, std::size_t N>
using WordTable = std::array<std::pair<Word, std::string_view>, N>;

template <class Word, std::size_t N>
[[nodiscard]] constexpr std::string_view textOf(const WordTable<Word, N>& table, Word word) {
  for (const auto& [value, text] : table)
    if (value == word) return text;
  return "Unknown";
}

template <class Word, std::size_t N>
[[nodiscard]] constexpr std::optional<Word> wordOf(const WordTable<Word, N>& table, std::string_view wanted) {
  for (const auto& [value, text] : table)
    if (text == wanted) return value;
  return std::nullopt;
}

}  // namespace ingot::bmc
