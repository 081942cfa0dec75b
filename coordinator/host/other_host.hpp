// What the user of a host may know of another one: its name only where both are of one namespace. Logs may tell it.
#pragma once

#include "kube/core/object_key.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ingot::coordinator::host {

// "host metal/a" for a user of the namespace metal, `elsewhere` for any other. Pure.
[[nodiscard]] inline std::string nameForUser(std::string_view ownNamespace, const kube::ObjectKey& other,
                                             std::string_view kind = "host",
                                             std::string_view elsewhere = "another host") {
  return other.namespace_ == ownNamespace ? fmt::format("{} {}/{}", kind, other.namespace_, other.name)
                                          : std::string(elsewhere);
}

}  // namespace ingot::coordinator::host
