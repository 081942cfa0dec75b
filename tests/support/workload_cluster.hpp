// A workload cluster beside an ApiSite: a whole API in memory, which may be out of reach, and the Secret that leads to
// it.
#pragma once

#include "apiserver/embedded.hpp"
#include "base/sync.hpp"
#include "kube/client/client.hpp"
#include "kube/core/node.hpp"
#include "kube/core/secret.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ingot::tests {

class WorkloadCluster final : public net::HttpHandler {
 public:
  // Both outlive this.
  WorkloadCluster(Loop& loop, net::Loopback& network);
  ~WorkloadCluster() override;

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override;

  static constexpr const char* kServer = "https://c1.test:6443";
  [[nodiscard]] apiserver::Registry& registry() { return api_->registry(); }
  // CLUSTER-kubeconfig in namespace "metal".
  [[nodiscard]] static kube::Secret kubeconfig(const std::string& cluster);

  template <class T>
  T create(T object) {
    return loop_.run(kubelets_->create(std::move(object)));
  }
  template <class T>
  [[nodiscard]] std::optional<T> find(const kube::ObjectKey& key) {
    return loop_.run(kubelets_->get<T>(key));
  }
  template <class T>
  void patch(const kube::ObjectKey& key, const std::string& mergePatch) {
    loop_.run(kubelets_->patch<T>(key, json::parse(mergePatch)));
  }

  template <class T>
  void remove(const kube::ObjectKey& key) {
    loop_.run(kubelets_->remove<T>(key));
  }

  bool reachable = true;
  std::string heldWrite;     // writes of the process whose path holds this …
  base::Duration heldFor{};  // … are answered so late
  // Watches stay open and bring nothing more, like a connection that is half open; what they hold back follows later.
  void holdNews() { newsHeld_ = true; }
  void letNewsGo();
  // One write whose path holds this gets no answer, and is carried out when carryOutLate() says so.
  std::string lostWrite;
  void carryOutLate();
  // Answers the process in place of the API; nullopt: not this one.
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> answer;
  enum class Moment { before, after };
  std::function<void(Moment)> onWrite;  // of the process
  std::vector<std::string> writes;      // "PATCH /api/v1/nodes/…", of the process

 private:
  class HeldNews;

  Loop& loop_;
  net::Loopback& network_;
  std::unique_ptr<apiserver::EmbeddedApi> api_;
  std::unique_ptr<kube::Client> kubelets_;
  bool newsHeld_ = false;
  base::Notifier newsGo_;
  std::optional<net::ServerRequest> late_;
};

}  // namespace ingot::tests
