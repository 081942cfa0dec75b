// How it stands with the events that the BMC of a host may push.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ingot::agent {

enum class EventsState : std::uint8_t {
  notYet,
  open,
  none,     // the BMC has no stream
  refused,  // it lets nobody have one, or not this account
  full,     // it has no room for another one
  failing,
  off,  // nobody wants to follow them
};

inline constexpr std::array everyEventsState{EventsState::notYet,  EventsState::open, EventsState::none,
                                             EventsState::refused, EventsState::full, EventsState::failing,
                                             EventsState::off};

[[nodiscard]] constexpr std::string_view toText(EventsState state) {
  switch (state) {
    case EventsState::notYet: return "not-yet";
    case EventsState::open: return "open";
    case EventsState::none: return "none";
    case EventsState::refused: return "refused";
    case EventsState::full: return "full";
    case EventsState::failing: return "failing";
    case EventsState::off: return "off";
  }
  return "";
}

}  // namespace ingot::agent
