#include "bmc/redfish/pcie_reader.hpp"

#include "base/text.hpp"
#include "bmc/redfish/hardware_facts.hpp"

namespace ingot::bmc::redfish {

namespace {

// "0x8086" of "8086", "0x8086" and "0X8086"; "" for what is no number.
std::string hexOf(const Fact<std::string>& fact) {
  auto digits = base::lower(textOf(fact));
  if (digits.starts_with("0x")) digits.erase(0, 2);
  const bool isNumber = !digits.empty() && std::ranges::all_of(digits, [](char c) { return base::hexDigit(c) >= 0; });
  return isNumber ? "0x" + digits : std::string();
}

std::string slotOf(const PcieDeviceResource& device) {
  if (!device.slot || !device.slot->location || !device.slot->location->part) return {};
  const auto& part = *device.slot->location->part;
  if (auto label = textOf(part.label); !label.empty()) return label;
  return part.ordinal ? fmt::format("{} {}", part.kind ? textOf(part.kind) : "Slot", textOf(part.ordinal)) : "";
}

PcieFunction functionOf(const PcieFunctionResource& found) {
  return {.deviceClass = textOf(found.deviceClass),
          .classCode = hexOf(found.classCode),
          .vendorId = hexOf(found.vendorId),
          .deviceId = hexOf(found.deviceId),
          .subsystemVendorId = hexOf(found.subsystemVendorId),
          .subsystemId = hexOf(found.subsystemId),
          .revision = hexOf(found.revision)};
}

}  // namespace

base::Task<std::vector<PcieDevice>> PcieReader::read(json::Value listed) {
  std::vector<PcieDevice> all;
  for (const auto& path : co_await pathsOf(std::move(listed))) {
    if (walker_.givesUpAt(path)) break;
    const auto found = co_await walker_.get<PcieDeviceResource>(path);
    if (!found || isAbsent(found->status)) continue;
    all.push_back({.name = firstTextOf({found->name, found->id}),
                   .manufacturer = textOf(found->manufacturer),
                   .model = textOf(found->model),
                   .slot = slotOf(*found),
                   .functions = co_await functionsOf(*found)});
  }
  co_return all;
}

base::Task<std::vector<std::string>> PcieReader::pathsOf(json::Value listed) {
  std::vector<std::string> paths;
  if (listed.is_object()) co_return co_await walker_.memberPathsUpTo(walker_.decoded<Link>(listed), mostPcieDevices);
  if (const auto links = walker_.decoded<std::vector<Link>>(listed)) walker_.take(*links, paths);
  if (paths.size() > mostPcieDevices) {
    walker_.note(fmt::format("{} PCIe devices: only {} were looked at", paths.size(), mostPcieDevices));
    paths.resize(mostPcieDevices);
  }
  co_return paths;
}

base::Task<std::vector<PcieFunction>> PcieReader::functionsOf(PcieDeviceResource device) {
  std::vector<PcieFunction> all;
  const auto add = [&](const PcieFunctionResource& found) {
    if (all.size() < mostPcieFunctions) all.push_back(functionOf(found));
  };
  if (device.functions) co_await walker_.visitExpanded<PcieFunctionResource>(device.functions, mostPcieFunctions, add);
  if (device.functions || !device.links) co_return all;
  std::vector<std::string> paths;
  walker_.take(device.links->functions, paths);
  paths.resize(std::min(paths.size(), mostPcieFunctions));
  for (const auto& path : paths)
    if (const auto found = co_await walker_.get<PcieFunctionResource>(path)) add(*found);
  co_return all;
}

}  // namespace ingot::bmc::redfish
