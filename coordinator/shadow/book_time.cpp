// What of a book time alone decides.
#include "coordinator/shadow/book.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::shadow {

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
  for (const auto& id : all) {
    lookAt(id, objects_.at(id));
    forgetUnmade(id);
  }
}

bool Book::hasLostOwner(const ObjectId& id, const Known& known) const {
  if (!known.version.empty()) return false;
  return std::ranges::any_of(known.owners, [&](const auto& owner) {
    return resources_.contains(owner.first) && ownerOf(id, owner.first, owner.second) == nullptr;
  });
}

// An object that has changed since something was wanted of it is looked at anew within the time that hosts take, a
// minute: what is not wanted again by then is not wanted any more. So it is with all of them in a new term.
bool Book::isOver(const ObjectId& id, const Known& known, const Wish& wish) const {
  const auto now = clock_.now();
  const auto stale = staleSince(id, known, wish);
  const bool isOfEarlierTerm = !isFirstTerm_ && wish.last < termAt_ && now - termAt_ >= 2 * limits_.grace;
  return (stale && now - *stale >= 2 * limits_.grace) || isOfEarlierTerm || hasLostOwner(id, known) ||
         (wish.doubted && now - *wish.doubted >= limits_.settled);
}

void Book::lookAt(const ObjectId& id, Known& known) {
  const auto now = clock_.now();
  std::set<std::string> withdrawing;
  std::vector<std::string> paths;
  std::map<std::string, Difference> late;
  std::set<std::string> telling;  // for the first time
  for (auto& [path, wish] : known.wishes) {
    if (isOver(id, known, wish)) {
      withdrawing.insert(wish.controller);
      paths.push_back(path);
    } else if (!staleSince(id, known, wish) && !wish.told && now - wish.since >= limits_.grace &&
               (!wish.lost || differences_.hasRoom())) {
      wish.told = true;
      if (!std::exchange(wish.lost, false)) telling.insert(wish.controller);
      auto& difference = late[wish.controller];
      if (difference.reason.empty()) difference.reason = wish.reason;
      difference.fields.push_back({path, wish.was, wish.was, wish.ours});
    }
  }
  for (const auto& controller : withdrawing) count(controller, Outcome::withdrawn);
  for (const auto& path : paths) settle(id, known, path);
  for (auto& [controller, difference] : late) {
    difference.at = clock_.wall();
    difference.seenAt = now;
    difference.outcome = Outcome::notDone;
    difference.controller = controller;
    difference.object = id;
    difference.kind = known.kind;
    difference.version = known.version;
    if (!telling.contains(controller)) {
      differences_.add(std::move(difference));
      continue;
    }
    count(controller, Outcome::notDone);
    add(std::move(difference));
  }
}

// It is told again once there is room.
void Book::lost(const Difference& difference) {
  const auto found = objects_.find(difference.object);
  if (difference.outcome != Outcome::notDone || found == objects_.end()) return;
  for (auto& [path, wish] : found->second.wishes)
    if (wish.told && wish.controller == difference.controller && !differences_.shows(difference.object, path)) {
      wish.told = false;
      wish.lost = true;
    }
}

}  // namespace ingot::coordinator::shadow
