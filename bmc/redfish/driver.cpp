#include "bmc/redfish/driver.hpp"

#include "bmc/model/transition.hpp"
#include "bmc/redfish/boot_setter.hpp"
#include "bmc/redfish/clean_up.hpp"
#include "bmc/redfish/drive_eraser.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/inventory_reader.hpp"
#include "bmc/redfish/media_drives.hpp"
#include "bmc/redfish/reset.hpp"
#include "bmc/redfish/sensors_reader.hpp"
#include "bmc/redfish/system_choice.hpp"
#include "bmc/vendor.hpp"

#include <fmt/ranges.h>

namespace ingot::bmc::redfish {

namespace {

// iDRAC10 answers On with 409 for up to a minute after a power-off (spec/bmc.md §6.4), others are busy for a while.
constexpr int retryLaterTries = 6;
constexpr base::Duration retryLaterPause = std::chrono::seconds(10);
constexpr std::size_t maxSystems = 16;
constexpr base::Duration quirksKnownFor = std::chrono::hours(1);
constexpr base::Duration restAfterOff = std::chrono::seconds(10);
constexpr base::Duration logsKnownFor = std::chrono::hours(6);
constexpr base::Duration logsLookedForAgain = std::chrono::minutes(30);  // where not all could be looked at
constexpr base::Duration logsMissedFor = std::chrono::minutes(5);

ConnectionOptions connectionOptions(const Target& target) {
  return {.baseUrl = target.address.baseUrl(),
          .login = target.login,
          .tls = {.verify = target.verifyCertificate,
                  .caFile = target.caPem.empty() ? target.caFile : "",
                  .caPem = target.caPem,
                  .pinnedKeys = target.pinnedKeys,
                  .legacyTls = target.legacyTls}};
}

bool isOnItsWay(const System& host) { return isTransitional(std::string_view(host.powerState.value_or(""))); }

// The root's Vendor, else what its Oem is called after, else the maker of the system. Lenovo has machines with AMI's
// BMC.
std::string vendorOf(const ServiceRoot& root, const std::string& manufacturer) {
  auto vendor = normalizeVendor(root.vendor.value_or(""));
  const bool mayBeAnothers = vendor.empty() || vendor == "lenovo";
  if (mayBeAnothers && root.oem)
    for (const auto& member : *root.oem) {
      const auto own = normalizeVendor(std::string_view(member.key()));
      if (vendor.empty() ? !own.empty() : own == "ami") vendor = own;
    }
  return vendor.empty() ? normalizeVendor(manufacturer) : vendor;
}

Health healthOf(const std::optional<Status>& status) {
  if (!status) return Health::unknown;
  const auto& word = status->healthRollup ? status->healthRollup : status->health;
  return word ? parseHealth(*word).value_or(Health::unknown) : Health::unknown;
}

std::string bootProgressOf(const System& host) {
  if (!host.bootProgress || powerOf(host.powerState) != Power::on) return {};
  const auto state = textOf(host.bootProgress->lastState);
  if (state == "OEM") return textOf(host.bootProgress->oemLastState);
  return state == "None" ? "" : state;
}

}  // namespace

RedfishBmc::RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
                       std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox)
    : Bmc(std::move(runtime), target, traffic),
      connection_(runtime_, transport, governor_, std::move(sessions), connectionOptions(target)),
      messages_(runtime_.clock, connection_),
      events_(runtime_, connection_, inbox, traffic->bmc()) {}

std::unique_ptr<Driver> RedfishBmc::host(const Address& address) {
  return std::make_unique<RedfishDriver>(runtime_, std::static_pointer_cast<RedfishBmc>(shared_from_this()), address);
}

base::Task<void> RedfishBmc::logOut() { return connection_.close(events_.takeSubscription()); }

RedfishDriver::RedfishDriver(base::Runtime runtime, std::shared_ptr<RedfishBmc> bmc, const Address& address)
    : runtime_(std::move(runtime)),
      bmc_(std::move(bmc)),
      use_(bmc_),
      baseUrl_(address.baseUrl()),
      namedPath_(address.systemPath()),
      systemPath_(namedPath_) {}

