#include "coordinator/remediation/power_hold.hpp"

namespace ingot::coordinator::remediation {
namespace {

const std::string kPrefix = "reboot.metal3.io/metal3-remediation-";
constexpr std::string_view kHard = R"({"mode":"hard","force":false})";

}  // namespace

bool isHeldOff(const BareMetalHost& host, const std::string& uid) {
  return host.metadata.annotations.contains(kPrefix + uid);
}

void holdOff(BareMetalHost& host, const std::string& uid) {
  host.metadata.annotations.insert_or_assign(kPrefix + uid, std::string(kHard));
}

void letOn(BareMetalHost& host, const std::string& uid) { host.metadata.annotations.erase(kPrefix + uid); }

std::vector<std::string> holdersOf(const BareMetalHost& host) {
  std::vector<std::string> uids;
  const auto& all = host.metadata.annotations;
  for (auto at = all.lower_bound(kPrefix); at != all.end() && at->first.starts_with(kPrefix); ++at)
    uids.push_back(at->first.substr(kPrefix.size()));
  return uids;
}

}  // namespace ingot::coordinator::remediation
