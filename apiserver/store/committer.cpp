#include "apiserver/store/committer.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace ingot::apiserver {
namespace {

Committer::Outcome run(Journal& journal, std::span<const Change> batch) {
  try {
    journal.commit(batch);
    return std::nullopt;
  } catch (const JournalError& e) {
    return e;
  } catch (const std::exception& e) {
    return JournalError(JournalError::Code::failed, e.what());
  }
}

class InLine final : public Committer {
 public:
  InLine(base::Executor executor, std::unique_ptr<Journal> journal)
      : executor_(std::move(executor)), journal_(std::move(journal)) {}

  void commit(std::span<const Change> batch, Done done) override {
    boost::asio::post(executor_, [done = std::move(done), outcome = run(*journal_, batch)] { done(outcome); });
  }

 private:
  base::Executor executor_;
  std::unique_ptr<Journal> journal_;
};

class ThreadCommitter final : public Committer {
 public:
  ThreadCommitter(base::Executor executor, std::unique_ptr<Journal> journal)
      : executor_(std::move(executor)), journal_(std::move(journal)), thread_([this] { work(); }) {}

  ~ThreadCommitter() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void commit(std::span<const Change> batch, Done done) override {
    {
      const std::lock_guard lock(mutex_);
      // The guard keeps the loop running while the only thing to come is this answer.
      job_.emplace(Job{batch, std::move(done), boost::asio::make_work_guard(executor_)});
    }
    wake_.notify_one();
  }

 private:
  struct Job {
    std::span<const Change> batch;
    Done done;
    boost::asio::executor_work_guard<base::Executor> guard;
  };

  void work() {
    while (auto job = take()) {
      auto outcome = run(*journal_, job->batch);
      boost::asio::post(executor_, [done = std::move(job->done), outcome = std::move(outcome)] { done(outcome); });
    }
  }

  std::optional<Job> take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return job_ || stopping_; });
    return std::exchange(job_, std::nullopt);
  }

  base::Executor executor_;
  std::unique_ptr<Journal> journal_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::optional<Job> job_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Committer> workerCommitter(base::Executor executor, std::unique_ptr<Journal> journal) {
  return std::make_unique<ThreadCommitter>(std::move(executor), std::move(journal));
}

std::unique_ptr<Committer> inLineCommitter(base::Executor executor, std::unique_ptr<Journal> journal) {
  return std::make_unique<InLine>(std::move(executor), std::move(journal));
}

}  // namespace ingot::apiserver
