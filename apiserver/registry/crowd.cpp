#include "apiserver/registry/crowd.hpp"

#include "base/sync.hpp"

namespace ingot::apiserver {
namespace {

struct Crowd {
  Crowd(base::Executor executor, std::vector<Job> work) : jobs(std::move(work)), finished(std::move(executor)) {}
  std::vector<Job> jobs;  // taken from the back
  base::Notifier finished;
  std::size_t members = 0;
  std::exception_ptr problem;  // the first
};

// Counted from birth to destruction, so that a worker which the group refuses to start counts as ended.
class Member {
 public:
  explicit Member(std::shared_ptr<Crowd> crowd) : crowd_(std::move(crowd)) { ++crowd_->members; }
  Member(Member&&) noexcept = default;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  Member& operator=(Member&&) = delete;
  ~Member() {
    if (crowd_ && --crowd_->members == 0) crowd_->finished.notifyAll();
  }
  [[nodiscard]] Crowd& crowd() const { return *crowd_; }

 private:
  std::shared_ptr<Crowd> crowd_;
};

base::Task<void> work(Member member) {
  auto& jobs = member.crowd().jobs;
  while (!jobs.empty()) {
    const Job job = std::move(jobs.back());
    jobs.pop_back();
    try {
      co_await job();
    } catch (const base::Cancelled&) {
      member.crowd().problem = std::current_exception();
      throw;
    } catch (...) {
      if (!member.crowd().problem) member.crowd().problem = std::current_exception();
    }
  }
}

}  // namespace

base::Task<void> runAll(base::TaskGroup& group, base::Executor executor, std::vector<Job> jobs, std::size_t width) {
  std::reverse(jobs.begin(), jobs.end());
  const std::size_t workers = std::min(width, jobs.size());
  const auto crowd = std::make_shared<Crowd>(std::move(executor), std::move(jobs));
  for (std::size_t i = 0; i < workers; ++i) group.spawn("job", work(Member(crowd)));
  while (crowd->members > 0) co_await crowd->finished.wait();
  if (crowd->problem) std::rethrow_exception(crowd->problem);
  if (!crowd->jobs.empty()) throw base::Cancelled();
}

}  // namespace ingot::apiserver
