// The machines that wait for a host or for a Node: news wake those that they are for, and no others.
#pragma once

#include "coordinator/machine/host_choice.hpp"
#include "kube/core/node.hpp"
#include "kube/core/object_key.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::machine {

class Waiting {
 public:
  // It has looked and found none. Keeps its place when it waits already. `awaited`: a host that is kept for it and not
  // available yet.
  void forHost(const kube::ObjectKey& machine, HostSelector selector, std::string nodeReuse,
               std::optional<kube::ObjectKey> awaited = std::nullopt);
  // `host`: that the machine has.
  void forNode(const kube::ObjectKey& machine, const kube::ObjectKey& cluster, const kube::ObjectMeta& host);
  void noMore(const kube::ObjectKey& machine);

  // The machine that has waited for such a host the longest; it waits no more. The host is offered to it.
  [[nodiscard]] std::optional<kube::ObjectKey> takeFor(const BareMetalHost& host) { return offer(host, {}, 0); }
  // How many times a machine has looked in vain.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  // The first of those that have looked since there were `before` looks, for a host that `by` has held since and not
  // taken: nobody else missed it, and two whose claims are refused do not wake each other for ever. nullopt, too, where
  // the host was offered to `by`, who passes it on.
  [[nodiscard]] std::optional<kube::ObjectKey> takeFreed(const BareMetalHost& host, const kube::ObjectKey& by,
                                                         std::uint64_t before);
  // The host that was offered to the machine, which has looked at it or is gone; nullopt: none.
  [[nodiscard]] std::optional<kube::ObjectKey> offeredTo(const kube::ObjectKey& machine) const;
  // The machine did not take its offer. The host is offered to the next one that has not refused it; nullopt: there is
  // none. nullptr: nobody can have the host any more.
  [[nodiscard]] std::optional<kube::ObjectKey> refused(const kube::ObjectKey& machine, const BareMetalHost* host);
  // Those that take no other host as long as this one is kept for them and not available; they keep their places.
  [[nodiscard]] std::vector<kube::ObjectKey> awaiting(const kube::ObjectKey& host) const;
  // A Node whose label or providerID names its host concerns nobody else: hundreds may wait beside it.
  struct Named {
    std::optional<kube::ObjectKey> machine;  // nullopt: none of that cluster waits with that host
  };
  // nullopt: it names none, and may be anybody's.
  [[nodiscard]] std::optional<Named> namedBy(const kube::ObjectKey& cluster, const kube::Node& node) const;
  // How many wishes have been held against hosts since the start: machines that ask for the same share one.
  [[nodiscard]] std::uint64_t compared() const { return compared_; }
  // Those that wait for a Node of the cluster.
  [[nodiscard]] std::vector<kube::ObjectKey> of(const kube::ObjectKey& cluster) const;
  [[nodiscard]] bool anyOf(const kube::ObjectKey& cluster) const { return ofCluster_.contains(cluster); }

 private:
  struct Wish {
    std::string namespace_, selector, nodeReuse;
    friend auto operator<=>(const Wish&, const Wish&) = default;
  };
  using Queue = std::map<std::uint64_t, kube::ObjectKey>;
  struct Line {
    HostSelector selector;
    Queue byTurn, byLook;  // by the machine's first look, and by its last
  };
  using Lines = std::map<Wish, Line>;
  struct Place {
    Lines::iterator line;
    std::uint64_t turn = 0, look = 0;
    std::optional<kube::ObjectKey> awaited;
  };
  struct Offer {
    kube::ObjectKey host;
    std::set<kube::ObjectKey> asked;  // and did not take it
  };
  // Of those that have looked since `before`.
  [[nodiscard]] std::optional<kube::ObjectKey> offer(const BareMetalHost& host, std::set<kube::ObjectKey> asked,
                                                     std::uint64_t before);
  [[nodiscard]] std::optional<kube::ObjectKey> firstFor(const BareMetalHost& host,
                                                        const std::set<kube::ObjectKey>& asked, std::uint64_t before);
  void leaveLine(const kube::ObjectKey& machine);

  struct ForNode {
    kube::ObjectKey cluster;
    std::string hostUid;
    kube::ObjectKey host;
  };
  Lines lines_;
  std::map<kube::ObjectKey, Place> placeOf_;                       // by machine
  std::map<kube::ObjectKey, std::set<kube::ObjectKey>> awaiting_;  // machines, by the host that each awaits
  std::uint64_t looks_ = 0, compared_ = 0;
  std::multimap<kube::ObjectKey, Offer> offers_;                    // by machine, the first one first
  std::map<kube::ObjectKey, ForNode> forNode_;                      // by machine
  std::map<kube::ObjectKey, std::set<kube::ObjectKey>> ofCluster_;  // its machines
  std::map<std::string, kube::ObjectKey> byHostUid_;
  std::map<kube::ObjectKey, kube::ObjectKey> byHost_;
};

}  // namespace ingot::coordinator::machine
