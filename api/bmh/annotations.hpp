// Annotations of a host, by their names of names.hpp. Pure.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/bmh/names.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace ingot::api {

// The value of the annotation; nullptr when the host does not carry it.
[[nodiscard]] inline const std::string* findAnnotation(const BareMetalHost& host, std::string_view name) {
  return host.metadata.annotation(std::string(name));
}

[[nodiscard]] inline bool isAnnotated(const BareMetalHost& host, std::string_view name) {
  return findAnnotation(host, name) != nullptr;
}

// What keeps everybody from working on a host that carries it.
struct Hold {
  std::string_view annotation, word;  // the host is …
};

// `clusterctl move` deletes a host here that lives on elsewhere, in use maybe: it puts its annotation in the place of
// all others, deletes the host, and only then takes its finalizers off (spec/cluster-api.md §1.13).
inline constexpr std::array kPauses{Hold{annotation::paused, "paused"},
                                    Hold{annotation::deleteForMove, "being moved by clusterctl"}};
inline constexpr std::array kHolds{kPauses[0], kPauses[1], Hold{annotation::detached, "detached"}};

// nullptr: the host carries none of these.
template <std::size_t n>
[[nodiscard]] const Hold* findHold(const BareMetalHost& host, const std::array<Hold, n>& holds) {
  const auto found = std::ranges::find_if(holds, [&](const Hold& hold) { return isAnnotated(host, hold.annotation); });
  return found == holds.end() ? nullptr : &*found;
}

[[nodiscard]] inline bool isHostPaused(const BareMetalHost& host) { return findHold(host, kPauses) != nullptr; }

}  // namespace ingot::api
