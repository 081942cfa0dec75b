// No request that changes anything gets out of a process in shadow, and who makes one goes on.
#include "coordinator/shadow/fence.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "kube/core/lease.hpp"
#include "kube/core/secret.hpp"
#include "tests/coordinator/shadow/replay.hpp"
#include "tests/net/pair.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using namespace coordinator::shadow;
using api::BareMetalHost;

constexpr const char* kServer = "https://cluster.test";
constexpr const char* kHosts = "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts";

// Everything that gets through the fence, whatever answers it.
struct Fenced : Loop {
  Fenced() {
    network.serve(kServer, server);
    client = fence.connect({.baseUrl = kServer, .userAgent = userAgentOf("host")});
  }
  ~Fenced() {
    client.reset();
    run(network.close());
  }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  net::Loopback network{runtime};
  std::vector<std::string> passed;
  Handler server{[this](net::ServerRequest request, net::Responder& out) {
    passed.push_back(request.method);
    return out.send({.status = 404, .body = "{}"});
  }};
  base::Metrics metrics;
  Book book{clock, "salt", {}};
  Fence fence{runtime, network, book, metrics, "salt"};
  std::unique_ptr<net::HttpClient> client;
};

TEST_CASE("whatever changes something stays inside, whoever it is for", "[shadow]") {
  const char* targets[] = {kHosts,
                           "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts/a",
                           "/apis/metal3.io/v1alpha1/namespaces/default/baremetalhosts/a/status?fieldManager=x",
                           "/api/v1/namespaces/default/secrets/a",
                           "/api/v1/namespaces/default/events",
                           "/apis/coordination.k8s.io/v1/namespaces/default/leases/ingot-coordinator",
                           "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x/status",
                           "/apis/authentication.k8s.io/v1/tokenreviews/x",
                           "/api/v1/namespaces/default/pods/x/eviction",
                           "/api/v1/namespaces/default/serviceaccounts/x/token",
                           "/api/v1/namespaces/default/pods/x/exec",
                           "/api/v1/nodes/x/proxy/run",
                           "/apis/authorization.k8s.io/v1/subjectaccessreviews?dryRun=All",
                           "/v1/nodes",
                           "/v1/nodes/1/states/provision",
                           "/v1/nodes/1/maintenance",
                           "/whatever",
                           "",
                           "nonsense"};
  for (const char* target : targets)
    for (const char* method : {"POST", "PUT", "PATCH", "DELETE", "FROB", "get", ""}) {
      CAPTURE(target, method);
      Fenced fenced;
      const std::string body = R"({"metadata":{"name":"n"},"kind":"K"})";
      static_cast<void>(fenced.run(fenced.client->send({.method = method, .target = target, .body = body})));
      CHECK(std::ranges::count(fenced.passed, "GET") == static_cast<std::ptrdiff_t>(fenced.passed.size()));
      CHECK_THROWS_AS(fenced.run(fenced.client->open({.method = method, .target = target})), net::HttpError);
    }
}

TEST_CASE("reads pass, and so do the reviews of who may see what is served", "[shadow]") {
  struct Row {
    const char *method, *target;
  };
  const Row rows[] = {{"GET", kHosts},
                      {"HEAD", "/v1/nodes"},
                      {"OPTIONS", "/"},
                      {"POST", "/apis/authentication.k8s.io/v1/tokenreviews"},
                      {"POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews"}};
  for (const Row& row : rows) {
    CAPTURE(row.method, row.target);
    Fenced fenced;
    static_cast<void>(fenced.run(fenced.client->send({.method = row.method, .target = row.target})));
    CHECK(fenced.passed == std::vector<std::string>{row.method});
  }
}

