#include "apiserver/registry/expiry.hpp"

#include "apiserver/registry/crowd.hpp"

namespace ingot::apiserver {
namespace {

base::WallTime lastWrite(const Object& object, base::WallTime otherwise) {
  const json::Value document = documentOf(object);
  const auto last = base::parseTime(json::textAt(document, {"lastTimestamp"}));
  const auto created = base::parseTime(json::textAt(document, {"metadata", "creationTimestamp"}));
  if (last && created) return std::max(*last, *created);
  return created.value_or(otherwise);
}

}  // namespace

void Expiry::begin() {
  const auto now = runtime_.clock.wall();
  for (const auto& kind : kinds_.all()) {
    if (!kind->info.timeToLive) continue;
    auto& entries = waiting_[kind->stored];
    for (const auto& [key, object] : store_.objects(kind->stored)) {
      entries.push_back({std::min(now, lastWrite(*object, now)), key, object->revision});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.written < b.written; });
  }
}

void Expiry::observe(const std::string& resource, const Event& event) {
  const auto at = waiting_.find(resource);
  if (at == waiting_.end() || !event.next) return;
  at->second.push_back({runtime_.clock.wall(), event.next->key, event.next->revision});
}

base::Task<void> Expiry::run() {
  while (true) {
    co_await sweep();
    co_await runtime_.clock.sleepFor(interval_);
  }
}

base::Task<void> Expiry::sweep() {
  std::vector<Job> jobs;
  for (auto& [resource, entries] : waiting_) {
    const auto kind = kinds_.findStored(resource);
    if (!kind || !kind->info.timeToLive) continue;
    const auto limit = runtime_.clock.wall() - *kind->info.timeToLive;
    for (; !entries.empty() && entries.front().written <= limit; entries.pop_front()) {
      const auto& entry = entries.front();
      const auto object = store_.find(resource, entry.key);
      if (!object || object->revision != entry.revision) continue;
      jobs.push_back([this, kind, key = entry.key, uid = object->uid] { return removeOne(kind, key, uid); });
    }
  }
  co_await runAll(group_, runtime_.executor, std::move(jobs));
}

base::Task<void> Expiry::removeOne(KindPtr kind, ObjectKey key, std::string uid) {
  (void)co_await remover_.removeQuietly(std::move(kind), std::move(key), std::move(uid), Propagation::background);
}

}  // namespace ingot::apiserver
