// A workload cluster over real connections: what the transport says of TLS is understood.
#include "apiserver/embedded.hpp"
#include "base/base64.hpp"
#include "base/run.hpp"
#include "coordinator/workload/cluster_cache.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"
#include "net/certificates.hpp"
#include "net/loopback.hpp"
#include "tests/coordinator/workload/builders.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::workload::ClusterCache;

constexpr auto kManagement = "https://management.test";
constexpr auto kWorkload = "https://workload.test";
const kube::ObjectKey kCluster{"metal", "c1"};

// The management API is in memory; the workload cluster listens, on a real clock.
struct RealSite {
  boost::asio::io_context io;
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::seededRandom(1);
  base::Runtime runtime{io.get_executor(), clock, *random, base::Log::silent()};
  net::Loopback memory{runtime};
  std::unique_ptr<net::HttpTransport> sockets = net::curlTransport(runtime);
  std::unique_ptr<apiserver::EmbeddedApi> management = startApi(""), workload = startApi("127.0.0.1:0");
  std::unique_ptr<kube::Client> user = clientOf(kManagement, *management), admin = clientOf(kWorkload, *workload);
  std::unique_ptr<ClusterCache> cache;
  base::TaskGroup tasks{runtime.executor, runtime.log};

  ~RealSite() {
    run(tasks.close());
    cache.reset();
    if (workload) run(workload->stop(0s));
    run(management->stop(0s));
    run(memory.close());
  }

  std::unique_ptr<apiserver::EmbeddedApi> startApi(std::string listen) {
    apiserver::EmbeddedOptions options{.listen = std::move(listen)};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    return run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
  }
  std::unique_ptr<kube::Client> clientOf(const char* origin, apiserver::EmbeddedApi& api) {
    memory.serve(origin, api.handler(), apiserver::EmbeddedApi::localAdmin());
    return kube::connect(runtime, memory, {.server = origin});
  }

  void start(const std::string& kubeconfig) {
    kube::Namespace space;
    space.metadata.name = "metal";
    run(user->create(std::move(space)));
    kube::Secret secret;
    secret.metadata.namespace_ = "metal";
    secret.metadata.name = "c1-kubeconfig";
    secret.data["value"] = base::Secret(kubeconfig);
    run(user->create(std::move(secret)));
    cache = std::make_unique<ClusterCache>(
        runtime, user->api(), *sockets,
        coordinator::workload::ClusterCacheOptions{
            .probeInterval = 50ms, .probeDeadline = 30s, .environment = [](std::string_view) { return std::nullopt; }});
    tasks.spawn("cluster cache", cache->run());
  }

  [[nodiscard]] std::string see() const {
    const auto found = cache->nodes(kCluster);
    if (!found) return std::string(json::textOf(found.error().reason));
    std::string out;
    for (const auto& node : (*found)->all()) out += node->metadata.name + " ";
    return out;
  }
  bool sees(const std::string& what) {
    return comes([&] { return see() == what; });
  }
  // Why there is nothing to be seen, "" while there is.
  [[nodiscard]] std::string why() const {
    const auto found = cache->nodes(kCluster);
    return found ? "" : found.error().text;
  }
  bool comes(const std::function<bool()>& what) {
    const auto end = clock.now() + 120s;
    while (!what() && clock.now() < end) run(clock.sleepFor(5ms));
    return what();
  }

  template <class T>
  T run(base::Task<T> task) {
    return base::run(io, base::withTimeout(clock, 120s, "the test hangs", std::move(task)));
  }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

// What stands behind `field` in a kubeconfig.
std::string valueOf(const std::string& kubeconfig, const std::string& field) {
  const auto at = kubeconfig.find(field + ": ");
  REQUIRE(at != std::string::npos);
  const auto begin = at + field.size() + 2;
  return kubeconfig.substr(begin, kubeconfig.find('\n', begin) - begin);
}

}  // namespace

TEST_CASE("Nodes come over TLS, to the client that the certificate of the kubeconfig names", "[tls]") {
  RealSite site;
  site.run(site.admin->create(nodeNamed("n1")));
  site.start(site.workload->kubeconfig());
  REQUIRE(site.sees("n1 "));
  site.run(site.admin->create(nodeNamed("n2")));
  CHECK(site.sees("n1 n2 "));

  site.run(site.workload->stop(0s));
  CHECK(site.sees("Unreachable"));
  // The first that is told may be of a request under way.
  CHECK(site.comes([&] { return site.why() == site.workload->url() + " does not answer: no connection comes about"; }));
}

TEST_CASE("a cluster whose certificate another authority has signed is not trusted", "[tls]") {
  RealSite site;
  const auto other = net::CertificateAuthority::create("other", site.clock.wall());
  const std::string kubeconfig = site.workload->kubeconfig();
  site.start(
      replaced(kubeconfig, valueOf(kubeconfig, "certificate-authority-data"), base::toBase64(other.certificatePem())));
  CHECK(site.sees("Untrusted"));
  CHECK(site.why() ==
        site.workload->url() + " is not trusted: its certificate is not signed by the CA of the kubeconfig");
}

TEST_CASE("a cluster that does not know the client certificate does not accept the credentials", "[tls]") {
  RealSite site;
  const auto other = net::CertificateAuthority::create("other", site.clock.wall());
  const auto stranger = other.issue(net::ClientCertificate{"admin", {"system:masters"}}, site.clock.wall());
  std::string kubeconfig = site.workload->kubeconfig();
  kubeconfig =
      replaced(kubeconfig, valueOf(kubeconfig, "client-certificate-data"), base::toBase64(stranger.certificatePem));
  kubeconfig =
      replaced(kubeconfig, valueOf(kubeconfig, "client-key-data"), base::toBase64(stranger.privateKeyPem.reveal()));
  site.start(kubeconfig);
  CHECK(site.sees("Unauthorized"));
}

}  // namespace ingot::tests
