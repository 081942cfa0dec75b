#include "bmc/ipmi/inventory_reader.hpp"

#include "bmc/ipmi/fru.hpp"
#include "bmc/ipmi/fru_devices.hpp"
#include "bmc/ipmi/lan.hpp"
#include "bmc/ipmi/sensors.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc::ipmi {

namespace {

constexpr std::string_view neverTold[] = {"processors", "memory size", "network cards",
                                          "disks",      "BIOS",        "PCIe devices"};

// Whoever gives no answer any more, or no turn, gives none to what comes next either.
bool endsTheReading(const Error& error) {
  switch (error.code()) {
    case Error::Code::unreachable:
    case Error::Code::timeout:
    case Error::Code::authenticationFailed:
    case Error::Code::lockedOut: return true;
    case Error::Code::tls:
    case Error::Code::busy:
    case Error::Code::unsupported:
    case Error::Code::refused:
    case Error::Code::notPermitted:
    case Error::Code::outcomeUnknown:
    case Error::Code::notReached:
    case Error::Code::ambiguousSystem:
    case Error::Code::protocol: break;
  }
  return error.origin() == Error::Origin::governor;
}

}  // namespace

base::Task<Inventory> InventoryReader::read() {
  const auto identity = parseMcInfo((co_await read_({"mc", "info"})).text);
  found_ = {.manufacturer = identity.manufacturer};
  found_.untold.assign(std::begin(neverTold), std::end(neverTold));
  if (!identity.bmcFirmware.empty()) found_.firmware.push_back({.name = "BMC", .version = identity.bmcFirmware});
  co_await readMachine();
  co_await readModules();
  co_await readNetwork();
  co_return std::move(found_);
}

base::Task<void> InventoryReader::readMachine() {
  const auto output = co_await tryRead({"fru", "print", "0"});
  if (!output) co_return;
  const auto fru = parseFru(output->text);
  if (fru == Fru{}) found_.unread.emplace_back("fru print 0: ipmitool says nothing of a product or a board");
  if (!fru.manufacturer.empty()) found_.manufacturer = fru.manufacturer;
  found_.model = fru.product;
  found_.serialNumber = fru.serialNumber;
}

// An empty bay has a FRU device, too, which does not answer or says nothing.
base::Task<void> InventoryReader::readModules() {
  const auto output = co_await tryRead({"-v", "sdr", "elist", "fru"});
  if (!output) co_return;
  // ipmitool ends well all the same (spec/bmc.md §15.4).
  if (const auto trouble = sdrTroubleIn(output->said); !trouble.empty())
    found_.unread.push_back("sdr elist fru: " + trouble);
  const auto devices = parseFruDevices(output->text);
  if (devices.size() > mostModules)
    found_.unread.push_back(fmt::format("{} FRU devices: only {} were looked at", devices.size(), mostModules));
  for (std::size_t i = 0; i < std::min(devices.size(), mostModules); ++i) {
    const auto& device = devices[i];
    const auto told = co_await tryRead({"fru", "print", std::to_string(device.id)}, Absent::isFine);
    const auto fru = told ? parseFru(told->text) : Fru{};
    if (fru == Fru{}) continue;
    found_.modules.push_back({.name = device.name,
                              .kind = device.kind,
                              .manufacturer = fru.manufacturer,
                              .model = fru.product,
                              .partNumber = fru.partNumber,
                              .serialNumber = fru.serialNumber});
  }
}

base::Task<void> InventoryReader::readNetwork() {
  if (const auto output = co_await tryRead(askForMac())) found_.bmc.mac = parseMac(output->text);
  if (const auto output = co_await tryRead(askForAddress())) found_.bmc.address = parseIpv4(output->text);
}

base::Task<std::optional<Connection::Answer>> InventoryReader::tryRead(std::vector<std::string> command,
                                                                       Absent absent) {
  if (isSilent_) co_return std::nullopt;
  try {
    co_return co_await read_(command);
  } catch (const Error& error) {
    if (error.code() == Error::Code::notPermitted) throw;
    isSilent_ = endsTheReading(error);
    const bool isAbsent = absent == Absent::isFine && error.origin() == Error::Origin::bmc &&
                          (error.code() == Error::Code::unsupported || error.code() == Error::Code::protocol);
    if (!isAbsent) found_.unread.push_back(fmt::format("{}: {}", fmt::join(command, " "), error.what()));
  }
  co_return std::nullopt;
}

}  // namespace ingot::bmc::ipmi
