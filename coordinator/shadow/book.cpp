#include "coordinator/shadow/book.hpp"

#include "base/cut_text.hpp"
#include "base/redaction.hpp"
#include "coordinator/shadow/comparison.hpp"
#include "kube/core/resource_version.hpp"
#include "kube/core/undecoded.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::shadow {
namespace {

constexpr std::size_t kLongestManager = 128, kOthersAtMost = 64, kEarlierAtMost = 8;
constexpr std::size_t kRoomOfObject = 600;  // beside its text
constexpr std::string_view kFinalizers = "metadata.finalizers[";
constexpr base::Duration kEventFollows = std::chrono::seconds(5);  // an Event the write that it is about

// What a status write would change stands below status, and what another one would does not.
bool isOfStatus(std::string_view path) { return path.starts_with("status"); }

std::string keptOf(json::Value& object) {
  if (json::objectAt(object, {"metadata"}) != nullptr) object.at("metadata").as_object().erase("managedFields");
  digestHardware(object);
  return json::serialize(object);
}

Fields fieldsIn(const std::string& text) {
  return text.empty() ? Fields() : boundedFieldsOf(json::parse(text)).value_or(Fields());
}

}  // namespace

Book::Book(const base::Clock& clock, std::string salt, Limits limits, Listener listener)
    : clock_(clock),
      salt_(std::move(salt)),
      limits_(limits),
      listener_(std::move(listener)),
      termAt_(clock.now()),
      room_(limits.clusterBytes, limits.clustersBytes),
      differences_(limits.differences, [this](const Difference& difference) { lost(difference); }) {}

void Book::decided(Decision decision) {
  if (!isCompared(decision.object.resource)) return count(decision.controller, Outcome::notCompared);
  const auto found = objects_.find(decision.object);
  const bool isOvertaken = found != objects_.end() && !found->second.version.empty() &&
                           (decision.version.empty() || kube::olderVersion(decision.version, found->second.version));
  if (isOvertaken) return overtaken(decision);
  auto& known = found == objects_.end() ? objects_[decision.object] : found->second;
  if (known.kind.empty()) known.kind = kindOf(decision.object.resource);
  if (known.version.empty()) known.owners = decision.owners;
  resources_[known.kind] = decision.object.resource;
  doubtOthers(known, decision);
  wish(decision.object, known, decision);
  dropOldest();
  forgetUnmade(decision.object);
}

// It was decided on a version that had just gone: what they did then was not unforeseen, and cannot be compared.
void Book::overtaken(const Decision& decision) {
  count(decision.controller, Outcome::notCompared);
  hasDiverged_ = true;
  differences_.wereForeseen(decision.object, clock_.now() - limits_.settled);
}

std::optional<json::Value> Book::find(const ObjectId& id, const std::string& version) const {
  const auto found = objects_.find(id);
  if (found == objects_.end() || version.empty() || found->second.version != version) return std::nullopt;
  return json::parse(found->second.text);
}

void Book::wish(const ObjectId& id, Known& known, const Decision& decision) {
  const auto now = clock_.now();
  for (const auto& field : decision.fields) {
    auto at = known.wishes.find(field.path);
    if (at == known.wishes.end()) {
      if (known.wishes.size() >= limits_.fieldsOfObject) {
        ++dropped_;
        continue;
      }
      if (known.wishes.empty()) known.place = order_.insert(order_.end(), id);
      at = known.wishes.emplace(field.path, Wish{}).first;
    }
    Wish& wish = at->second;
    const bool isFirst = wish.controller.empty();
    if (!isFirst && wish.ours != field.is) change(id, wish, field, decision.version);
    if (isFirst) wish = {.controller = decision.controller, .was = field.was, .ours = field.is, .since = now};
    if (wish.reason.empty()) wish.reason = decision.reason;
    wish.last = now;
    wish.version = decision.version;
    wish.doubted.reset();
  }
}

// Something else is wanted of this field now. Of the same version, where nobody did anything meanwhile, it comes of
// what the controllers have in mind: it waits as long as the first, and each of them counts.
void Book::change(const ObjectId& id, Wish& wish, const Change& field, const std::string& version) {
  if (wish.told) differences_.settle(id, field.path);
  wish.reason.clear();
  if (wish.version == version && !wish.told) {
    hasDiverged_ = true;
    if (wish.earlier.size() < kEarlierAtMost) wish.earlier.push_back(wish.ours);
  } else {
    wish.earlier.clear();
    wish.since = clock_.now();
  }
  wish.told = wish.lost = false;
  wish.was = field.was;
  wish.ours = field.is;
}

