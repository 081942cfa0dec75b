#include "bmc/model/inventory_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace ingot::bmc {

namespace {

constexpr std::int64_t gib = 1 << 30, mibInGib = 1024;

// By what tells it from others of its kind: how people call it. Those that nothing tells apart are counted.
struct Part {
  std::string text;
  int count = 0;
};
using Parts = std::map<std::string, Part>;

void add(Parts& parts, std::string identity, std::string text) {
  auto& part = parts[std::move(identity)];
  part.text = std::move(text);
  ++part.count;
}

std::string described(std::string_view kind, const std::string& name, std::initializer_list<std::string> about) {
  std::string what;
  for (const auto& one : about)
    if (!one.empty()) what += (what.empty() ? "" : ", ") + one;
  return what.empty() ? fmt::format("{} {}", kind, name) : fmt::format("{} {} ({})", kind, name, what);
}

Parts disksOf(const Inventory& inventory) {
  Parts parts;
  for (const auto& disk : inventory.disks) {
    const auto& name = disk.serialNumber.empty() ? disk.name : disk.serialNumber;
    const auto size = disk.bytes > 0 ? fmt::format("{} GiB", disk.bytes / gib) : std::string();
    add(parts, name, described("disk", name, {disk.model, size}));
  }
  return parts;
}

Parts cardsOf(const Inventory& inventory) {
  Parts parts;
  for (const auto& card : inventory.networkCards) {
    const auto& name = card.mac.empty() ? card.name : card.mac;
    add(parts, name, described("network card", name, {card.model}));
  }
  return parts;
}

Parts devicesOf(const Inventory& inventory) {
  Parts parts;
  for (const auto& device : inventory.pcieDevices) {
    const auto& name = device.name.empty() ? device.model : device.name;
    add(parts, name + '\n' + device.slot,
        described("PCIe device", name, {device.slot.empty() ? "" : "slot " + device.slot}));
  }
  return parts;
}

// Drives are told as disks.
Parts modulesOf(const Inventory& inventory) {
  Parts parts;
  for (const auto& one : inventory.components)
    if (one.kind != "drive") add(parts, one.kind + '\n' + one.name, described(one.kind, one.name, {}));
  return parts;
}

class Comparison {
 public:
  void parts(const Parts& before, const Parts& now, bool mayBeUntold) {
    if (before.empty() || (now.empty() && mayBeUntold)) return;
    for (const auto& [identity, part] : before)
      if (countOf(now, identity) < part.count) lose(part.text + " is gone");
    for (const auto& [identity, part] : now)
      if (countOf(before, identity) < part.count) changes_.texts.push_back(part.text + " is new");
  }

  void text(std::string_view what, const std::string& before, const std::string& now) {
    if (before.empty() || now.empty() || before == now) return;
    changes_.texts.push_back(fmt::format("{} is {}, it was {}", what, now, before));
  }

  void memory(std::int64_t before, std::int64_t now) {
    if (before == 0 || now == 0 || before == now) return;
    const bool isWhole = before % mibInGib == 0 && now % mibInGib == 0;
    const auto size = [&](std::int64_t mib) {
      return isWhole ? fmt::format("{} GiB", mib / mibInGib) : fmt::format("{} MiB", mib);
    };
    changes_.texts.push_back(fmt::format("memory is {}, it was {}", size(now), size(before)));
    changes_.isLess = changes_.isLess || now < before;
  }

  void threads(std::int64_t before, std::int64_t now) {
    if (before == 0 || now == 0 || before == now) return;
    changes_.texts.push_back(fmt::format("the processors have {} threads, they had {}", now, before));
    changes_.isLess = changes_.isLess || now < before;
  }

  // Of those whose name is one: what comes and goes, comes and goes with its device.
  void firmware(const std::vector<Firmware>& before, const std::vector<Firmware>& now) {
    const auto once = [](const std::vector<Firmware>& all, const std::string& name) {
      return std::ranges::count(all, name, &Firmware::name) == 1;
    };
    for (const auto& was : before) {
      const auto is = std::ranges::find(now, was.name, &Firmware::name);
      if (is != now.end() && once(before, was.name) && once(now, was.name))
        text("firmware of " + was.name, was.version, is->version);
    }
  }

  [[nodiscard]] InventoryChanges take() { return std::move(changes_); }

 private:
  static int countOf(const Parts& parts, const std::string& identity) {
    const auto found = parts.find(identity);
    return found == parts.end() ? 0 : found->second.count;
  }

  void lose(std::string text) {
    changes_.texts.push_back(std::move(text));
    changes_.isLess = true;
  }

  InventoryChanges changes_;
};

}  // namespace

InventoryChanges changesBetween(const Inventory& before, const Inventory& now) {
  Comparison compare;
  compare.text("manufacturer", before.manufacturer, now.manufacturer);
  compare.text("model", before.model, now.model);
  compare.text("serial number", before.serialNumber, now.serialNumber);
  compare.parts(disksOf(before), disksOf(now), false);
  compare.parts(cardsOf(before), cardsOf(now), false);
  compare.memory(before.memoryMib, now.memoryMib);
  compare.text("processor", before.processors.model, now.processors.model);
  compare.threads(before.processors.threads, now.processors.threads);
  compare.parts(modulesOf(before), modulesOf(now), true);
  compare.parts(devicesOf(before), devicesOf(now), true);
  compare.text("BIOS", before.biosVersion, now.biosVersion);
  compare.firmware(before.firmware, now.firmware);
  return compare.take();
}

}  // namespace ingot::bmc
