#include "coordinator/host/ironic/session.hpp"

#include "base/redaction.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

#include <cassert>

namespace ingot::coordinator::host::ironic_backend {

namespace {

constexpr std::chrono::seconds softPowerOffTimeout{180};

base::Duration lengthOf(Pause pause) {
  switch (pause) {
    case Pause::none: return {};
    case Pause::brief: return std::chrono::seconds(3);
    case Pause::extended: return std::chrono::seconds(10);
  }
  return {};
}

ProvisionerError transient(const std::string& text) { return {ProvisionerError::Code::transient, text}; }

}  // namespace

Session::Session(Shared& shared, std::shared_ptr<ironic::Client> client, HostData host, Publish publish)
    : shared_(shared), client_(std::move(client)), host_(std::move(host)), publish_(std::move(publish)) {}

Result Session::wait(Pause pause) {
  const base::Duration base = lengthOf(pause);
  const double extra = static_cast<double>(base.count()) / 4 * shared_.runtime.random.unit();
  return Result::continuing(base + base::Duration(static_cast<std::int64_t>(extra)));
}

base::Task<Sent> Session::carryOut(Plan plan, NodePtr node) {
  switch (plan.kind) {
    case Plan::Kind::complete: co_return Sent{};
    case Plan::Kind::wait: co_return Sent{wait(plan.pause)};
    case Plan::Kind::fail: co_return Sent{Result::failed(std::move(plan.text))};
    case Plan::Kind::giveUp: throw transient(plan.text);
    case Plan::Kind::verb: co_return co_await changeState(node, {.verb = plan.verb});
    case Plan::Kind::setMaintenance: co_return Sent{co_await setMaintenance(node, std::move(plan.text))};
    case Plan::Kind::clearMaintenance: co_return Sent{co_await clearMaintenance(node)};
    case Plan::Kind::configure:
    case Plan::Kind::startInspection:
    case Plan::Kind::readInventory:
    case Plan::Kind::deploy:
    case Plan::Kind::reportDeployed:
    case Plan::Kind::tearDown:
    case Plan::Kind::restartTearDown:
    case Plan::Kind::reportTornDown:
    case Plan::Kind::release:
    case Plan::Kind::deleteNode: break;
  }
  assert(!"a plan of one operation reached another");
  throw transient("internal error: unexpected plan");
}

base::Task<NodePtr> Session::node() {
  const base::MonoTime oldest = shared_.runtime.clock.now() - shared_.nodeMaxAge;
  if (NodePtr known = shared_.cache.find(host_.provisionerId, oldest)) co_return known;
  co_return co_await nodeNow();
}

base::Task<NodePtr> Session::nodeNow() {
  const std::string id = host_.provisionerId;
  if (id.empty()) throw ProvisionerError(ProvisionerError::Code::needsRegistration, "host not registered");
  const auto ticket = shared_.cache.ask();
  auto found = co_await ask(fmt::format("failed to find node by ID {}: ", id), client_->findNode(id));
  if (!found) throw transient(fmt::format("failed to find node by ID {}: busy", id));
  if (!*found) {
    shared_.cache.gone(id);
    throw ProvisionerError(ProvisionerError::Code::needsRegistration, "host not registered");
  }
  auto node = std::make_shared<const ironic::Node>(**found);
  shared_.cache.learn(std::move(**found), ticket, shared_.runtime.clock.now());
  co_return node;
}

NodePtr Session::glance() const {
  const auto seen = shared_.cache.look(host_.provisionerId);
  const bool recent = seen && seen->observedAt >= shared_.runtime.clock.now() - shared_.nodeMaxAge;
  return recent ? seen->node : nullptr;
}

void Session::failed(const std::string& context, const ironic::Error& error) {
  if (error.busy()) {
    shared_.runtime.log.debug("Ironic is busy", {{"host", nodeName(host_.namespace_, host_.name)},
                                                 {"what", base::redacted(error.what(), host_.credentials.password)}});
    return;
  }
  const auto code = error.code();
  if (code == ironic::Error::Code::unavailable || code == ironic::Error::Code::notAcceptable)
    shared_.connection.doubt();
  throw transient(context + error.what());
}

void Session::sent(const std::string& uuid) {
  shared_.cache.forget(uuid);
  shared_.sweep.hurry();
}

base::Task<bool> Session::gateOpen() {
  if (!shared_.gate) co_return true;
  co_return co_await shared_.gate->mayAct(host_.namespace_, host_.name, host_.uid);
}

namespace {

// Tells the gate when the request that it let through is over, however it ends.
class Passage {
 public:
  Passage(Gate* gate, std::string uid) : gate_(gate), uid_(std::move(uid)) {}
  ~Passage() {
    if (gate_ != nullptr) gate_->finished(uid_);
  }
  Passage(const Passage&) = delete;
  Passage& operator=(const Passage&) = delete;