// What the same controller wanted of the same part of the object at an earlier look: unless it wants it once more in
// this pass, it is not wanted.
void Book::doubtOthers(Known& known, const Decision& decision) const {
  if (decision.fields.empty()) return;
  for (auto& [path, wish] : known.wishes) {
    const bool isOther = std::ranges::find(decision.fields, path, &Change::path) == decision.fields.end();
    const bool isSamePart = isOfStatus(path) == isOfStatus(decision.fields.front().path);
    const bool isEarlier = clock_.now() - wish.last >= limits_.settled;
    if (isOther && isSamePart && isEarlier && wish.controller == decision.controller && !wish.doubted)
      wish.doubted = clock_.now();
  }
}

void Book::explained(const std::string& kind, const kube::ObjectKey& key, const std::string& why) {
  const auto resource = resources_.find(kind);
  if (resource == resources_.end()) return;
  const auto found = objects_.find({"", resource->second, key});
  if (found == objects_.end()) return;
  for (auto& [path, wish] : found->second.wishes)
    if (wish.reason.empty() && clock_.now() - wish.last < kEventFollows) wish.reason = why;
}

void Book::seen(const ObjectId& id, json::Value object, Sight sight, const std::string& list) {
  if (!isCompared(id.resource) || !object.is_object()) return;
  const std::string version = kube::resourceVersionOf(object);
  if (version.empty()) return;  // no server of Kubernetes's shows one
  if (!objects_.contains(id) && !room_.has(id.cluster, kRoomOfObject)) {
    ++notKept_;
    return;
  }
  if (isRestored(id, version, list)) {
    gone(id, Sight::listed);
    ++begunAnew_;
  }
  auto& known = objects_[id];
  if (known.version == version || (!known.version.empty() && kube::olderVersion(version, known.version))) return;
  const bool isNew = known.version.empty(), wasThere = isNew && sight == Sight::listed;
  const std::string kind(kindOf(id.resource));
  object.get_object()["kind"] = kind;
  learnNames(id, object);
  keepCompared(object, id.resource);
  hideSecrets(object, salt_);
  const bool isToCompare = !wasThere || !known.wishes.empty();
  const auto fields = isToCompare || !id.cluster.empty() ? boundedFieldsOf(object) : Fields();
  if (!fields) {
    ++notKept_;
    return gone(id, Sight::listed);
  }
  const auto now = clock_.now();
  if (isToCompare) {
    auto found = changes(fieldsIn(known.text), *fields);
    if (isNew && !hasVersion(known)) found.insert(found.begin(), {std::string(itself), std::nullopt, "true"});
    Comparison comparison(*this, id, known, object);
    for (const auto& change : found) comparison.change(change);
    const bool stood = isNew ? !wasThere : now - known.seenAt >= limits_.settled;
    comparison.finish([&] { return stood && othersRest(id, object); });
  }
  known.kind = kind;
  resources_[kind] = id.resource;
  known.version = version;
  notice(id, version);
  known.seenAt = now;
  known.owners.clear();
  known.writes = writesIn(object);
  if (keep(id, known, keptOf(object))) return;
  ++notKept_;
  gone(id, Sight::listed);
}

bool Book::isRestored(const ObjectId& id, const std::string& version, const std::string& list) const {
  const auto found = objects_.find(id);
  if (list.empty() || found == objects_.end() || found->second.version.empty()) return false;
  const std::string& known = found->second.version;
  return kube::olderVersion(version, known) && !kube::olderVersion(list, known);
}

// Of one that is new here something was decided, as it was: it was not made just now.
bool Book::hasVersion(const Known& known) {
  return std::ranges::any_of(known.wishes, [](const auto& each) { return !each.second.version.empty(); });
}

bool Book::keep(const ObjectId& id, Known& known, std::string text) {
  const std::size_t room =
      kRoomOfObject + id.cluster.size() + id.key.name.size() + text.size() + known.writes.size() * sizeof(std::size_t);
  if (!room_.take(id.cluster, known.room, room)) return false;
  known.room = room;
  known.text = std::move(text);
  return true;
}

