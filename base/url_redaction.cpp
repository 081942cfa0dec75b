#include "base/url_redaction.hpp"

#include "base/closing_quotes.hpp"

#include <algorithm>
#include <optional>

namespace ingot::base {
namespace {

constexpr std::size_t kLongestAddress = 80;  // with its port
constexpr std::string_view kScheme = "://", kHidden = "***", kSpace = " \t\r\n", kQuotes = "\"'`";
constexpr std::string_view kEndsQuery = "\"'`<>\\ \t\r\n";

bool isIn(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

bool isOfScheme(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || isIn("+-.", c);
}

// The quote, with what escapes it, that stands right before the scheme which ends at `end`; "" for none.
std::string_view quoteBefore(std::string_view text, std::size_t end) {
  while (end > 0 && isOfScheme(text[end - 1])) --end;
  if (end == 0 || !isIn(kQuotes, text[end - 1])) return {};
  std::size_t begin = end - 1;
  while (begin > 0 && text[begin - 1] == '\\') --begin;
  return text.substr(begin, end - begin);
}

// Where one of `ends` stands, or another URL begins. That may as well be a part of a password, unless none has begun,
// or it is over.
std::size_t endOrNext(std::string_view rest, std::string_view ends) {
  bool isInPassword = false;
  for (std::size_t from = 0;;) {
    const auto next = std::min(rest.find(kScheme, from), rest.size());
    const auto piece = rest.substr(from, next - from);
    if (const auto end = piece.find_first_of(ends); end != std::string_view::npos) return from + end;
    isInPassword =
        (isInPassword || piece.find(':') != std::string_view::npos) && piece.find('@') == std::string_view::npos;
    if (!isInPassword || next == rest.size()) return next;
    from = next + kScheme.size();
  }
}

// A password may hold whatever must not stand in a URL. So one ends with the quote that it began with, where that is
// closed in its line, and else at a space.
std::size_t urlEnd(std::string_view rest, std::optional<std::size_t> closingQuote) {
  return closingQuote ? endOrNext(rest.substr(0, *closingQuote), "") : endOrNext(rest, kSpace);
}

// Hands what follows each "://" up to the end of its URL, which `endOf` finds, to `rewrite`.
template <class EndOf, class Rewrite>
std::string rewritten(std::string_view text, EndOf endOf, Rewrite rewrite) {
  std::string out;
  for (auto at = text.find(kScheme); at != std::string_view::npos; at = text.find(kScheme)) {
    const auto quote = quoteBefore(text, at);
    at += kScheme.size();
    out.append(text.substr(0, at));
    text.remove_prefix(at);
    const auto rest = text.substr(0, endOf(text, quote));
    rewrite(out, rest);
    text.remove_prefix(rest.size());
  }
  return out.append(text);
}

// Behind which ports, paths or nothing stand.
bool endsHost(std::string_view url, std::size_t end) {
  const auto after = url.find_first_not_of("0123456789:", end);
  return after == std::string_view::npos || isIn("/?#", url[after]);
}

// "[fd00::1]:443/": its colons divide no user from a password.
bool isAddressInBrackets(std::string_view url) {
  const auto close = url.starts_with('[') ? url.find(']') : std::string_view::npos;
  if (close == std::string_view::npos) return false;
  if (url.substr(1, close - 1).find_first_not_of("0123456789abcdefABCDEF:.%") != std::string_view::npos) return false;
  return endsHost(url, close + 1);
}

// "10.0.0.1:443/", which cannot be told from a password that begins so where no "@" stands before it.
bool isAddress(std::string_view url) {
  if (isAddressInBrackets(url)) return true;
  const auto end = std::min(url.find_first_not_of("0123456789."), url.size());
  return std::ranges::count(url.substr(0, end), '.') == 3 && endsHost(url, end);
}

// "@sha256:00": of an image.
bool isDigest(std::string_view afterSign) {
  return afterSign.starts_with("sha256:") || afterSign.starts_with("sha512:");
}

std::size_t lastSign(std::string_view url) {
  auto sign = url.rfind('@');
  while (sign != std::string_view::npos && isDigest(url.substr(sign + 1)))
    sign = sign == 0 ? std::string_view::npos : url.rfind('@', sign - 1);
  return sign;
}

// The first "@" that an address stands behind: what follows is no password any more.
std::size_t signOfAddress(std::string_view url) {
  auto sign = url.find('@');
  while (sign != std::string_view::npos && !isAddress(url.substr(sign + 1, kLongestAddress)))
    sign = url.find('@', sign + 1);
  return sign;
}

// Where the host begins. A password may hold "/", "?", "#" and "@", and begin like a port: with a colon anywhere before
// the last "@" all before that goes, even if it was a path.
std::size_t userInfoEnd(std::string_view url) {
  const auto sign = lastSign(url);
  if (sign == std::string_view::npos) return 0;
  if (url.substr(0, sign).find(':') != std::string_view::npos && !isAddressInBrackets(url))
    return std::min(sign, signOfAddress(url));
  const auto ofAuthority = lastSign(url.substr(0, url.find_first_of("/?#")));
  return ofAuthority == std::string_view::npos ? 0 : ofAuthority;
}

}  // namespace

std::string withoutUserInfo(std::string_view text) {
  ClosingQuotes closing(text, mayFollowQuote);
  const auto endOf = [&](std::string_view rest, std::string_view quote) {
    const auto begin = text.size() - rest.size();
    const auto closed = quote.empty() ? std::nullopt : closing.next(quote, begin);
    return urlEnd(rest, closed ? std::optional(*closed - begin) : std::nullopt);
  };
  return rewritten(text, endOf, [](std::string& out, std::string_view url) {
    const auto end = userInfoEnd(url);
    out.append(end == 0 ? "" : kHidden).append(url.substr(end));
  });
}

std::string addressWithoutUserInfo(std::string_view address) {
  const auto scheme = address.find(kScheme);
  const auto begin = scheme == std::string_view::npos ? 0 : scheme + kScheme.size();
  const auto sign = address.rfind('@');
  if (sign == std::string_view::npos || sign < begin) return std::string(address);
  return std::string(address.substr(0, begin)).append(kHidden).append(address.substr(sign));
}

std::string withoutQueries(std::string_view text) {
  const auto queryEnd = [](std::string_view rest, std::string_view) {
    return std::min(rest.find_first_of(kEndsQuery), rest.size());
  };
  return rewritten(text, queryEnd, [](std::string& out, std::string_view url) {
    const auto query = url.find('?');
    out.append(url.substr(0, query));
    if (query != std::string_view::npos) out.append("?").append(kHidden);
  });
}

bool mayFollowQuote(std::string_view text, std::size_t at) {
  return at >= text.size() || isIn(" \t\r\n,:;)]}\\\"", text[at]);
}

}  // namespace ingot::base
