#include "coordinator/host/ironic/session.hpp"

#include "base/redaction.hpp"
#include "coordinator/host/ironic/history.hpp"
#include "coordinator/host/ironic/node_owner.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/host/ironic/record.hpp"

#include <fmt/format.h>

namespace ingot::coordinator::host::ironic_backend {

namespace {

constexpr std::chrono::seconds softPowerOffTimeout{180};
constexpr int historyEntries = 20;  // what is asked for stands among the latest: each look at a BMC may add one

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

void Session::event(std::string reason, std::string message) {
  publish_(std::move(reason), base::redacted(std::move(message), host_.credentials.password));
}

Working Session::wait(Pause pause) {
  const base::Duration base = lengthOf(pause);
  const double extra = static_cast<double>(base.count()) / 4 * shared_.runtime.random.unit();
  return {.after = base + base::Duration(static_cast<std::int64_t>(extra))};
}

Working Session::waitFor(const ironic::Node& node, Pause pause) {
  Working out = wait(pause);
  const base::Duration unchanged = shared_.stalls.note(node, shared_.runtime.clock.now());
  out.obstacle = obstacleToWait(node, unchanged);
  out.stall = stallOf(node, unchanged);
  return out;
}

Working Session::again(const ironic::Node& node) {
  Working out = wait(Pause::brief);
  const std::string refusal = shared_.refusals.lasting(node.uuid, shared_.runtime.clock.now());
  if (!refusal.empty()) out.obstacle = obstacleOf(node, refusal);
  return out;
}

Working Session::waitWhileHeld(const ironic::Node& node) {
  const base::MonoTime now = shared_.runtime.clock.now();
  shared_.refusals.refused(node.uuid, "the node is held", now);
  Working out = wait(Pause::brief);
  if (!shared_.refusals.lasting(node.uuid, now).empty()) out.obstacle = whyHeldWhileLent(node);
  return out;
}

base::Task<std::variant<Working, Refused>> Session::carryOut(CommonStep step, NodePtr node) {
  if (const auto* waits = std::get_if<Wait>(&step)) co_return waitFor(*node, waits->pause);
  if (auto* fails = std::get_if<Fail>(&step)) co_return Refused{std::move(fails->text)};
  if (const auto* givesUp = std::get_if<GiveUp>(&step)) throw transient(givesUp->text);
  if (std::holds_alternative<ClearMaintenance>(step)) co_return co_await clearMaintenance(node);
  Working sent = co_await changeState(node, {.verb = std::get<Send>(step).verb});
  sent.started = false;
  co_return sent;
}

base::Task<NodePtr> Session::node() {
  const base::MonoTime oldest = shared_.runtime.clock.now() - shared_.nodeMaxAge;
  NodePtr node = shared_.cache.find(host_.provisionerId, oldest);
  if (!node) node = co_await nodeNow();
  co_await checkOwner(node);
  co_return node;
}

base::Task<NodePtr> Session::nodeWithReason() {
  NodePtr node = co_await this->node();
  if (!lacksReason(*node)) co_return node;
  auto told = std::make_shared<ironic::Node>(*node);
  try {
    told->lastError = recordedReason(*node, co_await client_->history(node->uuid, historyEntries));
  } catch (const ironic::Error& error) {
    shared_.runtime.log.debug("no history", {{"node", node->uuid}, {"reason", error.what()}});
  }
  co_return told;
}

base::Task<void> Session::checkOwner(NodePtr node) {
  Unproved doubt;
  switch (ownerOf(host_, *node)) {
    case NodeOwner::thisHost: co_return;
    case NodeOwner::anotherHost: doubt.why = whyForeign(host_, *node); break;
    case NodeOwner::unproved: doubt = whyUnproved(host_, *node, co_await portsOf(*node)); break;
  }
  if (doubt.why.empty()) co_return;
  if (doubt.untold) throw transient(doubt.why);  // "another's" would let a deletion leave it behind
  shared_.runtime.log.warn(
      "a node is not the host's that names it",
      {{"host", nodeName(host_.namespace_, host_.name)}, {"node", node->uuid}, {"name", node->name}});
  throw ProvisionerError(ProvisionerError::Code::foreignNode, doubt.why);
}

base::Task<std::vector<ironic::Port>> Session::portsOf(const ironic::Node& node) {
  const std::string context = fmt::format("failed to list ports of node {}: ", node.uuid);
  auto ports = co_await ask(context, client_->portsOfNode(node.uuid));
  if (!ports) throw transient(context + "busy");
  co_return std::move(*ports);
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
  return recent && ownerOf(host_, *seen->node) == NodeOwner::thisHost ? seen->node : nullptr;
}

void Session::failed(const std::string& context, const ironic::Error& error) {
  if (error.busy()) {
    shared_.runtime.log.debug("Ironic is busy", {{"host", nodeName(host_.namespace_, host_.name)},
                                                 {"what", base::redacted(error.what(), host_.credentials.password)}});
    return;
  }
  const auto code = error.code();
  if (code == ironic::Error::Code::unavailable || code == ironic::Error::Code::notAcceptable)
    shared_.connection.invalidate();
  if (error.status() == 503) throw ProvisionerError(ProvisionerError::Code::overloaded, context + error.what());
  throw transient(context + error.what());
}

// A refusal is no news: whoever sent the request decides when it is repeated. Anything else shows in the next look.
void Session::ended(ironic::NodeCache::Change& change, const std::string& node,
                    const std::optional<ironic::Error>& failure) {
  const bool later = failure && failure->busy() && failure->refused();
  if (later) shared_.refusals.refused(node, failure->what(), shared_.runtime.clock.now());
  if (!later) shared_.refusals.over(node);
  if (failure && failure->refused()) return change.refused();
  if (!failure) change.accepted();
  shared_.sweep.trigger();
}

base::Task<bool> Session::acquireBmc() {
  if (!shared_.gate) co_return true;
  co_return co_await shared_.gate->acquireBmc(host_.uid);
}

namespace {

// Releases the BMC when the request for which it was acquired is over, however it ends.
class Permit {
 public:
  Permit(Gate* gate, std::string uid) : gate_(gate), uid_(std::move(uid)) {}
  ~Permit() {
    if (gate_ != nullptr) gate_->releaseBmc(uid_);
  }
  Permit(const Permit&) = delete;
  Permit& operator=(const Permit&) = delete;

