// Which indexes of a template are in use (spec/capm3.md §15.2.1): those of the Metal3Data that the cache shows,
// whatever made them and also while they are deleted, and those that were given a moment ago and that no cache shows
// yet. An index is free again once the cache has seen its Metal3Data go, never before. The objects are the truth;
// nothing is read from status.indexes.
#pragma once

#include "coordinator/data/references.hpp"
#include "kube/runtime/cache.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ingot::coordinator::data {

// An index of a template, and so the name of one Metal3Data.
struct Slot {
  kube::ObjectKey dataTemplate;
  int index = 0;

  [[nodiscard]] kube::ObjectKey dataKey() const;
  friend auto operator<=>(const Slot&, const Slot&) = default;
};

// The slot that the name of a Metal3Data stands for: <template>-<index>. nullopt: for none.
[[nodiscard]] std::optional<Slot> slotNamed(const kube::ObjectKey& data);

class IndexBook {
 public:
  // The cache outlives the book, must be synced before the first question, and shows every Metal3Data of the
  // namespaces that templates are in.
  explicit IndexBook(kube::Cache<Metal3Data>& data);

  // The smallest free index, in use from now on; the same again while the claim holds one that is not seen yet. Does
  // not suspend: claims may be worked on side by side. Throws Hindrance while no Metal3Data can be read.
  [[nodiscard]] Slot reserve(const Metal3DataClaim& claim, const kube::ObjectKey& dataTemplate);
  // What the claim of this name was given and no cache shows yet: its Metal3Data may exist or not.
  [[nodiscard]] std::optional<Slot> unconfirmed(const kube::ObjectKey& claim) const;
  // Its Metal3Data does not exist and will not: the index is free again.
  void withdraw(const kube::ObjectKey& claim);

 private:
  struct Page {
    std::map<int, int> uses;  // index → by how many it is used; an object and its reservation are two
    int free = 0;             // all indexes below are in use
  };
  struct Reservation {
    std::string uid;  // of the claim
    Slot slot;
  };

  void enter(const Slot& slot);
  void strike(const Slot& slot);
  void follow(const kube::Cache<Metal3Data>::Change& change);
  [[nodiscard]] int smallestFree(const kube::ObjectKey& dataTemplate);
  // Indexes that the names of objects tell which cannot be read.
  [[nodiscard]] std::set<int> unreadableOf(const kube::ObjectKey& dataTemplate) const;

  kube::Cache<Metal3Data>& data_;
  std::map<kube::ObjectKey, Page> pages_;                 // by template
  std::map<kube::ObjectKey, Reservation> reservations_;   // by claim
  std::map<kube::ObjectKey, kube::ObjectKey> reservers_;  // Metal3Data → claim
  kube::Subscription subscription_;
};

}  // namespace ingot::coordinator::data
