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
#include <set>
#include <string>
#include <vector>

namespace ingot::apiserver {

struct StoreOptions {
  enum class Commit { worker, inLine };  // inLine: on the loop thread, for simulation and tests
  Commit commit = Commit::worker;
  HistoryLimits history = {};          // of what only the history still holds, all kinds together
  std::size_t batchChanges = 512;      // of one transaction …
  std::size_t batchBytes = 16u << 20;  // … which takes no further change past these
  std::size_t queuedChanges = 10'000;  // more are refused with StoreError::overloaded
  std::size_t queuedBytes = 64u << 20;
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
  // Opened again, a store goes on far above what it ever gave out: whoever knows a number from before a restored backup
  // was made learns that it is none of ours (StoreError::expired).
  [[nodiscard]] Revision revision() const;
  // Grows at each opening; opened again it is no less than the time in seconds, as a lost life's were.
  [[nodiscard]] std::uint64_t term() const;
  [[nodiscard]] ObjectPtr find(const std::string& resource, const ObjectKey& key) const;
  [[nodiscard]] const Objects& objects(const std::string& resource) const;
  // The collection as it was at `revision` (<= revision()). Throws StoreError::expired. Others have their turns while
  // a long past is read.
  [[nodiscard]] base::Task<Objects> objectsAt(std::string resource, Revision revision) const;
  [[nodiscard]] std::vector<std::string> kinds() const;  // resources with objects
  // Objects that no start could read and that were set aside. They are in no list, but nobody deleted them: what they
  // own is not without an owner. An object of the name that is made anew ends that when it is deleted.
  [[nodiscard]] const std::set<Journal::Name>& unreadable() const;
  // A write to a key of this namespace (all kinds) has not completed yet.
  [[nodiscard]] bool writing(const std::string& space) const;
  // The same for this resource.
  [[nodiscard]] bool writingTo(const std::string& resource) const;

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
  // Some of what comes next for somebody who follows `resource`: ask again until `through` stays, with a turn for
  // others between. Throws StoreError::expired.
  [[nodiscard]] Stretch eventsAfter(const std::string& resource, const EventQuery& query) const;
  // Wakes at the next durable change of `resource`, of one namespace when given (check eventsAfter around it).
  [[nodiscard]] base::Notifier& changed(const std::string& resource, const std::string& space = "");
  // Wakes whoever follows `resource`, in whichever namespace, though nothing has changed.
  void wakeFollowers(const std::string& resource);
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