base::Task<Identity> RedfishDriver::identify(Lane lane) {
  const auto host = (co_await system(lane)).resource;
  const auto known = co_await product(lane, host);
  Identity identity{.vendor = known.vendor,
                    .manufacturer = textOf(host.manufacturer),
                    .model = known.model,
                    .serialNumber = textOf(host.serialNumber),
                    .systemUuid = textOf(host.uuid),
                    .bmcFirmware = known.bmcFirmware};
  if (quirks_->has(Quirk::skuIsSerial) && host.sku) identity.serialNumber = textOf(host.sku);
  co_await bmc_->connection().closeLeftSessions(lane);  // here nobody waits for it
  co_return identity;
}

// And the quirks that follow from it. A manager that does not answer hides nothing of the machine, but whose BMC it is
// is not known for good then.
base::Task<Product> RedfishDriver::product(Lane lane, System host) {
  const auto root = co_await bmc_->connection().root(lane);
  Manager manager;
  bool isWhole = true;
  try {
    if (const auto path = firstManager(host.links); !path.empty())
      manager = co_await bmc_->connection().get<Manager>(lane, path);
  } catch (const Error& error) {
    isWhole = concernsOneResource(error) && error.code() != Error::Code::busy;
  }
  Product product{.vendor = vendorOf(root, textOf(host.manufacturer)),
                  .model = textOf(host.model),
                  .bmcModel = textOf(manager.model),
                  .bmcFirmware = textOf(manager.firmwareVersion)};
  if (isWhole || !quirks_) {
    quirks_ = Quirks(product);
    quirksUntil_ = runtime_.clock.now() + (isWhole ? quirksKnownFor : base::Duration{});
  }
  co_return product;
}

base::Task<Quirks> RedfishDriver::quirks(Lane lane) {
  if (!quirks_ || runtime_.clock.now() >= quirksUntil_) {
    auto host = (co_await system(lane)).resource;
    co_await product(lane, std::move(host));
  }
  co_return *quirks_;
}

base::Task<PowerReading> RedfishDriver::readPower(Lane lane) {
  const auto read = co_await system(lane);
  const auto& host = read.resource;
  co_return PowerReading{.power = powerOf(host.powerState),
                         .raw = host.powerState.value_or(""),
                         .bootProgress = bootProgressOf(host),
                         .health = healthOf(host.status),
                         .asked = read.asked};
}

base::Task<HealthReading> RedfishDriver::readHealth(Lane lane) {
  const auto read = co_await system(lane);
  co_return HealthReading{healthOf(read.resource.status), read.asked};
}

base::Task<base::Duration> RedfishDriver::followEvents(Lane lane, OnEvent onEvent) {
  use_.check();
  co_return co_await bmc_->events().follow(lane, std::move(onEvent));
}

base::Task<Inventory> RedfishDriver::readInventory(Lane lane) {
  auto known = co_await quirks(lane);
  co_return co_await InventoryReader(bmc_->connection(), lane, std::move(known)).read(co_await pathOfSystem(lane));
}

base::Task<SensorReading> RedfishDriver::readSensors(Lane lane) {
  auto path = co_await pathOfSystem(lane);
  const auto asked = runtime_.clock.now();
  auto sensors = co_await SensorsReader(bmc_->connection(), lane, leaksNowhere_).read(std::move(path));
  const auto raised = worstOf(sensors.parts, "leak-detector");  // which are the chassis', not the system's
  co_return SensorReading{std::move(sensors), raised, asked};
}

