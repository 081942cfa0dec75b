// The controller of Metal3Remediations in front of a whole API, with the API of a workload cluster, all in memory. The
// test plays Cluster API, the controller of hosts and the kubelet.
#pragma once

#include "coordinator/remediation/controllers.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/workload_cluster.hpp"

namespace ingot::tests {

using api::BareMetalHost;
using api::capi::Cluster;
using api::capi::Machine;
using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3Remediation;
using namespace std::chrono_literals;

class RemediationSite : public ApiSite {
 public:
  // Machine m1 of Cluster c1 with host h1, which is on, and Node n1; the health check has failed.
  explicit RemediationSite(std::string minorVersion = "28");
  ~RemediationSite();

  void start();
  void kill();  // the process ends where it is
  void restart() { kill(), start(); }

  // --- what Cluster API does ---
  void remediate(const std::function<void(Metal3Remediation&)>& change = {});
  void healthy(bool succeeded) { patchStatus<Machine>("m1", healthCheck(succeeded)); }
  [[nodiscard]] static std::string healthCheck(bool succeeded);  // a patch of its status
  void removeMachine() { remove<Machine>("m1"); }

  // --- what the controller of hosts does ---
  bool hasAgent = false;                                   // which reads the host's power all the time
  std::optional<bmc::Power> agentReads;                    // other than the status says
  void power(bool on, const std::string& known = "True");  // "": it knows no such condition, as Metal3's
  void obey();                                             // switches the host as spec and annotations say
  bool obeys = true;                                       // obey() does anything

  // --- what the workload cluster does ---
  void join(const std::map<std::string, std::string>& labels = {});  // the kubelet's Node
  std::string pods = "[]", volumes = "[]";                           // items
  struct Refusal {
    int status = 403;
    std::string path = "/";   // that begins so
    std::string method = {};  // "": any
  };
  std::optional<Refusal> refusal;  // what it answers instead

  // --- what there is ---
  [[nodiscard]] Metal3Remediation it() { return find<Metal3Remediation>("m1").value(); }
  [[nodiscard]] bool exists() { return find<Metal3Remediation>("m1").has_value(); }
  [[nodiscard]] std::string phase() { return it().status.phase; }
  [[nodiscard]] bool hasFinalizer() { return !it().metadata.finalizers.empty(); }
  [[nodiscard]] BareMetalHost host() { return find<BareMetalHost>("h1").value(); }
  [[nodiscard]] bool isHeldOff();
  [[nodiscard]] std::optional<kube::Node> node() { return workload.find<kube::Node>({"", "n1"}); }
  [[nodiscard]] bool isTainted();
  // "False/Reason: message"; "": there is no such condition.
  [[nodiscard]] std::string ownerRemediated();
  [[nodiscard]] std::string ownerRemediatedLegacy();
  [[nodiscard]] int passes() const;
  [[nodiscard]] int retries() const;

  WorkloadCluster workload;
  std::string watchFilter;  // the next start's
  kube::Unreadable unreadable;

 private:
  struct Life;

  [[nodiscard]] std::optional<coordinator::remediation::AgentReading> readingOf(const BareMetalHost& host) const;
  void writePower(bool on, const std::string& known, const std::string& since);

  std::string minorVersion_;
  std::unique_ptr<Life> life_;
};

}  // namespace ingot::tests
