#include "apiserver/registry/expiry.hpp"

#include "apiserver/registry/worker_pool.hpp"

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
    auto& [entries, bytes] = waiting_[kind->stored];
    for (const auto& [key, object] : store_.objects(kind->stored)) {
      bytes += object->body.size();
      entries.push_back({std::min(now, lastWrite(*object, now)), key, object->revision});
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.written < b.written; });
  }
}

void Expiry::observe(const std::string& resource, const Event& event) {
  const auto at = waiting_.find(resource);
  if (at == waiting_.end()) return;
  Waiting& waiting = at->second;
  if (event.previous) waiting.bytes -= std::min(waiting.bytes, event.previous->body.size());
  if (!event.next) return;
  waiting.bytes += event.next->body.size();
  waiting.entries.push_back({runtime_.clock.wall(), event.next->key, event.next->revision});
  if (waiting.bytes <= limits_.mostBytes) return;
  wroteTooMuch_ = true;
  crowded_.notifyAll();
}

base::Task<void> Expiry::run() {
  while (true) {
    co_await sweep();
    if (!wroteTooMuch_) co_await crowded_.waitUntil(runtime_.clock, runtime_.clock.now() + limits_.sweepInterval);
    wroteTooMuch_ = false;
  }
}

base::Task<void> Expiry::sweep() {
  putBack_ = 0;
  std::vector<Job> jobs;
  for (auto& [resource, waiting] : waiting_) {
    const auto kind = kinds_.findStored(resource);
    if (!kind || !kind->info.timeToLive) continue;
    forgetOverwritten(resource, waiting);
    for (const auto& entry : takeExpired(waiting, *kind)) {
      const auto uid = store_.find(resource, entry.key)->uid;
      jobs.push_back([this, kind, entry, uid] { return removeOne(kind, entry, uid); });
    }
  }
  co_await runAll(group_, runtime_.executor, std::move(jobs));
  if (putBack_ > 0)
    runtime_.log.warn("expired objects could not be removed yet", {{"objects", putBack_}, {"reason", problem_}});
}

std::vector<Expiry::Entry> Expiry::takeExpired(Waiting& waiting, const Kind& kind) const {
  std::vector<Entry> expired;
  const auto limit = runtime_.clock.wall() - *kind.info.timeToLive;
  std::size_t bytes = waiting.bytes;
  auto& entries = waiting.entries;
  for (; !entries.empty() && (entries.front().written <= limit || bytes > limits_.mostBytes); entries.pop_front()) {
    if (!isCurrent(kind.stored, entries.front())) continue;
    bytes -= std::min(bytes, store_.find(kind.stored, entries.front().key)->body.size());
    expired.push_back(std::move(entries.front()));
  }
  return expired;
}

void Expiry::forgetOverwritten(const std::string& resource, Waiting& waiting) const {
  if (waiting.entries.size() < 2 * store_.objects(resource).size() + 1000) return;
  std::erase_if(waiting.entries, [&](const Entry& entry) { return !isCurrent(resource, entry); });
}

bool Expiry::isCurrent(const std::string& resource, const Entry& entry) const {
  const auto object = store_.find(resource, entry.key);
  return object && object->revision == entry.revision;
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
  waiting_[kind->stored].entries.push_front(std::move(entry));  // long past its time like all before it
}

}  // namespace ingot::apiserver
