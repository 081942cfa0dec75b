#include "agent/shortened.hpp"

namespace ingot::agent {

namespace {

constexpr std::string_view textTooLong = "the text of this result was too long to be sent";

// The drives without what is only for people; and without any drive where that is too long still.
std::optional<wire::Message> shortenedReport(wire::EraseReport report) {
  const bool isBrief = std::ranges::all_of(
      report.drives, [](const auto& drive) { return drive.verification.empty() && drive.error.empty(); });
  if (report.drives.empty()) return std::nullopt;
  for (auto& drive : report.drives) {
    drive.verification.clear();
    drive.error.clear();
  }
  if (isBrief) {
    report.outcome = report.outcome == "running" ? "running" : "failed";
    report.errorCode = "too-long";
    report.error = fmt::format("what the BMC tells of {} drives is too long to be sent", report.drives.size());
    report.drives.clear();
  }
  return wire::Message(std::move(report));
}

// Without what a host is known without. False: there is nothing of that.
bool shorten(bmc::Inventory& found) {
  if (found.firmware.size() + found.pcieDevices.size() + found.components.size() == 0) return false;
  found.unread.push_back(fmt::format("{} firmware versions, {} PCIe devices and {} components were too long to be sent",
                                     found.firmware.size(), found.pcieDevices.size(), found.components.size()));
  found.firmware.clear();
  found.pcieDevices.clear();
  found.components.clear();
  return true;
}

// Without any of it where that is too long still.
wire::InventoryResult shortenedResult(wire::InventoryResult result) {
  if (shorten(result.inventory)) return result;
  return {.host = result.host,
          .id = result.id,
          .outcome = "failed",
          .errorCode = "too-long",
          .error = fmt::format("the BMC lists more than fits into a message: {} network cards, {} disks",
                               result.inventory.networkCards.size(), result.inventory.disks.size())};
}

std::optional<wire::Message> shortenedHardware(wire::HardwareFacts facts) {
  return shorten(facts.inventory) ? std::optional<wire::Message>(std::move(facts)) : std::nullopt;
}

}  // namespace

std::optional<wire::Message> shortened(const wire::Message& message) {
  if (const auto* result = std::get_if<wire::CommandResult>(&message);
      result != nullptr && result->error != textTooLong) {
    auto brief = *result;
    brief.error = textTooLong;
    brief.power.clear();
    return brief;
  }
  if (const auto* result = std::get_if<wire::InventoryResult>(&message); result != nullptr && result->outcome == "done")
    return shortenedResult(*result);
  if (const auto* facts = std::get_if<wire::HardwareFacts>(&message)) return shortenedHardware(*facts);
  if (const auto* report = std::get_if<wire::EraseReport>(&message)) return shortenedReport(*report);
  return std::nullopt;
}

}  // namespace ingot::agent
