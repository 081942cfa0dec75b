#include "base/url_text.hpp"

#include "base/ip_address.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ingot::base::url_text {

namespace {

// Which characters an escape may stand for, and which need one, differs by place.
enum class Place { userInfo, host, zone, path, query, fragment };

// Requests are read by the rules of a later Go.
enum class Form { reference, request };

struct Failure {
  std::string text;
};

bool isAlpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool mayStandInHost(unsigned char c) {
  static constexpr std::string_view allowed = "-_.~!$&'()*+,;=:[]<>\"";
  return isAlpha(static_cast<char>(c)) || isDigit(static_cast<char>(c)) ||
         allowed.find(static_cast<char>(c)) != std::string_view::npos;
}

[[noreturn]] void badEscape(std::string_view at) { throw Failure{"invalid URL escape " + quoted(at.substr(0, 3))}; }

// The byte that the escape at `at` ("%41…") stands for.
char unescapedByte(std::string_view at, Place place) {
  if (at.size() < 3 || hexDigit(at[1]) < 0 || hexDigit(at[2]) < 0) badEscape(at);
  const auto byte = static_cast<unsigned char>(hexDigit(at[1]) * 16 + hexDigit(at[2]));
  const bool percent = at.substr(0, 3) == "%25";
  if (place == Place::host && byte < 0x80 && !percent) badEscape(at);
  if (place == Place::zone && !percent && byte != ' ' && !mayStandInHost(byte)) badEscape(at);
  return static_cast<char>(byte);
}

std::string unescape(std::string_view text, Place place) {
  const bool strict = place == Place::host || place == Place::zone;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%') {
      out += unescapedByte(text.substr(i), place);
      i += 2;
    } else if (c == '+' && place == Place::query) {
      out += ' ';
    } else if (strict && static_cast<unsigned char>(c) < 0x80 && !mayStandInHost(static_cast<unsigned char>(c))) {
      throw Failure{"invalid character " + quoted(std::string_view(&text[i], 1)) + " in host name"};
    } else {
      out += c;
    }
  }
  return out;
}

bool isOptionalPort(std::string_view text) {
  if (text.empty()) return true;
  return text[0] == ':' && std::all_of(text.begin() + 1, text.end(), isDigit);
}

void requireOptionalPort(std::string_view text) {
  if (!isOptionalPort(text)) throw Failure{"invalid port " + quoted(text) + " after host"};
}

std::string parseBracketed(std::string_view text) {
  const auto close = text.rfind(']');
  if (close == std::string_view::npos) throw Failure{"missing ']' in host"};
  requireOptionalPort(text.substr(close + 1));

  const std::string_view inside = text.substr(1, close - 1);
  const auto zone = std::min(inside.find("%25"), inside.size());
  const std::string address = unescape(inside.substr(0, zone), Place::host);
  const std::string suffix = unescape(inside.substr(zone), Place::zone);
  const bool known = IpAddress::parse(address).has_value();
  if (known && address.find(':') == std::string::npos) throw Failure{"invalid IP-literal"};
  if (!known) throw Failure{"invalid host: " + quoted(address) + " is not an IPv6 address"};
  return "[" + address + suffix + "]" + std::string(text.substr(close + 1));
}

std::string parseHost(std::string_view text, Form form) {
  const auto bracket = text.rfind('[');
  if (bracket == 0) return parseBracketed(text);
  if (bracket != std::string_view::npos) throw Failure{"invalid IP-literal"};
  const auto colon = form == Form::request ? text.find(':') : text.rfind(':');
  if (colon != std::string_view::npos) requireOptionalPort(text.substr(colon));
  return unescape(text, Place::host);
}

bool isUserInfo(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return isAlpha(c) || isDigit(c) || std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos;
  });
}

// "user:password@host:port": who logs in is nobody's business here, but it must be well-formed.
std::string parseAuthority(std::string_view text, Form form) {
  const auto at = text.rfind('@');
  if (at == std::string_view::npos) return parseHost(text, form);
  std::string host = parseHost(text.substr(at + 1), form);
  const std::string_view user = text.substr(0, at);
  if (!isUserInfo(user)) throw Failure{"net/url: invalid userinfo"};
  static_cast<void>(unescape(user, Place::userInfo));
  return host;
}

// "ftp" of "ftp://…", with the text that follows; an empty scheme when there is none.
std::pair<std::string_view, std::string_view> splitScheme(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isAlpha(c)) continue;
    const bool later = isDigit(c) || c == '+' || c == '-' || c == '.';
    if (later && i > 0) continue;
    if (c != ':') return {"", text};
    if (i == 0) throw Failure{"missing protocol scheme"};
    return {text.substr(0, i), text.substr(i + 1)};
  }
  return {"", text};
}

void refuseControlCharacters(std::string_view text) {
  const bool found =
      std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (found) throw Failure{"net/url: invalid control character in URL"};
}

