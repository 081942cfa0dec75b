#include "api/bmh/carried_status.hpp"

#include "api/bmh/annotations.hpp"
#include "base/cut_text.hpp"
#include "base/error.hpp"
#include "json/codec.hpp"
#include "json/go_names.hpp"

#include <fmt/format.h>

namespace ingot::api {

namespace {

constexpr std::size_t longestShown = 100;

// A long one is known by how it begins, and by its size.
std::string recognisable(const std::string& value) {
  if (value.size() <= longestShown) return fmt::format("\"{}\"", value);
  return fmt::format("\"{}…\" ({} bytes)", base::cutText(value, longestShown), value.size());
}

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

std::string notTakenByApi(const std::string& text) {
  return fmt::format("annotation {} holds the host back, because the API does not take its value {}",
                     annotation::status, recognisable(text));
}

// The API takes less than we can read. Any other message there is of a trouble that may be over.
KnownState knownStateOf(const BareMetalHost& host) {
  if (!awaitsStatus(host)) return stateIn(host.status);
  const std::string& carried = *findAnnotation(host, annotation::status);
  if (host.status.errorMessage.starts_with(notTakenByApi(carried))) return {};
  try {
    return stateIn(parseCarriedStatus(carried));
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace ingot::api
