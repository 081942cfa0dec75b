#include "base/redaction.hpp"

#include "base/url_redaction.hpp"

namespace ingot::base {

namespace {

constexpr std::string_view stars = "***";
constexpr std::size_t shortestSought = 4;

// Builds the text anew: others write it, and to move its tail at each find would take minutes for some megabytes.
std::string without(std::string_view text, std::string_view what) {
  std::string out;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
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
