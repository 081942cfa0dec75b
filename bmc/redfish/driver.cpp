#include "bmc/redfish/driver.hpp"

#include "bmc/redfish/inventory_reader.hpp"
#include "bmc/redfish/reset.hpp"
#include "bmc/redfish/system_choice.hpp"
#include "bmc/vendor.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc::redfish {

namespace {

// iDRAC10 answers On with 409 for up to a minute after a power-off (spec/bmc.md §6.4), others are busy for a while.
constexpr int retryLaterTries = 6;
constexpr base::Duration retryLaterPause = std::chrono::seconds(10);
constexpr std::size_t maxSystems = 16;

ConnectionOptions connectionOptions(Target target) {
  return {.baseUrl = target.address.baseUrl(),
          .login = std::move(target.login),
          .verifyCertificate = target.verifyCertificate,
          .caFile = std::move(target.caFile)};
}

Health healthOf(const std::optional<Status>& status) {
  if (!status) return Health::unknown;
  const auto& word = status->healthRollup ? status->healthRollup : status->health;
  return word ? parseHealth(*word).value_or(Health::unknown) : Health::unknown;
}

}  // namespace

RedfishDriver::RedfishDriver(base::Runtime runtime, net::HttpTransport& transport, Target target)
    : runtime_(runtime),
      baseUrl_(target.address.baseUrl()),
      systemPath_(target.address.systemPath()),
      connection_(runtime, transport, connectionOptions(std::move(target))),
      messages_(runtime_.clock, connection_) {}

base::Task<Identity> RedfishDriver::identify() {
  const auto root = co_await connection_.root();
  const auto host = co_await system();
  Identity identity{.manufacturer = host.manufacturer.value_or(""),
                    .model = host.model.value_or(""),
                    .serialNumber = host.serialNumber.value_or(""),
                    .systemUuid = host.uuid.value_or("")};
  identity.vendor = normalizeVendor(root.vendor.value_or(identity.manufacturer));
  if (identity.vendor == "dell" && host.sku) identity.serialNumber = *host.sku;  // the service tag

  if (host.links) {
    const auto& managers = host.links->managedBy.empty() ? host.links->managers : host.links->managedBy;
    if (!managers.empty() && managers.front().id) identity.bmcFirmware = co_await firmwareOf(*managers.front().id);
  }
  co_return identity;
}

// A manager that does not answer hides nothing of the machine.
base::Task<std::string> RedfishDriver::firmwareOf(std::string managerPath) {
  try {
    co_return (co_await connection_.get<Manager>(std::move(managerPath))).firmwareVersion.value_or("");
  } catch (const Error&) {
    co_return "";
  }
}

base::Task<PowerReading> RedfishDriver::readPower() {
  const auto host = co_await system();
  co_return PowerReading{powerOf(host.powerState), host.powerState.value_or(""), healthOf(host.status)};
}

base::Task<Health> RedfishDriver::readHealth() { co_return healthOf((co_await system()).status); }

base::Task<Inventory> RedfishDriver::readInventory(InTurn inTurn) {
  const Exchange find = [this]() -> base::Task<void> { systemPath_ = co_await findSystem(); };
  if (systemPath_.empty()) co_await inTurn(find);
  co_return co_await InventoryReader(connection_, std::move(inTurn)).read(systemPath_);
}

base::Task<void> RedfishDriver::requestPower(PowerAction action, WritePermit permit) {
  const auto host = co_await system();
  if (!host.actions || !host.actions->reset || !host.actions->reset->target)
    throw Error(Error::Code::unsupported, baseUrl_ + systemPath_ + " has no reset action");
  const auto allowed = co_await allowedResets(*host.actions->reset);
  const auto current = powerOf(host.powerState);

  const auto types = resetTypes(action, current, allowed);
  const auto wanted = provedBy(action);
  for (const auto& type : types)
    if (co_await tryReset(*host.actions->reset->target, type, wanted, permit)) co_return;
  throw Error(Error::Code::unsupported, fmt::format("{}{} knows no way to do {}; it allows {}", baseUrl_, systemPath_,
                                                    toText(action), fmt::join(allowed, ", ")));
}

