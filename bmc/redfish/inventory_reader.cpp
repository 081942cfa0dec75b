#include "bmc/redfish/inventory_reader.hpp"

#include "base/text.hpp"
#include "bmc/redfish/firmware_reader.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/network_cards.hpp"
#include "bmc/redfish/pcie_reader.hpp"

#include <cmath>

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration extrasPatience = std::chrono::minutes(3);
constexpr std::size_t mostModulesSingly = 128;

// Without a status a slot with nothing in it tells of no memory.
bool isPresent(const MemoryModule& module) {
  return !isAbsent(module.status) && (whole(module.mib) > 0 || !healthTextOf(module.status).empty());
}

// That nobody has to add up its modules.
bool tellsMemory(const SystemHardware& system) {
  return system.memorySummary && system.memorySummary->gib && *system.memorySummary->gib > 0;
}

// Accelerators are listed as processors, too.
bool isCpu(const Processor& processor) {
  return !isAbsent(processor.status) && (!processor.type || processor.type->empty() || *processor.type == "CPU");
}

std::string architectureOf(const Processor& processor) {
  struct Name {
    std::string_view redfish, kernel;
  };
  static constexpr Name sets[] = {{"x86-64", "x86_64"}, {"ARM-A64", "aarch64"}, {"x86", "i686"},
                                  {"ARM-A32", "arm"},   {"IA-64", "ia64"},      {"MIPS64", "mips64"},
                                  {"MIPS32", "mips"},   {"PowerISA", "ppc64le"}};
  static constexpr Name families[] = {{"x86", "x86_64"}, {"ARM", "aarch64"}, {"Power", "ppc64le"}};
  for (const auto& [redfish, kernel] : sets)
    if (textOf(processor.instructionSet) == redfish) return std::string(kernel);
  if (processor.instructionSet) return {};
  for (const auto& [redfish, kernel] : families)
    if (textOf(processor.architecture) == redfish) return std::string(kernel);
  return {};
}

// A World Wide Name as a kernel writes it: "0x5002538e40a1b2c3".
std::string wwnOf(const Fact<std::vector<DriveIdentifier>>& identifiers) {
  if (!identifiers) return {};
  for (const auto& [name, format] : *identifiers) {
    const auto kind = textOf(format);
    if (kind != "NAA" && kind != "EUI" && kind != "NGUID") continue;
    std::string digits = base::lower(textOf(name));
    for (const std::string_view prefix : {"0x", "naa.", "eui.", "nguid."})
      if (digits.starts_with(prefix)) digits.erase(0, prefix.size());
    std::erase_if(digits, [](char c) { return c == ':' || c == '-' || c == ' '; });
    if (digits.empty() || digits.find_first_not_of("0123456789abcdef") != std::string::npos) continue;
    return "0x" + digits;
  }
  return {};
}

}  // namespace

InventoryReader::InventoryReader(Connection& connection, Lane lane, Quirks quirks)
    : connection_(connection),
      lane_(lane),
      walker_(connection, lane),
      extras_(connection, lane, Walker::Missing::unreadable, extrasPatience),
      quirks_(std::move(quirks)) {}

base::Task<Inventory> InventoryReader::read(std::string systemPath) {
  const auto found = co_await walker_.get<SystemHardware>(systemPath);
  if (!found) throw Error(Error::Code::protocol, walker_.unread().front());
  const auto& system = *found;
  Inventory out{.manufacturer = textOf(system.manufacturer),
                .model = textOf(system.model),
                .serialNumber = textOf(system.serialNumber),
                .biosVersion = textOf(system.biosVersion)};
  if (system.sku && quirks_.has(Quirk::skuIsSerial)) out.serialNumber = textOf(system.sku);
  if (const auto name = textOf(system.hostName); name != "localhost") out.hostname = name;
  out.processors = co_await processors(system);
  out.memoryMib = co_await memory(system);
  NetworkCards cards(connection_, lane_, walker_);
  out.networkCards = co_await cards.read(systemPath, system);
  out.disks = co_await disks(system);
  if (tellsMemory(system)) co_await extras_.tolerate(readModules(system));
  co_await extras_.tolerate(FirmwareReader(connection_, lane_, extras_).read(out));
  co_await extras_.tolerate(readPcieDevices(system, out));
  for (auto& why : extras_.unread()) walker_.note(std::move(why));
  out.components = std::move(components_);
  out.unread = std::move(walker_.unread());
  co_return out;
}

