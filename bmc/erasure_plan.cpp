#include "bmc/erasure_plan.hpp"

#include "bmc/error.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace ingot::bmc {

namespace {

DriveErasure* find(ErasureRecord& record, const std::string& serial) {
  const auto found =
      std::ranges::find_if(record.drives, [&](const auto& drive) { return sameSerial(drive.serialNumber, serial); });
  return found == record.drives.end() ? nullptr : &*found;
}

void enter(ErasureRecord& record, const ErasableDrive& drive, ErasureState state, std::string_view method) {
  auto* entry = find(record, drive.serialNumber);
  if (entry == nullptr) entry = &record.drives.emplace_back();
  *entry = {.path = drive.path,
            .name = drive.name,
            .vendor = drive.vendor,
            .model = drive.model,
            .serialNumber = drive.serialNumber,
            .kind = drive.kind,
            .bytes = drive.bytes,
            .method = std::string(method),
            .state = std::string(toText(state))};
}

}  // namespace

void enterPlan(EraseOrder order, std::vector<ErasableDrive> shown, ErasureRecord& record) {
  const auto isBegun = [&](const std::string& serial) {
    const auto* drive = find(record, serial);
    return drive != nullptr && (stateOf(*drive) == ErasureState::erased || stateOf(*drive) == ErasureState::running);
  };
  std::erase_if(shown, [&](const auto& drive) { return isBegun(drive.serialNumber); });
  std::erase_if(order.known, isBegun);
  std::erase_if(order.depths, [&](const auto& named) { return isBegun(named.first); });
  // Nothing of the rest has been begun: a drive may have been taken out, or is to be kept now.
  std::erase_if(record.drives, [&](const auto& drive) { return !isBegun(drive.serialNumber); });
  const auto plan = planErasure(order, shown);
  if (!plan.missing.empty())
    throw Error(Error::Code::busy, fmt::format("the BMC does not show the drives {}, which inspection found; one that "
                                               "has been taken out is let go by {}=keep",
                                               fmt::join(plan.missing, ", "), plan.missing.front()));
  if (!plan.problems.empty()) throw Error(Error::Code::refused, fmt::format("{}", fmt::join(plan.problems, "; ")));
  for (const auto& drive : plan.keep) enter(record, drive, ErasureState::kept, "");
  for (const auto& serial : plan.keepUnseen) {
    enter(record, {.serialNumber = serial}, ErasureState::kept, "");
    record.drives.back().verification = "the BMC does not show it";
  }
  for (const auto& [drive, method] : plan.erase) enter(record, drive, ErasureState::waiting, toText(method));
}

}  // namespace ingot::bmc
