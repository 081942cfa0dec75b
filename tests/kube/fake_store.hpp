// What the fake API remembers: objects, one counter of versions, and the history that watches read. The rules that
// clients depend on are the real ones (spec/kubernetes-api.md §4, §6); validation is not its business.
#pragma once

#include "json/value.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

struct ApiFailure {
  int code;
  std::string reason, message;
};

struct HistoryEvent {
  std::uint64_t version;
  std::string type;  // ADDED | MODIFIED | DELETED
  std::string plural, namespace_;
  json::Value object;
};

class FakeStore {
 public:
  struct Id {
    std::string plural, namespace_, name;
    friend auto operator<=>(const Id&, const Id&) = default;
  };

  // All throw ApiFailure.
  json::Value create(const std::string& plural, const std::string& namespace_, json::Value object);
  json::Value get(const Id& id) const;
  // Replaces what `status` says to replace: only the status, or all but the status.
  json::Value update(const Id& id, json::Value wanted, bool status);
  json::Value patch(const Id& id, const json::Value& patch, bool status);
  // The object when finalizers hold it, else nullopt: it is gone.
  std::optional<json::Value> remove(const Id& id, const std::string& uid, const std::string& resourceVersion);

  [[nodiscard]] std::vector<json::Value> list(const std::string& plural, const std::string& namespace_) const;
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] const std::deque<HistoryEvent>& history() const { return history_; }
  // Everything before the next version is forgotten.
  void compact();
  [[nodiscard]] bool tooOld(std::uint64_t version) const { return version < oldest_; }
  // As after a restore from a backup: the counter starts again from there.
  void rewindTo(std::uint64_t version) {
    version_ = version;
    history_.clear();
    oldest_ = 0;
  }

 private:
  json::Value store(const Id& id, json::Value object, const std::string& type);
  [[nodiscard]] const json::Value& at(const Id& id) const;
  void checkVersion(const Id& id, const json::Value& stored, const json::Value& wanted) const;
  void drop(const Id& id, json::Value last);

  std::map<Id, json::Value> objects_;
  std::deque<HistoryEvent> history_;
  std::uint64_t version_ = 100, oldest_ = 0, uids_ = 0, names_ = 0;
};

}  // namespace ingot::tests
