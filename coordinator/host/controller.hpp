// The controller of BareMetalHosts: a key comes in, one pass over the host runs, its edits leave in one save.
#pragma once

#include "coordinator/host/credentials.hpp"
#include "coordinator/host/kube_cluster.hpp"
#include "coordinator/host/scope.hpp"
#include "kube/runtime/controller.hpp"
#include "kube/runtime/draft.hpp"
#include "kube/runtime/event_recorder.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace ingot::coordinator::host {

// What the controller works with; all of it outlives the controller.
struct HostWorld {
  kube::Client& client;
  kube::Cache<api::BareMetalHost>& hosts;
  kube::Cache<kube::Secret>& secrets;  // the labelled ones
  kube::Cache<api::HardwareData>& hardware;
  ProvisionerFactory& backends;
  PowerActor& power;
  kube::EventRecorder& events;
  Metrics& metrics;
  Policy policy;
};

class HostController final : public kube::Reconciler, public BackendListener {
 public:
  HostController(base::Runtime runtime, HostWorld world, std::size_t concurrency = 64);

  // Works until cancelled. The caches are started by their owner.
  [[nodiscard]] base::Task<void> run();

  [[nodiscard]] base::Task<kube::Next> reconcile(kube::ObjectKey key) override;

  void hostChanged(const std::string& namespace_, const std::string& name) override;
  void nodeChanged(const std::string& provisionerId) override;
  void backendReturned() override;

 private:
  using Draft = kube::Draft<api::BareMetalHost>;

  [[nodiscard]] base::Task<kube::Next> pass(std::shared_ptr<const api::BareMetalHost> seen);
  [[nodiscard]] base::Task<kube::Next> pass(Draft& draft, Journal& journal);
  [[nodiscard]] base::Task<BmcAccessOrProblem> findAccess(const api::BareMetalHost& host);
  [[nodiscard]] base::Task<std::variant<std::optional<BmcAccess>, CredentialsProblem>> access(Draft& draft);
  [[nodiscard]] base::Task<kube::Next> refuse(Draft& draft, Journal& journal, CredentialsProblem problem);
  [[nodiscard]] base::Task<std::unique_ptr<Provisioner>> open(const api::BareMetalHost& host, const BmcAccess* access,
                                                              Journal& journal);
  // What can be known of the host's power while the backend cannot be asked.
  [[nodiscard]] base::Task<void> recordPower(Draft& draft, Journal& journal, ProvisionerError absence);
  [[nodiscard]] base::Task<kube::Next> work(Draft& draft, Journal& journal, std::optional<BmcAccess> access,
                                            Provisioner& backend);
  [[nodiscard]] base::Task<void> save(Draft& draft, const Journal& journal);
  void publish(const api::BareMetalHost& host, const Journal& journal);
  [[nodiscard]] std::string otherOwner(const std::string& provisionerId, const kube::ObjectKey& than) const;
  void indexNode(const kube::Cache<api::BareMetalHost>::Change& change);
  void noteRoom(const kube::ObjectKey& key, bool crowded);
  void wakeLongestWaiting();
  void wakeOwners(const kube::Cache<kube::Secret>::Change& change);

  base::Runtime runtime_;
  HostWorld world_;
  KubeCluster cluster_;
  kube::Controller loop_;
  std::unordered_map<std::string, std::set<kube::ObjectKey>> keysByNode_;  // one, unless a status was copied
  std::set<kube::ObjectKey> waitingForBackend_;
  std::optional<base::MonoTime> backendGoneSince_;
  struct Waiting {
    base::MonoTime since;
    bool woken = false;  // and has not looked yet
  };
  std::map<kube::ObjectKey, Waiting> waitingForRoom_;
};

// An update worth a pass: the user's part of the object changed (spec/baremetalhost.md §5.1). Our own status writes are
// not.
[[nodiscard]] bool mattersToHost(const api::BareMetalHost& before, const api::BareMetalHost& after);

// The same of a Secret: what it says changed, not who holds it. Our own claim must not end a back-off.
[[nodiscard]] bool contentChanged(const kube::Secret& before, const kube::Secret& after);

// The hosts that own a Secret.
[[nodiscard]] std::vector<kube::ObjectKey> owningHosts(const kube::Secret& secret);

}  // namespace ingot::coordinator::host