void Book::erase(std::map<ObjectId, Known>::iterator at) {
  room_.free(at->first.cluster, at->second.room);
  objects_.erase(at);
}

std::string Book::newestOf(const ObjectId& kind) const {
  const auto found = newest_.find({kind.cluster, kind.resource});
  return found == newest_.end() ? "" : found->second;
}

void Book::notice(const ObjectId& id, const std::string& version) {
  auto& newest = newest_[{id.cluster, id.resource}];
  if (newest.empty() || kube::olderVersion(newest, version)) newest = version;
}

void Book::listing(const ObjectId& kind, const std::string& version, const std::string& newest) {
  if (!isCompared(kind.resource) || version.empty()) return;
  if (!kube::olderVersion(version, newest)) return notice(kind, version);
  const ObjectId first{kind.cluster, kind.resource, {}};
  for (auto at = objects_.lower_bound(first);
       at != objects_.end() && at->first.cluster == kind.cluster && at->first.resource == kind.resource;
       at = objects_.lower_bound(first))
    gone(ObjectId(at->first), Sight::listed);
  newest_[{kind.cluster, kind.resource}] = version;
  ++begunAnew_;
}

void Book::forget(const std::string& cluster) {
  std::erase_if(newest_, [&](const auto& each) { return each.first.first == cluster; });
  for (auto at = objects_.lower_bound({cluster, "", {}}); at != objects_.end() && at->first.cluster == cluster;
       at = objects_.lower_bound({cluster, "", {}}))
    gone(ObjectId(at->first), Sight::listed);
}

// A finalizer that was to go, and then the object: it was the last one.
void Book::gone(const ObjectId& id, Sight sight) {
  const auto found = objects_.find(id);
  if (found == objects_.end()) return;
  auto& known = found->second;
  if (sight == Sight::watched) tellDeletion(id, known);
  std::set<std::pair<std::string, Outcome>> outcomes;
  std::vector<std::string> paths;
  for (const auto& [path, wish] : known.wishes) {
    const bool isDone = path == leaving || (path.starts_with(kFinalizers) && !wish.ours);
    outcomes.emplace(wish.controller, isDone ? Outcome::agreed : Outcome::withdrawn);
    paths.push_back(path);
  }
  for (const auto& [controller, outcome] : outcomes) count(controller, outcome);
  for (const auto& path : paths) settle(id, known, path);
  erase(found);
}

void Book::listed(const ObjectId& kind, const std::set<kube::ObjectKey>& there, const std::string& version) {
  std::vector<ObjectId> lost;
  for (auto at = objects_.lower_bound({kind.cluster, kind.resource, {}}); at != objects_.end(); ++at) {
    const auto& [id, known] = *at;
    if (id.cluster != kind.cluster || id.resource != kind.resource) break;
    const bool isAsked = kind.key.namespace_.empty() || id.key.namespace_ == kind.key.namespace_;
    const bool wasThere = !known.version.empty() && kube::olderVersion(known.version, version);
    if (isAsked && wasThere && !there.contains(id.key)) lost.push_back(id);
  }
  for (const auto& id : lost) gone(id, Sight::listed);
}

// Who deletes stands nowhere in an object. Objects that Metal3's managers make for an object which is still there are
// normally deleted by them, and not collected with it.
bool Book::isDeletedAlone(const ObjectId& id, const json::Value& object) const {
  const json::Array* owners = json::arrayAt(object, {"metadata", "ownerReferences"});
  if (!isMadeByMetal3(id.resource) || owners == nullptr || owners->empty()) return false;
  return std::ranges::all_of(*owners, [&](const json::Value& owner) {
    const Known* known = ownerOf(id, json::textAt(owner, {"kind"}), json::textAt(owner, {"name"}));
    return known != nullptr && !fieldsIn(known->text).contains(std::string(leaving));
  });
}