TEST_CASE("a read that reaches through an object does not pass", "[shadow]") {
  for (const char* target : {"/api/v1/namespaces/n/pods/x/exec?command=rm", "/api/v1/namespaces/n/pods/x/attach",
                             "/api/v1/namespaces/n/pods/x/portforward", "/api/v1/nodes/x/proxy/run",
                             "/api/v1/namespaces/n/services/x/proxy"})
    for (const char* method : {"GET", "HEAD", "OPTIONS"}) {
      CAPTURE(target, method);
      Fenced fenced;
      const auto answer = fenced.run(fenced.client->send({.method = method, .target = target}));
      CHECK(answer.status == 403);
      CHECK_THROWS_AS(fenced.run(fenced.client->open({.method = method, .target = target})), net::HttpError);
      CHECK(fenced.passed.empty());
    }
}

TEST_CASE("what is made of an object by a subresource is answered, and decides nothing of the object", "[shadow]") {
  for (const char* target : {"/api/v1/namespaces/n/pods/x/eviction", "/api/v1/namespaces/n/serviceaccounts/x/token",
                             "/api/v1/nodes/x/binding"}) {
    CAPTURE(target);
    Fenced fenced;
    const auto answer = fenced.run(fenced.client->send({.method = "POST", .target = target, .body = R"({"a":"b"})"}));
    CHECK(answer.status == 201);
    CHECK(answer.body == R"({"a":"b"})");
    CHECK(fenced.passed.empty());
    CHECK(fenced.book.counts().empty());
    CHECK(fenced.book.pending() == 0);
  }
}

TEST_CASE("wishes for Ironic are remembered by when they were had last, and told twenty a minute", "[shadow]") {
  auto log = std::make_shared<base::MemorySink>();
  Fenced fenced;
  Fence fence({fenced.runtime.executor, fenced.clock, *fenced.random, base::Log(log, "test")}, fenced.network,
              fenced.book, fenced.metrics, "salt");
  const auto client = fence.connect({.baseUrl = kServer});
  const auto ask = [&](int node) {
    fenced.run(client->send({.method = "PUT",
                             .target = fmt::format("/v1/nodes/{}/states/power", node),
                             .body = R"({"target":"power on"})"}));
  };
  for (int node = 0; node < 600; ++node) {
    ask(node);
    ask(0);
  }
  CHECK(fence.asked().size() == 500);
  CHECK(fence.asked().back().what == "/v1/nodes/0/states/power: power on");
  CHECK(fence.asked().back().times == 601);
  const auto lines = [&] {
    return std::ranges::count_if(log->lines(), [](const auto& line) { return line.find("would ask") != line.npos; });
  };
  CHECK(lines() == 20);
  fenced.clock.advance(1min);
  ask(1000);
  CHECK(lines() == 21);
}

TEST_CASE("what is withheld is counted, and Ironic's verbs are told without what they carry", "[shadow]") {
  Fenced fenced;
  for (int i = 0; i < 3; ++i)
    fenced.run(fenced.client->send({.method = "PUT",
                                    .target = "/v1/nodes/1/states/provision",
                                    .body = R"({"target":"active","configdrive":"planted"})"}));
  fenced.run(fenced.client->send(
      {.method = "POST", .target = "/v1/nodes", .body = R"({"driver_info":{"redfish_password":"planted"}})"}));
  REQUIRE(fenced.fence.asked().size() == 2);
  CHECK(fenced.fence.asked().front().what == "/v1/nodes/1/states/provision: active");
  CHECK(fenced.fence.asked().front().times == 3);
  CHECK(fenced.fence.asked().back().what == "/v1/nodes");
  CHECK(fenced.metrics.expose().find(R"(ingot_shadow_withheld_total{from="ironic",method="PUT"} 3)") !=
        std::string::npos);
}

