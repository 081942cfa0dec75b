// What both documents need to be written.
#pragma once

#include "cloudinit/render_error.hpp"
#include "json/value.hpp"

namespace ingot::cloudinit {

// As YAML; a text that YAML cannot hold becomes a RenderError that names its place.
[[nodiscard]] std::string writeDocument(const Field& root, const json::Object& document);

// "a\"b\n" as Go's %q writes it.
[[nodiscard]] std::string quotedAsGo(std::string_view text);

// Collects what we refuse although upstream renders it, as nonsense. The refusal is kept until the document is done, so
// that a refusal of upstream's comes first, in its words.
class Refusals {
 public:
  void add(const Field& field, std::string_view value, const std::string& reason) {
    if (!first_) first_.emplace(field, value, reason);
  }
  void raise() const {
    if (first_) throw *first_;
  }

 private:
  std::optional<RenderError> first_;
};

}  // namespace ingot::cloudinit
