#include "apiserver/http/warnings.hpp"
#include "base/utf8.hpp"

#include <string_view>
#include <unordered_set>

namespace ingot::apiserver {

namespace {

constexpr std::size_t kAllCharacters = 4096;
constexpr std::size_t kCutCharacters = 256;

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

std::size_t charactersIn(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), beginsCharacter));
}

std::string_view firstCharacters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (beginsCharacter(text[at]) && count-- == 0) break;
  }
  return text.substr(0, at);
}

std::vector<std::string> distinct(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  std::unordered_set<std::string_view> seen;
  for (const auto& text : texts)
    if (!text.empty() && seen.insert(text).second) out.push_back(base::toUtf8(text));
  return out;
}

std::string header(std::string_view text) {
  std::string out = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}

}  // namespace

std::vector<std::string> warningHeaders(const std::vector<std::string>& texts) {
  const std::vector<std::string> all = distinct(texts);
  std::size_t characters = 0;
  for (const auto& text : all) characters += charactersIn(text);
  const bool cuts = characters > kAllCharacters;
  std::vector<std::string> out;
  std::size_t sent = 0;
  for (const auto& text : all) {
    if (cuts && sent >= kAllCharacters) break;
    const std::string_view shown = cuts ? firstCharacters(text, kCutCharacters) : std::string_view(text);
    sent += charactersIn(shown);
    out.push_back(header(shown));
  }
  return out;
}

}  // namespace ingot::apiserver
