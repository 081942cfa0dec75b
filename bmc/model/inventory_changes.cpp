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

void add(Parts& parts, std::string identity, std::string text, bool isUnique = false) {
  auto& part = parts[std::move(identity)];
  part.text = std::move(text);
  part.count = isUnique ? 1 : part.count + 1;
}

std::string described(std::string_view kind, const std::string& name, std::initializer_list<std::string> about) {
  std::string what;
  for (const auto& one : about)
    if (!one.empty()) what += (what.empty() ? "" : ", ") + one;
  return what.empty() ? fmt::format("{} {}", kind, name) : fmt::format("{} {} ({})", kind, name, what);
}

// Whether all of both have that by which they are told apart for good.
template <class T>
bool haveAll(const std::vector<T>& before, const std::vector<T>& now, std::string T::* identity) {
  const auto has = [&](const T& one) { return !(one.*identity).empty(); };
  return std::ranges::all_of(before, has) && std::ranges::all_of(now, has);
}

Parts disksOf(const std::vector<Disk>& disks, bool bySerial) {
  Parts parts;
  for (const auto& disk : disks) {
    const auto size = disk.bytes > 0 ? fmt::format("{} GiB", disk.bytes / gib) : std::string();
    const auto& name = bySerial ? disk.serialNumber : disk.name;
    add(parts, name, described("disk", name, {disk.model, size}), bySerial);
  }
  return parts;
}

Parts cardsOf(const std::vector<NetworkCard>& cards, bool byMac) {
  Parts parts;
  for (const auto& card : cards) {
    const auto& name = byMac ? card.mac : card.name;
    add(parts, name, described("network card", name, {card.model}), byMac);
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
  void parts(const Parts& before, const Parts& now) {
    if (before.empty() || now.empty()) return;  // not told
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
  void firmware(const Inventory& past, const Inventory& present) {
    const auto &before = past.firmware, &now = present.firmware;
    const auto isBios = [&](const Firmware& was, const Firmware& is) {
      return was.version == past.biosVersion && is.version == present.biosVersion;
    };
    const auto once = [](const std::vector<Firmware>& all, const std::string& name) {
      return std::ranges::count(all, name, &Firmware::name) == 1;
    };
    for (const auto& was : before) {
      const auto is = std::ranges::find(now, was.name, &Firmware::name);
      if (is != now.end() && once(before, was.name) && once(now, was.name) && !isBios(was, *is))
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
  const bool bySerial = haveAll(before.disks, now.disks, &Disk::serialNumber);
  compare.parts(disksOf(before.disks, bySerial), disksOf(now.disks, bySerial));
  const bool byMac = haveAll(before.networkCards, now.networkCards, &NetworkCard::mac);
  compare.parts(cardsOf(before.networkCards, byMac), cardsOf(now.networkCards, byMac));
  compare.memory(before.memoryMib, now.memoryMib);
  compare.text("processor", before.processors.model, now.processors.model);
  compare.threads(before.processors.threads, now.processors.threads);
  compare.parts(modulesOf(before), modulesOf(now));
  compare.parts(devicesOf(before), devicesOf(now));
  compare.text("BIOS", before.biosVersion, now.biosVersion);
  compare.firmware(before, now);
  return compare.take();
}

}  // namespace ingot::bmc
