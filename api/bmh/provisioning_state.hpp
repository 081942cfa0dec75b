// The states of a host, as status.provisioning.state stores them (spec/baremetalhost.md §7). The field itself stays
// text: what another version has written is kept as it is.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ingot::api {

enum class ProvisioningState {
  none,
  unmanaged,
  registering,
  inspecting,
  matchProfile,  // legacy: written by old versions only
  preparing,
  available,
  ready,  // legacy name of available; kept as stored until the next transition
  provisioning,
  provisioned,
  externallyProvisioned,  // by somebody else: only its power is ours
  deprovisioning,
  poweringOffBeforeDelete,
  deleting,
};

inline constexpr auto provisioningStates = std::to_array<std::pair<ProvisioningState, std::string_view>>({
    {ProvisioningState::none, ""},
    {ProvisioningState::unmanaged, "unmanaged"},
    {ProvisioningState::registering, "registering"},
    {ProvisioningState::inspecting, "inspecting"},
    {ProvisioningState::matchProfile, "match profile"},
    {ProvisioningState::preparing, "preparing"},
    {ProvisioningState::available, "available"},
    {ProvisioningState::ready, "ready"},
    {ProvisioningState::provisioning, "provisioning"},
    {ProvisioningState::provisioned, "provisioned"},
    {ProvisioningState::externallyProvisioned, "externally provisioned"},
    {ProvisioningState::deprovisioning, "deprovisioning"},
    {ProvisioningState::poweringOffBeforeDelete, "powering off before delete"},
    {ProvisioningState::deleting, "deleting"},
});

[[nodiscard]] constexpr std::string_view text(ProvisioningState state) {
  for (const auto& [value, name] : provisioningStates) {
    if (value == state) return name;
  }
  return "";
}

// nullopt for a value that this version does not know.
[[nodiscard]] constexpr std::optional<ProvisioningState> parseProvisioningState(std::string_view text) {
  for (const auto& [value, name] : provisioningStates) {
    if (name == text) return value;
  }
  return std::nullopt;
}

// Nothing is deployed on the host, and an image may be.
[[nodiscard]] constexpr bool isAvailable(ProvisioningState state) {
  return state == ProvisioningState::available || state == ProvisioningState::ready;
}

// The disk holds a system that is in use, deployed by us or by somebody else.
[[nodiscard]] constexpr bool carriesSystem(ProvisioningState state) {
  return state == ProvisioningState::provisioned || state == ProvisioningState::externallyProvisioned;
}

// Only the power of the host is managed in this state.
[[nodiscard]] constexpr bool rests(ProvisioningState state) { return isAvailable(state) || carriesSystem(state); }

}  // namespace ingot::api
