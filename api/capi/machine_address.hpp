// An address of a Machine or of its infrastructure.
#pragma once

#include "json/describe.hpp"

#include <string>

namespace ingot::api::capi {

struct MachineAddress {
  std::string type, address;

  static void describe(auto& v) {
    v.field("type", &MachineAddress::type)
        .requiredButOmitted()
        .oneOf({"Hostname", "ExternalIP", "InternalIP", "ExternalDNS", "InternalDNS"})
        .doc("Type of the address: Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.");
    v.field("address", &MachineAddress::address)
        .requiredButOmitted()
        .minLength(1)
        .maxLength(256)
        .doc("IP address, host name or DNS name, as the type says.");
  }
  friend bool operator==(const MachineAddress&, const MachineAddress&) = default;
};

}  // namespace ingot::api::capi
