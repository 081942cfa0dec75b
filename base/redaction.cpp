#include "base/redaction.hpp"

namespace ingot::base {

namespace {

constexpr std::string_view stars = "***";
constexpr std::size_t shortestSought = 4;

// Both build the text anew: others write it, and to move its tail at each find would take minutes for some megabytes.
std::string without(std::string_view text, std::string_view what) {
  std::string out;
  for (auto at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    out.append(text.substr(0, at)).append(stars);
    text.remove_prefix(at + what.size());
  }
  return out.append(text);
}

// user:password@ after every "://", up to the end of what can be an authority.
std::string withoutUserInfo(std::string_view text) {
  constexpr std::string_view start = "://";
  std::string out;
  for (auto at = text.find(start); at != std::string_view::npos; at = text.find(start)) {
    at += start.size();
    out.append(text.substr(0, at));
    text.remove_prefix(at);
    const auto authority = text.substr(0, text.find_first_of("/?#\"'<> \t\r\n"));
    const auto sign = authority.rfind('@');
    if (sign == std::string_view::npos) continue;
    out.append(stars);
    text.remove_prefix(sign);
  }
  return out.append(text);
}

}  // namespace

std::string redacted(std::string text, const Secret& secret) {
  if (secret.reveal().size() >= shortestSought) text = without(text, secret.reveal());
  return withoutUserInfo(text);
}

}  // namespace ingot::base