// A client behind the fence, an API that has objects, and what it has of them afterwards.
struct Answered : Replay {
  Answered() : Replay("") {
    fence.home(kServer);
    client = kube::connect(runtime, fence, {.server = kServer}, {.userAgent = userAgentOf("host")});
    create(R"({"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost","metadata":{"name":"a"},
               "spec":{"online":true,"bmc":{"address":"redfish://10.0.0.1/1","credentialsName":"a-bmc"}}})",
           "kubectl");
    before = run(client->get<BareMetalHost>({"default", "a"})).value();
    static_cast<void>(run(client->list<BareMetalHost>()));  // the book knows it
  }
  ~Answered() { client.reset(); }
  Answered(const Answered&) = delete;
  Answered& operator=(const Answered&) = delete;

  [[nodiscard]] kube::Error::Code refused(base::Task<BareMetalHost> task) {
    try {
      static_cast<void>(run(std::move(task)));
    } catch (const kube::Error& error) {
      return error.code();
    }
    throw std::runtime_error("it was taken");
  }
  // Nothing of it is there.
  void untouched() {
    CHECK(door.writes.empty());
    CHECK(run(client->get<BareMetalHost>({"default", "a"})).value() == before);
  }

  base::Metrics metrics;
  Book book{clock, "salt", {}};
  Fence fence{runtime, network, book, metrics, "salt"};
  std::unique_ptr<kube::Client> client;
  BareMetalHost before;
};

TEST_CASE("a withheld change is answered with the object as it would be", "[shadow]") {
  Answered site;
  const auto after = site.run(site.client->patch<BareMetalHost>(
      {"default", "a"}, json::parse(fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"spec":{{"online":false}},
                                     "status":{{"errorCount":7}}}})",
                                                site.before.metadata.resourceVersion))));
  CHECK_FALSE(after.spec.online);
  CHECK(after.status.errorCount == site.before.status.errorCount);  // no part of this write
  CHECK(after.metadata.resourceVersion == site.before.metadata.resourceVersion);
  CHECK(site.book.pending() == 1);
  const auto status = site.run(site.client->patchStatus<BareMetalHost>(
      {"default", "a"}, json::parse(R"({"spec":{"online":false},"status":{"errorType":"power management error"}})")));
  CHECK(status.spec.online);
  CHECK(json::encode(status.status).as_object().at("errorType") == "power management error");
  site.untouched();
}

TEST_CASE("a withheld change of what has moved on, or is not there, is refused as the server would", "[shadow]") {
  Answered site;
  using Code = kube::Error::Code;
  const json::Value old = json::parse(R"({"metadata":{"resourceVersion":"1"},"spec":{"online":false}})");
  CHECK(site.refused(site.client->patch<BareMetalHost>({"default", "a"}, old)) == Code::conflict);
  CHECK(site.refused(site.client->patch<BareMetalHost>({"default", "b"}, old)) == Code::notFound);
  CHECK(site.refused(site.client->create(site.before)) == Code::alreadyExists);
  CHECK(site.book.pending() == 0);
  site.untouched();
}

TEST_CASE("what would be made is answered as made, with an id of nobody's", "[shadow]") {
  Answered site;
  kube::Secret secret;
  secret.metadata.name = "s";
  secret.metadata.namespace_ = "default";
  secret.data = {{"userData", kube::SecretBytes("planted")}};
  const auto made = site.run(site.client->create(secret));
  CHECK(made.metadata.uid.starts_with(madeUp));
  CHECK_FALSE(site.run(site.client->get<kube::Secret>({"default", "s"})));
  CHECK(site.book.pending() == 1);
  site.clock.advance(2min);
  site.book.look();
  REQUIRE(site.book.differences().size() == 1);
  for (const auto& field : site.book.differences().front().fields)
    if (field.path.starts_with("data")) CHECK(field.ours == "***");
  site.untouched();
}

TEST_CASE("a withheld deletion is answered as one that is under way", "[shadow]") {
  Answered site;
  CHECK(site.run(site.client->remove<BareMetalHost>({"default", "a"})));
  CHECK_FALSE(site.run(site.client->remove<BareMetalHost>({"default", "b"})));
  CHECK(site.book.pending() == 1);
  site.untouched();
}

TEST_CASE("a JSON patch is withheld, too", "[shadow]") {
  Answered site;
  const auto after = site.run(site.client->patch<BareMetalHost>(
      {"default", "a"}, json::parse(R"([{"op":"replace","path":"/spec/online","value":false}])"),
      kube::PatchType::json));
  CHECK_FALSE(after.spec.online);
  CHECK(site.book.pending() == 1);
  site.untouched();
}

}  // namespace
}  // namespace ingot::tests
