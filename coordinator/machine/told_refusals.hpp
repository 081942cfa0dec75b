// What is told of a wish that no host meets, kept while the hosts are the same: a thousand machines that wait together
// mostly ask for the same, and each text is made of a look at every host.
#pragma once

#include "coordinator/machine/host_pool.hpp"
#include "coordinator/machine/reuse_owners.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace ingot::coordinator::machine {

class ToldRefusals {
 public:
  // nullptr: nobody knows whether those that hosts are kept for are there.
  ToldRefusals(HostPool& pool, const ReuseOwners* owners) : pool_(pool), owners_(owners) {}

  // As whyNoHost() says it of the hosts in the machine's namespace.
  [[nodiscard]] const std::string& whyNoHost(const HostWish& wish);
  // One that hosts are kept for has come or gone.
  void forget(const std::string& namespace_) { texts_.erase(namespace_); }
  // How many texts were made since the start, with a look at every host each.
  [[nodiscard]] std::uint64_t made() const { return made_; }

 private:
  using Asked = std::pair<std::string, std::string>;  // the selector, and whom hosts may be kept for
  struct Texts {
    std::uint64_t version = 0;  // of the hosts
    std::map<Asked, std::string> byWish;
  };

  HostPool& pool_;
  const ReuseOwners* owners_;
  std::map<std::string, Texts> texts_;  // by namespace
  std::uint64_t made_ = 0;
};

}  // namespace ingot::coordinator::machine
