// Who gets the report of a shadow, and where.
#include "coordinator/diagnostics/server.hpp"
#include "coordinator/endpoints.hpp"
#include "coordinator/shadow/shadow.hpp"
#include "kube/client/config.hpp"
#include "net/loopback.hpp"
#include "tests/net/pair.hpp"
#include "tests/support/loop.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <regex>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using coordinator::diagnostics::Access;
using coordinator::diagnostics::Guard;
using coordinator::shadow::Shadow;

// Kubernetes that knows a reader, who may get the report, and a guest, who may get metrics.
struct ReportGuarded : Loop {
  ReportGuarded() {
    network.serve("https://kube", reviewer);
    network.serve("https://page", guard);
    client = network.connect({.baseUrl = "https://page"});
  }
  ~ReportGuarded() { run(network.close()); }
  ReportGuarded(const ReportGuarded&) = delete;
  ReportGuarded& operator=(const ReportGuarded&) = delete;

  int get(const std::string& token, const std::string& path = "/shadow/report") {
    net::HttpRequest request{.target = path};
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    return run(client->send(std::move(request))).status;
  }

  net::Loopback network{runtime};
  json::Value judged;  // the last spec
  Handler reviewer{[this](net::ServerRequest request, net::Responder& out) {
    json::Value review = json::parse(request.body);
    auto& object = review.as_object();
    if (request.path().ends_with("tokenreviews")) {
      object["status"] = json::Object{
          {"authenticated", true},
          {"user", json::Object{{"username", json::textAt(object.at("spec"), {"token"})}, {"groups", json::Array{}}}}};
    } else {
      judged = object.at("spec");
      const std::string path = json::textAt(judged, {"nonResourceAttributes", "path"});
      const bool isReader = json::textAt(judged, {"user"}) == "reader";
      object["status"] = json::Object{{"allowed", isReader || path == "/metrics"}};
    }
    return out.send(
        {.status = 201, .headers = {{"Content-Type", "application/json"}}, .body = json::serialize(review)});
  }};
  base::Metrics metrics;
  Shadow shadow{runtime, network, metrics, {}};
  Handler page{[](net::ServerRequest, net::Responder& out) { return out.send({.status = 200, .body = "metrics"}); }};
  std::unique_ptr<kube::Client> kubernetes = kube::connect(runtime, network, {.server = "https://kube"});
  Access access{runtime, kubernetes->api()};
  Guard guard{{.metrics = page, .shadow = &shadow}, &access};
  std::unique_ptr<net::HttpClient> client;
};

TEST_CASE("a shadow's report is for who may get its path, and metrics are another one", "[shadow]") {
  ReportGuarded site;
  CHECK(site.get("reader") == 200);
  CHECK(json::textAt(site.judged, {"nonResourceAttributes", "path"}) == "/shadow/report");
  CHECK(json::textAt(site.judged, {"nonResourceAttributes", "verb"}) == "get");
  CHECK(site.get("guest", "/metrics") == 200);
  CHECK(site.get("guest") == 403);
  CHECK(site.get("") == 401);
  CHECK(site.get("reader", "/shadow/report/") == 404);
}

struct ReportServed : RealLoop {
  explicit ReportServed(const std::string& address) {
    coordinator::Options options;
    options.healthAddress = "0";
    options.metricsAddress = address;
    endpoints.listen(options);
  }
  ~ReportServed() { run(endpoints.stop()); }
  ReportServed(const ReportServed&) = delete;
  ReportServed& operator=(const ReportServed&) = delete;

  int get(const std::string& path) {
    std::smatch found;
    std::string port;
    for (const auto& line : log->lines())
      if (line.contains("flag=--metrics-addr") && std::regex_search(line, found, std::regex("port=\"?([0-9]+)")))
        port = found[1];
    const auto client = transport->connect({.baseUrl = "http://127.0.0.1:" + port});
    return run(client->send({.target = path, .deadline = 10s})).status;
  }

  base::Metrics page;
  net::Loopback network{runtime};
  Shadow shadow{runtime, network, page, {}};
  coordinator::Endpoints endpoints{runtime, page, [] { return coordinator::Readiness(); }, nullptr, &shadow};
  std::unique_ptr<net::HttpTransport> transport = net::curlTransport(runtime);
};

TEST_CASE("without asking who it is, a shadow's report is served to its own machine alone", "[shadow]") {
  SECTION("this machine's address") {
    ReportServed site("127.0.0.1:0");
    CHECK(site.get("/shadow/report") == 200);
    CHECK(site.get("/metrics") == 200);
  }
  SECTION("any address") {
    ReportServed site("0.0.0.0:0");
    CHECK(site.get("/shadow/report") == 404);
    CHECK(site.get("/metrics") == 200);
  }
}

}  // namespace
}  // namespace ingot::tests
