#include "sim/kubelet/attempts.hpp"

#include "base/error.hpp"

namespace ingot::sim::kubelet {

base::Task<bool> Attempts::succeeds(base::Task<void> step) {
  std::string failure;
  try {
    co_await std::move(step);
  } catch (const base::Cancelled&) {
    throw;
  } catch (const base::Error& error) {
    failure = error.what();
  }
  if (!failure.empty() && failure != lastFailure_) log_.warn("will try again", {{"error", failure}});
  lastFailure_ = failure;
  co_return failure.empty();
}

}  // namespace ingot::sim::kubelet
