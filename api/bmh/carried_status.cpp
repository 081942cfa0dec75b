#include "api/bmh/carried_status.hpp"

#include "api/bmh/annotations.hpp"
#include "base/error.hpp"
#include "json/codec.hpp"
#include "json/go_names.hpp"

#include <fmt/format.h>

namespace ingot::api {

namespace {

KnownState stateIn(const BareMetalHostStatus& status) {
  return {.state = parseProvisioningState(status.provisioning.state), .poweredOn = status.poweredOn};
}

}  // namespace

bool awaitsStatus(const BareMetalHost& host) {
  return isAnnotated(host, annotation::status) && !host.status.lastUpdated;
}

BareMetalHostStatus parseCarriedStatus(const std::string& text) {
  auto status = json::decode<BareMetalHostStatus>(json::withGoNames<BareMetalHostStatus>(boost::json::parse(text)));
  const std::string& state = status.provisioning.state;
  if (!parseProvisioningState(state)) throw base::Error(fmt::format("there is no provisioning state \"{}\"", state));
  return status;
}

// What was refused has left its reason in errorMessage: by its text, or by the API, which takes less.
KnownState knownStateOf(const BareMetalHost& host) {
  if (!awaitsStatus(host)) return stateIn(host.status);
  if (!host.status.errorMessage.empty()) return {};
  try {
    return stateIn(parseCarriedStatus(*findAnnotation(host, annotation::status)));
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace ingot::api
