// What every node looked like when we last heard of it. Fed by the sweep (a few fields of all nodes, often) and by
// reads and writes of single nodes (the whole record). Never older than it says.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/node.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::ironic {

// What the sweep asks for; enough to see that something happened, and to tell who owns the node.
[[nodiscard]] const std::vector<std::string>& sweptFields();

class NodeCache {
 public:
  // Called once a sweep for every node whose swept fields changed, appeared or went.
  using Changed = std::function<void(const std::string& uuid)>;

  explicit NodeCache(Changed changed) : changed_(std::move(changed)) {}

  // The whole record. `askedAt`: when the request was sent; ignored when something newer is known.
  void learn(Node node, base::MonoTime askedAt, base::MonoTime now);

  // The answer to one sweep that was sent at `askedAt`.
  void learnAll(std::vector<Node> swept, base::MonoTime askedAt, base::MonoTime now);

  // A change was sent at `now`: what is known of the node counts no more, nor does an answer asked for before.
  void forget(const std::string& uuid, base::MonoTime now);

  // 404, asked for at `askedAt`.
  void gone(const std::string& uuid);

  // The whole record, if it is known to have been true at or after `notBefore`.
  [[nodiscard]] std::shared_ptr<const Node> find(const std::string& uuid, base::MonoTime notBefore) const;
  // The swept fields (at least), whatever their age; observedAt says it.
  [[nodiscard]] std::optional<SeenNode> look(const std::string& uuid) const;
  [[nodiscard]] std::vector<SeenNode> all() const;

  // Something is under way: nodes in transition, or a change sent that no sweep has seen yet.
  [[nodiscard]] bool restless() const;
  // When a sweep last answered.
  [[nodiscard]] std::optional<base::MonoTime> sweptAt() const { return sweptAt_; }

 private:
  struct Entry {
    std::shared_ptr<const Node> whole;    // nullptr: only the swept fields are known
    std::shared_ptr<const Node> swept;
    base::MonoTime observedAt{};          // of whichever is newer
    base::MonoTime wholeAt{};             // until when `whole` is known to be true
    base::MonoTime changedAt{};           // answers asked for before this are stale
  };

  std::map<std::string, Entry, std::less<>> entries_;
  std::set<std::string, std::less<>> unsettled_;   // changed by us, not swept since
  std::optional<base::MonoTime> sweptAt_;
  Changed changed_;
};

}  // namespace ingot::ironic
