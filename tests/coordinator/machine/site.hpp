// The controller of Metal3Machines in front of a whole API, with the API of a workload cluster, all in memory. The test
// plays Cluster API, the controllers of hosts and data, and the kubelets.
#pragma once

#include "coordinator/machine/controllers.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/workload_cluster.hpp"

#include <map>

namespace ingot::tests {

using api::BareMetalHost;
using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Cluster;
using api::capm3::v1beta2::Metal3Data;
using api::capm3::v1beta2::Metal3DataClaim;
using api::capm3::v1beta2::Metal3Machine;

using Labels = std::map<std::string, std::string>;

// Conditions of a machine.
inline const std::string kAssociate = "AssociateBareMetalHost", kMetaData = "AssociateMetal3MachineMetaData";

inline void withTemplate(Metal3Machine& machine) { machine.spec.dataTemplate = {.name = "dt"}; }

// Merged into a host: somebody else has it.
inline constexpr const char* kRival =
    R"({"spec":{"consumerRef":{"kind":"Metal3Machine","namespace":"metal","name":"rival",)"
    R"("apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1"}}})";

class MachineSite : public ApiSite {
 public:
  // With Cluster "c1". `more`: CRDs of other kinds.
  explicit MachineSite(const std::vector<json::Object>& more = {});
  ~MachineSite();

  void start();
  void kill();  // the process ends where it is
  void restart() { kill(), start(); }

  // --- what Cluster API does ---
  // With infrastructure that is ready, and a kubeconfig.
  void addCluster(const std::string& name);
  // A Machine of `ofCluster` with bootstrap data, and its Metal3Machine; `change` is applied to the latter before.
  void addMachine(const std::string& name, const std::function<void(Metal3Machine&)>& change = {});
  void removeMachine(const std::string& name);
  json::Value createDocument(const kube::Resource& resource, const std::string& text);

  // --- what the controllers of hosts and data do ---
  // Time passes, and data claims that their machines have let go of go.
  void settle(base::Duration time = std::chrono::seconds(3));
  void addHost(const std::string& name, const Labels& labels = {}, const std::string& state = "available");
  void state(const std::string& host, const std::string& state);
  // Answers its claim.
  void renderData(const std::string& machine, const std::string& name = "", bool withNetworkData = true);

  // Machine m1 on host h1, both new, with its data: until it is deployed.
  void deploy(const std::function<void(Metal3Machine&)>& change = {});

  // --- what the workload cluster does ---
  void join(const std::string& host, const std::string& node, const std::string& providerId = "");
  void putInService(const std::string& host, const std::string& machine);  // on this host, which is new
  [[nodiscard]] std::optional<kube::Node> node(const std::string& name);

  // --- what there is ---
  [[nodiscard]] Metal3Machine machine(const std::string& name) { return find<Metal3Machine>(name).value(); }
  [[nodiscard]] BareMetalHost host(const std::string& name) { return find<BareMetalHost>(name).value(); }
  [[nodiscard]] std::string consumer(const std::string& host);   // "": none
  [[nodiscard]] std::string hostOf(const std::string& machine);  // by the annotation
  // "True/Reason", "False/Reason: message"; "": there is no such condition.
  [[nodiscard]] std::string condition(const std::string& machine, const std::string& type);
  [[nodiscard]] std::string legacyCondition(const std::string& machine, const std::string& type);
  [[nodiscard]] bool isProvisioned(const std::string& machine);
  // Writes of the process to this object, in order: "PATCH", "PATCH/status", "POST", "DELETE".
  [[nodiscard]] std::vector<std::string> writesTo(const std::string& pathPart) const;
  [[nodiscard]] std::size_t hostReads() const;
  [[nodiscard]] int passes(const std::string& controller = "metal3machine") const;
  [[nodiscard]] int retries() const;

  WorkloadCluster workload;
  std::string ofCluster = "c1";
  bool ofProvider = true;   // a bootstrap provider makes the data of the next machines; otherwise a user does
  std::string watchFilter;  // the next start's
  kube::Unreadable unreadable;
  bool fastTrack = false;
  api::Carrying carrying;

 private:
  struct Life;

  std::unique_ptr<Life> life_;
};

}  // namespace ingot::tests
