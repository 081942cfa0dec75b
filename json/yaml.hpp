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
  std::size_t line = 1;                      // where the document begins
  std::map<std::string, std::size_t> lines;  // of each member and item by its path, "spec.nics[0].mac"
};

struct YamlLimits {
  std::size_t bytes = 16u << 20;
  std::size_t depth = 128;
  std::size_t nodes = 1'000'000;  // after aliases are followed
};

// All documents of a stream, empty ones left out. JSON is YAML, so it is read too.
[[nodiscard]] std::vector<YamlDocument> parseYaml(std::string_view text, YamlLimits limits = {});

// Exactly one document; null for none.
[[nodiscard]] Value parseYamlValue(std::string_view text, YamlLimits limits = {});

// Block style, sorted members; texts that would be read as something else are quoted. Ends with a newline.
[[nodiscard]] std::string toYaml(const Value& v);

// How a plain scalar is read. (For whoever writes YAML of their own: a text is safe plain only if this gives it back.)
[[nodiscard]] Value resolveYamlScalar(std::string_view plain);

}  // namespace ingot::json
