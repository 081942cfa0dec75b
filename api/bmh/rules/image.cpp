#include "api/bmh/rules/rules.hpp"
#include "api/request_uri.hpp"

namespace ingot::api::rules {

void image(const BareMetalHost& host, Errors& errors) {
  if (!host.spec.image) return;
  const std::string& url = host.spec.image->url;
  if (const auto problem = downloadUrlProblem(url); !problem.empty())
    errors.push_back("image URL " + url + " is invalid: " + problem);
  if (auto checksum = resolveChecksum(host.spec.image); !checksum.error.empty())
    errors.push_back(std::move(checksum.error));
}

}  // namespace ingot::api::rules