base::Task<LogReading> RedfishDriver::readLogs(Lane lane, LogMarks marks) {
  auto path = co_await pathOfSystem(lane);
  LogReader reader(bmc_->connection(), lane);
  LogReading reading{.asked = runtime_.clock.now()};
  if (runtime_.clock.now() >= logsUntil_) {
    logs_ = co_await reader.find(std::move(path));
    logsUntil_ = runtime_.clock.now() + (reader.unread().empty() ? logsKnownFor : logsLookedForAgain);
  }
  for (const auto& place : std::vector(logs_)) {
    if (auto tail = co_await reader.read(place, marks[place.log]))
      reading.tails.push_back(std::move(*tail));
    else
      logsUntil_ = std::min(logsUntil_, reading.asked + logsMissedFor);  // a new firmware may keep it elsewhere
  }
  reading.unread = std::move(reader.unread());
  co_return reading;
}

base::Task<std::string> RedfishDriver::cleanUp(Lane lane, CleaningStep step, WritePermit permit) {
  CleanUp cleanUp(runtime_.clock, bmc_->connection(), lane, co_await pathOfSystem(lane),
                  use_.untilEnd(std::move(permit)));
  co_return co_await cleanUp.take(step);
}

base::Task<void> RedfishDriver::checkOffers(Lane lane, PowerAction action) {
  static_cast<void>(co_await resetWays(lane, co_await systemToSwitch(lane), action));
}

base::Task<std::vector<RedfishDriver::ResetWay>> RedfishDriver::resetWays(Lane lane, System host, PowerAction action) {
  if (!host.actions || !host.actions->reset || !host.actions->reset->target)
    throw Error(Error::Code::unsupported, baseUrl_ + systemPath_ + " has no reset action");
  const auto reset = *host.actions->reset;
  const auto allowed = co_await allowedResets(lane, reset);
  std::vector<ResetWay> ways;
  const auto now = isOnItsWay(host) ? Power::unknown : powerOf(host.powerState);  // then no button is pressed
  for (auto& type : resetTypes(action, now, allowed)) ways.push_back({*reset.target, type});
  // A system that hangs heeds no GracefulRestart, so that is no other way to do what ForceRestart does.
  if (std::ranges::find(ways, "ForceRestart", &ResetWay::type) != ways.end() &&
      (co_await quirks(lane)).has(Quirk::forceRestartHangs))
    std::erase_if(ways, [](const ResetWay& way) { return way.type != "PowerCycle"; });
  if (action == PowerAction::acCycle)
    if (const auto own = vendorAcCycle((co_await product(lane, std::move(host))).vendor))
      ways.push_back({std::string(withoutSlash(systemPath_)) + std::string(own->path), std::string(own->resetType)});
  if (ways.empty())
    throw Error(Error::Code::unsupported, fmt::format("{}{} knows no way to do {}; it allows {}", baseUrl_, systemPath_,
                                                      toText(action), fmt::join(allowed, ", ")));
  co_return ways;
}

base::Task<void> RedfishDriver::requestPower(Lane lane, PowerAction action, WritePermit permit) {
  auto host = co_await systemToSwitch(lane);
  if (co_await hasRested(lane, action)) host = co_await systemToSwitch(lane);
  const auto ways = co_await resetWays(lane, std::move(host), action);
  permit = use_.untilEnd(std::move(permit));
  const auto wanted = provedBy(action);
  for (const auto& way : ways) {
    if (!co_await tryReset(lane, way, wanted, permit)) continue;
    lastRead_ = Power::unknown;  // what it does from now on
    co_return;
  }
  throw Error(Error::Code::unsupported,
              fmt::format("{}{} took none of what it might know for {}", baseUrl_, systemPath_, toText(action)));
}

// It may have gone off by itself, or at an order of others, at any time since the reading before.
void RedfishDriver::noteOff(const System& host) {
  const auto read = powerOf(host.powerState);
  const bool changes = isOnItsWay(host);
  if (read == Power::off && (changes || lastRead_ != Power::off)) restUntil_ = runtime_.clock.now() + restAfterOff;
  lastRead_ = changes ? Power::unknown : read;
}

