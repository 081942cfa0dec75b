#include "cli/bundle/url_redaction.hpp"

#include <algorithm>

namespace ingot::cli::bundle {
namespace {

constexpr std::string_view kScheme = "://", kHidden = "***";
constexpr std::string_view kEndsUrl = "\"'`<>{}|\\^ \t\r\n";

// Hands what follows each "://" up to the end of its URL to `rewrite`.
template <class Rewrite>
std::string rewritten(std::string_view text, Rewrite rewrite) {
  std::string out;
  for (auto at = text.find(kScheme); at != std::string_view::npos; at = text.find(kScheme)) {
    at += kScheme.size();
    out.append(text.substr(0, at));
    text.remove_prefix(at);
    const auto rest = text.substr(0, text.find_first_of(kEndsUrl));
    rewrite(out, rest);
    text.remove_prefix(rest.size());
  }
  return out.append(text);
}

// "10.0.0.1:8000", "[fd00::1]:443", "host": no password can be in it.
bool isHostAndPort(std::string_view authority) {
  const auto bracket = authority.rfind(']');
  const auto colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (colon == std::string_view::npos) return true;
  return std::ranges::all_of(authority.substr(colon + 1), [](char c) { return c >= '0' && c <= '9'; });
}

// Where the host begins.
std::size_t userInfoEnd(std::string_view url) {
  const auto authority = url.substr(0, url.find_first_of("/?#"));
  const auto sign = authority.rfind('@');
  if (sign != std::string_view::npos) return sign;
  const auto later = isHostAndPort(authority) ? std::string_view::npos : url.rfind('@');
  return later == std::string_view::npos ? 0 : later;
}

}  // namespace

std::string withoutUserInfo(std::string_view text) {
  return rewritten(text, [](std::string& out, std::string_view url) {
    const auto end = userInfoEnd(url);
    out.append(end == 0 ? "" : kHidden).append(url.substr(end));
  });
}

std::string addressWithoutUserInfo(std::string_view address) {
  if (address.find(kScheme) != std::string_view::npos) return withoutUserInfo(address);
  const auto sign = address.rfind('@');
  if (sign == std::string_view::npos) return std::string(address);
  return std::string(kHidden).append(address.substr(sign));
}

std::string withoutQueries(std::string_view text) {
  return rewritten(text, [](std::string& out, std::string_view url) {
    const auto query = url.find('?');
    out.append(url.substr(0, query));
    if (query != std::string_view::npos) out.append("?").append(kHidden);
  });
}

}  // namespace ingot::cli::bundle