 private:
  Gate* gate_;
  std::string uid_;
};

}  // namespace

// Runs a call that changes the node; what Ironic answered instead of doing it, if it did.
base::Task<std::optional<ironic::Error>> Session::attempt(NodePtr node, base::Task<void> call) {
  ironic::NodeCache::Change change(shared_.cache, node->uuid);
  std::optional<ironic::Error> failure;
  try {
    co_await std::move(call);
  } catch (const ironic::Error& error) {
    failure = error;
  }
  ended(change, node->uuid, failure);
  co_return failure;
}

base::Task<bool> Session::done(std::string context, NodePtr node, base::Task<void> call) {
  const auto failure = co_await attempt(std::move(node), std::move(call));
  if (failure) failed(context, *failure);
  co_return !failure;
}

base::Task<Working> Session::changeState(NodePtr node, ironic::ProvisionRequest request) {
  if (!node->fault.empty()) co_return waitFor(*node, Pause::extended);  // Ironic, or a person, has to recover it first
  if (node->maintenance) co_return co_await clearMaintenance(node);
  if (!co_await acquireBmc()) co_return wait(Pause::brief);
  const Permit permit(shared_.gate, host_.uid);
  const std::string context =
      fmt::format("failed to change provisioning state to \"{}\": ", json::textOf(request.verb));
  const bool accepted = co_await done(context, node, client_->changeState(node->uuid, std::move(request)));
  Working sent = again(*node);
  sent.started = accepted;
  co_return sent;
}

base::Task<Working> Session::changePower(NodePtr node, ironic::PowerTarget target) {
  if (node->hasTarget()) co_return wait(Pause::brief);
  if (!co_await acquireBmc()) co_return wait(Pause::brief);
  const Permit permit(shared_.gate, host_.uid);
  if (host_.confirmWish) host_.confirmWish();  // the node may have taken its time to be read
  const auto limit = target == ironic::PowerTarget::softOff ? std::optional(softPowerOffTimeout) : std::nullopt;
  const auto failure = co_await attempt(node, client_->changePower(node->uuid, target, limit));
  const bool refused = failure && failure->code() == ironic::Error::Code::badRequest;
  if (refused && target == ironic::PowerTarget::softOff) throw *failure;
  if (!failure) co_return Working{.started = true};
  failed(fmt::format("failed to {} node: ", json::textOf(target)), *failure);
  co_return wait(Pause::brief);
}

base::Task<bool> Session::followPower(NodePtr node, ironic::PowerTarget target) {
  co_return co_await done(fmt::format("failed to {} node: ", json::textOf(target)), node,
                          client_->changePower(node->uuid, target, std::nullopt));
}

base::Task<Working> Session::setMaintenance(NodePtr node, std::string reason) {
  const bool accepted = co_await done("failed to set host maintenance flag to true (", node,
                                      client_->setMaintenance(node->uuid, std::move(reason)));
  co_return accepted ? Working{} : again(*node);
}

// The power sync of a node that was lent acts on its machine from then on, whatever has become of the reason. A reason
// that somebody has changed is his.
base::Task<Working> Session::clearMaintenance(NodePtr node) {
  const bool takesBack = isMarkedLent(*node) || owesEjection(*node) || owesErasure(*node);
  if (takesBack && !co_await acquireBmc()) co_return wait(Pause::brief);
  const Permit permit(takesBack ? shared_.gate : nullptr, host_.uid);
  if (isMarkedLent(*node)) {
    node = co_await nodeNow();
    if (node->maintenance && !isMarkedLent(*node)) co_return wait(Pause::brief);
  }
  const bool accepted =
      co_await done("failed to set host maintenance flag to false (", node, client_->clearMaintenance(node->uuid));
  co_return accepted ? Working{} : again(*node);
}

base::Task<Updated> Session::update(NodePtr node, ironic::NodePatch patch) {
  if (patch.empty()) co_return node;
  shared_.runtime.log.debug("updating node", {{"node", node->uuid}, {"patch", patch.describeForLog()}});
  std::optional<ironic::Error> failure;
  {
    ironic::NodeCache::Change change(shared_.cache, node->uuid);
    const auto ticket = shared_.cache.ask();
    try {
      ironic::Node changed = co_await client_->updateNode(node->uuid, std::move(patch));
      node = std::make_shared<const ironic::Node>(changed);
      shared_.cache.learn(std::move(changed), ticket, shared_.runtime.clock.now());
      change.answered();
      shared_.refusals.over(node->uuid);
      co_return node;
    } catch (const ironic::Error& error) {
      failure = error;
    }
    ended(change, node->uuid, failure);
  }
  failed("failed to update host settings in ironic: ", *failure);
  co_return std::unexpected(again(*node));
}

base::Task<bool> Session::create(json::Object record) {
  const auto ticket = shared_.cache.ask();
  auto node = co_await ask("failed to register host in ironic: ", client_->createNode(std::move(record)));
  if (!node) co_return false;
  adoptId(node->uuid);
  shared_.cache.learn(std::move(*node), ticket, shared_.runtime.clock.now());
  co_return true;
}

base::Task<Working> Session::deleteNode(NodePtr node) {
  std::optional<ironic::Error> failure;
  {
    ironic::NodeCache::Change change(shared_.cache, node->uuid);
    try {
      co_await client_->deleteNode(node->uuid);
    } catch (const ironic::Error& error) {
      failure = error;
    }
    const bool gone = !failure || failure->code() == ironic::Error::Code::notFound;
    if (gone) {
      shared_.cache.gone(node->uuid);
      shared_.ports.forget(node->uuid);
      shared_.stalls.forget(node->uuid);
      shared_.starts.forget(node->uuid);
      shared_.refusals.over(node->uuid);
      change.answered();
      co_return Working{};
    }
    ended(change, node->uuid, failure);
  }
  failed("failed to remove host: ", *failure);
  co_return again(*node);
}

}  // namespace ingot::coordinator::host::ironic_backend
