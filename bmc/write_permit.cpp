#include "bmc/write_permit.hpp"

#include "base/sync.hpp"

namespace ingot::bmc {

namespace {

constexpr base::Duration aMoment = std::chrono::milliseconds(100);

}  // namespace

base::Task<bool> isRecordedQuickly(base::Clock& clock, const WritePermit& permit) {
  if (permit.timeLimit) static_cast<void>(permit.timeLimit());
  if (!permit.record) co_return true;
  try {
    co_await base::withTimeout(clock, aMoment, "recording a request", permit.record());
  } catch (const base::TimedOut&) {
    co_return false;
  }
  co_return true;
}

}  // namespace ingot::bmc
