// `## template: jinja` as far as machine templates use it: {{ names, attributes, indexes, filters }}, comments, raw
// blocks.
#pragma once

#include "json/value.hpp"

#include <string>
#include <string_view>

namespace ingot::sim::firstboot {

// What cloud-init leaves in the place of a name that it does not know; the name follows.
inline constexpr std::string_view missingName = "CI_MISSING_JINJA_VAR/";

// The text begins with that header.
[[nodiscard]] bool isTemplate(std::string_view text);

// The text without its header line, expanded. Throws BootError naming the line for what is no expression, for a member
// of something undefined (as Jinja does), for statements ({% if %}) and filters that are not known here, and for what
// makes more than 16 MiB of text, between filters too.
[[nodiscard]] std::string render(std::string_view text, const json::Object& names);

}  // namespace ingot::sim::firstboot
