#include "apiserver/store/journal.hpp"

namespace ingot::apiserver {
namespace {

class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  Loaded load(const Each& each, std::uint64_t leastTerm) override {
    const std::lock_guard lock(disk_->mutex);
    auto earlier = std::exchange(disk_->unreadable, {});
    for (auto at = disk_->bodies.begin(); at != disk_->bodies.end();) {
      const auto row = at++;
      if (!each(row->first.first, row->first.second, row->second)) disk_->unreadable.insert(disk_->bodies.extract(row));
    }
    for (auto& [name, body] : earlier) {
      const bool free = !disk_->bodies.contains(name) && !disk_->unreadable.contains(name);
      const bool readable = free && each(name.first, name.second, body);
      (readable ? disk_->bodies : disk_->unreadable).try_emplace(name, std::move(body));
    }
    disk_->term = termAfter(disk_->term, leastTerm);
    Loaded loaded{.revision = disk_->revision, .term = disk_->term};
    for (const auto& [name, body] : disk_->unreadable) loaded.unreadable.push_back(name);
    return loaded;
  }

  void commit(std::span<const Change> batch) override {
    const std::lock_guard lock(disk_->mutex);
    if (disk_->beforeCommit) disk_->beforeCommit(batch);
    for (const auto& change : batch) {
      if (change.object) {
        disk_->bodies[{change.resource, change.key}] = change.object->body.text();
      } else {
        disk_->bodies.erase({change.resource, change.key});
        disk_->unreadable.erase({change.resource, change.key});
      }
    }
    disk_->revision = batch.back().revision;
  }

 private:
  std::shared_ptr<MemoryDisk> disk_;
};

}  // namespace

std::unique_ptr<Journal> openMemoryJournal(std::shared_ptr<MemoryDisk> disk) {
  return std::make_unique<MemoryJournal>(std::move(disk));
}

}  // namespace ingot::apiserver
