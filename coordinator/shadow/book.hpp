// Decisions that stand until Metal3's managers have done the same or something else, and what came of them. Pure: what
// is read is told to it, and it asks nobody but the clock.
//
// An object's latest version is kept as text, as its caches keep it; decisions and differences are bounded, the oldest
// are dropped, and counted.
#pragma once

#include "coordinator/shadow/cluster_room.hpp"
#include "coordinator/shadow/differences.hpp"

#include <functional>
#include <list>
#include <map>
#include <set>

namespace ingot::coordinator::shadow {

struct Limits {
  base::Duration grace = std::chrono::seconds(60);  // until a decision counts as not done
  // A version that has stood for so long has been looked at here.
  base::Duration settled = std::chrono::seconds(5);
  std::size_t fieldsOfObject = 64;  // that are waited for
  std::size_t objects = 20'000;     // with decisions that stand
  std::size_t differences = 1'000;
  std::size_t clusterBytes = 32u << 20, clustersBytes = 128u << 20;  // kept of one workload cluster, of all of them
  // Controllers keep in mind what they wrote, which nobody has: they begin anew some time after something came out
  // otherwise, and now and then while something is told as not done.
  base::Duration term = std::chrono::minutes(5), longTerm = std::chrono::minutes(30);
};

// Told as it happens.
struct Listener {
  std::function<void(const std::string& controller, Outcome outcome)> counted = [](const std::string&, Outcome) {};
  std::function<void(const Difference& difference)> differs = [](const Difference&) {};
};

class Book {
 public:
  Book(const base::Clock& clock, std::string salt, Limits limits, Listener listener = {});

  void decided(Decision decision);
  // An Event would be told of this object: why it was decided so, where its status does not say.
  void explained(const std::string& kind, const kube::ObjectKey& key, const std::string& why);

  // As the API shows an object, with managed fields. `listed`: as one of those that were there, or in a watch of some
  // of them: it was not made, or deleted, just now.
  enum class Sight : std::uint8_t { listed, watched };
  // `list`: the version of the list that it stands in. An older version than is known, in a list that is not older than
  // that, is of a cluster that was restored: it is taken as it is.
  void seen(const ObjectId& id, json::Value object, Sight sight, const std::string& list = "");
  void gone(const ObjectId& id, Sight sight = Sight::watched);
  // All of a kind, in one namespace or in all, as they were in this version: others that were older have gone.
  void listed(const ObjectId& kind, const std::set<kube::ObjectKey>& there, const std::string& version);

  // The newest version that was seen of a kind in one cluster; "": none.
  [[nodiscard]] std::string newestOf(const ObjectId& kind) const;
  // A list of a kind begins, at this version; `newest` was the newest one when it was asked for. One that is older says
  // that versions began anew, as in a cluster that was restored: what is known of the kind is forgotten.
  void listing(const ObjectId& kind, const std::string& version, const std::string& newest);
  // Nobody looks at this cluster any more.
  void forget(const std::string& cluster);

  // Whether the controllers should forget what they have in mind, and begin anew. What is not wanted again then is
  // withdrawn.
  [[nodiscard]] bool wantsNewTerm() const;
  void beginTerm();

  // The object as it was in this version, unless a later one has been seen. Without managed fields, its hardware as a
  // digest.
  [[nodiscard]] std::optional<json::Value> find(const ObjectId& id, const std::string& version) const;

  // What time alone decides; to be called every second or so.
  void look();

  [[nodiscard]] const std::deque<Difference>& differences() const { return differences_.all(); }  // the oldest first
  [[nodiscard]] std::size_t pending() const { return order_.size(); }  // objects with decisions that stand
  [[nodiscard]] std::uint64_t dropped() const { return dropped_ + differences_.dropped(); }
  [[nodiscard]] const std::map<std::pair<std::string, Outcome>, std::uint64_t>& counts() const { return counts_; }
  // Field managers that were taken for somebody else than Metal3 in the management cluster, and how many versions they
  // wrote; how often the one with least had to go for another one.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& others() const { return others_; }
  [[nodiscard]] std::uint64_t othersLeftOut() const { return othersLeftOut_; }
  // How often versions of a kind, or those of an object, began anew.
  [[nodiscard]] std::uint64_t begunAnew() const { return begunAnew_; }
  [[nodiscard]] std::size_t known() const { return objects_.size(); }
  [[nodiscard]] std::size_t keptBytes() const;  // of objects' texts
  // How often an object of a workload cluster was seen, and there was no room for it.
  [[nodiscard]] std::uint64_t notKept() const { return notKept_; }

