#include "api/request_uri.hpp"

#include "bmc/model/url_text.hpp"

#include <algorithm>

namespace ingot::api {

namespace url_text = bmc::url_text;

namespace {

constexpr std::string_view kSchemes[] = {"http", "https", "ftp", "gopher", "oci"};

}  // namespace

std::string requestUriProblem(const std::string& url) {
  const std::string subject = "parse " + url_text::quoted(url) + ": ";
  if (url.empty()) return subject + "empty url";
  const auto parsed = url_text::parse(url);
  const bool aboutForm = !parsed.url && parsed.problem.text.find("first path segment") != std::string::npos;
  if (!parsed.url && !aboutForm) return parsed.problem.text;
  const bool rooted = url.front() == '/' || url == "*";
  if (aboutForm || (parsed.url->scheme.empty() && !rooted)) return subject + "invalid URI for request";
  return "";
}

std::string downloadUrlProblem(const std::string& url) {
  if (auto problem = requestUriProblem(url); !problem.empty()) return problem;
  const std::string scheme = url_text::parse(url).url->scheme;
  if (std::ranges::find(kSchemes, scheme) != std::end(kSchemes)) return "";
  return "invalid scheme in URL, \"" + scheme + "\" not allowed";
}

}  // namespace ingot::api
