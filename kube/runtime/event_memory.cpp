#include "kube/runtime/event_memory.hpp"

#include <tuple>

namespace ingot::kube {
namespace {

auto identity(const EventKey& k) {
  return std::tie(k.object.uid, k.object.kind, k.object.namespace_, k.object.name, k.object.fieldPath, k.type, k.reason,
                  k.message);
}

std::string bucketName(const ObjectReference& o) { return o.kind + "/" + o.namespace_ + "/" + o.name + "/" + o.uid; }

}  // namespace

bool operator<(const EventKey& a, const EventKey& b) { return identity(a) < identity(b); }

bool EventMemory::note(const EventKey& key, base::MonoTime now, base::WallTime wall,
                       const std::optional<ObjectReference>& related) {
  if (!takeToken(key.object, now)) return false;
  forgetBefore(now - options_.sameEventFor);
  auto [it, isNew] = entries_.try_emplace(key);
  Slot& slot = it->second;
  if (isNew) {
    slot.entry.first = wall;
    slot.age = byAge_.insert(byAge_.end(), &it->first);
  } else {
    byAge_.splice(byAge_.end(), byAge_, slot.age);
  }
  slot.lastSeen = now;
  slot.entry.last = wall;
  slot.entry.related = related;
  ++slot.entry.count;
  if (entries_.size() > options_.entries) forgetOldest();
  return true;
}

const EventMemory::Entry* EventMemory::find(const EventKey& key) const {
  const auto it = entries_.find(key);
  return it == entries_.end() ? nullptr : &it->second.entry;
}

void EventMemory::written(const EventKey& key, const std::string& name, std::int64_t count) {
  const auto it = entries_.find(key);
  if (it == entries_.end()) return;
  it->second.entry.name = name;
  it->second.entry.written = count;
}

bool EventMemory::takeToken(const ObjectReference& object, base::MonoTime now) {
  auto [it, isNew] = buckets_.try_emplace(bucketName(object), Bucket{options_.burst, now, {}});
  Bucket& bucket = it->second;
  if (isNew)
    bucket.age = byUse_.insert(byUse_.end(), &it->first);
  else
    byUse_.splice(byUse_.end(), byUse_, bucket.age);
  const double refilled = std::chrono::duration<double>(now - bucket.filledAt) / options_.refill;
  bucket.tokens = std::min(options_.burst, bucket.tokens + refilled);
  bucket.filledAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  if (buckets_.size() > options_.entries) {  // one at a time: no Event pays for all the others
    const auto oldest = buckets_.find(*byUse_.front());
    byUse_.pop_front();
    buckets_.erase(oldest);
  }
  return true;
}

void EventMemory::forgetBefore(base::MonoTime time) {
  while (!byAge_.empty() && entries_.find(*byAge_.front())->second.lastSeen < time) forgetOldest();
}

void EventMemory::forgetOldest() {
  const auto oldest = entries_.find(*byAge_.front());
  byAge_.pop_front();
  entries_.erase(oldest);
}

}  // namespace ingot::kube
