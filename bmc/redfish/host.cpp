#include "bmc/redfish/host.hpp"

#include "bmc/model/transition.hpp"
#include "bmc/redfish/reset.hpp"
#include "bmc/redfish/system_choice.hpp"

namespace ingot::bmc::redfish {

namespace {

constexpr base::Duration restAfterOff = std::chrono::seconds(10);

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

base::Task<RedfishBmc::Kind> Host::kind(Lane lane, System system) {
  return bmc_->kind(lane, systemPath_, std::move(system));
}

base::Task<Quirks> Host::quirks(Lane lane) {
  if (auto known = bmc_->knownQuirks(systemPath_)) co_return std::move(*known);
  auto read = (co_await system(lane)).resource;
  co_return (co_await kind(lane, std::move(read))).quirks;
}

// It may have gone off by itself, or at an order of others, at any time since the reading before.
void Host::noteOff(const System& system) {
  const auto read = powerOf(system.powerState);
  const bool changes = isOnItsWay(system);
  if (read == Power::off && (changes || lastRead_ != Power::off)) restUntil_ = runtime_.clock.now() + restAfterOff;
  lastRead_ = changes ? Power::unknown : read;
}

base::Task<std::string> Host::findSystem(Lane lane) {
  const auto paths = co_await bmc_->systems(lane);
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

}  // namespace ingot::bmc::redfish
