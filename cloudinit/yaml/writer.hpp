// A document as Go's sigs.k8s.io/yaml lays it out, byte for byte: members in its order, lists not indented under their
// key, lines of words folded behind column 80, several lines as a block. Nodes that were provisioned by Metal3 compare
// these bytes, which is why this is not left to a library.
//
// Where that writer's text reads back as something else (<<, =, U+0085, a time zone behind a space ...) ours is quoted.
#pragma once

#include "json/value.hpp"

#include <string>

namespace ingot::cloudinit::yaml {

// A text that YAML cannot hold (a control character), a key longer than readers accept, a number too large for a
// double. `path` leads to it in the document: links[0].id
class WriteError final : public base::Error {
 public:
  WriteError(std::string path, std::string problem, std::string details);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& problem() const { return problem_; }  // without path and details
  [[nodiscard]] const std::string& details() const { return details_; }  // U+007F at byte 1

 private:
  std::string path_, problem_, details_;
};

// Ends with a line feed. Throws WriteError.
[[nodiscard]] std::string write(const json::Value& document);

}  // namespace ingot::cloudinit::yaml
