#include "bmc/model/capability.hpp"

namespace ingot::bmc {

namespace {

std::string listOf(Protocol protocol, bool whetherThere) {
  std::string list;
  for (const auto capability : everyCapability) {
    if (has(protocol, capability) != whetherThere) continue;
    if (!list.empty()) list += ", ";
    list += toText(capability);
  }
  return list;
}

}  // namespace

std::string_view toText(Capability capability) {
  switch (capability) {
    case Capability::power: return "power";
    case Capability::identity: return "identity";
    case Capability::health: return "health";
    case Capability::inventory: return "inventory";
    case Capability::sensors: return "sensors";
    case Capability::logs: return "logs";
    case Capability::boot: return "boot device";
    case Capability::media: return "virtual media";
    case Capability::events: return "pushed events";
    case Capability::erasure: return "erasure of drives";
    case Capability::cleaning: return "cleaning steps";
  }
  return "";
}

bool has(Protocol protocol, Capability capability) {
  switch (capability) {
    case Capability::power:
    case Capability::identity:
    case Capability::health:
    case Capability::inventory:
    case Capability::sensors:
    case Capability::logs:
    case Capability::boot: return true;
    case Capability::media:
    case Capability::events:
    case Capability::erasure:
    case Capability::cleaning: return protocol == Protocol::redfish;
  }
  return false;
}

std::string capabilitiesOf(Protocol protocol) { return listOf(protocol, true); }

std::string missingIn(Protocol protocol) { return listOf(protocol, false); }

}  // namespace ingot::bmc
