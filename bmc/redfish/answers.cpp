#include "bmc/redfish/answers.hpp"

#include "base/utf8.hpp"
#include "bmc/redfish/resources.hpp"
#include "net/url.hpp"

namespace ingot::bmc::redfish {

std::string pathOfLocation(const std::string& location) {
  if (location.starts_with("/")) return location;
  const auto url = net::parseUrl(location);
  if (!url) return {};
  return url->query.empty() ? url->path : url->path + "?" + url->query;
}

json::Value documentIn(const net::HttpResponse& response) { return json::parse(base::toUtf8(response.body)); }

std::string resourcePathOf(const net::HttpResponse& created) {
  if (const auto location = created.headers.find("Location")) return pathOfLocation(*location);
  try {
    return pathOfLocation(json::decode<Link>(documentIn(created)).id.value_or(""));
  } catch (const base::Error&) {
    return {};
  }
}

}  // namespace ingot::bmc::redfish
