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
  putBack_ = 0;
  std::vector<Job> jobs;
  for (auto& [resource, entries] : waiting_) {
    const auto kind = kinds_.findStored(resource);
    if (!kind || !kind->info.timeToLive) continue;
    const auto limit = runtime_.clock.wall() - *kind->info.timeToLive;
    for (; !entries.empty() && entries.front().written <= limit; entries.pop_front()) {
      const auto& entry = entries.front();
      const auto object = store_.find(resource, entry.key);
      if (!object || object->revision != entry.revision) continue;
      jobs.push_back([this, kind, entry, uid = object->uid] { return removeOne(kind, entry, uid); });
    }
  }
  co_await runAll(group_, runtime_.executor, std::move(jobs));
  if (putBack_ > 0)
    runtime_.log.warn("expired objects could not be removed yet", {{"objects", putBack_}, {"reason", problem_}});
}

base::Task<void> Expiry::removeOne(KindPtr kind, Entry entry, std::string uid) {
  try {
    (void)co_await remover_.removeQuietly(kind, entry.key, std::move(uid), Propagation::background);
    co_return;
  } catch (const base::Cancelled&) {
    throw;
  } catch (const std::exception& problem) {
    problem_ = problem.what();
  }
  ++putBack_;
  waiting_[kind->stored].push_front(std::move(entry));  // long past its time like all before it
}

}  // namespace ingot::apiserver
