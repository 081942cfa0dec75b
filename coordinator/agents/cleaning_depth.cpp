#include "coordinator/agents/cleaning_depth.hpp"

#include "base/text.hpp"
#include "coordinator/agents/bmc_access.hpp"

#include <fmt/ranges.h>

namespace ingot::coordinator::agents {

namespace {

using bmc::EraseDepth;

[[noreturn]] void refuseDepth(const std::string& text, const std::string& why) {
  throw base::InvalidInput(fmt::format("metadata.annotations[{}]", cleaningDepthAnnotation),
                           fmt::format("'{}': {}; it is crypto or full, with exceptions by serial number, as in "
                                       "crypto,SERIAL=full,SERIAL=keep",
                                       text, why));
}

EraseDepth depthIn(const std::string& text, std::string_view word) {
  const auto depth = bmc::parseEraseDepth(base::trimmed(word));
  if (!depth) refuseDepth(text, fmt::format("'{}' is no depth", base::trimmed(word)));
  return *depth;
}

// Between commas.
std::vector<std::string_view> itemsIn(std::string_view text) {
  std::vector<std::string_view> items;
  while (true) {
    const auto comma = std::min(text.find(','), text.size());
    items.push_back(base::trimmed(text.substr(0, comma)));
    if (comma == text.size()) return items;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string> diskNames(const api::BareMetalHost& host) {
  std::vector<std::string> names;
  if (host.status.hardware)
    for (const auto& disk : host.status.hardware->storage)
      names.push_back(disk.serialNumber.empty() ? disk.name : disk.serialNumber);
  return names;
}

}  // namespace

std::optional<CleaningDepth> cleaningDepth(const api::BareMetalHost& host) {
  const auto found = host.metadata.annotations.find(std::string(cleaningDepthAnnotation));
  if (found == host.metadata.annotations.end()) return std::nullopt;
  const auto& text = found->second;
  CleaningDepth out;
  bool hasDefault = false;
  for (const auto item : itemsIn(text)) {
    if (const auto equals = item.rfind('='); equals != std::string_view::npos) {
      const std::string serial(base::trimmed(item.substr(0, equals)));
      if (serial.empty()) refuseDepth(text, fmt::format("'{}' names no serial number", item));
      const auto isSame = [&](const auto& named) { return bmc::sameSerial(named.first, serial); };
      if (std::ranges::any_of(out.bySerial, isSame)) refuseDepth(text, fmt::format("{} is named twice", serial));
      out.bySerial.emplace(serial, depthIn(text, item.substr(equals + 1)));
    } else {
      if (hasDefault) refuseDepth(text, "it names two depths for all disks");
      out.depth = depthIn(text, item);
      hasDefault = true;
    }
  }
  if (!hasDefault) refuseDepth(text, "it names no depth for the other disks");
  if (out.depth == EraseDepth::keep) refuseDepth(text, "keeping all disks is automatedCleaningMode 'disabled'");
  return out;
}

std::string whyNotErasable(const api::BareMetalHost& host) {
  const auto names = diskNames(host);
  const auto disks = names.empty() ? std::string("its disks") : fmt::format("its disks {}", fmt::join(names, ", "));
  const auto what =
      fmt::format("automatedCleaningMode '{}' asks for a cleaning of {}, ", host.spec.automatedCleaningMode, disks);
  std::optional<CleaningDepth> depth;
  try {
    depth = cleaningDepth(host);
    static_cast<void>(cleaningSteps(host));
  } catch (const base::InvalidInput& error) {
    return error.what();
  }
  if (!depth)
    return what +
           fmt::format(
               "which takes Ironic; set it to 'disabled', or have the BMC erase them with the annotation {}=crypto",
               cleaningDepthAnnotation);
  const auto isKept = [&](const auto& disk) {
    return std::ranges::any_of(depth->bySerial, [&](const auto& named) {
      return named.second == EraseDepth::keep && bmc::sameSerial(named.first, disk.serialNumber);
    });
  };
  if (host.status.hardware && !host.status.hardware->storage.empty() &&
      std::ranges::all_of(host.status.hardware->storage, isKept))
    return what + fmt::format("and annotation {} keeps each of them; set the mode to 'disabled' for that",
                              cleaningDepthAnnotation);
  if (speaksIpmi(host.spec.bmc.address))
    return what + "and a BMC behind IPMI erases none; set it to 'disabled', or use Ironic";
  if (!host.status.hardware)
    return what + "and which disks it has is known by an inspection only; let the host be inspected";
  if (base::trimmed(host.status.hardware->systemVendor.serialNumber).empty())
    return what +
           "and its inspection found no serial number of the machine, so that nobody can say which machine it is";
  if (host.status.hardware->storage.empty())
    return what +
           "and its inspection found none, which may only have had no power; inspect it while it is on, or set the "
           "mode "
           "to 'disabled'";
  for (const auto& disk : host.status.hardware->storage)
    if (base::trimmed(disk.serialNumber).empty())
      return what +
             fmt::format("and the BMC tells no serial number of {} ({}), so that nobody can say which disk is erased",
                         disk.name, disk.model);
  return {};
}

std::vector<bmc::CleaningStep> cleaningSteps(const api::BareMetalHost& host) {
  std::vector<bmc::CleaningStep> steps;
  const auto* text = host.metadata.annotation(std::string(cleaningStepsAnnotation));
  if (text == nullptr) return steps;
  for (const auto& word : itemsIn(*text)) {
    const auto step = bmc::parseCleaningStep(word);
    if (!step)
      throw base::InvalidInput(
          fmt::format("metadata.annotations[{}]", cleaningStepsAnnotation),
          fmt::format("'{}' is no step; there are clear-sel, clear-sessions and reset-boot-order", word));
    if (std::ranges::find(steps, *step) == steps.end()) steps.push_back(*step);
  }
  return steps;
}

bool stillOrders(const api::BareMetalHost& host, const bmc::EraseOrder& order) {
  try {
    const auto depth = cleaningDepth(host);
    return depth && host.spec.automatedCleaningMode != "disabled" && eraseOrder(host, *depth) == order;
  } catch (const base::InvalidInput&) {
    return false;
  }
}

bmc::EraseOrder eraseOrder(const api::BareMetalHost& host, const CleaningDepth& depth) {
  bmc::EraseOrder order{
      .machineSerial = {}, .depth = depth.depth, .depths = depth.bySerial, .known = {}, .steps = cleaningSteps(host)};
  if (!host.status.hardware) return order;
  order.machineSerial = host.status.hardware->systemVendor.serialNumber;
  for (const auto& disk : host.status.hardware->storage) order.known.push_back(disk.serialNumber);
  return order;
}

}  // namespace ingot::coordinator::agents
