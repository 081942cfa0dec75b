#include "apiserver/registry/worker_pool.hpp"

#include "base/sync.hpp"

namespace ingot::apiserver {
namespace {

struct Pool {
  Pool(base::Executor executor, std::vector<Job> work) : jobs(std::move(work)), finished(std::move(executor)) {}
  std::vector<Job> jobs;  // taken from the back
  base::Notifier finished;
  std::size_t workers = 0;
  std::exception_ptr problem;  // the first
};

// Counted from birth to destruction, so that a worker which the group refuses to start counts as ended.
class Worker {
 public:
  explicit Worker(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) { ++pool_->workers; }
  Worker(Worker&&) noexcept = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  Worker& operator=(Worker&&) = delete;
  ~Worker() {
    if (pool_ && --pool_->workers == 0) pool_->finished.notifyAll();
  }
  [[nodiscard]] Pool& pool() const { return *pool_; }

 private:
  std::shared_ptr<Pool> pool_;
};

base::Task<void> work(Worker worker) {
  auto& jobs = worker.pool().jobs;
  while (!jobs.empty()) {
    const Job job = std::move(jobs.back());
    jobs.pop_back();
    try {
      co_await job();
    } catch (const base::Cancelled&) {
      worker.pool().problem = std::current_exception();
      throw;
    } catch (...) {
      if (!worker.pool().problem) worker.pool().problem = std::current_exception();
    }
  }
}

}  // namespace

base::Task<void> runAll(base::TaskGroup& group, base::Executor executor, std::vector<Job> jobs, std::size_t width) {
  std::reverse(jobs.begin(), jobs.end());
  const std::size_t workers = std::min(width, jobs.size());
  const auto pool = std::make_shared<Pool>(std::move(executor), std::move(jobs));
  for (std::size_t i = 0; i < workers; ++i) group.spawn("job", work(Worker(pool)));
  while (pool->workers > 0) co_await pool->finished.wait();
  if (pool->problem) std::rethrow_exception(pool->problem);
  if (!pool->jobs.empty()) throw base::Cancelled();
}

}  // namespace ingot::apiserver
