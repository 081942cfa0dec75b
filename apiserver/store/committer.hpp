// Runs Journal::commit away from the loop thread, one batch at a time.
#pragma once

#include "apiserver/store/journal.hpp"
#include "base/task.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ingot::apiserver {

class Committer {
 public:
  // nullopt: durable.
  using Outcome = std::optional<JournalError>;
  using Done = std::function<void(Outcome)>;

  virtual ~Committer() = default;  // waits for the batch at work; its `done` may never be called then
  // `batch` stays valid and unchanged until `done` was called, on the loop. No second call before that.
  virtual void commit(std::span<const Change> batch, Done done) = 0;
};

// On a thread of its own / on the loop itself.
[[nodiscard]] std::unique_ptr<Committer> workerCommitter(base::Executor executor, std::unique_ptr<Journal> journal);
[[nodiscard]] std::unique_ptr<Committer> inLineCommitter(base::Executor executor, std::unique_ptr<Journal> journal);

}  // namespace ingot::apiserver
