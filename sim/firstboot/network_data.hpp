// The network data of a config drive, as far as a machine's addresses go.
#pragma once

#include "json/value.hpp"

#include <string>
#include <vector>

namespace ingot::sim::firstboot {

// The static addresses of its networks, in order, without prefix lengths. Empty for no network data. Throws BootError
// when it is no network_data.json: networks and links are lists, each network is on a link that is there, and an
// address is one.
[[nodiscard]] std::vector<std::string> addressesIn(const json::Value& networkData);

// Throws BootError when both name addresses of one family, gateways and name servers aside, and none is common: the
// machine would be known by an address that it does not have.
void checkAddresses(const json::Object& metaData, const json::Value& networkData);

}  // namespace ingot::sim::firstboot
