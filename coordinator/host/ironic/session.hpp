// One host's dealings with Ironic during one reconcile: reading its node, and the few requests that operations are made
// of. A busy answer (409, a lost one) becomes "again in a moment"; any other failure ProvisionerError{transient}.
#pragma once

#include "bmc/model/address.hpp"
#include "coordinator/host/ironic/capacity_claims.hpp"
#include "coordinator/host/ironic/gate.hpp"
#include "coordinator/host/ironic/plan.hpp"
#include "coordinator/host/ironic/port_ledger.hpp"
#include "coordinator/host/ironic/settings.hpp"
#include "coordinator/host/provisioner.hpp"
#include "ironic-client/connection.hpp"
#include "ironic-client/node_cache.hpp"
#include "ironic-client/sweep.hpp"

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
};

using NodePtr = std::shared_ptr<const ironic::Node>;

// A request that starts something: accepted, or what to answer instead.
struct Sent {
  Result result;
  bool accepted = false;
};

// An update of the record: the node as it is now, or (node empty) what to answer instead.
struct Updated {
  NodePtr node;
  Result result;
};

class Session {
 public:
  Session(Shared& shared, std::shared_ptr<ironic::Client> client, HostData host, Publish publish);

  [[nodiscard]] Shared& shared() { return shared_; }
  [[nodiscard]] const HostData& host() const { return host_; }
  [[nodiscard]] const ironic::Features& features() const { return client_->features(); }
  void event(std::string reason, std::string message) { publish_(std::move(reason), std::move(message)); }
  void adoptId(std::string uuid) { host_.provisionerId = std::move(uuid); }

  [[nodiscard]] Result wait(Pause pause);
  // The common kinds of a plan. Kinds of one operation are its own business: here they are a programming error.
  [[nodiscard]] base::Task<Sent> carryOut(Plan plan, NodePtr node);

  // The host's node, by its ID. Throws ProvisionerError{needsRegistration} when there is none.
  [[nodiscard]] base::Task<NodePtr> node();
  // The same as Ironic has it now, whatever is known.
  [[nodiscard]] base::Task<NodePtr> nodeNow();
  // As last seen, if not too long ago; nullptr: nothing is known. No request.
  [[nodiscard]] NodePtr glance() const;

  [[nodiscard]] base::Task<Sent> changeState(NodePtr node, ironic::ProvisionRequest request);
  [[nodiscard]] base::Task<Sent> changePower(NodePtr node, ironic::PowerTarget target);  // Error{badRequest} passes
  // Makes the record follow a power that is there already: changes nothing at the BMC, so the gate is not asked.
  [[nodiscard]] base::Task<bool> followPower(NodePtr node, ironic::PowerTarget target);  // false: busy
  [[nodiscard]] base::Task<Result> setMaintenance(NodePtr node, std::string reason);
  [[nodiscard]] base::Task<Result> clearMaintenance(NodePtr node);
  [[nodiscard]] base::Task<Updated> update(NodePtr node, ironic::NodePatch patch);
  [[nodiscard]] base::Task<Sent> create(json::Object record);  // accepted: the ID is adopted
  [[nodiscard]] base::Task<Result> deleteNode(NodePtr node);

  // Runs one call to Ironic; failures that are not "busy" become ProvisionerError{transient} starting with `context`.
  // nullopt: busy.
  template <class T>
  [[nodiscard]] base::Task<std::optional<T>> ask(std::string context, base::Task<T> call);

  [[nodiscard]] ironic::Client& client() { return *client_; }

 private:
  [[nodiscard]] base::Task<bool> gateOpen();
  [[nodiscard]] base::Task<bool> done(std::string context, NodePtr node, base::Task<void> call);  // false: busy
  void failed(const std::string& context, const ironic::Error& error);
  void sent(const std::string& uuid);

  Shared& shared_;
  std::shared_ptr<ironic::Client> client_;
  HostData host_;
  Publish publish_;
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
