#include "base/redaction.hpp"

#include "base/url_redaction.hpp"

#include <cstring>

namespace ingot::base {

namespace {

constexpr std::string_view stars = "***";
constexpr std::size_t shortestSought = 4, shortToFind = 64;

// A BMC chooses the token of its session, and what it says: find() could take as long as both lengths multiplied.
std::size_t placeOf(std::string_view what, std::string_view text) {
  if (what.size() <= shortToFind) return text.find(what);
  const auto* found = static_cast<const char*>(::memmem(text.data(), text.size(), what.data(), what.size()));
  return found == nullptr ? std::string_view::npos : static_cast<std::size_t>(found - text.data());
}

// Builds the text anew: others write it, and to move its tail at each find would take minutes for some megabytes.
std::string without(std::string_view text, std::string_view what) {
  std::string out;
  for (auto at = placeOf(what, text); at != std::string_view::npos; at = placeOf(what, text)) {
    out.append(text.substr(0, at)).append(stars);
    text.remove_prefix(at + what.size());
  }
  return out.append(text);
}

}  // namespace

std::string redacted(std::string text, const Secret& secret) { return redacted(std::move(text), {&secret, 1}); }

std::string redacted(std::string text, std::span<const Secret> secrets) {
  for (const Secret& secret : secrets)
    if (secret.reveal().size() >= shortestSought) text = without(text, secret.reveal());
  return withoutUserInfo(text);
}

}  // namespace ingot::base
