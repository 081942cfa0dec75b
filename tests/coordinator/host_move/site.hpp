// Hosts that no machine has and the controller that keeps them safe in a move, on the embedded API.
#pragma once

#include "coordinator/host_move/controllers.hpp"

#include "api/bmh/names.hpp"
#include "api/bmh/provisioning_state.hpp"
#include "api/capm3/names.hpp"
#include "api/crd/crd.hpp"
#include "api/kinds/kinds.hpp"
#include "base/vital.hpp"
#include "coordinator/machine/pause.hpp"
#include "tests/support/api_site.hpp"

#include <set>

namespace ingot::tests {

using namespace std::chrono_literals;
using api::BareMetalHost;
using api::capi::Cluster;

inline const std::string kPaused(api::annotation::paused);
inline const std::string kStatus(api::annotation::status);
inline const std::string kBlock(api::capm3::annotation::blockMove);

inline const std::string kOfMachine =
    R"({"spec":{"online":true,"consumerRef":{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2",)"
    R"("kind":"Metal3Machine","name":"m","namespace":"metal"}}})";

inline void ofMachine(BareMetalHost& host) {
  host.spec.consumerRef = kube::ObjectReference{.kind = "Metal3Machine",
                                                .namespace_ = "metal",
                                                .name = "m",
                                                .apiVersion = "infrastructure.cluster.x-k8s.io/v1beta2"};
}

class MoveSite : public ApiSite {
 public:
  enum class Starts { now, later };
  enum class ClusterApi { installed, missing };
  explicit MoveSite(Starts starts = Starts::now, const api::Carrying& carrying = {},
                    ClusterApi clusterApi = ClusterApi::installed)
      : ApiSite(definitions(clusterApi)),
        client_(kube::connect(loop.runtime, network(), {.server = kProcess})),
        caches_(loop.runtime, *client_),
        controllers_(loop.runtime, {.client = *client_, .page = page_, .caches = caches_, .carrying = carrying}),
        tasks_(loop.runtime.executor, loop.runtime.log) {
    if (starts == Starts::now) start();
  }
  void start() { kube::start(tasks_, controllers_.managed()); }
  ~MoveSite() { run(tasks_.close()); }

  void addHost(
      const std::string& name, const std::string& state,
      const std::function<void(BareMetalHost&)>& change = [](BareMetalHost&) {}) {
    BareMetalHost host;
    host.metadata = {.name = name, .namespace_ = "metal"};
    change(host);
    create(host);
    if (!state.empty()) becomes(name, state);
    settle();
  }
  void becomes(const std::string& name, const std::string& state) {
    patchStatus<BareMetalHost>(name, R"({"status":{"lastUpdated":"2026-01-01T00:00:00Z","poweredOn":true,"errorCount":0,
      "errorMessage":"","operationalStatus":"OK","provisioning":{"ID":"n1","state":")" +
                                         state + R"("},"hardware":{"hostname":"far-too-long"}}})");
    settle();
  }
  void addCluster(const std::string& name, bool isPaused = false) {
    Cluster cluster;
    cluster.metadata = {.name = name, .namespace_ = "metal"};
    cluster.spec.infrastructureRef = {
        .apiGroup = std::string(api::capm3::kGroup), .kind = "Metal3Cluster", .name = name};
    cluster.spec.paused = isPaused;
    create(cluster);
    settle();
  }
  void addNamespace(const std::string& called) {
    kube::Namespace space;
    space.metadata.name = called;
    run(user().create(std::move(space)));
  }
  void pause(const std::string& cluster, bool isPaused = true) {
    patch<Cluster>(cluster, isPaused ? R"({"spec":{"paused":true}})" : R"({"spec":{"paused":null}})");
    settle();
  }
  void annotate(const std::string& host, const std::string& name, const std::string& value) {
    patch<BareMetalHost>(host, R"({"metadata":{"annotations":{")" + name + R"(":")" + value + R"("}}})");
    settle();
  }
  // Of the annotation; "-" when there is none.
  std::string value(const std::string& host, const std::string& annotation) {
    const auto annotations = find<BareMetalHost>(host)->metadata.annotations;
    const auto found = annotations.find(annotation);
    return found == annotations.end() ? "-" : found->second;
  }
  std::map<std::string, std::string> annotations(const kube::ObjectKey& host) {
    return run(user().get<BareMetalHost>(host)).value().metadata.annotations;
  }
  bool blocks(const std::string& host) { return value(host, kBlock) != "-"; }
  bool isPaused(const std::string& host) { return value(host, kPaused) != "-"; }

 private:
  static std::vector<json::Object> definitions(ClusterApi clusterApi) {
    auto all = api::crdsOf(api::KindSet::hosts);
    if (clusterApi == ClusterApi::installed) all.push_back(api::crdOf<Cluster>());
    return all;
  }

  std::unique_ptr<kube::Client> client_;
  base::Metrics page_;
  coordinator::Caches caches_;
  coordinator::host_move::Controllers controllers_;
  base::VitalTasks tasks_;
};

}  // namespace ingot::tests
