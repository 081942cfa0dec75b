#include "net/url.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ingot::net {
namespace {

std::uint16_t defaultPort(std::string_view scheme) {
  if (scheme == "http") return 80;
  if (scheme == "https") return 443;
  return 0;
}

bool isSchemeText(std::string_view text) {
  if (text.empty() || !((text[0] | 0x20) >= 'a' && (text[0] | 0x20) <= 'z')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' ||
           c == '.';
  });
}

bool isSendable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7f; });
}

// "host", "host:port", "[v6]", "[v6]:port"
bool readAuthority(std::string_view text, Url& url) {
  std::string_view port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) return false;
    url.host = text.substr(1, close - 1);
    const auto rest = text.substr(close + 1);
    if (!rest.empty() && rest.front() != ':') return false;
    port = rest.empty() ? rest : rest.substr(1);
  } else {
    const auto colon = text.find(':');
    url.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon + 1);
    if (port.find(':') != std::string_view::npos) return false;  // IPv6 without brackets
  }
  if (url.host.empty() || url.host.find_first_of("@/\\%[]") != std::string::npos) return false;
  if (port.empty()) return true;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  return error == std::errc() && end == port.data() + port.size();
}

std::string decode(std::string_view text, bool plusIsSpace) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && base::hexDigit(text[i + 1]) >= 0 && base::hexDigit(text[i + 2]) >= 0) {
      out += static_cast<char>(base::hexDigit(text[i + 1]) * 16 + base::hexDigit(text[i + 2]));
      i += 2;
    } else {
      out += plusIsSpace && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

}  // namespace

std::string Url::origin() const { return fmt::format("{}://{}", scheme, base::hostAndPort(host, port)); }

std::optional<Url> parseUrl(std::string_view text) {
  const auto colon = text.find("://");
  if (colon == std::string_view::npos || !isSchemeText(text.substr(0, colon)) || !isSendable(text)) return std::nullopt;
  Url url;
  url.scheme = base::lower(text.substr(0, colon));
  url.port = defaultPort(url.scheme);

  auto rest = text.substr(colon + 3);
  rest = rest.substr(0, rest.find('#'));
  const auto end = std::min(rest.find_first_of("/?"), rest.size());
  if (!readAuthority(rest.substr(0, end), url)) return std::nullopt;

  const auto target = rest.substr(end);
  const auto question = target.find('?');
  url.path = target.substr(0, question);
  if (url.path.empty()) url.path = "/";
  if (question != std::string_view::npos) url.query = target.substr(question + 1);
  return url;
}

std::string percentEncode(std::string_view text) {
  constexpr char hex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                       c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += hex[byte >> 4];
    out += hex[byte & 15];
  }
  return out;
}

std::string percentDecode(std::string_view text) { return decode(text, false); }

std::vector<std::pair<std::string, std::string>> parseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const auto amp = std::min(query.find('&'), query.size());
    const auto item = query.substr(0, amp);
    query.remove_prefix(std::min(amp + 1, query.size()));
    if (item.empty()) continue;
    const auto equals = item.find('=');
    pairs.emplace_back(decode(item.substr(0, equals), true),
                       equals == std::string_view::npos ? "" : decode(item.substr(equals + 1), true));
  }
  return pairs;
}

std::vector<std::string> pathSegments(std::string_view path) {
  std::vector<std::string> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    const auto slash = std::min(path.find('/'), path.size());
    segments.push_back(percentDecode(path.substr(0, slash)));
    path.remove_prefix(slash);
  }
  return segments;
}

}  // namespace ingot::net
