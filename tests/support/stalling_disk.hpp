// A disk that does nothing for a while, and then all that it was asked for.
#pragma once

#include "base/offload.hpp"

#include <deque>

namespace ingot::tests {

class StallingDisk final : public base::Offload {
 public:
  explicit StallingDisk(base::Executor executor) : inner_(base::inLineOffload(std::move(executor))) {}
  ~StallingDisk() override { goOn(); }

  void start(Work work, Done done) override {
    if (!isStalled_) return inner_->start(std::move(work), std::move(done));
    waiting_.push_back({std::move(work), std::move(done)});
  }
  void stall() { isStalled_ = true; }
  void goOn() {
    isStalled_ = false;
    for (auto& [work, done] : std::exchange(waiting_, {})) inner_->start(std::move(work), std::move(done));
  }
  [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Waiting {
    Work work;
    Done done;
  };
  std::unique_ptr<base::Offload> inner_;
  bool isStalled_ = false;
  std::deque<Waiting> waiting_;
};

}  // namespace ingot::tests
