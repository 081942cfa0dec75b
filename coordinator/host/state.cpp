#include "coordinator/host/state.hpp"

#include <utility>

namespace ingot::coordinator::host {
namespace {

constexpr std::pair<State, std::string_view> names[] = {
    {State::none, ""},
    {State::unmanaged, "unmanaged"},
    {State::registering, "registering"},
    {State::inspecting, "inspecting"},
    {State::matchProfile, "match profile"},
    {State::preparing, "preparing"},
    {State::available, "available"},
    {State::ready, "ready"},
    {State::provisioning, "provisioning"},
    {State::provisioned, "provisioned"},
    {State::deprovisioning, "deprovisioning"},
    {State::poweringOffBeforeDelete, "powering off before delete"},
    {State::deleting, "deleting"},
};

}  // namespace

std::string_view text(State state) {
  for (const auto& [value, name] : names) {
    if (value == state) return name;
  }
  return "";
}

std::optional<State> parseState(std::string_view text) {
  for (const auto& [value, name] : names) {
    if (name == text) return value;
  }
  return std::nullopt;
}

bool rests(State state) { return state == State::available || state == State::ready || state == State::provisioned; }

}  // namespace ingot::coordinator::host
