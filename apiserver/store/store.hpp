// All objects in memory, every change durable before anybody sees it.
//
// Reads are immediate and see durable state only. Writes to one key take turns; writes to different keys share a
// transaction (group commit): while one batch is being synced the next one gathers. One loop thread; only
// Journal::commit runs elsewhere.
#pragma once

#include "apiserver/store/history.hpp"
#include "apiserver/store/journal.hpp"
#include "apiserver/store/object.hpp"
#include "base/error.hpp"
#include "base/runtime.hpp"
#include "base/sync.hpp"
#include "base/task.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct StoreOptions {
  enum class Commit { worker, inLine };  // inLine: on the loop thread, for simulation and tests
  Commit commit = Commit::worker;
  std::size_t historyBytes = 8u << 20;  // bodies that only the history still holds, all kinds together
  std::size_t historyEvents = 100'000;
  std::size_t batchChanges = 512;
  std::size_t queuedChanges = 10'000;  // more are refused with StoreError::overloaded
};

class StoreError final : public base::Error {
 public:
  enum class Code {
    stale,       // the object is no longer what the writer had seen
    expired,     // history does not reach back to that revision
    overloaded,  // too many writes waiting
    full,        // no space: nothing was stored
    failed,      // the disk refused; no write is taken until restart
    closed,
  };
  StoreError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

class Store {
 public:
  Store(base::Runtime runtime, std::unique_ptr<Journal> journal, StoreOptions options = {});
  ~Store();  // waits for the batch that is being committed; later writes are refused
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // --- reading: durable state ----------------------------------------------------------------------------------
  using Objects = std::map<ObjectKey, ObjectPtr>;
  [[nodiscard]] Revision revision() const;
  [[nodiscard]] std::uint64_t term() const;  // grows by one at each opening
  [[nodiscard]] ObjectPtr find(const std::string& resource, const ObjectKey& key) const;
  [[nodiscard]] const Objects& objects(const std::string& resource) const;
  // The collection as it was at `revision` (<= revision()). Throws StoreError::expired.
  [[nodiscard]] Objects objectsAt(const std::string& resource, Revision revision) const;
  [[nodiscard]] std::vector<std::string> kinds() const;  // resources with objects
  // A write to a key of this namespace (all kinds) has not completed yet.
  [[nodiscard]] bool writing(const std::string& space) const;

  // --- writing -------------------------------------------------------------------------------------------------
  // Makes the next state for the revision that it will have; runs on the loop, at most once.
  using Build = std::function<ObjectPtr(Revision)>;
  // Replaces `seen` (null: the key must be free). Throws StoreError::stale when the object is not `seen` any more.
  [[nodiscard]] base::Task<ObjectPtr> put(std::string resource, ObjectKey key, ObjectPtr seen, Build build);
  // Removes it; `build` makes the last state that watchers get. Returns that state.
  [[nodiscard]] base::Task<ObjectPtr> erase(std::string resource, ObjectKey key, ObjectPtr seen, Build build);

  // Swaps bodies in memory without a new revision (a schema's new default). `fresh` returns null to keep one.
  void refresh(const std::string& resource, const std::function<ObjectPtr(const Object&)>& fresh);

  // --- following -----------------------------------------------------------------------------------------------
  // Events of `resource` after `revision`, oldest first, at most `limit`. Throws StoreError::expired.
  [[nodiscard]] std::vector<Event> eventsAfter(const std::string& resource, Revision revision, std::size_t limit) const;
  // Wakes at the next durable change of `resource` (check eventsAfter around it).
  [[nodiscard]] base::Notifier& changed(const std::string& resource);
  // Wakes at any durable change.
  [[nodiscard]] base::Notifier& changed();
  // Called on the loop for each durable change in order, before its writer resumes.
  using Observer = std::function<void(const std::string& resource, const Event& event)>;
  void observe(Observer observer);

  [[nodiscard]] std::size_t historySize() const;  // events kept, all kinds

  // Why no write is taken any more: the outcome of one is unknown. Nothing but a restart helps.
  [[nodiscard]] const std::optional<std::string>& failure() const;
  // Waits for that and throws it (StoreError::failed).
  [[nodiscard]] base::Task<void> untilFailed();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingot::apiserver
