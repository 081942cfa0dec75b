#include "coordinator/shadow/comparison.hpp"
#include "kube/core/undecoded.hpp"

#include <algorithm>
#include <utility>

namespace ingot::coordinator::shadow {
namespace {

// Fields of one change of which it is asked who wrote them: each is looked for among all that somebody owns, and both
// are the choice of who writes.
constexpr std::size_t kLookedAtMost = 100;

// "spec", "status", "metadata".
std::string_view partOf(std::string_view path) { return path.substr(0, path.find_first_of(".[")); }

bool isSame(const std::optional<std::string>& theirs, const std::optional<std::string>& ours) {
  if (theirs && ours && ours->find(madeUp) != std::string::npos) return true;
  return theirs == ours;
}

}  // namespace

Book::Comparison::Comparison(Book& book, const ObjectId& id, Known& known, const json::Value& object)
    : book_(book), id_(id), known_(known), object_(object) {
  for (const auto& [path, wish] : known.wishes)
    if (!wish.told && book.clock_.now() - wish.since < book.limits_.grace) wanted_.emplace(partOf(path));
}

void Book::Comparison::change(const Change& change) {
  const auto wish = known_.wishes.find(change.path);
  if (wish == known_.wishes.end()) return unforeseen(change);
  const Wish ours = wish->second;
  if (ours.version == kube::resourceVersionOf(object_)) return;  // it was wanted of this version already
  if (known_.version.empty() && !ours.version.empty() && change.is == ours.was) return;  // nor has it changed
  const bool isEarlier = std::ranges::any_of(ours.earlier, [&](const auto& each) { return isSame(change.is, each); });
  const auto manager = managerOf(change);
  if (isSame(change.is, ours.ours) || isEarlier) {
    came(Outcome::agreed, change, ours, manager);
  } else if (manager && book_.isOfMetal3(id_, *manager)) {
    came(Outcome::differs, change, ours, manager);
  } else {
    if (manager) others_.insert(*manager);
    came(Outcome::withdrawn, change, ours, manager);
  }
  book_.settle(id_, known_, change.path);
}

std::optional<std::string> Book::Comparison::managerOf(const Change& change) const {
  return shadow::managerOf(object_, change.path, known_.writes);
}

void Book::Comparison::finish(const std::function<bool()>& rested) {
  if (id_.cluster.empty())
    for (const auto& manager : others_) book_.countOther(manager);
  std::set<std::pair<std::string, Outcome>> counted;
  for (auto& [who, difference] : found_) {
    if (difference.outcome == Outcome::notForeseen) difference.leftOut = leftOut_;
    const bool isLate = difference.outcome == Outcome::notForeseen && !rested();
    if (isLate) difference.outcome = Outcome::notCompared;
    if (counted.emplace(difference.controller, difference.outcome).second)
      book_.count(difference.controller, difference.outcome);
    if (difference.outcome == Outcome::differs || difference.outcome == Outcome::notForeseen)
      book_.add(std::move(difference));
  }
}

// Of a new object nothing but that it is there: the rest follows from who made it. Beside what was decided here of
// the same part, they have gone a step further.
void Book::Comparison::unforeseen(const Change& change) {
  const bool isNew = known_.version.empty();
  if (isNew && change.path != itself) return;
  if (change.path == leaving) return deletion(change);
  if (++looked_ > kLookedAtMost) {
    ++leftOut_;
    return;
  }
  const auto manager = managerOf(change);
  if (manager && manager->empty()) return;
  if (manager && !book_.isOfMetal3(id_, *manager)) {
    others_.insert(*manager);
    return;
  }
  const bool isBeyond = wanted_.contains(partOf(change.path));
  const auto outcome = isBeyond || !manager ? Outcome::notCompared : Outcome::notForeseen;
  auto& difference = found(outcome, std::string(controllerOf(id_.resource)), manager.value_or(""));
  difference.fields.push_back({change.path, change.was, change.is, change.was});
}

void Book::Comparison::deletion(const Change& change) {
  if (!change.is || !book_.isDeletedAlone(id_, object_)) return;
  auto& difference = found(Outcome::notForeseen, std::string(controllerOf(id_.resource)), "");
  difference.reason = "deleted";
  difference.fields.push_back({change.path, change.was, change.is, change.was});
}

void Book::Comparison::came(Outcome outcome, const Change& change, const Wish& ours,
                            const std::optional<std::string>& manager) {
  auto& difference = found(outcome, ours.controller, manager.value_or(""));
  if (difference.reason.empty()) difference.reason = ours.reason;
  difference.fields.push_back({change.path, ours.was, change.is, ours.ours});
}

Difference& Book::Comparison::found(Outcome outcome, const std::string& controller, const std::string& manager) {
  auto& difference = found_[{controller, outcome}];
  difference.at = book_.clock_.wall();
  difference.seenAt = book_.clock_.now();
  difference.outcome = outcome;
  difference.controller = controller;
  difference.object = id_;
  difference.kind = kindOf(id_.resource);
  difference.manager = manager;
  difference.version = kube::resourceVersionOf(object_);
  return difference;
}

}  // namespace ingot::coordinator::shadow
