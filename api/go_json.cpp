#include "api/go_json.hpp"

#include <algorithm>
#include <utility>

namespace ingot::api {

namespace {

constexpr std::pair<std::string_view, std::string_view> kEscaped[] = {
    {"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}, {"\u2028", "\\u2028"}, {"\u2029", "\\u2029"},
};

}  // namespace

// In serialised JSON these occur in texts only.
std::string escapedAsGo(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    const auto* found = std::ranges::find_if(kEscaped, [&](const auto& e) { return rest.starts_with(e.first); });
    const bool known = found != std::end(kEscaped);
    out += known ? found->second : rest.substr(0, 1);
    i += known ? found->first.size() : 1;
  }
  return out;
}

}  // namespace ingot::api
