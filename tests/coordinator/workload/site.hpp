// A management cluster, workload clusters and the ClusterCache between them, all in memory and under virtual time.
#pragma once

#include "apiserver/embedded.hpp"
#include "coordinator/workload/cluster_cache.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/workload/builders.hpp"
#include "tests/coordinator/workload/kubeconfigs.hpp"
#include "tests/support/loop.hpp"

#include <functional>
#include <map>
#include <set>

namespace ingot::tests {

using coordinator::workload::ClusterCache;
using coordinator::workload::NodeView;
using coordinator::workload::Unknown;
using namespace std::chrono_literals;

// A workload cluster: a whole API behind a door that checks tokens and has faults.
class WorkloadServer final : public net::HttpHandler {
 public:
  WorkloadServer(base::Runtime runtime, net::Loopback& network, std::string origin);
  ~WorkloadServer() override;

  std::set<std::string> tokens{"open-sesame"};  // all others are answered 401
  bool hangs = false;                           // whatever is asked, or under way, is not answered any more
  std::string hangsAt;                          // a path that is not answered
  std::string stutters;                         // all that a watch brings, with no end; "": what there is
  base::Duration thinks{};                      // so long before each answer …
  std::string thinksAt;                         // … of this path alone, unless it is ""
  // Answers in place of the API; nullopt: not this one.
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> answer;

  std::vector<std::string> requests;  // "GET /api/v1/nodes", "WATCH /api/v1/nodes"
  int watches = 0;                    // open now
  [[nodiscard]] std::size_t count(std::string_view request) const;

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  const std::string origin;
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> admin;

 private:
  friend class SilentWhenHanging;
  net::Loopback& network_;
  base::Clock& clock_;
  base::Notifier never_;
};

class WorkloadSite {
 public:
  WorkloadSite();
  ~WorkloadSite();
  WorkloadSite(const WorkloadSite&) = delete;
  WorkloadSite& operator=(const WorkloadSite&) = delete;

  void start();
  void kill();  // run() is cancelled

  // A workload cluster "name" with its Cluster's kubeconfig.
  WorkloadServer& add(const std::string& name);
  void setKubeconfig(const std::string& cluster, const std::string& text);  // creates or changes the Secret
  void removeKubeconfig(const std::string& cluster);
  void labelKubeconfig(const std::string& cluster, const std::string& value);

  void create(WorkloadServer& server, kube::Node node) { run(server.admin->create(std::move(node))); }
  void patch(WorkloadServer& server, const std::string& node, const std::string& mergePatch) {
    static_cast<void>(run(server.admin->api().patch(kube::Resource::of(kube::Node::info), {"", node},
                                                    kube::PatchType::merge, json::parse(mergePatch))));
  }
  void patchStatus(WorkloadServer& server, const std::string& node, const std::string& mergePatch) {
    run(server.admin->patchStatus<kube::Node>({"", node}, json::parse(mergePatch)));
  }
  void remove(WorkloadServer& server, const std::string& node) { run(server.admin->remove<kube::Node>({"", node})); }
  void settle(base::Duration d = 2s) { loop.clock.advance(d); }

  static kube::ObjectKey key(const std::string& cluster) { return {"metal", cluster}; }
  // Names of all Nodes, or the reason why they are not known: "n1 n2", "Unreachable".
  [[nodiscard]] std::string see(const std::string& cluster);
  [[nodiscard]] std::string why(const std::string& cluster);  // the text
  [[nodiscard]] const NodeView& nodes(const std::string& cluster);
  std::vector<std::string> takeTold() { return std::exchange(told, {}); }
  // Of "open-sesame" and the like in what was logged, told and thrown.
  [[nodiscard]] bool hasLogged(std::string_view text) const;

  template <class T>
  T run(base::Task<T> task) {
    return loop.run(std::move(task));
  }

  Loop loop;
  std::shared_ptr<base::MemorySink> sink = std::make_shared<base::MemorySink>();
  base::Runtime runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(sink, "test")};
  net::Loopback network{runtime};
  base::Metrics page;
  coordinator::workload::ClusterCacheOptions options{.page = &page};  // the next start's
  std::vector<std::string> told;                                      // "c1: n1", "c1" for the cluster as a whole
  std::vector<base::MonoTime> looks;                                  // at kubeconfig Secrets
  bool managementFails = false;
  bool managementRefuses = false;  // with 403
  std::unique_ptr<ClusterCache> cache;

 private:
  class Management;
  struct Life;

  std::unique_ptr<Management> management_;
  std::map<std::string, std::unique_ptr<WorkloadServer>> servers_;
  std::unique_ptr<kube::Client> user_, client_;
  std::unique_ptr<base::TaskGroup> tasks_;
  kube::Subscription subscription_;
};

}  // namespace ingot::tests
