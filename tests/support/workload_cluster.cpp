#include "tests/support/workload_cluster.hpp"

#include "kube/client/config.hpp"

#include <fmt/format.h>

namespace ingot::tests {
namespace {

constexpr const char* kKubelets = "https://kubelet.test";

}  // namespace

WorkloadCluster::WorkloadCluster(Loop& loop, net::Loopback& network) : loop_(loop), network_(network) {
  apiserver::EmbeddedOptions options;
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = loop_.run(apiserver::EmbeddedApi::start(loop_.runtime, std::move(options)));
  network_.serve(kServer, *this, apiserver::EmbeddedApi::localAdmin());
  network_.serve(kKubelets, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  kubelets_ = kube::connect(loop_.runtime, network_, {.server = kKubelets});
}

WorkloadCluster::~WorkloadCluster() {
  kubelets_.reset();
  loop_.run(network_.close());
  loop_.run(api_->stop(std::chrono::seconds(1)));
}

base::Task<void> WorkloadCluster::handle(net::ServerRequest request, net::Responder& out) {
  const bool isWrite = request.method != "GET";
  if (isWrite && reachable && onWrite) onWrite(Moment::before);
  if (!reachable) co_return out.abort();
  if (isWrite) writes.push_back(fmt::format("{} {}", request.method, request.path()));
  const bool isHeld = isWrite && !heldWrite.empty() && request.path().find(heldWrite) != std::string_view::npos;
  if (isHeld) co_await loop_.clock.sleepFor(heldFor);
  if (auto instead = answer ? answer(request) : std::nullopt) co_return co_await out.send(std::move(*instead));
  co_await api_->handler().handle(std::move(request), out);
  if (isWrite && onWrite) onWrite(Moment::after);
}

kube::Secret WorkloadCluster::kubeconfig(const std::string& cluster) {
  kube::Secret secret;
  secret.metadata = {.name = cluster + "-kubeconfig", .namespace_ = "metal"};
  secret.data["value"] = kube::SecretBytes(fmt::format(
      R"({{"apiVersion":"v1","kind":"Config","current-context":"c","contexts":[{{"name":"c","context":{{"cluster":"c","user":"u"}}}}],)"
      R"("clusters":[{{"name":"c","cluster":{{"server":"{}"}}}}],"users":[{{"name":"u","user":{{"token":"t"}}}}]}})",
      kServer));
  return secret;
}

}  // namespace ingot::tests
