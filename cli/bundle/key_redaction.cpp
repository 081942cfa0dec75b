#include "cli/bundle/key_redaction.hpp"

#include <re2/re2.h>

#include <algorithm>

namespace ingot::cli::bundle {
namespace {

constexpr std::string_view kHidden = "***", kBetween = " \t\r\"',";
constexpr std::size_t kShortestLine = 16;  // of a key, but its last: 64 characters as a rule

// Of bytes, as a log may hold any.
struct KeyPattern : re2::RE2 {
  explicit KeyPattern(const char* text) : RE2(text, RE2::Latin1) {}
};

bool isBase64(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
}

// By how it ends: whoever logs it may put a time in front.
bool isOfKey(std::string_view line, bool isLast) {
  line = line.substr(0, line.find_last_not_of(kBetween) + 1);
  const auto odd = std::ranges::find_if_not(line.rbegin(), line.rend(), isBase64);
  const auto length = static_cast<std::size_t>(odd - line.rbegin());
  const bool isWord = odd == line.rend() || kBetween.find(*odd) != std::string_view::npos;
  return length >= kShortestLine || (isLast && isWord && length > 0);
}

// Where the line begins that holds `at`.
std::size_t lineOf(std::string_view text, std::size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is the beginning of the text
}

// Where the key begins whose end stands at `at`.
std::size_t beginOf(std::string_view text, std::size_t at) {
  std::size_t begin = lineOf(text, at);
  for (bool isLast = true; begin > 0; isLast = false) {
    const std::size_t before = lineOf(text, begin - 1);
    if (!isOfKey(text.substr(before, begin - 1 - before), isLast)) break;
    begin = before;
  }
  return begin;
}

}  // namespace

std::string withoutPrivateKeys(std::string text) {
  static const KeyPattern whole(R"re((?s)-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}.*?)re"
                                R"re((?:-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}|\z))re");
  static const KeyPattern ending(R"re((-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}))re");
  re2::RE2::GlobalReplace(&text, whole, re2::StringPiece(kHidden.data(), kHidden.size()));
  std::string out;
  std::string_view rest = text;
  re2::StringPiece unread(text), end;
  while (re2::RE2::FindAndConsume(&unread, ending, &end)) {
    const auto at = static_cast<std::size_t>(end.data() - rest.data());
    out.append(rest.substr(0, beginOf(rest, at))).append(kHidden);
    rest.remove_prefix(at + end.size());
  }
  return out.append(rest);
}

}  // namespace ingot::cli::bundle
