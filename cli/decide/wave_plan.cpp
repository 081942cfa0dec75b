#include "cli/decide/wave_plan.hpp"

#include "cli/words/host_range.hpp"

#include <fmt/format.h>

namespace ingot::cli {

std::string WavePlan::take() {
  inHand_.push_back(hosts_.at(tried_++));
  return inHand_.back();
}

bool WavePlan::hasTooManyFailures() const {
  return failed_ * 100 > tried_ * static_cast<std::size_t>(waves_.mostFailedPercent);
}

std::vector<std::string> WavePlan::untried() const {
  return {hosts_.begin() + static_cast<std::ptrdiff_t>(tried_), hosts_.end()};
}

std::string WavePlan::progress() const {
  return fmt::format("{} of {} hosts tried: {} there, {} failed", tried_, hosts_.size(), came_, failed_);
}

std::string WavePlan::whyStopped() const {
  return fmt::format("stopped: {} of {} hosts failed, more than {} % (--max-failed); not tried: {}", failed_, tried_,
                     waves_.mostFailedPercent, compactHosts(untried()));
}

}  // namespace ingot::cli
