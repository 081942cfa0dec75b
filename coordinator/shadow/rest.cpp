// Whether what an object hangs on has rested: what came of it would have been decided here, too.
#include "coordinator/shadow/book.hpp"

#include <algorithm>

namespace ingot::coordinator::shadow {
namespace {

// A remediation names its Machine, that its Metal3Machine, and that its host.
constexpr int kSteps = 3;
constexpr std::size_t kLongestName = 1024;  // with its namespace, or as a providerID
// Who may write an object chooses what stands in it.
constexpr std::size_t kStringsOfObject = 300, kOthersAtMost = 16;
constexpr std::string_view kProviderId = "metal3://";
using Keys = std::set<kube::ObjectKey>;

// "m", "metal/m", "metal3://metal/host/m": keys of what it may name.
void addNamed(Keys& keys, std::string_view text, const std::string& namespace_) {
  if (text.size() > kLongestName) return;
  const bool isProviderId = text.starts_with(kProviderId);
  if (isProviderId) text.remove_prefix(kProviderId.size());
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) {
    keys.insert({namespace_, std::string(text)});
    return;
  }
  const std::string first(text.substr(0, slash));
  const std::string_view rest = text.substr(slash + 1);
  const auto next = isProviderId ? rest.find('/') : std::string_view::npos;
  keys.insert({first, std::string(rest.substr(0, next))});
  if (next != std::string_view::npos) keys.insert({first, std::string(rest.substr(next + 1))});
}

void addNamed(Keys& keys, const json::Value& value, const std::string& namespace_) {
  if (keys.size() >= kStringsOfObject) return;
  if (value.is_string()) return addNamed(keys, std::string_view(value.get_string()), namespace_);
  if (value.is_array())
    for (const auto& each : value.get_array()) addNamed(keys, each, namespace_);
  if (!value.is_object()) return;
  for (const auto& [name, each] : value.get_object())
    if (std::string_view(name) != "managedFields") addNamed(keys, each, namespace_);
}

}  // namespace

std::vector<ObjectId> Book::namedIn(const ObjectId& id, const json::Value& object) const {
  Keys keys;
  if (id.cluster.empty())
    addNamed(keys, object, id.key.namespace_);
  else
    addNamed(keys, json::textAt(object, {"spec", "providerID"}), id.key.namespace_);
  std::vector<ObjectId> found;
  for (const std::string_view resource : comparedResources())
    for (const auto& key : keys)
      if (ObjectId other{"", std::string(resource), key}; other != id && objects_.contains(other))
        found.push_back(std::move(other));
  return found;
}

bool Book::othersRest(const ObjectId& id, const json::Value& object) const {
  if (!isSettled()) return false;
  std::set<ObjectId> met = {id};
  std::vector<ObjectId> reached = namedIn(id, object);
  if (const auto before = objects_.find(id); before != objects_.end() && !before->second.text.empty())
    std::ranges::move(namedIn(id, json::parse(before->second.text)), std::back_inserter(reached));
  for (int step = 1; !reached.empty(); ++step) {
    std::vector<ObjectId> next;
    for (const auto& each : reached) {
      if (met.size() > kOthersAtMost || !met.insert(each).second) continue;
      const bool isShared = isOfMany(each.resource);
      if (isShared && step > 1) continue;
      const Known& known = objects_.at(each);
      if (clock_.now() - known.seenAt < limits_.settled) return false;
      if (isShared || step == kSteps || known.text.empty()) continue;
      std::ranges::move(namedIn(each, json::parse(known.text)), std::back_inserter(next));
    }
    reached = std::move(next);
  }
  return true;
}

}  // namespace ingot::coordinator::shadow
