#include "coordinator/host/ironic/factory.hpp"

#include "coordinator/host/ironic/instance.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/host/ironic/provisioner.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

constexpr base::Duration sweepSlack = std::chrono::seconds(5);

}  // namespace

IronicFactory::IronicFactory(base::Runtime runtime, net::HttpTransport& transport, ironic::Settings connection,
                             Settings settings, Gate* gate, ironic::Pace pace)
    : connection_(runtime, transport, std::move(connection)),
      cache_([this](const std::string& uuid) { listeners_.tell(NodeChanged{uuid}); }),
      sweep_(runtime, connection_, cache_, pace),
      // A calm sweep confirms every record: between two of them nothing needs to be read again.
      shared_{.runtime = runtime.named("ironic"),
              .settings = std::move(settings),
              .connection = connection_,
              .cache = cache_,
              .sweep = sweep_,
              .gate = gate,
              .nodeMaxAge = pace.calm + sweepSlack} {
  connection_.onReturn([this] { listeners_.tell(BackendReturned{}); });
}

void IronicFactory::showAt(base::Metrics& page) {
  auto& up = page.gauge("ingot_ironic_up", "1 when Ironic was ready as it was last asked, which it is all the time");
  connection_.onAnswer([&up](bool isReady) { up.set(isReady ? 1 : 0); });
}

base::Task<std::shared_ptr<ironic::Client>> IronicFactory::client() {
  try {
    co_return co_await connection_.ready();
  } catch (const ironic::Error& error) {
    throw ProvisionerError(ProvisionerError::Code::notReady, fmt::format("Ironic is not ready: {}", error.what()));
  }
}

base::Task<std::unique_ptr<Provisioner>> IronicFactory::open(HostData host, Publish publish) {
  std::shared_ptr<ironic::Client> ready = co_await client();
  co_return std::make_unique<IronicProvisioner>(
      Session(shared_, std::move(ready), std::move(host), std::move(publish)));
}

base::Task<void> IronicFactory::lookNow() {
  try {
    co_await sweep_.once();
  } catch (const ironic::Error& error) {
    throw ProvisionerError(ProvisionerError::Code::notReady, fmt::format("Ironic is not ready: {}", error.what()));
  }
}

base::Task<void> IronicFactory::refresh(std::string uuid) {
  Session session(shared_, co_await client(), {.provisionerId = std::move(uuid)}, [](std::string, std::string) {});
  static_cast<void>(co_await session.nodeNow());
}

base::Task<bool> IronicFactory::setsBootDevice(HostData host) {
  Session session(shared_, co_await client(), std::move(host), [](std::string, std::string) {});
  const NodePtr node = co_await session.node();
  co_return !node->internalInfo.redfishBootDevice.empty() &&
      !ironic_backend::isBootedByAgent(*node);  // else an agent does
}

base::Task<bool> IronicFactory::isBootedByAgent(HostData host, std::string image) {
  Session session(shared_, co_await client(), std::move(host), [](std::string, std::string) {});
  const NodePtr node = co_await session.node();
  co_return ironic_backend::isBootedByAgent(*node) && readsAs(json::textAt(node->instanceInfo, {"boot_iso"}), image);
}

base::Task<bool> IronicFactory::recordPower(HostData host, bool on, std::function<bool()> proved) {
  const std::string name = nodeName(host.namespace_, host.name);
  Session session(shared_, co_await client(), std::move(host), [](std::string, std::string) {});
  const NodePtr node = co_await session.node();
  if (node->name != name) co_return false;  // the host's registration proves it, and names it
  if (node->poweredOn() == on && node->targetPowerState.empty()) co_return true;
  if (ironicOwns(*node) || !proved()) co_return false;
  static_cast<void>(co_await session.followPower(node, on ? ironic::PowerTarget::on : ironic::PowerTarget::off));
  co_return false;
}

}  // namespace ingot::coordinator::host::ironic_backend