Url parseWithoutFragment(std::string_view text, Form form) {
  refuseControlCharacters(text);
  const auto [scheme, afterScheme] = splitScheme(text);
  const auto question = afterScheme.find('?');
  std::string_view rest = afterScheme.substr(0, question);

  Url url;
  url.scheme = lower(scheme);
  if (question != std::string_view::npos) url.query = afterScheme.substr(question + 1);
  if (!rest.starts_with('/')) {
    if (!scheme.empty()) {
      url.opaque = rest;
      return url;
    }
    if (form == Form::request) throw Failure{"invalid URI for request"};
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos)
      throw Failure{"first path segment in URL cannot contain colon"};
  }
  const bool mayLackScheme = form == Form::reference && !rest.starts_with("///");
  if (rest.starts_with("//") && (!scheme.empty() || mayLackScheme)) {
    const auto slash = std::min(rest.find('/', 2), rest.size());
    url.host = parseAuthority(rest.substr(2, slash - 2), form);
    rest = rest.substr(slash);
  }
  url.path = unescape(rest, Place::path);
  return url;
}

// "host:623" → where the port starts (at its colon), or the end.
std::size_t portStart(std::string_view host) {
  const auto colon = host.rfind(':');
  return colon != std::string_view::npos && isOptionalPort(host.substr(colon)) ? colon : host.size();
}

}  // namespace

std::string Url::hostName() const {
  std::string_view name = std::string_view(host).substr(0, portStart(host));
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return std::string(name);
}

std::string Url::port() const {
  const auto colon = portStart(host);
  return colon < host.size() ? host.substr(colon + 1) : "";
}

Parsed parse(std::string_view text) {
  const auto hash = text.find('#');
  const std::string_view url = text.substr(0, hash);
  try {
    Parsed out{parseWithoutFragment(url, Form::reference), {}};
    if (hash != std::string_view::npos) static_cast<void>(unescape(text.substr(hash + 1), Place::fragment));
    return out;
  } catch (const Failure& failure) {
    return {std::nullopt, {"parse " + quoted(text) + ": " + failure.text}};
  }
}

Parsed parseRequest(std::string_view text) {
  try {
    if (text.empty()) throw Failure{"empty url"};
    if (text == "*") return {Url{.path = "*"}, {}};
    return {parseWithoutFragment(text, Form::request), {}};
  } catch (const Failure& failure) {
    return {std::nullopt, {"parse " + quoted(text) + ": " + failure.text}};
  }
}

bool splitsAsHostAndPort(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    return close != std::string_view::npos && close + 1 == colon && text.find('[', 1) == std::string_view::npos &&
           text.find(']', close + 1) == std::string_view::npos;
  }
  return text.find(':') == colon && text.find_first_of("[]") == std::string_view::npos;
}

std::optional<std::vector<std::pair<std::string, std::string>>> parseQuery(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> out;
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query = query.substr(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    if (pair.find(';') != std::string_view::npos) return std::nullopt;
    const auto equals = std::min(pair.find('='), pair.size());
    const std::string_view value = equals < pair.size() ? pair.substr(equals + 1) : std::string_view();
    try {
      out.emplace_back(unescape(pair.substr(0, equals), Place::query), unescape(value, Place::query));
    } catch (const Failure&) {
      return std::nullopt;
    }
  }
  return out;
}

namespace {

struct Range {
  std::uint32_t first, last;
};

// Spaces other than ' ', format characters, private use. (Go also escapes what no character is assigned to.)
constexpr Range kUnprintable[] = {{0x80, 0xa0},     {0xad, 0xad},     {0x600, 0x605},   {0x61c, 0x61c},
                                  {0x6dd, 0x6dd},   {0x70f, 0x70f},   {0x1680, 0x1680}, {0x180e, 0x180e},
                                  {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000},
                                  {0xe000, 0xf8ff}, {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xf0000, 0x10ffff}};

bool isPrintable(std::uint32_t rune) {
  return std::ranges::none_of(kUnprintable, [&](Range r) { return r.first <= rune && rune <= r.last; });
}

std::string escapedAscii(char c) {
  static constexpr std::string_view kNamed = "\aa\bb\ff\nn\rr\tt\vv\\\\\"\"";
  for (std::size_t i = 0; i < kNamed.size(); i += 2)
    if (kNamed[i] == c) return {'\\', kNamed[i + 1]};
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
}

std::string escapedRune(char32_t rune) {
  const auto value = static_cast<std::uint32_t>(rune);
  return value > 0xffff ? fmt::format("\\U{:08x}", value) : fmt::format("\\u{:04x}", value);
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const Rune rune = runeAt(text, i);
    if (!rune.valid)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    else if (rune.value < 0x80)
      out += escapedAscii(text[i]);
    else
      out += isPrintable(rune.value) ? std::string(text.substr(i, rune.width)) : escapedRune(rune.value);
    i += rune.width;
  }
  return out + "\"";
}

}  // namespace ingot::base::url_text
