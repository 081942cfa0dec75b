// What a template is rendered with.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "cloudinit/render_error.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::cloudinit {

// What a pool gave to this machine. The prefix is missing in addresses of other IPAM providers that give none.
struct PoolAddress {
  std::string address;
  std::optional<int> prefix;
  std::string gateway;
  std::vector<std::string> dnsServers;
};

// By the pool's name.
using PoolAddresses = std::map<std::string, PoolAddress, std::less<>>;

// The objects that a template may refer to, lent by the caller; nullptr: not there.
struct Snapshot {
  const api::capm3::v1beta2::Metal3Data& data;
  const kube::ObjectMeta* machine = nullptr;
  const kube::ObjectMeta* metal3Machine = nullptr;
  const api::BareMetalHost* host = nullptr;
  const PoolAddresses& pools;
};

// machine, metal3machine or baremetalhost, in any case of letters. Each throws RenderError.
struct ObjectField {
  const Field& field;  // the item that has the member `object`
  std::string_view object;
};
[[nodiscard]] const kube::ObjectMeta& objectNamed(const Snapshot& snapshot, const ObjectField& wanted);
// "" when the object has no such annotation.
[[nodiscard]] std::string annotationOf(const Snapshot& snapshot, const ObjectField& wanted, const std::string& name);
[[nodiscard]] std::string labelOf(const Snapshot& snapshot, const ObjectField& wanted, const std::string& name);

// The hardware address of the first NIC with that name that inspection found.
[[nodiscard]] const std::string& macOfInterface(const Snapshot& snapshot, const Field& field, std::string_view name);

// `reason` in case there is none: upstream has two texts.
[[nodiscard]] const PoolAddress& poolNamed(const Snapshot& snapshot, const Field& field, std::string_view name,
                                           const char* reason = "pool not found in cache");

}  // namespace ingot::cloudinit