 private:
  Gate* gate_;
  std::string uid_;
};

}  // namespace

base::Task<bool> Session::done(std::string context, NodePtr node, base::Task<void> call) {
  bool accepted = false;
  std::optional<ironic::Error> failure;
  try {
    co_await std::move(call);
    accepted = true;
  } catch (const ironic::Error& error) {
    failure = error;
  }
  sent(node->uuid);  // also when refused: then what we knew was out of date
  if (failure) failed(context, *failure);
  co_return accepted;
}

base::Task<Sent> Session::changeState(NodePtr node, ironic::ProvisionRequest request) {
  if (!node->fault.empty()) co_return Sent{wait(Pause::extended)};  // Ironic has to recover first
  if (node->maintenance) co_return Sent{co_await clearMaintenance(node)};
  if (!co_await gateOpen()) co_return Sent{wait(Pause::brief)};
  const Passage passage(shared_.gate, host_.uid);
  const std::string context =
      fmt::format("failed to change provisioning state to \"{}\": ", json::textOf(request.verb));
  const bool accepted = co_await done(context, node, client_->changeState(node->uuid, std::move(request)));
  co_return Sent{wait(Pause::brief), accepted};
}

base::Task<Sent> Session::changePower(NodePtr node, ironic::PowerTarget target) {
  if (node->hasTarget()) co_return Sent{wait(Pause::brief)};
  if (!co_await gateOpen()) co_return Sent{wait(Pause::brief)};
  const Passage passage(shared_.gate, host_.uid);
  const auto limit = target == ironic::PowerTarget::softOff ? std::optional(softPowerOffTimeout) : std::nullopt;
  std::optional<ironic::Error> unsupported;
  bool accepted = false;
  const auto call = [](ironic::Client& client, NodePtr of, ironic::PowerTarget to,
                       std::optional<std::chrono::seconds> timeout,
                       std::optional<ironic::Error>& refused) -> base::Task<void> {
    try {
      co_await client.changePower(of->uuid, to, timeout);
    } catch (const ironic::Error& error) {
      if (error.code() != ironic::Error::Code::badRequest || to != ironic::PowerTarget::softOff) throw;
      refused = error;
    }
  };
  accepted = co_await done(fmt::format("failed to {} node: ", json::textOf(target)), node,
                           call(*client_, node, target, limit, unsupported));
  if (unsupported) throw *unsupported;
  Result result = accepted ? Result::continuing({}) : wait(Pause::brief);
  result.started = accepted;
  co_return Sent{std::move(result), accepted};
}

base::Task<bool> Session::followPower(NodePtr node, ironic::PowerTarget target) {
  co_return co_await done(fmt::format("failed to {} node: ", json::textOf(target)), node,
                          client_->changePower(node->uuid, target, std::nullopt));
}

base::Task<Result> Session::setMaintenance(NodePtr node, std::string reason) {
  const bool accepted = co_await done("failed to set host maintenance flag to true (", node,
                                      client_->setMaintenance(node->uuid, std::move(reason)));
  co_return accepted ? Result::continuing({}) : wait(Pause::brief);
}

base::Task<Result> Session::clearMaintenance(NodePtr node) {
  const bool accepted =
      co_await done("failed to set host maintenance flag to false (", node, client_->clearMaintenance(node->uuid));
  co_return accepted ? Result::continuing({}) : wait(Pause::brief);
}

base::Task<Updated> Session::update(NodePtr node, ironic::NodePatch patch) {
  if (patch.empty()) co_return Updated{node, {}};
  shared_.runtime.log.debug("updating node", {{"node", node->uuid}, {"patch", patch.describeForLog()}});
  shared_.cache.forget(node->uuid);
  const auto ticket = shared_.cache.ask();
  auto changed =
      co_await ask("failed to update host settings in ironic: ", client_->updateNode(node->uuid, std::move(patch)));
  if (!changed) {
    sent(node->uuid);
    co_return Updated{nullptr, wait(Pause::brief)};
  }
  auto now = std::make_shared<const ironic::Node>(*changed);
  shared_.cache.learn(std::move(*changed), ticket, shared_.runtime.clock.now());
  co_return Updated{std::move(now), {}};
}

base::Task<Sent> Session::create(json::Object record) {
  const auto ticket = shared_.cache.ask();
  auto node = co_await ask("failed to register host in ironic: ", client_->createNode(std::move(record)));
  if (!node) co_return Sent{wait(Pause::brief)};
  adoptId(node->uuid);
  shared_.cache.learn(std::move(*node), ticket, shared_.runtime.clock.now());
  co_return Sent{{}, true};
}

base::Task<Result> Session::deleteNode(NodePtr node) {
  std::optional<ironic::Error> failure;
  try {
    co_await client_->deleteNode(node->uuid);
  } catch (const ironic::Error& error) {
    failure = error;
  }
  const bool gone = !failure || failure->code() == ironic::Error::Code::notFound;
  if (gone) {
    shared_.cache.gone(node->uuid);
    co_return Result::continuing({});
  }
  sent(node->uuid);
  failed("failed to remove host: ", *failure);
  co_return wait(Pause::brief);
}

}  // namespace ingot::coordinator::host::ironic_backend
