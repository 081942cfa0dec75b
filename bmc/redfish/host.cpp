#include "bmc/redfish/host.hpp"

#include "bmc/model/transition.hpp"
#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/reset.hpp"
#include "bmc/redfish/system_choice.hpp"
#include "bmc/redfish/walker.hpp"
#include "bmc/vendor.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t maxSystems = 16;
constexpr base::Duration quirksKnownFor = std::chrono::hours(1);
constexpr base::Duration restAfterOff = std::chrono::seconds(10);

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

}  // namespace

bool isOnItsWay(const System& system) { return isTransitional(std::string_view(system.powerState.value_or(""))); }

Host::Host(base::Runtime runtime, std::shared_ptr<RedfishBmc> bmc, const Address& address)
    : runtime_(std::move(runtime)),
      bmc_(std::move(bmc)),
      use_(std::make_shared<BmcUse>(bmc_)),
      baseUrl_(address.baseUrl()),
      namedPath_(address.systemPath()),
      systemPath_(namedPath_) {}

base::Task<std::string> Host::path(Lane lane) {
  use_->check();
  if (systemPath_.empty()) systemPath_ = co_await findSystem(lane);
  co_return systemPath_;
}

base::Task<Read<System>> Host::system(Lane lane) {
  const auto there = co_await path(lane);
  try {
    auto read = co_await connection().read<System>(lane, there);
    noteOff(read.resource);
    co_return read;
  } catch (const Error& error) {
    if (error.code() == Error::Code::unsupported) systemPath_ = namedPath_;  // a new firmware may call it otherwise
    throw;
  }
}

// A manager that does not answer hides nothing of the machine, but whose BMC it is is not known for good then.
base::Task<Host::Kind> Host::kind(Lane lane, System system) {
  const auto root = co_await connection().root(lane);
  Manager manager;
  bool isWhole = true;
  try {
    if (const auto path = firstManager(system.links); !path.empty())
      manager = co_await connection().get<Manager>(lane, path);
  } catch (const Error& error) {
    isWhole = concernsOneResource(error) && error.code() != Error::Code::busy;
  }
  Product product{.vendor = vendorOf(root, textOf(system.manufacturer)),
                  .model = textOf(system.model),
                  .bmcModel = textOf(manager.model),
                  .bmcFirmware = textOf(manager.firmwareVersion)};
  if (isWhole || !quirks_) {
    quirks_ = Quirks(product);
    quirksUntil_ = runtime_.clock.now() + (isWhole ? quirksKnownFor : base::Duration{});
  }
  co_return Kind{std::move(product), *quirks_};
}

base::Task<Quirks> Host::quirks(Lane lane) {
  if (!quirks_ || runtime_.clock.now() >= quirksUntil_) {
    auto read = (co_await system(lane)).resource;
    co_return (co_await kind(lane, std::move(read))).quirks;
  }
  co_return *quirks_;
}

// It may have gone off by itself, or at an order of others, at any time since the reading before.
void Host::noteOff(const System& system) {
  const auto read = powerOf(system.powerState);
  const bool changes = isOnItsWay(system);
  if (read == Power::off && (changes || lastRead_ != Power::off)) restUntil_ = runtime_.clock.now() + restAfterOff;
  lastRead_ = changes ? Power::unknown : read;
}

base::Task<std::string> Host::findSystem(Lane lane) {
  const auto paths = co_await systemPaths(lane);
  if (paths.size() == 1 && !isBaseboard(paths.front())) co_return paths.front();
  std::vector<System> members;
  for (const auto& path : paths) {
    // A baseboard is never the host, and one that is off answers 503, so it is not read.
    // One that cannot be read might be the host: no other is taken in its place.
    auto member = isBaseboard(path) ? System{} : co_await connection().get<System>(lane, path);
    member.odataId = path;
    members.push_back(std::move(member));
  }
  co_return chooseSystem(members);
}

base::Task<std::vector<std::string>> Host::systemPaths(Lane lane) {
  const auto root = co_await connection().root(lane);
  if (!root.systems || !root.systems->id) throw Error(Error::Code::protocol, baseUrl_ + " links to no Systems");
  std::vector<std::string> paths;
  std::optional<std::string> page = root.systems->id;
  for (std::size_t pages = 0; page && pages < maxSystems; ++pages) {
    const auto collection = co_await connection().get<Collection>(lane, *page);
    for (const auto& link : collection.members)
      if (link.id) paths.push_back(*link.id);
    if (paths.size() > maxSystems)
      throw Error(Error::Code::ambiguousSystem,
                  fmt::format("{} lists more than {} systems; name one in the BMC address", baseUrl_, maxSystems));
    page = collection.nextLink;
  }
  co_return paths;
}

}  // namespace ingot::bmc::redfish