// A machine that cannot bear to be switched on at once has its rest before. True: time has passed.
base::Task<bool> RedfishDriver::hasRested(Lane lane, PowerAction action) {
  const auto until = restUntil_;
  if (action != PowerAction::on || runtime_.clock.now() >= until) co_return false;
  if (!(co_await quirks(lane)).has(Quirk::restsAfterOff)) co_return false;
  co_await runtime_.clock.sleepUntil(until);
  co_return true;
}

base::Task<BootLasts> RedfishDriver::setBoot(Lane lane, BootSetting setting, WritePermit permit) {
  auto known = co_await quirks(lane);
  BootSetter setter(runtime_.clock, bmc_->connection(), lane, co_await pathOfSystem(lane), std::move(known));
  co_return co_await setter.set(setting, use_.untilEnd(std::move(permit)));
}

base::Task<void> RedfishDriver::insertMedia(Lane lane, std::string image, WritePermit permit) {
  auto drives = co_await mediaDrives(lane);
  co_await drives.insert(std::move(image), use_.untilEnd(std::move(permit)));
}

base::Task<void> RedfishDriver::ejectMedia(Lane lane, WritePermit permit) {
  auto drives = co_await mediaDrives(lane);
  co_await drives.eject(use_.untilEnd(std::move(permit)));
}

base::Task<std::string> RedfishDriver::insertedMedia(Lane lane) {
  auto drives = co_await mediaDrives(lane);
  co_return co_await drives.inserted();
}

base::Task<MediaDrives> RedfishDriver::mediaDrives(Lane lane) {
  auto known = co_await quirks(lane);
  co_return MediaDrives(runtime_.clock, bmc_->connection(), lane, co_await pathOfSystem(lane), std::move(known));
}

base::Task<std::vector<ErasableDrive>> RedfishDriver::readDrives(Lane lane) {
  auto path = co_await pathOfSystem(lane);
  DriveEraser eraser(bmc_->connection(), lane);
  co_return co_await eraser.drives(std::move(path));
}

base::Task<std::optional<ErasableDrive>> RedfishDriver::readDrive(Lane lane, std::string path) {
  use_.check();
  DriveEraser eraser(bmc_->connection(), lane);
  co_return co_await eraser.drive(std::move(path));
}

base::Task<std::string> RedfishDriver::eraseDrive(Lane lane, ErasableDrive drive, EraseMethod method,
                                                  WritePermit permit) {
  use_.check();
  DriveEraser eraser(bmc_->connection(), lane);
  co_return co_await eraser.erase(std::move(drive), method, use_.untilEnd(std::move(permit)));
}

base::Task<ErasureProgress> RedfishDriver::lookAtErasure(Lane lane, std::string task) {
  use_.check();
  DriveEraser eraser(bmc_->connection(), lane);
  co_return co_await eraser.look(std::move(task));
}

// That the system is not there says nothing of what it can do.
base::Task<System> RedfishDriver::systemToSwitch(Lane lane) {
  try {
    co_return (co_await system(lane)).resource;
  } catch (const Error& error) {
    if (error.code() != Error::Code::unsupported) throw;
    throw Error(Error::Code::protocol, error.what());
  }
}

base::Task<void> RedfishDriver::close() { return use_.end(); }

base::Task<std::string> RedfishDriver::pathOfSystem(Lane lane) {
  use_.check();
  if (systemPath_.empty()) systemPath_ = co_await findSystem(lane);
  co_return systemPath_;
}

base::Task<Read<System>> RedfishDriver::system(Lane lane) {
  const auto path = co_await pathOfSystem(lane);
  try {
    auto read = co_await bmc_->connection().read<System>(lane, path);
    noteOff(read.resource);
    co_return read;
  } catch (const Error& error) {
    if (error.code() == Error::Code::unsupported) systemPath_ = namedPath_;  // a new firmware may call it otherwise
    throw;
  }
}

