// The kubeconfig Secret of a Cluster: missing, hostile, rotated, revoked, withdrawn.
#include "tests/coordinator/workload/site.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

TEST_CASE("a Cluster without a kubeconfig is connected when it gets one") {
  WorkloadSite site;
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "NoKubeconfig");
  CHECK(site.why("c1") == "there is no Secret metal/c1-kubeconfig");
  site.settle(10min);
  const auto looks = site.looks.size();
  site.settle(1h);
  CHECK(site.looks.size() - looks >= 60);
  CHECK(site.looks.size() - looks <= 130);

  site.add("c1");
  site.settle(1min);
  CHECK(site.see("c1").empty());
  CHECK(site.takeTold() == std::vector<std::string>{"c1", "c1"});
}

TEST_CASE("a Secret with nothing under the key value is no kubeconfig") {
  WorkloadSite site;
  site.setKubeconfig("c1", "");
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(site.see("c1") == "NoKubeconfig");
}

TEST_CASE("a hostile kubeconfig is refused, no request is sent for it, and a good one in its place is used") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.setKubeconfig("c1", KubeconfigText{.server = server.origin, .user = "exec: {command: evil-thing}"}.text());
  static_cast<void>(site.see("c1"));
  site.settle(5min);
  CHECK(site.see("c1") == "KubeconfigRefused");
  CHECK(site.why("c1").find("exec is refused") != std::string::npos);
  CHECK(server.requests.empty());
  CHECK_FALSE(site.hasLogged("evil-thing"));

  site.setKubeconfig("c1", withToken(server.origin, "open-sesame"));
  site.settle(1min);
  CHECK(site.see("c1").empty());
}

TEST_CASE("a changed kubeconfig is noticed within a minute, and nothing goes on with the earlier one") {
  WorkloadSite site;
  auto& server = site.add("c1");
  auto& other = site.add("c2");
  site.create(server, nodeNamed("n1"));
  site.create(other, nodeNamed("n2"));
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();

  site.setKubeconfig("c1", withToken(other.origin, "open-sesame"));
  site.settle(1min);
  CHECK(site.see("c1") == "n2");
  CHECK(server.watches == 0);
  CHECK(other.watches == 1);
  CHECK(site.takeTold() == std::vector<std::string>{"c1"});
}

TEST_CASE("a Secret that changes in nothing but its labels is no reason to connect anew") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  site.labelKubeconfig("c1", "1");
  site.settle(5min);
  CHECK(server.count("GET /api/v1/nodes") == 1);
}

TEST_CASE("a token that was revoked and replaced is replaced here with the next probe") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  site.takeTold();

  server.tokens = {"new-sesame"};
  site.setKubeconfig("c1", withToken(server.origin, "new-sesame"));
  site.settle(10s);
  CHECK(site.see("c1") == "n1");
  CHECK(server.watches == 1);
  CHECK(site.takeTold() == std::vector<std::string>{"c1"});
  CHECK_FALSE(site.hasLogged("sesame"));
}

TEST_CASE("a token that was revoked and not replaced is told as such, and not shown again and again") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  server.tokens.clear();
  site.settle(10s);
  CHECK(site.see("c1") == "Unauthorized");
  CHECK(site.why("c1") == server.origin + " does not accept the credentials of the kubeconfig");
  CHECK(server.watches == 0);
  const auto asked = server.requests.size();
  site.settle(1h);
  CHECK(server.requests.size() - asked <= 130);
  CHECK_FALSE(site.hasLogged("open-sesame"));

  server.tokens = {"new-sesame"};
  site.setKubeconfig("c1", withToken(server.origin, "new-sesame"));
  site.settle(1min);
  CHECK(site.see("c1") == "n1");
}

TEST_CASE("a kubeconfig that changes without end is dialled less and less often") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  server.answer = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.query().find("watch=true") == std::string_view::npos) return std::nullopt;
    return net::HttpResponse{.status = 401};  // which has the server asked, and then the Secret looked at
  };
  for (int i = 0; i < 600; ++i) {
    const std::string token = fmt::format("sesame-{}", i);
    server.tokens = {token};
    site.setKubeconfig("c1", withToken(server.origin, token));
    site.settle(500ms);
  }
  CHECK(server.count("GET /api/v1/nodes") <= 20);
  server.answer = {};
  site.settle(2min);
  CHECK(site.see("c1").empty());
}

TEST_CASE("a call that is answered 401 brings the next probe forward") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  server.tokens.clear();
  CHECK_THROWS_AS(site.run(site.cache->patchNode(site.key("c1"), "n1", json::Object{})), kube::Error);
  site.settle(10ms);
  CHECK(site.see("c1") == "Unauthorized");
}

TEST_CASE("a kubeconfig that is withdrawn is not used any more") {
  WorkloadSite site;
  auto& server = site.add("c1");
  static_cast<void>(site.see("c1"));
  site.settle();
  site.removeKubeconfig("c1");
  site.settle(1min);
  CHECK(site.see("c1") == "NoKubeconfig");
  CHECK(server.watches == 0);
}

TEST_CASE("a management API that does not answer ends no connection") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.create(server, nodeNamed("n1"));
  static_cast<void>(site.see("c1"));
  site.settle();
  site.managementFails = true;
  site.settle(10min);
  CHECK(site.see("c1") == "n1");
  CHECK(server.count("GET /api/v1/nodes") == 1);

  static_cast<void>(site.see("c2"));
  site.settle(10s);
  CHECK(site.see("c2") == "Connecting");
  CHECK(site.why("c2").find("its kubeconfig cannot be read") != std::string::npos);
}

TEST_CASE("a kubeconfig that may not be read is a trouble, and not a connection being opened") {
  WorkloadSite site;
  site.managementRefuses = true;
  static_cast<void>(site.see("c1"));
  site.settle(10s);
  CHECK(site.see("c1") == "Failing");
  CHECK(site.why("c1").contains("its kubeconfig cannot be read"));
}

TEST_CASE("a password is shown to the server, and to nobody else") {
  WorkloadSite site;
  auto& server = site.add("c1");
  site.setKubeconfig("c1",
                     KubeconfigText{.server = server.origin, .user = "username: admin\n    password: hunter22"}.text());
  bool isShown = false;
  site.network.beforeRequest = [&](const net::ClientOptions& client, const net::HttpRequest&) {
    isShown = isShown || client.basicPassword.reveal() == "hunter22";
  };
  static_cast<void>(site.see("c1"));
  site.settle();
  CHECK(isShown);
  CHECK(site.see("c1") == "Unauthorized");
  CHECK_FALSE(site.hasLogged("hunter22"));
  CHECK_FALSE(site.hasLogged(base::toBase64("admin:hunter22")));
  site.network.beforeRequest = nullptr;
}

}  // namespace ingot::tests
