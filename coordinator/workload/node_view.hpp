// The Nodes of one workload cluster as its API server has them, a moment behind. Every question is a look-up in an
// index. A Node that the API server sends as 12 KB (managedFields apart) takes 6 KB here.
#pragma once

#include "json/value.hpp"
#include "kube/core/node.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::coordinator::workload {

inline constexpr std::string_view kUuidLabel = "metal3.io/uuid";  // its value is the uid of the BareMetalHost
inline constexpr std::string_view kHostnameLabel = "kubernetes.io/hostname";

class NodeView {
 public:
  using Snapshot = std::shared_ptr<const kube::Node>;

  // In order of their names. How many bear one label the workload cluster chooses: the first few are there to be looked
  // at, and all are counted.
  class Found {
   public:
    static constexpr std::size_t kMost = 10;

    void add(Snapshot node) {
      if (first_.size() < kMost) first_.push_back(std::move(node));
      ++count_;
    }
    void addUnseen(std::size_t more) { count_ += more; }

    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool isFull() const { return first_.size() == kMost; }
    [[nodiscard]] const Snapshot& front() const { return first_.front(); }
    [[nodiscard]] auto begin() const { return first_.begin(); }
    [[nodiscard]] auto end() const { return first_.end(); }

   private:
    std::vector<Snapshot> first_;
    std::size_t count_ = 0;
  };

  // --- questions ---
  [[nodiscard]] Snapshot find(std::string_view name) const;  // nullptr: none that could be decoded
  // Two Nodes with one providerID are an error of theirs, which only who asks can judge.
  [[nodiscard]] Found byProviderId(std::string_view id) const;
  // "metal3://ns/host/": the Nodes of every Metal3Machine that was ever on that host, in order of their providerIDs; no
  // more than Found::kMost are counted.
  [[nodiscard]] Found byProviderIdPrefix(std::string_view prefix) const;
  [[nodiscard]] Found byUuidLabel(std::string_view uid) const;
  [[nodiscard]] Found byHostnames(const std::set<std::string>& hostnames) const;  // by label kubernetes.io/hostname
  [[nodiscard]] std::vector<Snapshot> all() const;  // for a look at single machines: never
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  // Nodes that are there and do not fit our struct. One that could be decoded before still shows as it was then.
  // Whoever concludes that a Node does not exist must ask here too.
  [[nodiscard]] const std::set<std::string, std::less<>>& undecoded() const { return undecoded_; }

  // --- what the watch brings; for who owns it ---
  // What was there of that name; nullptr: nothing.
  Snapshot put(Snapshot node);
  // It cannot be decoded. Its last state stays when it is the same Node (`uid`); one of an earlier Node is dropped, and
  // is the answer.
  Snapshot putUndecoded(const std::string& name, std::string_view uid);
  Snapshot drop(const std::string& name);
  [[nodiscard]] std::vector<std::string> names() const;  // undecoded ones too
  // Bytes of what is kept: what a hostile cluster could let grow without bound.
  [[nodiscard]] std::size_t weight() const { return weight_; }
  [[nodiscard]] static std::size_t weightOf(const kube::Node& node);
  [[nodiscard]] static std::size_t weightOfUndecoded(std::string_view name, std::string_view uid);  // while listed

 private:
  using Index = std::map<std::string, std::set<std::string>, std::less<>>;  // → names

  void enter(const kube::Node& node);
  void strike(const kube::Node& node);
  void eraseUndecoded(const std::string& name);
  [[nodiscard]] static std::size_t inIndexes(const kube::Node& node);
  [[nodiscard]] Found look(const Index& index, std::string_view by) const;

  std::map<std::string, Snapshot, std::less<>> nodes_;
  std::set<std::string, std::less<>> undecoded_;
  Index byProviderId_, byUuid_, byHostname_;
  std::size_t weight_ = 0;
};

}  // namespace ingot::coordinator::workload
