// One host's dealings with Ironic during one reconcile: reading its node, and the few requests that operations are made
// of. A busy answer (409, a lost one) becomes "again in a moment"; any other failure ProvisionerError{transient}.
#pragma once

#include "bmc/model/address.hpp"
#include "coordinator/host/ironic/capacity_claims.hpp"
#include "coordinator/host/ironic/deployment_starts.hpp"
#include "coordinator/host/ironic/gate.hpp"
#include "coordinator/host/ironic/plan.hpp"
#include "coordinator/host/ironic/port_ledger.hpp"
#include "coordinator/host/ironic/refusals.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/ironic/stalls.hpp"
#include "coordinator/host/provisioner.hpp"
#include "ironic-client/connection.hpp"
#include "ironic-client/node_cache.hpp"
#include "ironic-client/sweep.hpp"

#include <concepts>
#include <expected>
#include <memory>
#include <string>

namespace ingot::coordinator::host::ironic_backend {

// What all sessions share; outlives them.
struct Shared {
  base::Runtime runtime;
  Settings settings;
  ironic::Connection& connection;
  ironic::NodeCache& cache;
  ironic::Sweep& sweep;
  CapacityClaims claims;
  PortLedger ports;
  Gate* gate = nullptr;         // nobody shares BMCs with Ironic
  base::Duration nodeMaxAge{};  // how old a node's record may be to decide on
  Refusals refusals = {};
  Stalls stalls = {};
  DeploymentStarts starts = {};
};

using NodePtr = std::shared_ptr<const ironic::Node>;

// An update of the record: the node as it is now, or when to try again.
using Updated = std::expected<NodePtr, Working>;

class Session {
 public:
  Session(Shared& shared, std::shared_ptr<ironic::Client> client, HostData host, Publish publish);

  [[nodiscard]] Shared& shared() { return shared_; }
  [[nodiscard]] const HostData& host() const { return host_; }
  [[nodiscard]] const ironic::Features& features() const { return client_->features(); }
  void event(std::string reason, std::string message);  // without secrets that may stand in it (a user in a URL)
  void adoptId(std::string uuid) { host_.provisionerId = std::move(uuid); }

  [[nodiscard]] Working wait(Pause pause);
  // The answer of an operation that waits for the node to change. It names what stands in the way, or seems to, once
  // that has lasted.
  [[nodiscard]] Working waitFor(const ironic::Node& node, Pause pause);
  // The answer while Ironic holds a node that is lent, for our own record of its power perhaps. It names what does,
  // once that has lasted.
  [[nodiscard]] Working waitWhileHeld(const ironic::Node& node);
  // Carries out a step that leads up to an operation; the operation itself is neither started nor done by it.
  [[nodiscard]] base::Task<std::variant<Working, Refused>> carryOut(CommonStep step, NodePtr node);

  // The host's node, by its ID, which is proved to be its own (node_owner.hpp): all that changes a node gets it from
  // here. Throws ProvisionerError: needsRegistration when there is none, foreignNode when it is not this host's,
  // transient while nobody can tell.
  [[nodiscard]] base::Task<NodePtr> node();
  // The same for whoever tells people what the node failed of: where Ironic has emptied last_error it is what the
  // history says.
  [[nodiscard]] base::Task<NodePtr> nodeWithReason();
  // The node with the ID as Ironic has it now, even when it is another host's: to look at only.
  [[nodiscard]] base::Task<NodePtr> nodeNow();
  // Throws ProvisionerError{foreignNode} unless the node is proved to be the host's own, {transient} while nobody can
  // tell.
  [[nodiscard]] base::Task<void> checkOwner(NodePtr node);
  // The node as it was last seen, if that is not too long ago; nullptr: nothing is known, or not that it is this
  // host's. Sends no request.
  [[nodiscard]] NodePtr glance() const;

  // Both: `started` when Ironic has taken the request.
  [[nodiscard]] base::Task<Working> changeState(NodePtr node, ironic::ProvisionRequest request);
  [[nodiscard]] base::Task<Working> changePower(NodePtr node, ironic::PowerTarget target);  // Error{badRequest} passes
  // Makes the record follow a power that the machine has already. Nothing changes at the BMC, so the BMC is not
  // acquired.
  [[nodiscard]] base::Task<bool> followPower(NodePtr node, ironic::PowerTarget target);  // false: busy
  [[nodiscard]] base::Task<Working> setMaintenance(NodePtr node, std::string reason);
  [[nodiscard]] base::Task<Working> clearMaintenance(NodePtr node);
  [[nodiscard]] base::Task<Updated> update(NodePtr node, ironic::NodePatch patch);
  [[nodiscard]] base::Task<bool> create(json::Object record);  // true: the ID is adopted; false: busy
  [[nodiscard]] base::Task<Working> deleteNode(NodePtr node);

  // Runs one call to Ironic; failures that are not "busy" become ProvisionerError{transient} starting with `context`.
  // nullopt: busy.
  template <class T>
  [[nodiscard]] base::Task<std::optional<T>> ask(std::string context, base::Task<T> call);

  [[nodiscard]] ironic::Client& client() { return *client_; }

 private:
  [[nodiscard]] base::Task<std::vector<ironic::Port>> portsOf(const ironic::Node& node);
  [[nodiscard]] base::Task<bool> acquireBmc();
  // The answer of an operation after a busy answer of Ironic. It names what stands in the way, once that has lasted.
  [[nodiscard]] Working again(const ironic::Node& node);
  [[nodiscard]] base::Task<std::optional<ironic::Error>> attempt(NodePtr node, base::Task<void> call);
  [[nodiscard]] base::Task<bool> done(std::string context, NodePtr node, base::Task<void> call);  // false: busy
  void failed(const std::string& context, const ironic::Error& error);
  void ended(ironic::NodeCache::Change& change, const std::string& node, const std::optional<ironic::Error>& failure);

  Shared& shared_;
  std::shared_ptr<ironic::Client> client_;
  HostData host_;
  Publish publish_;
};

// Carries out the steps that operations have in common; one that has steps of its own adds them.
template <class Answer = Progress>
struct Operation {
  Session& session;
  NodePtr node;

  base::Task<Answer> operator()(CommonStep step) const {
    co_return widened<Answer>(co_await session.carryOut(std::move(step), node));
  }
  base::Task<Answer> operator()(Complete) const
    requires std::constructible_from<Answer, Done>
  {
    co_return Done{};
  }
};

template <class T>
base::Task<std::optional<T>> Session::ask(std::string context, base::Task<T> call) {
  try {
    co_return co_await std::move(call);
  } catch (const ironic::Error& error) {
    failed(context, error);
  }
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host::ironic_backend
