#include "coordinator/agents/agent_inspection.hpp"

#include <fmt/ranges.h>

#include <limits>

namespace ingot::coordinator::agents {

namespace {

using host::OutOfBandResult;
using host::Refused;
using host::Working;

constexpr base::Duration nextLook = std::chrono::seconds(10);     // an answer ends the wait earlier
constexpr base::Duration untilGivenUp = std::chrono::minutes(2);  // since it was asked
constexpr base::Duration answerWithin = std::chrono::minutes(10);

constexpr std::int64_t mostVlan = 4094;  // what the API takes

int small(std::int64_t number) {
  return static_cast<int>(std::clamp<std::int64_t>(number, 0, std::numeric_limits<int>::max()));
}

void addCard(std::vector<api::Nic>& into, const bmc::NetworkCard& card) {
  api::Nic nic{
      .name = card.name, .model = card.model, .mac = card.mac, .speedGbps = small(card.megabitsPerSecond / 1000)};
  if (card.vlanId > 0 && card.vlanId <= mostVlan) nic.vlanId = small(card.vlanId);
  if (const auto& switchPort = card.neighbour; switchPort != bmc::LldpNeighbour{})
    nic.lldp = api::Lldp{
        .portID = switchPort.portId, .switchID = switchPort.switchId, .switchSystemName = switchPort.systemName};
  if (card.addresses.empty()) into.push_back(nic);
  for (const auto& address : card.addresses) {
    nic.ip = address;
    into.push_back(nic);
  }
}

}  // namespace

base::Task<std::optional<OutOfBandResult>> AgentInspection::inspect(const host::PoweredHost& host,
                                                                    host::LifecycleBackend& backend) {
  const OutOfBandResult wait{.found = Working{.after = nextLook}};
  const bool canRead = agents_.jobs().canReadInventory(host.uid);
  if (!canRead) {
    const auto* asked = agents_.jobs().askedInventory(host.uid);
    const bool mayBeBack = asked != nullptr && runtime_.clock.now() - asked->at < untilGivenUp;
    if (mayBeBack || agents_.grants().mayStillCome(host.uid)) co_return wait;
  }
  if (!canRead || !co_await backend.isAtRest()) {
    agents_.jobs().forgetInventory(host.uid);
    co_return std::nullopt;
  }
  agents_.jobs().lookAtInventory(host.uid);
  const auto* asked = agents_.jobs().askedInventory(host.uid);
  const bool isOld = asked != nullptr && runtime_.clock.now() - asked->at > answerWithin;
  if (asked == nullptr || (asked->result && isOld)) {  // an old one tells of hardware that may have been changed since
    agents_.jobs().askForInventory(host.uid);
    co_return OutOfBandResult{.found = Working{.after = nextLook}, .begun = true};
  }
  if (asked->result || asked->waited.lasts() > answerWithin) {
    auto result = resultOf(*asked);
    agents_.jobs().forgetInventory(host.uid);
    co_return result;
  }
  agents_.jobs().repeatLostInventoryRequest(host.uid);
  co_return wait;
}

OutOfBandResult AgentInspection::resultOf(const AskedInventory& asked) {
  if (!asked.result)
    return {.found = Refused{fmt::format("agent {} did not tell the BMC's inventory within {} min", asked.agent,
                                         answerWithin / std::chrono::minutes(1))}};
  if (asked.result->outcome != "done")
    return {.found = Refused{fmt::format("the BMC's inventory could not be read: {}", asked.result->error)}};
  return inspected(asked.result->inventory);
}

OutOfBandResult inspected(const bmc::Inventory& inventory) {
  if (!inventory.untold.empty())
    return {.found = Refused{fmt::format("the BMC cannot tell {} by the protocol of its address",
                                         fmt::join(inventory.untold, ", "))}};
  return {.found = hardwareDetails(inventory), .unread = inventory.unread};
}

api::HardwareDetails hardwareDetails(const bmc::Inventory& inventory) {
  api::HardwareDetails out{.systemVendor = {.manufacturer = inventory.manufacturer,
                                            .productName = inventory.model,
                                            .serialNumber = inventory.serialNumber},
                           .firmware = {.bios = {.date = inventory.biosReleaseDate,
                                                 .vendor = inventory.biosVersion.empty() ? "" : inventory.manufacturer,
                                                 .version = inventory.biosVersion}},
                           .ramMebibytes = inventory.memoryMib,
                           .cpu = {.arch = inventory.processors.architecture,
                                   .model = inventory.processors.model,
                                   .clockMegahertz = static_cast<double>(inventory.processors.megahertz),
                                   .count = small(inventory.processors.threads)},
                           .hostname = inventory.hostname};
  for (const auto& card : inventory.networkCards) addCard(out.nics, card);
  for (const auto& disk : inventory.disks)
    out.storage.push_back({.name = disk.name,
                           .type = disk.kind,
                           .vendor = disk.vendor,
                           .model = disk.model,
                           .serialNumber = disk.serialNumber,
                           .wwn = disk.wwn,
                           .rotational = disk.kind == "HDD",
                           .sizeBytes = disk.bytes});
  return out;
}

}  // namespace ingot::coordinator::agents
