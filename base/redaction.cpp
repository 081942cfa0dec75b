#include "base/redaction.hpp"

namespace ingot::base {

namespace {

constexpr std::string_view stars = "***";
constexpr std::size_t shortestSought = 4;

void replaceAll(std::string& text, const std::string& what) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + stars.size()))
    text.replace(at, what.size(), stars);
}

// user:password@ after every "://", up to the end of what can be an authority.
void hideUserInfo(std::string& text) {
  constexpr std::string_view start = "://";
  for (auto at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    at += start.size();
    const auto end = text.find_first_of("/?#\"'<> \t\r\n", at);
    const auto sign = text.substr(at, end == std::string::npos ? end : end - at).rfind('@');
    if (sign != std::string::npos) text.replace(at, sign, stars);
  }
}

}  // namespace

std::string redacted(std::string text, const Secret& secret) {
  if (secret.reveal().size() >= shortestSought) replaceAll(text, secret.reveal());
  hideUserInfo(text);
  return text;
}

}  // namespace ingot::base
