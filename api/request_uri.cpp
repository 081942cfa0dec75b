#include "api/request_uri.hpp"

#include "base/url_text.hpp"

#include <algorithm>

namespace ingot::api {

namespace url_text = base::url_text;

namespace {

constexpr std::string_view kSchemes[] = {"http", "https", "ftp", "gopher", "oci"};

}  // namespace

std::string requestUriProblem(const std::string& url) {
  const auto parsed = url_text::parseRequest(url);
  return parsed.url ? "" : parsed.problem.text;
}

std::string downloadUrlProblem(const std::string& url) {
  if (auto problem = requestUriProblem(url); !problem.empty()) return problem;
  const std::string scheme = url_text::parseRequest(url).url->scheme;
  if (std::ranges::find(kSchemes, scheme) != std::end(kSchemes)) return "";
  return "invalid scheme in URL, \"" + scheme + "\" not allowed";
}

}  // namespace ingot::api
