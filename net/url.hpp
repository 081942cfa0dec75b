// URL pieces: percent coding, query strings, split of origin and path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::net {

struct Url {
  std::string scheme;      // lower case
  std::string host;        // without brackets
  std::uint16_t port = 0;  // the scheme's default when none was given
  std::string path;        // "/" at least, as written
  std::string query;       // without '?'

  [[nodiscard]] std::string origin() const;  // "https://host:port", IPv6 in brackets
};

[[nodiscard]] std::optional<Url> parseUrl(std::string_view text);
[[nodiscard]] std::string percentEncode(std::string_view text);  // everything but unreserved
// "/a/b%20c" as "a" and "b c".
[[nodiscard]] std::vector<std::string> pathSegments(std::string_view path);
[[nodiscard]] std::string percentDecode(std::string_view text);  // '%' not followed by two hex digits is kept

// Ordered name/value pairs of a query string, decoded ('+' is a space).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> parseQuery(std::string_view query);

}  // namespace ingot::net
