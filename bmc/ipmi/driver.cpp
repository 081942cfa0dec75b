#include "bmc/ipmi/driver.hpp"

#include "bmc/ipmi/event_log.hpp"
#include "bmc/ipmi/inventory_reader.hpp"
#include "bmc/ipmi/sensors.hpp"

namespace ingot::bmc::ipmi {

namespace {

Invocation invocationFor(const Target& target, std::string home) {
  return {.host = target.address.host,
          .port = target.address.ipmiPort(),
          .username = target.login.username,
          .password = target.login.password,
          .privilege = target.address.privilegeLevel,
          .home = std::move(home)};
}

std::string_view verb(PowerAction action) {
  switch (action) {
    case PowerAction::on: return "on";
    case PowerAction::hardOff: return "off";
    case PowerAction::softOff: return "soft";
    case PowerAction::hardReboot: return "cycle";
    case PowerAction::hardRestart: return "reset";
    case PowerAction::nmi: return "diag";
    case PowerAction::softReboot:
    case PowerAction::acCycle: return "";  // IPMI has neither
  }
  return "";
}

}  // namespace

IpmiBmc::IpmiBmc(base::Runtime runtime, base::ProcessRunner& processes, const Target& target,
                 std::shared_ptr<Traffic> traffic, std::string home)
    : Bmc(std::move(runtime), target, std::move(traffic)),
      connection_(runtime_, processes, governor_, invocationFor(target, std::move(home))) {}

Driver IpmiBmc::host(const Address&) {
  const auto bmc = std::static_pointer_cast<IpmiBmc>(shared_from_this());
  const auto use = std::make_shared<BmcUse>(bmc);
  const auto host = std::make_shared<IpmiDriver>(bmc, use);
  return {
      {.power = host, .identity = host, .health = host, .inventory = host, .sensors = host, .logs = host, .boot = host},
      use};
}

base::Task<void> IpmiBmc::logOut() { co_return; }  // every ipmitool run closes its own session

base::Task<Connection::Answer> IpmiDriver::read(Lane lane, std::vector<std::string> command) {
  use_->check();
  co_return co_await bmc_->connection().read(lane, std::move(command));
}

base::Task<Identity> IpmiDriver::identify(Lane lane) {
  co_return parseMcInfo((co_await read(lane, {"mc", "info"})).text);
}

base::Task<PowerReading> IpmiDriver::readPower(Lane lane) {
  const auto answer = co_await read(lane, {"power", "status"});
  auto reading = parsePowerStatus(answer.text);
  reading.asked = answer.asked;
  co_return reading;
}

base::Task<HealthReading> IpmiDriver::readHealth(Lane lane) {
  const auto answer = co_await read(lane, {"chassis", "status"});
  co_return HealthReading{parseChassisHealth(answer.text), answer.asked};
}

base::Task<Inventory> IpmiDriver::readInventory(Lane lane) {
  InventoryReader reader([this, lane](std::vector<std::string> command) { return read(lane, std::move(command)); });
  co_return co_await reader.read();
}

base::Task<SensorReading> IpmiDriver::readSensors(Lane lane) {
  // ipmitool reads all records of the repository, whichever sensors it is asked for.
  const auto answer = co_await read(lane, {"-c", "sdr", "elist"});
  auto sensors = parseSensors(answer.text, answer.said);
  const auto raised = worstOf(sensors.parts);
  co_return SensorReading{std::move(sensors), raised, answer.asked, raisedBy(answer.text)};
}

base::Task<LogReading> IpmiDriver::readLogs(Lane lane, LogMarks marks) {
  const auto info = co_await read(lane, {"sel", "info"});
  LogTail tail{.log = "SEL", .mark = markOfSel(info.text), .entries = {}};
  if (tail.mark.empty()) throw Error(Error::Code::protocol, "sel info: ipmitool says nothing of entries");
  if (tail.mark != marks["SEL"]) {
    tail.entries = parseSel((co_await read(lane, {"-c", "sel", "elist", "last", std::to_string(mostLogEntries)})).text);
    // ipmitool ends well even where the BMC stopped answering in the middle (spec/bmc.md §15.4).
    const auto expected = std::min(entriesOfSel(info.text), mostLogEntries);
    if (tail.entries->size() < expected)
      throw Error(Error::Code::protocol,
                  fmt::format("sel elist: {} of {} entries were told", tail.entries->size(), expected));
  }
  co_return LogReading{.tails = {std::move(tail)}, .unread = {}, .asked = info.asked};
}

base::Task<void> IpmiDriver::checkOffers(Lane, PowerAction action) {
  if (verb(action).empty())
    throw Error(Error::Code::unsupported, action == PowerAction::acCycle
                                              ? "IPMI cannot take a host's input power away"
                                              : "IPMI cannot restart a host softly; power it off softly, then on");
  co_return;
}

base::Task<void> IpmiDriver::requestPower(Lane lane, PowerAction action, WritePermit permit) {
  use_->check();
  co_await checkOffers(lane, action);
  const auto word = verb(action);
  std::optional<Error> refusal;
  try {
    co_await bmc_->connection().send(lane, {"power", std::string(word)}, use_->untilEnd(std::move(permit)));
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported || provedBy(action) == Power::unknown) throw;
    refusal = error;
  }
  // Some refuse what is so already ("Command not supported in present state").
  if (refusal && (co_await readPower(lane)).power != provedBy(action)) throw *refusal;
}

// First that the setting outlasts 60 seconds, then the setting itself: `chassis bootdev` of ipmitool loses its duration
// on UEFI machines, and fails where a BMC lacks one of the parameters that it sets beside (spec/bmc.md §15.5).
base::Task<BootLasts> IpmiDriver::setBoot(Lane lane, BootSetting setting, WritePermit permit) {
  use_->check();
  permit = use_->untilEnd(std::move(permit));
  try {
    co_await bmc_->connection().send(lane, keepBootFlags(), permit);
  } catch (
      const Error& error) {  // a BMC that has no such parameter, or says so in a way that ipmitool has no words for
    const bool isDeclined = error.code() == Error::Code::unsupported || error.code() == Error::Code::refused ||
                            error.code() == Error::Code::outcomeUnknown;
    if (!isDeclined) throw;
  }
  co_await bmc_->connection().send(lane, bootFlags(setting), permit);
  co_return setting.persistent ? BootLasts::always : BootLasts::once;
}

}  // namespace ingot::bmc::ipmi
