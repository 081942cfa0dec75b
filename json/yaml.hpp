// YAML in and out. Plain scalars are resolved as sigs.k8s.io/yaml does (YAML 1.1: yes, on, 0x10, 1_000, ~), so a
// manifest means here what it means to kubectl.
#pragma once

#include "json/value.hpp"

#include <map>

namespace ingot::json {

// The text is not YAML, or not what a manifest may hold (an anchor bomb, a key that is no scalar, a repeated key).
class YamlError final : public base::Error {
 public:
  YamlError(const std::string& problem, std::size_t line);
  [[nodiscard]] std::size_t line() const { return line_; }  // from 1; 0 when unknown

 private:
  std::size_t line_;
};

struct YamlDocument {
  Value value;
  std::size_t line = 1;  // where the document begins
  // Of each member and item by its path, "spec.nics[0].mac"; of the first ones only where the paths of all would be
  // longer than a text may be.
  std::map<std::string, std::size_t> lines;
};

// Of the text, and again of all that it says once its aliases are followed: one scalar that is named a thousand times
// counts a thousand times.
struct YamlLimits {
  std::size_t bytes = 16u << 20;  // of the text; then of all scalars and keys
  std::size_t depth = 128;
  std::size_t nodes = 1'000'000;
};

// All documents of a stream, empty ones left out. JSON is YAML, so it is read too.
[[nodiscard]] std::vector<YamlDocument> parseYaml(std::string_view text, YamlLimits limits = {});

// Exactly one document; null for none.
[[nodiscard]] Value parseYamlValue(std::string_view text, YamlLimits limits = {});

// A text that YAML cannot hold (a control character), a key longer than readers accept, a number too large for a
// double. `path` leads to it in the document: links[0].id
class YamlWriteError final : public base::Error {
 public:
  YamlWriteError(std::string path, std::string problem, std::string details);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }  // without path and details
  [[nodiscard]] const std::string& details() const { return details_; }  // U+007F at byte 1

 private:
  std::string path_, problem_, details_;
};

enum class YamlStyle {
  manifest,  // Any document is written: what sigs.k8s.io/yaml refuses, or YAML readers take for a line break, is
             // escaped.
  exact,     // The bytes of sigs.k8s.io/yaml; throws YamlWriteError where that refuses.
};

// As Go's sigs.k8s.io/yaml, and so kubectl, lays it out: members in its order, lists not indented under their key,
// lines of words folded behind column 80, several lines as a block. Ends with a line feed.
//
// Where that writer's text reads back as something else (<<, =, U+0085, a time zone behind a space ...) ours is quoted.
[[nodiscard]] std::string toYaml(const Value& v, YamlStyle style = YamlStyle::manifest);

}  // namespace ingot::json
