#include "coordinator/host/ironic/operations.hpp"
#include "coordinator/host/ironic/ownership.hpp"

#include "coordinator/host/ironic/record.hpp"

namespace ingot::coordinator::host::ironic_backend {

namespace {

using ironic::State;

// The sweep is as good as a list of our own, unless it has not looked yet or cannot.
base::Task<void> refresh(Session& session) {
  Shared& shared = session.shared();
  const auto swept = shared.cache.sweptAt();
  if (swept && *swept >= shared.runtime.clock.now() - shared.nodeMaxAge) co_return;
  const auto ticket = shared.cache.ask();
  auto nodes = co_await session.ask("failed to list nodes: ",
                                    session.client().listNodes(ironic::sweptFields(session.features().health())));
  if (nodes) shared.cache.learnAll(std::move(*nodes), ticket, shared.runtime.clock.now());
}

// An address that nobody can read boots nothing; registration says what is wrong with it.
bool bootsOverNetwork(const std::string& bmcAddress) {
  try {
    return !bmc::parseAddress(bmcAddress).traits().isoBoot;
  } catch (const bmc::AddressError&) {
    return false;
  }
}

std::set<std::string> nodesAtWork(const ironic::NodeCache& cache) {
  std::set<std::string> names;
  for (const ironic::SeenNode& seen : cache.all())
    if (loadsNetwork(*seen.node)) names.insert(seen.node->name);
  return names;
}

}  // namespace

bool loadsNetwork(const ironic::Node& node) {
  if (node.bootInterface.find("virtual-media") != std::string::npos) return false;
  switch (node.state()) {
    case State::cleaning:
    case State::cleanWait:
    case State::inspecting:
    case State::inspectWait:
    case State::deploying:
    case State::deployWait:
    case State::deleting: return true;
    default: return false;
  }
}

base::Task<bool> acquireSlot(Session& session) {
  const HostData& host = session.host();
  if (!bootsOverNetwork(host.bmcAddress)) co_return true;
  if (const NodePtr seen = session.glance(); seen && isMarkedLent(*seen)) co_return true;  // its disks are erased
  co_await refresh(session);
  Shared& shared = session.shared();
  const std::string name = nodeName(host.namespace_, host.name);
  const auto now = shared.runtime.clock.now();
  std::set<std::string> busy = nodesAtWork(shared.cache);
  for (const std::string& atWork : busy) shared.claims.release(atWork);  // its claim has done its work
  busy.merge(shared.claims.live(now));
  if (busy.contains(name)) co_return true;
  if (static_cast<int>(busy.size()) >= shared.settings.provisioningLimit) co_return false;
  shared.claims.claim(name, now);
  co_return true;
}

}  // namespace ingot::coordinator::host::ironic_backend
