#include "bmc/ipmi/fru_devices.hpp"

#include "bmc/ipmi/command.hpp"
#include "bmc/ipmi/entity.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace ingot::bmc::ipmi {

namespace {

constexpr std::string_view bmcAddress = "20h";

// "03h": 3.
std::optional<int> hexIn(std::string_view text) {
  int number = 0;
  if (!text.ends_with('h')) return std::nullopt;
  text.remove_suffix(1);
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return ec == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(number) : std::nullopt;
}

// "10h.0h (IPMI FRU Inventory)", or an EEPROM (08h to 0Fh) that holds one.
bool isInventory(std::string_view deviceType) {
  const auto dot = deviceType.find('.');
  if (dot == std::string_view::npos) return false;
  const auto type = hexIn(deviceType.substr(0, dot)).value_or(0);
  const auto modifier = hexIn(deviceType.substr(dot + 1, deviceType.find(' ', dot) - dot - 1)).value_or(-1);
  return (type == 0x10 && (modifier == 0 || modifier == 2)) || (type >= 0x08 && type <= 0x0f && modifier == 2);
}

std::string moduleKindOf(std::string_view entityText) {
  const auto entity = entityIn(entityText).value_or(0);
  if (const auto kind = partKindOf(entity); !kind.empty()) return std::string(kind);
  return isBoard(entity) ? "board" : "other";
}

std::optional<FruDevice> deviceIn(std::string_view block) {
  const auto id = hexIn(valueOf(block, "Logical FRU Device"));
  if (!id || *id == 0 || valueOf(block, "Device Access Address") != bmcAddress) return std::nullopt;
  if (!isInventory(valueOf(block, "Device Type.Modifier"))) return std::nullopt;
  return FruDevice{
      .id = *id, .name = std::string(valueOf(block, "Device ID")), .kind = moduleKindOf(valueOf(block, "Entity ID"))};
}

}  // namespace

std::vector<FruDevice> parseFruDevices(std::string_view output) {
  std::vector<FruDevice> found;
  while (!output.empty()) {
    const auto end = std::min(output.find("\n\n"), output.size());
    auto device = deviceIn(output.substr(0, end));
    if (device && std::ranges::find(found, device->id, &FruDevice::id) == found.end())
      found.push_back(std::move(*device));
    output.remove_prefix(std::min(end + 2, output.size()));
  }
  return found;
}

}  // namespace ingot::bmc::ipmi
