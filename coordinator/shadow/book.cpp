#include "coordinator/shadow/book.hpp"

#include "kube/core/resource_version.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::shadow {
namespace {

constexpr base::Duration kEventFollows = std::chrono::seconds(5);  // an Event the write that it is about

// What a status write would change stands below status, and what another one would does not.
bool isOfStatus(std::string_view path) { return path.starts_with("status"); }

bool isSame(const std::optional<std::string>& theirs, const std::optional<std::string>& ours) {
  if (theirs && ours && ours->find(madeUp) != std::string::npos) return true;
  return theirs == ours;
}

std::string versionOf(const json::Value& object) { return json::textAt(object, {"metadata", "resourceVersion"}); }

std::string withoutManagers(json::Value& object) {
  if (json::objectAt(object, {"metadata"}) != nullptr) object.at("metadata").as_object().erase("managedFields");
  return json::serialize(object);
}

Fields fieldsIn(const std::string& text) { return text.empty() ? Fields() : fieldsOf(json::parse(text)); }

}  // namespace

// What one new version of an object says of the decisions that stood.
class Book::Comparison {
 public:
  Comparison(Book& book, const ObjectId& id, Known& known, const json::Value& object)
      : book_(book), id_(id), known_(known), object_(object), hadWishes_(!known.wishes.empty()) {}

  void change(const Change& change) {
    const auto wish = known_.wishes.find(change.path);
    if (wish == known_.wishes.end()) return unforeseen(change);
    const Wish ours = wish->second;
    if (ours.version == versionOf(object_)) return;  // it was wanted of this version already
    if (isSame(change.is, ours.ours))
      came(Outcome::agreed, change, ours);
    else if (isOfMetal3(managerOf(object_, change.path)))
      came(Outcome::differs, change, ours);
    else
      came(Outcome::withdrawn, change, ours);
    book_.settle(id_, known_, change.path);
  }

  // `rested`: whether there was time to decide.
  void finish(bool rested) {
    for (auto& [who, difference] : found_) {
      const bool isLate = difference.outcome == Outcome::notForeseen && (hadWishes_ || !rested);
      if (isLate) difference.outcome = Outcome::notCompared;
      book_.count(difference.controller, difference.outcome);
      if (difference.outcome == Outcome::differs || difference.outcome == Outcome::notForeseen)
        book_.add(std::move(difference));
    }
  }

 private:
  // Of a new object nothing but that it is there: the rest follows from who made it.
  void unforeseen(const Change& change) {
    const bool isNew = known_.version.empty();
    if (change.path == leaving || (isNew && change.path != itself)) return;
    const std::string manager = managerOf(object_, change.path);
    if (manager.empty() || !isOfMetal3(manager)) return;
    auto& difference = found(Outcome::notForeseen, std::string(controllerOf(id_.resource)), manager);
    difference.fields.push_back({change.path, change.was, change.is, change.was});
  }

  void came(Outcome outcome, const Change& change, const Wish& ours) {
    auto& difference = found(outcome, ours.controller, managerOf(object_, change.path));
    if (difference.reason.empty()) difference.reason = ours.reason;
    difference.fields.push_back({change.path, ours.was, change.is, ours.ours});
  }

  Difference& found(Outcome outcome, const std::string& controller, const std::string& manager) {
    auto& difference = found_[{controller, outcome}];
    difference.at = book_.clock_.wall();
    difference.outcome = outcome;
    difference.controller = controller;
    difference.object = id_;
    difference.kind = json::textAt(object_, {"kind"});
    difference.manager = manager;
    difference.version = versionOf(object_);
    return difference;
  }

  Book& book_;
  const ObjectId& id_;
  Known& known_;
  const json::Value& object_;
  bool hadWishes_;
  std::map<std::pair<std::string, Outcome>, Difference> found_;
};

Book::Book(const base::Clock& clock, std::string salt, Limits limits, Listener listener)
    : clock_(clock), salt_(std::move(salt)), limits_(limits), listener_(std::move(listener)), startedAt_(clock.now()) {}

