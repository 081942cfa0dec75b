#include "api/request_uri.hpp"

#include "bmc/model/url_text.hpp"

namespace ingot::api {

namespace url_text = bmc::url_text;

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

}  // namespace ingot::api