base::Task<std::string> RedfishDriver::findSystem(Lane lane) {
  const auto paths = co_await systemPaths(lane);
  if (paths.size() == 1 && !isBaseboard(paths.front())) co_return paths.front();
  std::vector<System> members;
  for (const auto& path : paths) {
    // A baseboard is never the host, and one that is off answers 503, so it is not read.
    // One that cannot be read might be the host: no other is taken in its place.
    auto member = isBaseboard(path) ? System{} : co_await bmc_->connection().get<System>(lane, path);
    member.odataId = path;
    members.push_back(std::move(member));
  }
  co_return chooseSystem(members);
}

base::Task<std::vector<std::string>> RedfishDriver::systemPaths(Lane lane) {
  const auto root = co_await bmc_->connection().root(lane);
  if (!root.systems || !root.systems->id) throw Error(Error::Code::protocol, baseUrl_ + " links to no Systems");
  std::vector<std::string> paths;
  std::optional<std::string> page = root.systems->id;
  for (std::size_t pages = 0; page && pages < maxSystems; ++pages) {
    const auto collection = co_await bmc_->connection().get<Collection>(lane, *page);
    for (const auto& link : collection.members)
      if (link.id) paths.push_back(*link.id);
    if (paths.size() > maxSystems)
      throw Error(Error::Code::ambiguousSystem,
                  fmt::format("{} lists more than {} systems; name one in the BMC address", baseUrl_, maxSystems));
    page = collection.nextLink;
  }
  co_return paths;
}

base::Task<std::vector<std::string>> RedfishDriver::allowedResets(Lane lane, ResetAction action) {
  if (action.allowableValues) co_return *action.allowableValues;
  if (!action.actionInfo) co_return std::vector<std::string>{};
  try {
    const auto info = co_await bmc_->connection().get<ActionInfo>(lane, *action.actionInfo);
    for (const auto& parameter : info.parameters)
      if (parameter.name == "ResetType") co_return parameter.allowableValues;
  } catch (const Error& error) {
    if (!concernsOneResource(error)) throw;  // what it allows is not known, so anything may be tried
  }
  co_return std::vector<std::string>{};
}

base::Task<bool> RedfishDriver::tryReset(Lane lane, ResetWay way, Power wanted, WritePermit permit) {
  const std::string body = fmt::format(R"({{"ResetType":"{}"}})", way.type);
  for (int attempt = 0;; ++attempt) {
    use_.check();  // a pause ago
    const auto refused = (co_await bmc_->connection().post(lane, way.target, body, permit)).refused;
    if (!refused) co_return true;
    const auto meaning = judge(refused->status, refused->body, wanted);
    if (meaning == RefusalMeaning::unsupported) co_return false;
    if (meaning == RefusalMeaning::alreadyThere || co_await isInWantedState(lane, refused->status, wanted))
      co_return true;
    if (meaning == RefusalMeaning::retryLater && attempt < retryLaterTries) {
      co_await runtime_.clock.sleepFor(retryLaterPause);
      continue;
    }
    const auto code = mayHaveActed(refused->status, way.type) ? Error::Code::outcomeUnknown
                      : refused->status >= 500                ? Error::Code::busy
                                                              : Error::Code::refused;
    throw Error(code, fmt::format("{}{} refused {}: HTTP {}: {}", baseUrl_, way.target, way.type, refused->status,
                                  co_await bmc_->messages().textOf(lane, refused->body)));
  }
}

// True when the BMC refused a change to a state that the host has reached meanwhile (spec/bmc.md §6.4).
base::Task<bool> RedfishDriver::isInWantedState(Lane lane, int status, Power wanted) {
  if (wanted == Power::unknown || (status != 400 && status != 409)) co_return false;
  try {
    co_return powerOf((co_await system(lane)).resource.powerState) == wanted;
  } catch (const Error& error) {  // it settles, and refuses readings, too
    runtime_.log.debug("the power was not read after a refusal", {{"bmc", baseUrl_}, {"error", error.what()}});
    co_return false;
  }
}

}  // namespace ingot::bmc::redfish
