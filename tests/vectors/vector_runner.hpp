// Vectors: files of lines that say what upstream answers to an input. A runner gives our answer to one line.
//
//   // tests/vectors/bmc_address.cpp
//   vectors::Outcome runBmcAddress(const vectors::Line& line) {
//     ... compute ...
//     return vectors::compare(line, ourOut, ourError);
//   }
//   const vectors::Registration registration("bmc_address", runBmcAddress);   // for <folder>/bmc_address.jsonl
//
// That is all: vectors_tests finds the runner, reads tests/data/vectors (or $INGOT_VECTORS) and prints
// "bmc_address: passed N deviating N failed N". Lines where we answer otherwise on purpose are listed in
// tests/data/deviations.yaml with the reason; a listed line on which we do agree fails the test.
#pragma once

#include "json/value.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace ingot::vectors {

struct Line {
  std::string name;
  json::Value in, out;               // out is null when upstream gave none
  std::optional<std::string> error;  // upstream's error, byte for byte
};

// Upstream's whole answer and ours, as text: "error: …" or "no error", and then the output.
struct Difference {
  std::string want, got;
};
[[nodiscard]] std::string answerText(const json::Value& out, const std::optional<std::string>& error);
using Outcome = std::optional<Difference>;  // nullopt: we agree

// Our answer against the line's, as JSON values and as bytes of the error text. An exception of the runner is a
// difference.
[[nodiscard]] Outcome compare(const Line& line, const json::Value& out, const std::optional<std::string>& error);

using Run = std::function<Outcome(const Line&)>;

class Registration {
 public:
  Registration(std::string file, Run run);
};

// Filled before main() by the registrations.
[[nodiscard]] std::map<std::string, Run>& runners();

}  // namespace ingot::vectors
