// The states of a host, as status.provisioning.state stores them (spec/baremetalhost.md §7).
#pragma once

#include <optional>
#include <string_view>

namespace ingot::coordinator::host {

enum class State {
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
  deprovisioning,
  poweringOffBeforeDelete,
  deleting,
};

[[nodiscard]] std::string_view text(State state);

// Nothing is done to the host but what its power asks for.
[[nodiscard]] bool rests(State state);

// nullopt for a value that this version does not know.
[[nodiscard]] std::optional<State> parseState(std::string_view text);

}  // namespace ingot::coordinator::host