void Book::decided(Decision decision) {
  if (!isCompared(decision.object.resource)) return count(decision.controller, Outcome::notCompared);
  const auto found = objects_.find(decision.object);
  const bool isOvertaken = found != objects_.end() && !found->second.version.empty() &&
                           (decision.version.empty() || kube::olderVersion(decision.version, found->second.version));
  if (isOvertaken) return overtaken(decision);
  auto& known = found == objects_.end() ? objects_[decision.object] : found->second;
  if (known.kind.empty()) known.kind = decision.kind;
  if (known.version.empty()) known.owners = decision.owners;
  resources_[decision.kind] = decision.object.resource;
  withdrawOthers(decision.object, known, decision);
  wish(decision.object, known, decision);
  dropOldest();
}

// It was decided on a version that had just gone: what they did then was not unforeseen, and cannot be compared.
void Book::overtaken(const Decision& decision) {
  count(decision.controller, Outcome::notCompared);
  std::erase_if(differences_, [&](const Difference& difference) {
    return difference.outcome == Outcome::notForeseen && difference.object == decision.object &&
           clock_.wall() - difference.at < limits_.settled;
  });
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
    const bool isNew = wish.controller.empty() || wish.ours != field.is;
    if (isNew) wish = {.controller = decision.controller, .was = field.was, .ours = field.is, .since = now};
    if (wish.reason.empty()) wish.reason = decision.reason;
    wish.last = now;
    wish.version = decision.version;
  }
}

// What the same controller wanted of the same part of the object at an earlier look, and at this one does not.
void Book::withdrawOthers(const ObjectId& id, Known& known, const Decision& decision) {
  if (decision.fields.empty()) return;
  std::vector<std::string> paths;
  for (const auto& [path, wish] : known.wishes) {
    const bool isOther = std::ranges::find(decision.fields, path, &Change::path) == decision.fields.end();
    const bool isSamePart = isOfStatus(path) == isOfStatus(decision.fields.front().path);
    if (isOther && isSamePart && wish.controller == decision.controller && clock_.now() - wish.last >= limits_.settled)
      paths.push_back(path);
  }
  if (!paths.empty()) count(decision.controller, Outcome::withdrawn);
  for (const auto& path : paths) settle(id, known, path);
}

void Book::explained(const std::string& kind, const kube::ObjectKey& key, const std::string& why) {
  const auto resource = resources_.find(kind);
  if (resource == resources_.end()) return;
  const auto found = objects_.find({"", resource->second, key});
  if (found == objects_.end()) return;
  for (auto& [path, wish] : found->second.wishes)
    if (wish.reason.empty() && clock_.now() - wish.last < kEventFollows) wish.reason = why;
}

void Book::seen(const ObjectId& id, json::Value object, Sight sight) {
  if (!isCompared(id.resource)) return;
  const std::string version = versionOf(object);
  auto& known = objects_[id];
  if (known.version == version || (!known.version.empty() && kube::olderVersion(version, known.version))) return;
  const bool isNew = known.version.empty(), wasThere = isNew && sight == Sight::listed;
  hideSecrets(object, salt_);
  const auto now = clock_.now();
  if (!wasThere || !known.wishes.empty()) {
    auto found = changes(fieldsIn(known.text), fieldsOf(object));
    if (isNew) found.insert(found.begin(), {std::string(itself), std::nullopt, "true"});
    Comparison comparison(*this, id, known, object);
    for (const auto& change : found) comparison.change(change);
    const bool rested = isNew ? !wasThere && ownersRest(id, object) : now - known.seenAt >= limits_.settled;
    comparison.finish(rested);
  }
  known.kind = json::textAt(object, {"kind"});
  if (!known.kind.empty()) resources_[known.kind] = id.resource;
  known.version = version;
  known.text = withoutManagers(object);
  known.seenAt = now;
  known.owners.clear();
}

void Book::gone(const ObjectId& id) {
  const auto found = objects_.find(id);
  if (found == objects_.end()) return;
  auto& known = found->second;
  std::set<std::pair<std::string, Outcome>> outcomes;
  std::vector<std::string> paths;
  for (const auto& [path, wish] : known.wishes) {
    outcomes.emplace(wish.controller, path == leaving ? Outcome::agreed : Outcome::withdrawn);
    paths.push_back(path);
  }
  for (const auto& [controller, outcome] : outcomes) count(controller, outcome);
  for (const auto& path : paths) settle(id, known, path);
  objects_.erase(found);
}

