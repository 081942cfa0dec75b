// Rules of updates (spec/baremetalhost.md §4.2).
#include "api/bmh/provisioning_state.hpp"
#include "api/bmh/rules/rules.hpp"

namespace ingot::api::rules {

namespace {

bool sameIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace

void addressChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors) {
  const auto mayChange = [](const BareMetalHost& host) {
    return host.status.operationalStatus == operational_status::detached ||
           host.status.provisioning.state == text(ProvisioningState::registering);
  };
  const bool changed = !before.spec.bmc.address.empty() && before.spec.bmc.address != after.spec.bmc.address;
  if (changed && !mayChange(before) && !mayChange(after))
    errors.emplace_back(
        "BMC address can not be changed if the BMH is not in the Registering state, or if the BMH is not detached");
}

void bootMacChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors) {
  if (!before.spec.bootMACAddress.empty() && !sameIgnoringCase(before.spec.bootMACAddress, after.spec.bootMACAddress))
    errors.emplace_back("bootMACAddress can not be changed once it is set");
}

void externallyProvisionedChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors) {
  if (before.spec.externallyProvisioned || !after.spec.externallyProvisioned) return;
  const std::string& from = before.status.provisioning.state;
  const std::string& to = after.status.provisioning.state;
  constexpr std::string_view available = text(ProvisioningState::available);
  if (from != available && to != available)
    errors.push_back("externallyProvisioned can only be enabled when in Available state, currently in " + to);
}

}  // namespace ingot::api::rules
