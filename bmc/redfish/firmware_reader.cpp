#include "bmc/redfish/firmware_reader.hpp"

#include "base/text.hpp"
#include "bmc/redfish/hardware_facts.hpp"

namespace ingot::bmc::redfish {

namespace {

bool hasWord(const SoftwareInventory& firmware, std::initializer_list<std::string_view> words) {
  const auto said = base::lower(textOf(firmware.id) + "\n" + textOf(firmware.name));
  return std::ranges::any_of(words, [&](std::string_view word) { return said.find(word) != std::string::npos; });
}

bool concernsBios(const SoftwareInventory& firmware) {
  const auto isBiosResource = [](const Link& link) { return link.id && withoutSlash(*link.id).ends_with("/Bios"); };
  return firmware.relatedItems && std::ranges::any_of(*firmware.relatedItems, isBiosResource);
}

// Some add a build to it: "AFE120G" is "AFE120G-1.30" there.
bool isVersion(std::string_view told, std::string_view version) {
  if (version.empty() || !told.starts_with(version)) return false;
  return told.size() == version.size() ||
         std::string_view("-_ .(").find(told[version.size()]) != std::string_view::npos;
}

// OpenBMC calls each of them the same.
std::string firmwareNameOf(const SoftwareInventory& firmware) {
  auto name = textOf(firmware.name);
  return name.empty() || name == "Software Inventory" ? textOf(firmware.id) : name;
}

}  // namespace

bool isBios(const SoftwareInventory& firmware, std::string_view biosVersion) {
  const bool isNamedSo = concernsBios(firmware) || hasWord(firmware, {"bios", "uefi", "system rom"});
  const bool isInForce = !hasWord(firmware, {"pending", "previous", "backup", "redundant", "available-"});
  return isNamedSo && isInForce && isVersion(textOf(firmware.version), biosVersion);
}

base::Task<void> FirmwareReader::read(Inventory& into) {
  const auto root = co_await connection_.root(lane_);
  if (!root.updateService || !root.updateService->id) co_return;
  const auto service = co_await walker_.get<UpdateService>(*root.updateService->id);
  if (!service) co_return;
  bool leftSomeOut = false;
  const auto add = [&](const SoftwareInventory& found) {
    if (isAbsent(found.status)) return;
    const auto day = dayOf(found.releaseDate);
    if (into.biosReleaseDate.empty() && isBios(found, into.biosVersion)) into.biosReleaseDate = day;
    if (into.firmware.size() == mostFirmware && !std::exchange(leftSomeOut, true))
      walker_.note(fmt::format("more than {} pieces of firmware: the rest was left out", mostFirmware));
    if (leftSomeOut) return;
    into.firmware.push_back({.name = firmwareNameOf(found),
                             .version = textOf(found.version),
                             .releaseDate = day,
                             .updateable = found.updateable.value_or(false)});
  };
  co_await walker_.visitExpanded<SoftwareInventory>(service->firmwareInventory, mostFirmware, add);
}

}  // namespace ingot::bmc::redfish
