#include "apiserver/store/committer.hpp"

#include "base/offload.hpp"

namespace ingot::apiserver {
namespace {

class OffloadCommitter final : public Committer {
 public:
  OffloadCommitter(std::unique_ptr<Journal> journal, std::unique_ptr<base::Offload> offload)
      : journal_(std::move(journal)), offload_(std::move(offload)) {}

  void commit(std::span<const Change> batch, Done done) override {
    offload_->start([this, batch] { journal_->commit(batch); },
                    [done = std::move(done)](const std::exception_ptr& failure) { done(outcomeOf(failure)); });
  }

 private:
  static Outcome outcomeOf(const std::exception_ptr& failure) {
    if (failure == nullptr) return std::nullopt;
    try {
      std::rethrow_exception(failure);
    } catch (const JournalError& error) {
      return error;
    } catch (const std::exception& error) {
      return JournalError(JournalError::Code::failed, error.what());
    }
  }

  std::unique_ptr<Journal> journal_;
  std::unique_ptr<base::Offload> offload_;  // goes first: it waits for the batch at work
};

}  // namespace

std::unique_ptr<Committer> workerCommitter(base::Executor executor, std::unique_ptr<Journal> journal) {
  return std::make_unique<OffloadCommitter>(std::move(journal), base::threadOffload(std::move(executor)));
}

std::unique_ptr<Committer> inLineCommitter(base::Executor executor, std::unique_ptr<Journal> journal) {
  return std::make_unique<OffloadCommitter>(std::move(journal), base::inLineOffload(std::move(executor)));
}

}  // namespace ingot::apiserver
