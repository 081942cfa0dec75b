// URLs as Go's net/url reads them: existing manifests rely on its every corner.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ingot::base::url_text {

struct Url {
  std::string scheme;  // lower case
  std::string opaque;  // what follows the scheme when it does not start with '/'
  std::string host;    // host[:port], brackets kept, unescaped
  std::string path;    // unescaped
  std::string query;   // as written

  [[nodiscard]] std::string hostName() const;  // without brackets and port
  [[nodiscard]] std::string port() const;
};

// The reason why a text is no URL, worded as Go words it: `parse "[::1]": first path segment in URL …`.
struct Problem {
  std::string text;
};

struct Parsed {
  std::optional<Url> url;
  Problem problem;  // when there is no url
};

[[nodiscard]] Parsed parse(std::string_view text);
// ParseRequestURI: an absolute URL or path, without a fragment.
[[nodiscard]] Parsed parseRequest(std::string_view text);

// net.SplitHostPort would accept it.
[[nodiscard]] bool splitsAsHostAndPort(std::string_view text);

// nullopt when one pair is malformed.
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> parseQuery(std::string_view query);

// Go's %q: quoted, with what cannot be printed escaped.
[[nodiscard]] std::string quoted(std::string_view text);

}  // namespace ingot::base::url_text
