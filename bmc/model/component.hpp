// A part of a host that is there, as its BMC judges it (spec/bmc.md §19.3).
#pragma once

#include <string>

namespace ingot::bmc {

struct Component {
  std::string path;    // of its resource; "" when not told
  std::string kind;    // memory | processor | drive; among sensors as partKinds (sensors.hpp)
  std::string name;    // "DIMM A3"
  std::string state;   // Redfish's word: "Enabled"; over IPMI all states that are asserted; "" when not told
  std::string health;  // OK | Warning | Critical; "" when not told

  static void describe(auto& v) {
    v.field("path", &Component::path);
    v.field("kind", &Component::kind);
    v.field("name", &Component::name);
    v.field("state", &Component::state);
    v.field("health", &Component::health);
  }
  friend bool operator==(const Component&, const Component&) = default;
};

// Calls `use` with each text that the BMC has written.
void eachText(Component& component, auto use) {
  for (auto* text : {&component.path, &component.kind, &component.name, &component.state, &component.health})
    use(*text);
}

}  // namespace ingot::bmc
