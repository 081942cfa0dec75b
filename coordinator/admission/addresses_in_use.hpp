// Which addresses pools have in use, as their address objects say. Those of one pool that its new ranges would leave
// out are found without a look at the others: whoever may change a pool decides how many there are, and how often that
// is asked.
#pragma once

#include "api/ipam/rules/bounds.hpp"
#include "json/value.hpp"
#include "kube/core/kind.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator {

using AddressBounds = api::ipam::rules::Bounds;

// So many addresses are named at most: people read them.
inline constexpr std::size_t kMostBeyond = 100;

// IPAddresses of ipam.metal3.io and of Cluster API.
[[nodiscard]] const std::array<const kube::KindInfo*, 2>& addressKinds();

struct AddressInUse {
  kube::ObjectKey pool;
  std::string address;
};
// nullopt: the object is no IPPool's, or has no address.
[[nodiscard]] std::optional<AddressInUse> addressIn(const kube::KindInfo& kind, const json::Value& document);

// By the objects of one kind.
class AddressesInUse {
 public:
  explicit AddressesInUse(const kube::KindInfo& kind) : kind_(&kind) {}
  AddressesInUse(AddressesInUse&&) = default;  // what is in here is pointed to, and stays where it is
  AddressesInUse& operator=(AddressesInUse&&) = default;
  AddressesInUse(const AddressesInUse&) = delete;
  AddressesInUse& operator=(const AddressesInUse&) = delete;
  ~AddressesInUse() = default;

  void put(const json::Value& document);
  void drop(const kube::ObjectKey& object);

  // Those of the pool that the bounds do not hold: the first kMostBeyond.
  [[nodiscard]] std::vector<std::string> beyond(const kube::ObjectKey& pool, const AddressBounds& bounds) const;

 private:
  using Written = AddressBounds::Written;
  struct Entry {
    AddressInUse is;
    std::optional<Written> written;  // nullopt: the text is no address
  };
  struct Before {
    using is_transparent = void;
    bool operator()(const Entry* a, const Entry* b) const {
      return a->written == b->written ? std::less<>{}(a, b) : a->written < b->written;
    }
    bool operator()(const Entry* a, const Written& b) const { return a->written < b; }
    bool operator()(const Written& a, const Entry* b) const { return a < b->written; }
  };

  const kube::KindInfo* kind_;
  std::map<kube::ObjectKey, Entry> entries_;  // by object
  std::map<kube::ObjectKey, std::set<const Entry*, Before>> ofPool_;
};

}  // namespace ingot::coordinator
