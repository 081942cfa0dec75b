// Every flag of the three managers whose place Ingot takes: spec/capm3.md §20.1, spec/ipam.md §16,
// spec/baremetalhost.md §15.1.
// docs/guide/flags.md says of each what it does here; a test holds the two together.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ingot::coordinator {

enum class Shape : std::uint8_t { boolean, text };

struct ManagerFlag {
  std::string_view name;      // without dashes
  std::string_view managers;  // as the guide lists them
  std::string_view example;   // a value that the manager takes
  // Why it changes nothing here; "": it does here what it does there.
  std::string_view idle = {};
  Shape shape = Shape::text;  // of idle ones
  bool asksForMore = false;   // an idle one: whoever sets it does not get what he asks for
};

[[nodiscard]] std::span<const ManagerFlag> managerFlags();

}  // namespace ingot::coordinator
