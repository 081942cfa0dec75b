// Admission of our kinds: defaults, and whether an object may be stored. One source for the embedded API and for the
// webhooks of a cluster.
#pragma once

#include "api/kinds/kinds.hpp"
#include "apiserver/registry/kind_rules.hpp"
#include "coordinator/admission/addresses_in_use.hpp"
#include "coordinator/admission/refusal.hpp"
#include "json/codec.hpp"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace ingot::coordinator {

// What is to be judged, in the version that is stored.
struct Question {
  apiserver::Operation operation = apiserver::Operation::create;
  const json::Value& object;            // of a removal: the one that is to go
  const json::Value* before = nullptr;  // of an update
};

// The objects beside the one that is judged: some rules ask who uses it.
class OtherObjects {
 public:
  using Visit = std::function<void(const json::Value&)>;
  virtual ~OtherObjects() = default;
  // Visits at least the objects of `kind` that hold `name` as a whole text, of one namespace when given.
  virtual void eachMentioning(const kube::KindInfo& kind, const std::string& name,
                              const std::optional<std::string>& namespace_, const Visit& visit) const = 0;
  // The object of this name. It is looked for among those that mention the name where there is no shorter way.
  [[nodiscard]] virtual std::optional<json::Value> named(const kube::KindInfo& kind, const kube::ObjectKey& key) const;
  // Addresses of the pool in use that `bounds` do not hold: the first kMostBeyond, or some more.
  [[nodiscard]] virtual std::vector<std::string> addressesBeyond(const kube::ObjectKey& pool,
                                                                 const AddressBounds& bounds) const;
};

// Fills in what the webhook of the kind would; an object that does not fit the kind stays as it is: its schema refuses
// it.
void setDefaults(const api::KindRow& kind, json::Value& object);

[[nodiscard]] Ruling judge(const api::KindRow& kind, const Question& question, const OtherObjects& others);

// nullopt: a member has a type that only an older schema allowed. The user of the present request did not write it and
// cannot be asked to correct it.
template <class Read>
std::optional<std::invoke_result_t<Read>> whereReadable(const Read& read) {
  try {
    return read();
  } catch (const json::DecodeError&) {
    return std::nullopt;
  }
}
template <kube::Kind T>
std::optional<T> readable(const json::Value& object) {
  return whereReadable([&] { return json::decode<T>(object); });
}

// What some kinds are asked beyond the object itself, after the rules that look at it alone.
using FurtherRules = Ruling (*)(const Question& question, const OtherObjects& others);

// A HostNetworkAttachment stays as it is while hosts use it (spec/baremetalhost.md §4.3).
[[nodiscard]] Ruling judgeAttachment(const Question& question, const OtherObjects& others);

// A range of an IPPool stays while addresses of it are in use: as the address objects say, of which status.indexes may
// show some only (spec/ipam.md §7.2). They are not asked where the new ranges hold all that the old ones did.
[[nodiscard]] Ruling judgePool(const Question& question, const OtherObjects& others);

// An IPAddress of Cluster API is of the pool that its claim names (spec/cluster-api.md §1.14).
[[nodiscard]] Ruling judgeSharedAddress(const Question& question, const OtherObjects& others);

}  // namespace ingot::coordinator
