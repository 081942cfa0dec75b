// Which address objects hold an address, and which addresses several of them hold. Whoever may create address objects
// decides how many there are: entering and striking cost the logarithm of that, and a question no more than its answer.
#pragma once

#include "base/ip_address.hpp"
#include "coordinator/ipam/claim_key.hpp"

#include <functional>
#include <map>
#include <set>
#include <vector>

namespace ingot::coordinator::ipam {

// An address object, with the claim that it is for.
struct Holder {
  ClaimKey claim;
  std::string object;

  friend auto operator<=>(const Holder&, const Holder&) = default;
};

// `Less` orders addresses; a test counts its calls.
template <class Less = std::less<base::IpAddress>>
class AddressHolders {
 public:
  // The holder stays where it is until it is struck.
  void enter(base::IpAddress address, const Holder& holder);
  void strike(base::IpAddress address, const Holder& holder);

  // The addresses that more than one holds, and how many do.
  using Contested = std::map<base::IpAddress, std::size_t, Less>;
  [[nodiscard]] const Contested& contested() const { return contested_; }
  // So many of those that hold it.
  [[nodiscard]] std::vector<Holder> first(base::IpAddress address, std::size_t most) const;

 private:
  struct Hold {
    base::IpAddress address;
    const Holder* holder;
  };
  struct Before {
    using is_transparent = void;
    bool operator()(const Hold& a, base::IpAddress b) const { return Less{}(a.address, b); }
    bool operator()(base::IpAddress a, const Hold& b) const { return Less{}(a, b.address); }
    bool operator()(const Hold& a, const Hold& b) const {
      if (Less{}(a.address, b.address)) return true;
      return !Less{}(b.address, a.address) && *a.holder < *b.holder;
    }
  };
  using Holds = std::set<Hold, Before>;

  // Of the same address.
  [[nodiscard]] bool hasNeighbour(typename Holds::const_iterator at) const;

  Holds holds_;
  Contested contested_;
};

template <class Less>
bool AddressHolders<Less>::hasNeighbour(typename Holds::const_iterator at) const {
  if (const auto next = std::next(at); next != holds_.end() && !Less{}(at->address, next->address)) return true;
  return at != holds_.begin() && !Less{}(std::prev(at)->address, at->address);
}

template <class Less>
void AddressHolders<Less>::enter(base::IpAddress address, const Holder& holder) {
  const auto [at, isNew] = holds_.insert({address, &holder});
  if (!isNew || !hasNeighbour(at)) return;
  ++contested_.try_emplace(address, 1).first->second;
}

template <class Less>
void AddressHolders<Less>::strike(base::IpAddress address, const Holder& holder) {
  if (holds_.erase({address, &holder}) == 0) return;
  const auto contested = contested_.find(address);
  if (contested != contested_.end() && --contested->second == 1) contested_.erase(contested);
}

template <class Less>
std::vector<Holder> AddressHolders<Less>::first(base::IpAddress address, std::size_t most) const {
  std::vector<Holder> some;
  for (auto at = holds_.lower_bound(address); at != holds_.end() && some.size() < most; ++at) {
    if (Less{}(address, at->address)) break;
    some.push_back(*at->holder);
  }
  return some;
}

}  // namespace ingot::coordinator::ipam
