// What every node looked like when we last heard of it. The sweep feeds the cache often with a few fields of all nodes,
// reads and writes of single nodes feed it with the whole record. No record is older than the cache says.
//
// Requests overlap, so each takes a ticket before it is sent. An answer is not believed when its ticket is older than
// what the cache has learnt or forgotten since. Once a change is sent to a node, what was known of the node before no
// longer counts: see Change.
#pragma once

#include "base/clock.hpp"
#include "ironic-client/node.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ingot::ironic {

// What the sweep asks for; enough to see that something happened, and to tell who owns the node.
[[nodiscard]] std::vector<std::string> sweptFields(bool withHealth);

class NodeCache {
 public:
  using Ticket = std::uint64_t;
  // Called after a sweep for every node that moved, appeared or went.
  using Changed = std::function<void(const std::string& uuid)>;

  explicit NodeCache(Changed changed) : changed_(std::move(changed)) {}

  [[nodiscard]] Ticket ask() { return ++lastTicket_; }

  // The whole record.
  void learn(Node node, Ticket asked, base::MonoTime now);
  // All nodes, with the swept fields only.
  void learnAll(std::vector<Node> swept, Ticket asked, base::MonoTime now);
  // A change on its way to a node. While it lives the node is unsettled, whatever is heard of it; how it ends decides
  // what follows. Without a word (an exception, a cancellation, a lost answer) it may have been carried out: the node
  // stays unsettled until the next answer asked for from then on.
  class Change {
   public:
    Change(NodeCache& cache, std::string uuid);
    ~Change();
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    // Something begins: the node stays unsettled, and the next look at it is news even if it did not move.
    void accepted() { outcome_ = Outcome::begins; }
    // Answered, and nothing begins: the record is read again before anything is decided on it, and nobody is told.
    void refused() { outcome_ = Outcome::nothing; }
    // The answer was the record as it is now, and is learnt.
    void answered() { outcome_ = Outcome::nothing; }

   private:
    enum class Outcome { unknown, begins, nothing };
    NodeCache& cache_;
    std::string uuid_;
    Outcome outcome_ = Outcome::unknown;
  };

  // The node is no more.
  void gone(const std::string& uuid);

  // The whole record, if it is known to have been true at or after `notBefore`: read then, or read not long before and
  // confirmed by a sweep.
  [[nodiscard]] std::shared_ptr<const Node> find(const std::string& uuid, base::MonoTime notBefore) const;
  // The swept fields (at least), whatever their age; observedAt says it.
  [[nodiscard]] std::optional<SeenNode> look(const std::string& uuid) const;
  [[nodiscard]] std::vector<SeenNode> all() const;

  // A change is on its way to this node, or may have been carried out and nothing has been heard of the node since.
  [[nodiscard]] bool unsettled(const std::string& uuid) const {
    return underWay_.contains(uuid) || unsettled_.contains(uuid);
  }
  // Something is under way: nodes in transition, or unsettled ones.
  [[nodiscard]] bool restless() const;
  // When a sweep last answered.
  [[nodiscard]] std::optional<base::MonoTime> sweptAt() const { return sweptAt_; }

 private:
  struct Entry {
    std::shared_ptr<const Node> latest;  // at least the swept fields
    bool whole = false;                  // `latest` is the whole record
    base::MonoTime observedAt{};
    base::MonoTime readAt{};  // the whole record
    Ticket ticket = 0;        // answers asked for before are stale
  };

  bool update(Entry& entry, Node swept, base::MonoTime now);
  void distrust(const std::string& uuid);
  [[nodiscard]] bool settle(const std::string& uuid);

  std::map<std::string, Entry, std::less<>> entries_;
  std::map<std::string, int, std::less<>> underWay_;    // changes, by node
  std::map<std::string, bool, std::less<>> unsettled_;  // with whether somebody waits for what was begun
  std::optional<base::MonoTime> sweptAt_;
  Ticket lastTicket_ = 0;
  Changed changed_;
};

}  // namespace ingot::ironic
