#include "coordinator/data/index_book.hpp"

#include "coordinator/data/hindrance.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ingot::coordinator::data {
namespace {

// By the name and by what the object says of itself: the same, but for one that somebody made before there was a rule.
std::set<Slot> slotsOf(const Metal3Data& data) {
  std::set<Slot> slots;
  if (const auto named = slotNamed(data.metadata.key())) slots.insert(*named);
  const auto dataTemplate = templateOf(data);
  // A server without our admission takes a negative one, which is no index.
  if (dataTemplate && data.spec.index && *data.spec.index >= 0) slots.insert({*dataTemplate, *data.spec.index});
  return slots;
}

}  // namespace

kube::ObjectKey Slot::dataKey() const {
  return {dataTemplate.namespace_, fmt::format("{}-{}", dataTemplate.name, index)};
}

std::optional<Slot> slotNamed(const kube::ObjectKey& data) {
  const auto dash = data.name.rfind('-');
  if (dash == std::string::npos || dash == 0) return std::nullopt;
  const std::string_view digits = std::string_view(data.name).substr(dash + 1);
  int index = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const bool isNumber = failed == std::errc{} && end == digits.data() + digits.size() && index >= 0;
  if (!isNumber || fmt::to_string(index) != digits) return std::nullopt;
  return Slot{{data.namespace_, data.name.substr(0, dash)}, index};
}

IndexBook::IndexBook(kube::Cache<Metal3Data>& data)
    : data_(data), subscription_(data.listen([this](const auto& change) { follow(change); })) {
  for (const auto& object : data.all())
    for (const Slot& slot : slotsOf(*object)) enter(slot);
}

Slot IndexBook::reserve(const Metal3DataClaim& claim, const kube::ObjectKey& dataTemplate) {
  const kube::ObjectKey key = claim.metadata.key();
  const auto known = reservations_.find(key);
  if (known != reservations_.end()) {
    if (known->second.uid == claim.metadata.uid && known->second.slot.dataTemplate == dataTemplate)
      return known->second.slot;
    withdraw(key);  // of an earlier claim of this name
  }
  const Slot slot{dataTemplate, smallestFree(dataTemplate)};
  enter(slot);
  reservations_.insert_or_assign(key, Reservation{claim.metadata.uid, slot});
  reservers_.insert_or_assign(slot.dataKey(), key);
  return slot;
}

std::optional<Slot> IndexBook::unconfirmed(const kube::ObjectKey& claim) const {
  const auto at = reservations_.find(claim);
  return at == reservations_.end() ? std::nullopt : std::optional(at->second.slot);
}

void IndexBook::withdraw(const kube::ObjectKey& claim) {
  const auto reservation = reservations_.extract(claim);
  if (reservation.empty()) return;
  const Slot& slot = reservation.mapped().slot;
  reservers_.erase(slot.dataKey());
  strike(slot);
}

void IndexBook::enter(const Slot& slot) { ++pages_[slot.dataTemplate].uses[slot.index]; }

void IndexBook::strike(const Slot& slot) {
  const auto page = pages_.find(slot.dataTemplate);
  if (page == pages_.end()) return;
  const auto use = page->second.uses.find(slot.index);
  if (use == page->second.uses.end() || --use->second > 0) return;
  page->second.uses.erase(use);
  page->second.free = std::min(page->second.free, slot.index);
  if (page->second.uses.empty()) pages_.erase(page);
}

int IndexBook::smallestFree(const kube::ObjectKey& dataTemplate) {
  if (data_.isUnreadable({dataTemplate.namespace_, ""}))  // no object is called so: it is the whole kind
    throw Hindrance::problem("DataRefused", "the API does not serve Metal3Data as they are known here");
  const std::set<int> unreadable = unreadableOf(dataTemplate);
  Page& page = pages_[dataTemplate];
  int index = page.free;
  for (auto use = page.uses.lower_bound(index); use != page.uses.end() && use->first == index; ++use) ++index;
  page.free = index;
  while (page.uses.contains(index) || unreadable.contains(index)) ++index;
  return index;
}

std::set<int> IndexBook::unreadableOf(const kube::ObjectKey& dataTemplate) const {
  std::set<int> indexes;
  const auto& unreadable = data_.unreadable();  // of all tenants
  const kube::ObjectKey first{dataTemplate.namespace_, dataTemplate.name + "-"};
  for (auto key = unreadable.lower_bound(first); key != unreadable.end(); ++key) {
    if (key->namespace_ != first.namespace_ || !key->name.starts_with(first.name)) break;
    if (const auto slot = slotNamed(*key); slot && slot->dataTemplate == dataTemplate) indexes.insert(slot->index);
  }
  return indexes;
}

void IndexBook::follow(const kube::Cache<Metal3Data>::Change& change) {
  if (change.after)
    for (const Slot& slot : slotsOf(*change.after)) enter(slot);
  if (change.before)
    for (const Slot& slot : slotsOf(*change.before)) strike(slot);
  if (!change.after) return;
  const auto reserver = reservers_.find(change.key);
  if (reserver != reservers_.end()) withdraw(kube::ObjectKey(reserver->second));  // the object itself counts now
}

}  // namespace ingot::coordinator::data
