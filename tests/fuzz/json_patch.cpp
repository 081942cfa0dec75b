// Two documents: the merge patch between them leads from one to the other, whatever they are (but RFC 7396 cannot say
// null).
#include "json/describe.hpp"

#include <cstdlib>

namespace {

bool holdsNull(const ingot::json::Value& v) {
  if (v.is_null()) return true;
  if (const auto* object = v.if_object())
    return std::ranges::any_of(*object, [](const auto& member) { return holdsNull(member.value()); });
  if (const auto* array = v.if_array()) return std::ranges::any_of(*array, holdsNull);
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ingot;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto split = text.find('\n');
  if (split == std::string_view::npos) return 0;
  try {
    const auto from = json::parse(text.substr(0, split), {.bytes = 1 << 16, .depth = 32});
    const auto to = json::parse(text.substr(split + 1), {.bytes = 1 << 16, .depth = 32});
    if (!from.is_object() || !to.is_object() || holdsNull(from) || holdsNull(to)) return 0;
    json::Value result = from;
    json::applyMergePatch(result, json::mergePatch(from, to));
    if (!json::equal(result, to)) std::abort();
  } catch (const json::ParseError&) {
  }
  return 0;
}
