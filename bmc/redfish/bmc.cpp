#include "bmc/redfish/bmc.hpp"

#include "bmc/redfish/hardware_facts.hpp"
#include "bmc/redfish/system_choice.hpp"
#include "bmc/redfish/walker.hpp"
#include "bmc/vendor.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr std::size_t maxSystems = 16;
constexpr base::Duration quirksKnownFor = std::chrono::hours(1);  // a new firmware may have others
constexpr base::Duration justAsked = std::chrono::minutes(1);
constexpr std::size_t mostKept = 1024;  // a BMC that calls them otherwise each time is no reason to keep more

ConnectionOptions connectionOptions(const Target& target) {
  return {.baseUrl = target.address.baseUrl(),
          .login = target.login,
          .tls = {.verify = target.verifyCertificate,
                  .caFile = target.caPem.empty() ? target.caFile : "",
                  .caPem = target.caPem,
                  .pinnedKeys = target.pinnedKeys,
                  .legacyTls = target.legacyTls}};
}

// The root's Vendor, else what its Oem is called after, else the maker of the system. Lenovo has machines with AMI's
// BMC.
std::string vendorOf(const ServiceRoot& root, const std::string& manufacturer) {
  auto vendor = normalizeVendor(root.vendor.value_or(""));
  const bool mayBeAnothers = vendor.empty() || vendor == "lenovo";
  if (mayBeAnothers && root.oem)
    for (const auto& name : root.oem->names) {
      const auto own = normalizeVendor(name);
      if (vendor.empty() ? !own.empty() : own == "ami") vendor = own;
    }
  return vendor.empty() ? normalizeVendor(manufacturer) : vendor;
}

template <class Kept>
Kept& roomIn(std::map<std::string, Kept>& all, const std::string& path) {
  if (all.size() >= mostKept && !all.contains(path)) all.clear();
  return all[path];
}

}  // namespace

RedfishBmc::RedfishBmc(base::Runtime runtime, net::HttpTransport& transport, const Target& target,
                       std::shared_ptr<Traffic> traffic, std::shared_ptr<OpenSessions> sessions, EventInbox* inbox)
    : Bmc(std::move(runtime), target, traffic),
      baseUrl_(target.address.baseUrl()),
      connection_(runtime_, transport, governor_, std::move(sessions), connectionOptions(target)),
      events_(runtime_, connection_, inbox, traffic->bmc()) {}

base::Task<void> RedfishBmc::logOut() { return connection_.close(events_.takeSubscription()); }

base::Task<std::vector<std::string>> RedfishBmc::systems(Lane lane) {
  const auto root = co_await connection_.root(lane);
  if (!root.systems || !root.systems->id) throw Error(Error::Code::protocol, baseUrl_ + " links to no Systems");
  std::vector<std::string> paths;
  std::optional<std::string> page = root.systems->id;
  for (std::size_t pages = 0; page && pages < maxSystems; ++pages) {
    const auto collection = co_await connection_.get<Collection>(lane, *page);
    for (const auto& link : collection.members)
      if (link.id) connection_.checkTarget(*link.id), paths.push_back(*link.id);
    if (paths.size() > maxSystems)
      throw Error(Error::Code::ambiguousSystem,
                  fmt::format("{} lists more than {} systems; name one in the BMC address", baseUrl_, maxSystems));
    page = collection.nextLink;
  }
  co_return paths;
}

// A manager that does not answer hides nothing of the machine, but whose BMC it is is not known for good then.
base::Task<RedfishBmc::Kind> RedfishBmc::kind(Lane lane, std::string systemPath, System system) {
  const auto root = co_await connection_.root(lane);
  Manager found;
  bool isWhole = true;
  try {
    if (const auto path = firstManager(system.links); !path.empty()) found = co_await manager(lane, path);
  } catch (const Error& error) {
    isWhole = error.code() == Error::Code::unsupported || error.code() == Error::Code::refused;  // else it may pass
  }
  Product product{.vendor = vendorOf(root, textOf(system.manufacturer)),
                  .model = textOf(system.model),
                  .bmcModel = textOf(found.model),
                  .bmcFirmware = textOf(found.firmwareVersion)};
  const bool isFirst = !quirks_.contains(systemPath);
  auto& known = roomIn(quirks_, systemPath);
  if (isWhole || isFirst)
    known = {Quirks(product), runtime_.clock.now() + (isWhole ? quirksKnownFor : base::Duration{})};
  co_return Kind{std::move(product), known.quirks};
}

std::optional<Quirks> RedfishBmc::knownQuirks(const std::string& systemPath) const {
  const auto known = quirks_.find(systemPath);
  if (known == quirks_.end() || runtime_.clock.now() >= known->second.until) return std::nullopt;
  return known->second.quirks;
}

base::Task<Manager> RedfishBmc::manager(Lane lane, std::string path) {
  connection_.checkTarget(path);
  auto& room = roomIn(managers_, path);
  if (!room) room = std::make_shared<KeptReading<Manager>>(runtime_);
  const auto kept = room;  // it may be let go of meanwhile
  co_return co_await kept->get(lane, justAsked, [this, lane, path] { return readManager(lane, path); });
}

base::Task<Manager> RedfishBmc::readManager(Lane lane, std::string path) {
  auto read = co_await connection_.read<Manager>(lane, std::move(path));
  noteClock(textOf(read.resource.dateTime), read.asked);
  co_return std::move(read.resource);
}

void RedfishBmc::noteClock(const std::string& told, base::MonoTime asked) {
  const auto theirs = base::parseTime(told);
  if (!theirs) return;
  const auto ours = runtime_.clock.wall() - (runtime_.clock.now() - asked);
  clockAhead_ = std::chrono::floor<std::chrono::seconds>(*theirs) - std::chrono::floor<std::chrono::seconds>(ours);
}

}  // namespace ingot::bmc::redfish
