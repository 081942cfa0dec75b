#include "tests/support/workload_cluster.hpp"

#include "kube/client/config.hpp"
#include "tests/support/deaf.hpp"

#include <fmt/format.h>

namespace ingot::tests {
namespace {

constexpr const char* kKubelets = "https://kubelet.test";

}  // namespace

// The answer of a watch.
class WorkloadCluster::HeldNews final : public net::Responder {
 public:
  HeldNews(WorkloadCluster& cluster, net::Responder& out) : cluster_(cluster), out_(out) {}

  base::Task<void> send(net::HttpResponse response) override { return out_.send(std::move(response)); }
  base::Task<void> begin(int status, net::Headers headers) override { return out_.begin(status, std::move(headers)); }
  base::Task<void> write(std::string chunk) override {
    while (cluster_.newsHeld_) co_await cluster_.newsGo_.wait();
    co_await out_.write(std::move(chunk));
  }
  base::Task<void> end() override { return out_.end(); }
  void abort() override { out_.abort(); }

 private:
  WorkloadCluster& cluster_;
  net::Responder& out_;
};

WorkloadCluster::WorkloadCluster(Loop& loop, net::Loopback& network)
    : loop_(loop), network_(network), newsGo_(loop.runtime.executor) {
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
  const auto isAt = [&](const std::string& part) {
    return !part.empty() && request.path().find(part) != std::string_view::npos;
  };
  if (isWrite && isAt(lostWrite)) {
    lostWrite.clear();
    late_ = std::move(request);
    co_return out.abort();
  }
  const bool isHeld = isWrite && isAt(heldWrite);
  if (isHeld) co_await loop_.clock.sleepFor(heldFor);
  if (auto instead = answer ? answer(request) : std::nullopt) co_return co_await out.send(std::move(*instead));
  HeldNews news(*this, out);
  co_await api_->handler().handle(std::move(request), isWrite ? out : news);
  if (isWrite && onWrite) onWrite(Moment::after);
}

void WorkloadCluster::letNewsGo() {
  newsHeld_ = false;
  newsGo_.notifyAll();
}

void WorkloadCluster::carryOutLate() {
  Deaf nobody;
  loop_.run(api_->handler().handle(std::move(late_.value()), nobody));
  late_.reset();
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