base::Task<Processors> InventoryReader::processors(SystemHardware system) {
  Processors out;
  std::int64_t cores = 0;
  bool hasThreads = true;
  const auto add = [&](const Processor& processor) {
    if (!isAbsent(processor.status))
      addComponent(
          componentOf("processor", processor.path, firstTextOf({processor.name, processor.id}), processor.status));
    if (!isCpu(processor)) return;
    out.threads += whole(processor.threads);
    cores += whole(processor.cores);
    hasThreads = hasThreads && processor.threads;
    if (out.model.empty()) out.model = textOf(processor.model);
    if (out.megahertz == 0) out.megahertz = whole(processor.megahertz);
    if (out.architecture.empty()) out.architecture = architectureOf(processor);
  };
  co_await walker_.visit<Processor>(system.processors, add);
  const auto logical = system.processorSummary ? whole(system.processorSummary->logical) : 0;
  if (!hasThreads || out.threads == 0) out.threads = logical > 0 ? logical : cores;
  if (out.model.empty() && system.processorSummary) out.model = textOf(system.processorSummary->model);
  co_return out;
}

base::Task<std::int64_t> InventoryReader::memory(SystemHardware system) {
  constexpr double mibOfGib = 1024, gibOfAll = 1 << 30;
  if (tellsMemory(system))
    co_return static_cast<std::int64_t>(std::floor(std::min(*system.memorySummary->gib, gibOfAll) * mibOfGib));
  std::int64_t mib = 0;
  const auto add = [&](const MemoryModule& module) {
    addModule(module);
    if (module.status && module.status->state && *module.status->state == "Enabled")
      mib += std::min<std::int64_t>(whole(module.mib), std::int64_t{1} << 40);
  };
  co_await walker_.visit<MemoryModule>(system.memory, add);
  co_return mib;
}

base::Task<std::vector<Disk>> InventoryReader::disks(SystemHardware system) {
  std::vector<std::string> paths;
  const auto addPaths = [&](const Storage& storage) {
    if (storage.drives) walker_.take(*storage.drives, paths);
  };
  co_await walker_.visit<Storage>(system.storage, addPaths);
  std::vector<Disk> out;
  for (const auto& path : paths) {
    const auto drive = co_await walker_.get<Drive>(path);
    if (!drive || isAbsent(drive->status)) continue;
    // One that has failed may not know how large it is.
    if (isPresent(*drive) || !healthTextOf(drive->status).empty())
      addComponent(componentOf("drive", path, firstTextOf({drive->name, drive->id}), drive->status));
    if (!isPresent(*drive)) continue;
    out.push_back({.name = textOf(drive->id),
                   .kind = kindOf(*drive),
                   .vendor = textOf(drive->manufacturer),
                   .model = textOf(drive->model),
                   .serialNumber = textOf(drive->serialNumber),
                   .wwn = wwnOf(drive->identifiers),
                   .bytes = whole(drive->bytes)});
  }
  if (out.empty()) out = co_await simpleDisks(system);
  co_return out;
}

base::Task<std::vector<Disk>> InventoryReader::simpleDisks(SystemHardware system) {
  std::vector<Disk> out;
  const auto addSimple = [&](const SimpleStorage& storage) {
    if (!storage.devices) return;
    for (const auto& device : *storage.devices) {
      if (isAbsent(device.status) || whole(device.bytes) == 0 || out.size() == Walker::mostMembers) continue;
      addComponent(componentOf("drive", storage.path, textOf(device.name), device.status));
      out.push_back({.name = textOf(device.name),
                     .vendor = textOf(device.manufacturer),
                     .model = textOf(device.model),
                     .bytes = whole(device.bytes)});
    }
  };
  co_await walker_.visit<SimpleStorage>(system.simpleStorage, addSimple);
  co_return out;
}

base::Task<void> InventoryReader::readModules(SystemHardware system) {
  const auto add = [&](const MemoryModule& module) { addModule(module); };
  co_await extras_.visitExpanded<MemoryModule>(system.memory, mostModulesSingly, add);
}

base::Task<void> InventoryReader::readPcieDevices(SystemHardware system, Inventory& into) {
  if (system.pcieDevices) into.pcieDevices = co_await PcieReader(extras_).read(*system.pcieDevices);
}

void InventoryReader::addModule(const MemoryModule& module) {
  if (!isPresent(module)) return;
  addComponent(
      componentOf("memory", module.path, firstTextOf({module.locator, module.name, module.id}), module.status));
}

void InventoryReader::addComponent(Component component) {
  if (components_.size() < mostComponents) return components_.push_back(std::move(component));
  if (!std::exchange(leftSomeOut_, true))
    walker_.note(fmt::format("more than {} components: the rest was left out", mostComponents));
}

}  // namespace ingot::bmc::redfish
