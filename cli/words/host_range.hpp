// Many hosts in few letters: node[01-12,20] is node01 … node12 and node20.
//
//   words   := word { "," word }            commas outside of brackets separate names
//   word    := { text | "[" part { "," part } "]" }
//   part    := NUMBER [ "-" NUMBER ]         leading zeros set the width: [08-11] is 08 09 10 11
#pragma once

#include <string>
#include <vector>

namespace ingot::cli {

inline constexpr std::size_t kMostHosts = 10'000;

// In the order written, each name once. Throws base::InvalidInput that shows the word and says what is wrong with it.
[[nodiscard]] std::vector<std::string> expandHosts(const std::vector<std::string>& words);

// The other way: "node[01-12,20] spare". Neighbours that differ in their last number only share a bracket;
// expandHosts() makes the same names of it, in the same order.
[[nodiscard]] std::string compactHosts(const std::vector<std::string>& names);

}  // namespace ingot::cli
