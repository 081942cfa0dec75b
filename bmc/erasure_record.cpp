#include "bmc/erasure_record.hpp"

#include <algorithm>

namespace ingot::bmc {

namespace {

constexpr base::Duration quickMethodsTake = std::chrono::minutes(30), overwritingTakesAtLeast = std::chrono::hours(1);
constexpr base::Duration keysAreGoneWithin = std::chrono::minutes(1);
constexpr std::int64_t overwrittenPerSecond = 50'000'000;  // bytes, at the least

}  // namespace

ErasureState stateOf(const DriveErasure& drive) { return parseErasureState(drive.state); }

EraseMethod methodOf(const DriveErasure& drive) {
  return parseEraseMethod(drive.method).value_or(EraseMethod::unnamed);
}

base::Duration limitOf(const DriveErasure& drive) {
  const auto method = methodOf(drive);
  if (method == EraseMethod::cryptographic || method == EraseMethod::block) return quickMethodsTake;
  return std::max<base::Duration>(overwritingTakesAtLeast, std::chrono::seconds(drive.bytes / overwrittenPerSecond));
}

base::Duration mayBeUnseenFor(const DriveErasure& drive) {
  return methodOf(drive) == EraseMethod::cryptographic ? keysAreGoneWithin : limitOf(drive);
}

bool isUnderWay(const ErasureRecord& record) {
  return std::ranges::any_of(record.drives, [](const auto& drive) { return stateOf(drive) == ErasureState::running; });
}

}  // namespace ingot::bmc
