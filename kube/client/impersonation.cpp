#include "kube/client/impersonation.hpp"

#include <algorithm>

namespace ingot::kube {
namespace {

bool isTokenByte(char c) {
  constexpr std::string_view kMarks = "!#$&'*+-.^_`|~";  // of RFC 9110's tokens; '%' begins an escape
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kMarks.contains(c);
}

// Keys such as "example.com/scopes" hold bytes that a header's name may not.
std::string escaped(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (isTokenByte(c))
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

bool isSendableText(const std::string& text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

}  // namespace

bool Impersonation::isSendable() const {
  return isSendableText(user) && isSendableText(uid) && std::ranges::all_of(groups, isSendableText) &&
         std::ranges::all_of(extra,
                             [](const auto& entry) { return std::ranges::all_of(entry.second, isSendableText); });
}

net::Headers headersOf(const Impersonation& as) {
  net::Headers out;
  if (as.user.empty()) return out;
  out.add("Impersonate-User", as.user);
  if (!as.uid.empty()) out.add("Impersonate-Uid", as.uid);
  for (const auto& group : as.groups) out.add("Impersonate-Group", group);
  for (const auto& [key, values] : as.extra)
    for (const auto& value : values) out.add("Impersonate-Extra-" + escaped(key), value);
  return out;
}

}  // namespace ingot::kube
