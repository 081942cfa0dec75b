#include "apiserver/store/journal.hpp"

namespace ingot::apiserver {
namespace {

class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(std::shared_ptr<MemoryDisk> disk) : disk_(std::move(disk)) {}

  Loaded load(const std::function<void(std::string, std::string)>& each) override {
    const std::lock_guard lock(disk_->mutex);
    for (const auto& [slot, body] : disk_->bodies) each(slot.first, body);
    return {disk_->revision, ++disk_->term};
  }

  void commit(std::span<const Change> batch) override {
    const std::lock_guard lock(disk_->mutex);
    if (disk_->beforeCommit) disk_->beforeCommit(batch);
    for (const auto& change : batch) {
      if (change.object) {
        disk_->bodies[{change.resource, change.key}] = change.object->body;
      } else {
        disk_->bodies.erase({change.resource, change.key});
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
