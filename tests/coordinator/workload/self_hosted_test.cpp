// A workload cluster that the process itself is a pod of (spec/cluster-api.md §1.18).
#include "base/file.hpp"
#include "tests/coordinator/workload/site.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

constexpr auto kWithin = "https://10.96.0.1:443";
constexpr auto kOwnPod = "/api/v1/namespaces/ingot-system/pods/ingot-0";

// Cluster c1, and a process that is told to be pod ingot-0 with uid u-1.
struct InAPod {
  InAPod() {
    base::writeFileAtomically(account.path("token"), "token-of-the-account");
    base::writeFileAtomically(account.path("ca.crt"), "CA");
    site.kill();
    site.options.account = account.path("");
    site.options.environment = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    site.start();
    site.network.serve(kWithin, server, apiserver::EmbeddedApi::localAdmin());
    server.answer = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != kOwnPod) return std::nullopt;
      return net::HttpResponse{.status = status, .body = R"({"metadata":{"name":"ingot-0","uid":"u-1"}})"};
    };
    site.network.beforeRequest = [this](const net::ClientOptions& client, const net::HttpRequest& request) {
      if (request.target.starts_with("/api/v1/nodes")) last = client;
    };
  }
  ~InAPod() { site.network.beforeRequest = nullptr; }

  // Where the Nodes were asked for.
  std::string asked() {
    static_cast<void>(site.see("c1"));
    site.settle();
    return last.baseUrl;
  }

  std::map<std::string, std::string, std::less<>> variables = {{"POD_NAMESPACE", "ingot-system"},
                                                               {"POD_NAME", "ingot-0"},
                                                               {"POD_UID", "u-1"},
                                                               {"KUBERNETES_SERVICE_HOST", "10.96.0.1"},
                                                               {"KUBERNETES_SERVICE_PORT", "443"}};
  int status = 200;  // of the answer about the pod
  net::ClientOptions last;
  TemporaryFolder account;
  WorkloadSite site;
  WorkloadServer& server = site.add("c1");
};

}  // namespace

TEST_CASE("§1.18 a cluster that this process is a pod of is reached as pods reach it") {
  InAPod pod;
  CHECK(pod.asked() == kWithin);
  CHECK(pod.last.tls.caFile == pod.site.options.account + "/ca.crt");
  CHECK(pod.last.tls.caPem.empty());
  CHECK(pod.site.see("c1").empty());  // known: with the credentials of the kubeconfig
}

TEST_CASE("§1.18 the kubeconfig's own address is used for every other cluster") {
  InAPod pod;
  SECTION("it has another pod of that name") { pod.variables["POD_UID"] = "u-2"; }
  SECTION("it has no such pod") { pod.status = 404; }
  SECTION("it does not say") { pod.status = 403; }
  SECTION("the process has no account") { pod.variables.erase("KUBERNETES_SERVICE_HOST"); }
  SECTION("the process does not know itself") {
    pod.variables.erase("POD_UID");
    CHECK(pod.asked() == pod.server.origin);
    CHECK(pod.server.count(std::string("GET ") + kOwnPod) == 0);
  }
  CHECK(pod.asked() == pod.server.origin);
  CHECK(pod.site.see("c1").empty());
}

}  // namespace ingot::tests
