#include "api/bmh/rules/rules.hpp"
#include "api/request_uri.hpp"

namespace ingot::api::rules {

void image(const BareMetalHost& host, Errors& errors) { image(host.spec.image, errors); }

void image(const std::optional<Image>& image, Errors& errors) {
  if (!image) return;
  const std::string& url = image->url;
  if (const auto problem = downloadUrlProblem(url); !problem.empty())
    errors.push_back("image URL " + url + " is invalid: " + problem);
  if (auto checksum = resolveChecksum(image); !checksum.error.empty()) errors.push_back(std::move(checksum.error));
}

}  // namespace ingot::api::rules
