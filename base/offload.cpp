#include "base/offload.hpp"

#include "base/sync.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace ingot::base {

namespace {

std::exception_ptr failureOf(const Offload::Work& work) {
  try {
    work();
    return nullptr;
  } catch (...) {
    return std::current_exception();
  }
}

void tell(const Executor& executor, Offload::Done done, std::exception_ptr failure) {
  boost::asio::post(executor, [done = std::move(done), failure = std::move(failure)] { done(failure); });
}

class InLineOffload final : public Offload {
 public:
  explicit InLineOffload(Executor executor) : executor_(std::move(executor)) {}
  void start(Work work, Done done) override { tell(executor_, std::move(done), failureOf(work)); }

 private:
  Executor executor_;
};

class ThreadOffload final : public Offload {
 public:
  explicit ThreadOffload(Executor executor) : executor_(std::move(executor)), thread_([this] { serve(); }) {}

  ~ThreadOffload() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void start(Work work, Done done) override {
    {
      const std::lock_guard lock(mutex_);
      // The guard keeps the loop running while the only thing to come is this answer.
      jobs_.push_back({std::move(work), std::move(done), boost::asio::make_work_guard(executor_)});
    }
    wake_.notify_one();
  }

 private:
  struct Job {
    Work work;
    Done done;
    boost::asio::executor_work_guard<Executor> guard;
  };

  void serve() {
    while (auto job = take()) {
      auto failure = failureOf(job->work);
      tell(executor_, std::move(job->done), std::move(failure));
    }
  }

  std::optional<Job> take() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !jobs_.empty() || stopping_; });
    if (jobs_.empty()) return std::nullopt;
    std::optional<Job> job(std::move(jobs_.front()));
    jobs_.pop_front();
    return job;
  }

  Executor executor_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

Task<void> carriedOut(Executor executor, Offload& offload, Offload::Work work, Offload::Done ended) {
  struct Outcome {
    explicit Outcome(const Executor& on) : over(on) {}
    Notifier over;
    bool isOver = false;
    std::exception_ptr failure;
  };
  const auto outcome = std::make_shared<Outcome>(executor);
  offload.start(std::move(work), [outcome, ended = std::move(ended)](const std::exception_ptr& failure) {
    if (ended) ended(failure);
    outcome->failure = failure;
    outcome->isOver = true;
    outcome->over.notifyAll();
  });
  while (!outcome->isOver) co_await outcome->over.wait();
  if (outcome->failure) std::rethrow_exception(outcome->failure);
}

std::unique_ptr<Offload> threadOffload(Executor executor) {
  return std::make_unique<ThreadOffload>(std::move(executor));
}

std::unique_ptr<Offload> inLineOffload(Executor executor) {
  return std::make_unique<InLineOffload>(std::move(executor));
}

}  // namespace ingot::base
