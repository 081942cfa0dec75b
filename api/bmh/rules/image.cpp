#include "api/bmh/rules/rules.hpp"
#include "bmc/model/url_text.hpp"

namespace ingot::api::rules {

namespace {

namespace url_text = bmc::url_text;

constexpr std::string_view kSchemes[] = {"http", "https", "ftp", "gopher", "oci"};

// An absolute URL or path, as HTTP requests carry it: stricter than a reference.
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

std::string urlProblem(const std::string& url) {
  if (auto problem = requestUriProblem(url); !problem.empty()) return problem;
  const std::string scheme = url_text::parse(url).url->scheme;
  if (std::ranges::find(kSchemes, scheme) != std::end(kSchemes)) return "";
  return "invalid scheme in URL, \"" + scheme + "\" not allowed";
}

}  // namespace

void image(const BareMetalHost& host, Errors& errors) {
  if (!host.spec.image) return;
  const std::string& url = host.spec.image->url;
  if (const auto problem = urlProblem(url); !problem.empty())
    errors.push_back("image URL " + url + " is invalid: " + problem);
  if (auto checksum = resolveChecksum(host.spec.image); !checksum.error.empty())
    errors.push_back(std::move(checksum.error));
}

}  // namespace ingot::api::rules
