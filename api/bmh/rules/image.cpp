#include "api/bmh/rules/rules.hpp"
#include "api/request_uri.hpp"
#include "bmc/model/url_text.hpp"

namespace ingot::api::rules {

namespace {

namespace url_text = bmc::url_text;

constexpr std::string_view kSchemes[] = {"http", "https", "ftp", "gopher", "oci"};

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