 private:
  struct Wish {
    std::string controller, reason;
    std::optional<std::string> was, ours;
    // Wanted in its place of the same version: a pass takes for done what an earlier one decided.
    std::vector<std::optional<std::string>> earlier = {};
    std::string version = {};  // of the object that it was wanted of last
    base::MonoTime since, last{};
    std::optional<base::MonoTime> doubted = {};  // since its controller wrote of that part without it
    bool told = false;                           // as not done
    bool lost = false;                           // it was told, and that went to make room
  };
  using Wishes = std::map<std::string, Wish>;  // by path
  struct Known {
    std::string text, version, kind;
    base::MonoTime seenAt{};
    Writes writes = {};    // of this version
    std::size_t room = 0;  // that it takes, of its cluster's
    Wishes wishes;
    std::vector<std::pair<std::string, std::string>> owners;  // of one that would be made
    std::list<ObjectId>::iterator place;                      // in order_, with wishes
  };
  class Comparison;

  [[nodiscard]] bool isRestored(const ObjectId& id, const std::string& version, const std::string& list) const;
  [[nodiscard]] static bool hasVersion(const Known& known);
  [[nodiscard]] bool keep(const ObjectId& id, Known& known, std::string text);
  void erase(std::map<ObjectId, Known>::iterator at);
  void wish(const ObjectId& id, Known& known, const Decision& decision);
  void change(const ObjectId& id, Wish& wish, const Change& field, const std::string& version);
  void doubtOthers(Known& known, const Decision& decision) const;
  void lookAt(const ObjectId& id, Known& known);
  void settle(const ObjectId& id, Known& known, const std::string& path);
  [[nodiscard]] bool isSettled() const;  // there was time to decide since the term began
  [[nodiscard]] bool isOver(const ObjectId& id, const Known& known, const Wish& wish) const;
  [[nodiscard]] bool hasLostOwner(const ObjectId& id, const Known& known) const;
  [[nodiscard]] bool isDeletedAlone(const ObjectId& id, const json::Value& object) const;
  void tellDeletion(const ObjectId& id, const Known& known);
  void forgetUnmade(const ObjectId& id);
  // Of the management cluster, by their names: what stands anywhere in an object may be one.
  [[nodiscard]] std::vector<ObjectId> namedIn(const ObjectId& id, const json::Value& object) const;
  // Whether nothing that the object names, or named before, has changed lately, nor what that names of one machine.
  [[nodiscard]] bool othersRest(const ObjectId& id, const json::Value& object) const;
  // Since when what is wanted there may not be wanted any more; nullopt: it is.
  [[nodiscard]] std::optional<base::MonoTime> staleSince(const ObjectId& id, const Known& known,
                                                         const Wish& wish) const;
  [[nodiscard]] const Known* ownerOf(const ObjectId& id, const std::string& kind, const std::string& name) const;
  void notice(const ObjectId& id, const std::string& version);
  void learnNames(const ObjectId& id, const json::Value& object);
  [[nodiscard]] bool isOfMetal3(const ObjectId& id, std::string_view manager) const;
  void count(const std::string& controller, Outcome outcome);
  void countOther(const std::string& manager);
  void add(Difference difference);
  void lost(const Difference& difference);
  void overtaken(const Decision& decision);
  void dropOldest();

  const base::Clock& clock_;
  std::string salt_;
  Limits limits_;
  Listener listener_;
  base::MonoTime termAt_;
  bool isFirstTerm_ = true, hasDiverged_ = false;
  bool isProviderNamed_ = false;  // by itself, in managed fields
  std::map<ObjectId, Known> objects_;
  ClusterRoom room_;
  std::uint64_t notKept_ = 0, begunAnew_ = 0;
  std::map<std::pair<std::string, std::string>, std::string> newest_;  // versions, by cluster and resource
  std::list<ObjectId> order_;                                          // those with wishes, the oldest first
  std::map<std::string, std::string> resources_;                       // by kind
  Differences differences_;
  std::uint64_t dropped_ = 0;  // decisions
  std::map<std::pair<std::string, Outcome>, std::uint64_t> counts_;
  std::map<std::string, std::uint64_t> others_;
  std::uint64_t othersLeftOut_ = 0;
};

}  // namespace ingot::coordinator::shadow