base::Task<void> RedfishDriver::close() { co_await connection_.close(); }

base::Task<System> RedfishDriver::system() {
  if (systemPath_.empty()) systemPath_ = co_await findSystem();
  co_return co_await connection_.get<System>(systemPath_);
}

base::Task<std::string> RedfishDriver::findSystem() {
  const auto paths = co_await systemPaths();
  if (paths.size() == 1) co_return paths.front();
  std::vector<System> members;
  for (const auto& path : paths) {
    // A baseboard is never the host, and one that is off answers 503, so it is not read.
    auto member = isBaseboard(path) ? System{} : co_await connection_.get<System>(path);
    member.odataId = path;
    members.push_back(std::move(member));
  }
  co_return chooseSystem(members);
}

base::Task<std::vector<std::string>> RedfishDriver::systemPaths() {
  const auto root = co_await connection_.root();
  if (!root.systems || !root.systems->id) throw Error(Error::Code::protocol, baseUrl_ + " links to no Systems");
  std::vector<std::string> paths;
  std::optional<std::string> page = root.systems->id;
  for (std::size_t pages = 0; page && pages < maxSystems; ++pages) {
    const auto collection = co_await connection_.get<Collection>(*page);
    for (const auto& link : collection.members)
      if (link.id) paths.push_back(*link.id);
    if (paths.size() > maxSystems)
      throw Error(Error::Code::ambiguousSystem,
                  fmt::format("{} lists more than {} systems; name one in the BMC address", baseUrl_, maxSystems));
    page = collection.nextLink;
  }
  co_return paths;
}

base::Task<std::vector<std::string>> RedfishDriver::allowedResets(ResetAction action) {
  if (action.allowableValues) co_return *action.allowableValues;
  if (!action.actionInfo) co_return std::vector<std::string>{};
  const auto info = co_await connection_.get<ActionInfo>(*action.actionInfo);
  for (const auto& parameter : info.parameters)
    if (parameter.name == "ResetType") co_return parameter.allowableValues;
  co_return std::vector<std::string>{};
}

base::Task<bool> RedfishDriver::tryReset(std::string target, std::string resetType, Power wanted, WritePermit permit) {
  const std::string body = fmt::format(R"({{"ResetType":"{}"}})", resetType);
  for (int attempt = 0;; ++attempt) {
    const auto refused = co_await connection_.post(target, body, permit);
    if (!refused) co_return true;
    const auto meaning = judge(refused->status, refused->body, wanted);
    if (meaning == RefusalMeaning::unsupported) co_return false;
    if (meaning == RefusalMeaning::alreadyThere || co_await isInWantedState(refused->status, wanted)) co_return true;
    if (meaning == RefusalMeaning::retryLater && attempt < retryLaterTries) {
      co_await runtime_.clock.sleepFor(retryLaterPause);
      continue;
    }
    const auto code = mayHaveActed(refused->status, resetType) ? Error::Code::outcomeUnknown
                      : refused->status >= 500                 ? Error::Code::busy
                                                               : Error::Code::refused;
    throw Error(code, fmt::format("{}{} refused {}: HTTP {}: {}", baseUrl_, target, resetType, refused->status,
                                  co_await messages_.textOf(refused->body)));
  }
}

// True when the BMC refused a change to a state that the host has reached meanwhile (spec/bmc.md §6.4).
base::Task<bool> RedfishDriver::isInWantedState(int status, Power wanted) {
  if (wanted == Power::unknown || (status != 400 && status != 409)) co_return false;
  co_return powerOf((co_await system()).powerState) == wanted;
}

}  // namespace ingot::bmc::redfish