// It has gone without having been seen on its way.
void Book::tellDeletion(const ObjectId& id, const Known& known) {
  if (known.version.empty() || known.wishes.contains(std::string(leaving))) return;
  const json::Value object = json::parse(known.text);
  if (json::find(object, {"metadata", "deletionTimestamp"}) != nullptr || !isDeletedAlone(id, object)) return;
  const std::string controller(controllerOf(id.resource));
  const bool rested = clock_.now() - known.seenAt >= limits_.settled && othersRest(id, object);
  count(controller, rested ? Outcome::notForeseen : Outcome::notCompared);
  if (!rested) return;
  add({.at = clock_.wall(),
       .seenAt = clock_.now(),
       .outcome = Outcome::notForeseen,
       .controller = controller,
       .object = id,
       .kind = known.kind,
       .version = known.version,
       .reason = "deleted",
       .fields = {{std::string(leaving), std::nullopt, "true", std::nullopt}}});
}

// What nobody has made, and nobody wants any more.
void Book::forgetUnmade(const ObjectId& id) {
  const auto found = objects_.find(id);
  if (found != objects_.end() && found->second.version.empty() && found->second.wishes.empty()) erase(found);
}

std::size_t Book::keptBytes() const {
  std::size_t sum = 0;
  for (const auto& [id, known] : objects_) sum += known.text.size();
  return sum;
}

bool Book::isSettled() const {
  return clock_.now() - termAt_ >= (isFirstTerm_ ? limits_.settled : 6 * limits_.settled);
}

bool Book::wantsNewTerm() const {
  const auto lasted = clock_.now() - termAt_;
  const auto isStanding = [](const Difference& difference) { return difference.outcome == Outcome::notDone; };
  return (hasDiverged_ && lasted >= limits_.term) ||
         (lasted >= limits_.longTerm && std::ranges::any_of(differences_.all(), isStanding));
}

void Book::beginTerm() {
  termAt_ = clock_.now();
  isFirstTerm_ = hasDiverged_ = false;
}

const Book::Known* Book::ownerOf(const ObjectId& id, const std::string& kind, const std::string& name) const {
  const auto resource = resources_.find(kind);
  if (resource == resources_.end()) return nullptr;
  const auto found = objects_.find({id.cluster, resource->second, {id.key.namespace_, name}});
  return found == objects_.end() ? nullptr : &found->second;
}

// It is not waited for any more.
void Book::settle(const ObjectId& id, Known& known, const std::string& path) {
  const auto wish = known.wishes.find(path);
  if (wish == known.wishes.end()) return;
  if (wish->second.told) differences_.settle(id, path);
  known.wishes.erase(wish);
  if (known.wishes.empty()) order_.erase(known.place);
}

// In the management cluster: who runs a workload cluster calls himself as he likes.
void Book::learnNames(const ObjectId& id, const json::Value& object) {
  const json::Array* entries = json::arrayAt(object, {"metadata", "managedFields"});
  if (isProviderNamed_ || !id.cluster.empty() || entries == nullptr) return;
  isProviderNamed_ = std::ranges::any_of(
      *entries, [](const json::Value& entry) { return isOfProvider(json::textAt(entry, {"manager"})); });
}

bool Book::isOfMetal3(const ObjectId& id, std::string_view manager) const {
  return manager == anyManager ? mayBeOfMetal3(id.resource, isProviderNamed_) : shadow::isOfMetal3(manager);
}

void Book::count(const std::string& controller, Outcome outcome) {
  ++counts_[{controller, outcome}];
  listener_.counted(controller, outcome);
}

void Book::countOther(const std::string& manager) {
  const std::string name = base::oneLine(base::redacted(manager, base::Secret()), kLongestManager);
  if (!others_.contains(name) && others_.size() >= kOthersAtMost) {
    others_.erase(std::ranges::min_element(others_, {}, [](const auto& each) { return each.second; }));
    ++othersLeftOut_;
  }
  ++others_[name];
}

void Book::add(Difference difference) {
  if (difference.outcome != Outcome::notForeseen) hasDiverged_ = true;
  listener_.differs(differences_.add(std::move(difference)));
}

void Book::dropOldest() {
  while (order_.size() > limits_.objects) {
    const ObjectId id = order_.front();
    auto& known = objects_.at(id);
    while (!known.wishes.empty()) settle(id, known, known.wishes.begin()->first);
    forgetUnmade(id);
    ++dropped_;
  }
}

}  // namespace ingot::coordinator::shadow
