// Every object as the API has stored it, followed write by write, and what each write has broken.
#pragma once

#include "apiserver/registry/registry.hpp"
#include "json/value.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::tests::seeds {

using Objects = std::map<std::string, json::Value, std::less<>>;  // by name

// One write; nullptr: it was not there before, or is not afterwards.
struct Change {
  std::string_view resource, name;
  const json::Value* before;
  const json::Value* after;
};

class Ledger {
 public:
  // Called with each change of a followed object, the ledger as it is after it.
  using Rule = std::function<void(const Ledger&, const Change&)>;

  explicit Ledger(Rule rule) : rule_(std::move(rule)) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  // Objects of namespace `space` only; "": of the whole cluster. Cluster API's IPAddresses are "capi ipaddresses".
  void follow(apiserver::Registry& registry, const std::string& space);
  // `object` null: it is gone.
  void record(const std::string& resource, const std::string& name, json::Value object);

  [[nodiscard]] const Objects& all(std::string_view resource) const;
  [[nodiscard]] const json::Value* find(std::string_view resource, std::string_view name) const;
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  // "metal3machines m0, secrets m0-boot"; without Events.
  [[nodiscard]] std::string contents() const;

 private:
  Rule rule_;
  std::uint64_t changes_ = 0;
  std::map<std::string, Objects, std::less<>> kinds_;
};

[[nodiscard]] std::vector<std::string> namesOf(const Objects& objects);

// --- questions to documents ---
[[nodiscard]] std::string textAt(const json::Value* object, std::initializer_list<std::string_view> path);
[[nodiscard]] bool has(const json::Value* object, std::initializer_list<std::string_view> path);
[[nodiscard]] bool isTrue(const json::Value* object, std::initializer_list<std::string_view> path);
[[nodiscard]] bool isLeaving(const json::Value& object);
[[nodiscard]] bool hasFinalizer(const json::Value& object, std::string_view finalizer);
// The name of the first owner of this kind, "" without one.
[[nodiscard]] std::string ownerOf(const json::Value& object, std::string_view kind);
[[nodiscard]] std::string annotation(const json::Value& object, std::string_view name);
[[nodiscard]] std::string label(const json::Value& object, std::string_view name);
// Whom the host is kept for, "" when for nobody.
[[nodiscard]] std::string keptFor(const json::Value* host);
// The Metal3Machine that a host's consumerRef names, "" without one.
[[nodiscard]] std::string consumerOf(const json::Value* host);
// The machine that data were made for.
[[nodiscard]] std::string machineOf(const json::Value* data);

}  // namespace ingot::tests::seeds