// Whether nothing that this object belongs to has changed lately: what makes it would have been decided here, too.
bool Book::ownersRest(const ObjectId& id, const json::Value& object) const {
  if (clock_.now() - startedAt_ < limits_.settled) return false;
  const json::Array* owners = json::arrayAt(object, {"metadata", "ownerReferences"});
  if (owners == nullptr) return true;
  return std::ranges::none_of(*owners, [&](const json::Value& owner) {
    const Known* known = ownerOf(id, json::textAt(owner, {"kind"}), json::textAt(owner, {"name"}));
    return known != nullptr && clock_.now() - known->seenAt < limits_.settled;
  });
}

const Book::Known* Book::ownerOf(const ObjectId& id, const std::string& kind, const std::string& name) const {
  const auto resource = resources_.find(kind);
  if (resource == resources_.end()) return nullptr;
  const auto found = objects_.find({id.cluster, resource->second, {id.key.namespace_, name}});
  return found == objects_.end() ? nullptr : &found->second;
}

// The object has changed, or what one belongs to that is still to be made.
std::optional<base::MonoTime> Book::staleSince(const ObjectId& id, const Known& known, const Wish& wish) const {
  if (!known.version.empty() && wish.version != known.version) return known.seenAt;
  for (const auto& [kind, name] : known.owners)
    if (const Known* owner = ownerOf(id, kind, name); owner != nullptr && owner->seenAt > wish.last)
      return owner->seenAt;
  return std::nullopt;
}

void Book::look() {
  const std::vector<ObjectId> all(order_.begin(), order_.end());
  for (const auto& id : all) lookAt(id, objects_.at(id));
}

// An object that has changed since something was wanted of it is looked at anew within the time that hosts take, a
// minute: what is not wanted again by then is not wanted any more.
void Book::lookAt(const ObjectId& id, Known& known) {
  const auto now = clock_.now();
  std::set<std::string> withdrawing;
  std::vector<std::string> paths;
  std::map<std::string, Difference> late;
  for (auto& [path, wish] : known.wishes) {
    const auto stale = staleSince(id, known, wish);
    if (stale && now - *stale >= 2 * limits_.grace) {
      withdrawing.insert(wish.controller);
      paths.push_back(path);
    } else if (!stale && !wish.told && now - wish.since >= limits_.grace) {
      wish.told = true;
      auto& difference = late[wish.controller];
      if (difference.reason.empty()) difference.reason = wish.reason;
      difference.fields.push_back({path, wish.was, wish.was, wish.ours});
    }
  }
  for (const auto& controller : withdrawing) count(controller, Outcome::withdrawn);
  for (const auto& path : paths) settle(id, known, path);
  for (auto& [controller, difference] : late) {
    difference.at = clock_.wall();
    difference.outcome = Outcome::notDone;
    difference.controller = controller;
    difference.object = id;
    difference.kind = known.kind;
    difference.version = known.version;
    count(controller, Outcome::notDone);
    add(std::move(difference));
  }
}

// It is not waited for any more.
void Book::settle(const ObjectId& id, Known& known, const std::string& path) {
  const auto wish = known.wishes.find(path);
  if (wish == known.wishes.end()) return;
  if (wish->second.told) forgetNotDone(id, path);
  known.wishes.erase(wish);
  if (known.wishes.empty()) order_.erase(known.place);
}

// What was told as not done is done now, or not wanted any more.
void Book::forgetNotDone(const ObjectId& id, const std::string& path) {
  for (auto& difference : differences_)
    if (difference.outcome == Outcome::notDone && difference.object == id)
      std::erase_if(difference.fields, [&](const Difference::Field& field) { return field.path == path; });
  std::erase_if(differences_, [](const Difference& difference) { return difference.fields.empty(); });
}

void Book::count(const std::string& controller, Outcome outcome) {
  ++counts_[{controller, outcome}];
  listener_.counted(controller, outcome);
}

void Book::add(Difference difference) {
  for (auto& field : difference.fields)
    for (auto* value : {&field.was, &field.theirs, &field.ours})
      if (*value && isHidden(difference.object.resource, field.path)) *value = "***";
  listener_.differs(difference);
  differences_.push_back(std::move(difference));
  if (differences_.size() <= limits_.differences) return;
  differences_.pop_front();
  ++dropped_;
}

void Book::dropOldest() {
  while (order_.size() > limits_.objects) {
    const ObjectId id = order_.front();
    auto& known = objects_.at(id);
    while (!known.wishes.empty()) settle(id, known, known.wishes.begin()->first);
    ++dropped_;
  }
}

}  // namespace ingot::coordinator::shadow
