#include "cli/bundle/assignment_redaction.hpp"

#include "base/text.hpp"
#include "base/url_redaction.hpp"
#include "cli/bundle/telltale.hpp"

#include <re2/re2.h>

#include <algorithm>
#include <array>

namespace ingot::cli::bundle {
namespace {

constexpr std::string_view kStars = "***", kSpace = " \t\r\n";

// Of bytes: what is no UTF-8 is no reason to let a password through.
struct Pattern : re2::RE2 {
  explicit Pattern(const std::string& text) : RE2(text, RE2::Latin1) {}
};

void replaceAll(std::string& text, const Pattern& what, std::string_view with) {
  re2::RE2::GlobalReplace(&text, what, re2::StringPiece(with.data(), with.size()));
}

bool isIn(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

std::size_t lineEnd(std::string_view rest) { return std::min(rest.find('\n'), rest.size()); }

// How many strings within strings a quote is in that so many backslashes stand before: 0, 1, 3, 7.
unsigned depthOf(std::size_t backslashes) {
  unsigned depth = 0;
  for (; backslashes > 0; backslashes /= 2) ++depth;
  return depth;
}

std::size_t backslashesBefore(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (count < at && text[at - count - 1] == '\\') ++count;
  return count;
}

// Whether the quote at `at` ends, or begins, a string at this depth, and is not within it.
bool isOfDepth(std::string_view text, std::size_t at, unsigned depth) {
  std::size_t backslashes = backslashesBefore(text, at);
  for (unsigned i = 0; i < depth; ++i) backslashes = backslashes == 0 ? 0 : (backslashes - 1) / 2;
  return backslashes % 2 == 0;
}

// `rest` begins with a quote, and what escapes it.
std::size_t quotedEnd(std::string_view rest, std::size_t open) {
  const char quote = rest[open];
  for (auto at = rest.find(quote, open + 1); at != std::string_view::npos; at = rest.find(quote, at + 1))
    if (isOfDepth(rest, at, depthOf(open)) && base::mayFollowQuote(rest, at + 1)) return at + 1;
  return rest.size();
}

// `rest` begins with a bracket. Strings in it are as deep as the name's.
std::size_t bracketsEnd(std::string_view rest, unsigned depth) {
  constexpr std::size_t longest = 16 << 10;
  const auto sought = rest.substr(0, longest);
  std::size_t open = 0;
  bool isInString = false;
  for (std::size_t at = 0; at < sought.size(); ++at) {
    if (rest[at] == '"' && isOfDepth(rest, at, depth)) isInString = !isInString;
    if (isInString) continue;
    if (isIn("[{", rest[at])) ++open;
    if (isIn("]}", rest[at]) && --open == 0) return at + 1;
  }
  return lineEnd(rest);
}

// A quote ends a value that began without one where it can only be the end of what the whole stands in.
std::size_t wordEnd(std::string_view rest) {
  constexpr std::string_view ends = " \t\r\n\"'`";
  for (auto at = rest.find_first_of(ends); at != std::string_view::npos; at = rest.find_first_of(ends, at + 1)) {
    if (isIn(kSpace, rest[at])) return at;
    if (base::mayFollowQuote(rest, at + 1)) return at - backslashesBefore(rest, at);
  }
  return rest.size();
}

// A number, true, false or null; 0: it is none.
std::size_t literalEnd(std::string_view rest) {
  const auto end = std::min(rest.find_first_of(",}] \t\r\n"), rest.size());
  const auto word = rest.substr(0, end);
  const bool isNumber = !word.empty() && word.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
  return isNumber || word == "true" || word == "false" || word == "null" ? end : 0;
}

// Of what is assigned to `name`, which `quote` ends ("": none).
std::size_t valueEnd(std::string_view rest, std::string_view name, std::string_view quote) {
  const auto open = std::min(rest.find_first_not_of('\\'), rest.size());
  if (open < rest.size() && isIn("\"'", rest[open])) return quotedEnd(rest, open);
  if (!quote.empty() && !rest.empty() && isIn("[{", rest[0])) return bracketsEnd(rest, depthOf(quote.size() - 1));
  if (const auto end = quote.empty() ? 0 : literalEnd(rest); end > 0) return end;
  if (isOfKernel(name)) return lineEnd(rest);
  if (rest.empty() || !isIn("[{", rest[0])) return wordEnd(rest);
  const auto end = bracketsEnd(rest.substr(0, lineEnd(rest)), 0);
  return base::mayFollowQuote(rest, end) ? end : end + wordEnd(rest.substr(end));
}

// `what` finds a name, its closing quote, and all up to the value.
std::string withoutValues(std::string_view text, const Pattern& what, bool (*isMeant)(std::string_view)) {
  std::string out;
  std::size_t copied = 0, from = 0;
  std::array<re2::StringPiece, 3> found;
  const re2::StringPiece all(text.data(), text.size());
  while (what.Match(all, from, text.size(), re2::RE2::UNANCHORED, found.data(), static_cast<int>(found.size()))) {
    const std::string_view name(found[1].data(), found[1].size()), quote(found[2].data(), found[2].size());
    const auto value = static_cast<std::size_t>(found[0].data() - text.data()) + found[0].size();
    from = static_cast<std::size_t>(name.data() - text.data()) + name.size();
    if (!isMeant(name)) continue;
    out.append(text.substr(copied, value - copied)).append(kStars);
    copied = from = value + valueEnd(text.substr(value), name, quote);
  }
  return out.append(text.substr(copied));
}

}  // namespace

std::string withoutAssigned(std::string text) {
  static const Pattern authorized(R"re((?i)((?:authorization|x-auth-token)\\?["']?\s*[=:]\s*\\?["']?)[^\r\n"'\\}]+)re");
  static const Pattern bearer(R"re((?i)\b((?:bearer|basic)\s+)[A-Za-z0-9+/_.=~-]{8,})re");
  static const Pattern assigned("(?i)(" + telltalePattern() + R"re()(\\*["']|)\s*[=:]+>?\s*)re");
  // {"name":"IRONIC_PASSWORD","value":"abc"}
  static const Pattern named(R"re((?i)name\\*["']\s*:\s*\\*["']()re" + telltalePattern() +
                             R"re()(\\*["'])\s*,\s*\\*["']value\\*["']\s*:\s*)re");
  // "--ironic-password abc", ["--ironic-password","abc"]
  static const Pattern flagged(R"re((?i)(?:^|[\s"'\[(,])(--?[a-z][\w.-]*)(?:(\\*["'])[ \t]*,?[ \t]*|[ \t]+))re");
  replaceAll(text, authorized, "\\1***");
  replaceAll(text, bearer, "\\1***");
  // "listing secrets: HTTP 403": a resource of Kubernetes.
  const auto isAssigned = [](std::string_view name) { return isTelltale(name) && base::lower(name) != "secrets"; };
  text = withoutValues(text, assigned, isAssigned);
  text = withoutValues(text, named, isTelltale);
  return withoutValues(text, flagged, isTelltaleFlag);
}

}  // namespace ingot::cli::bundle
