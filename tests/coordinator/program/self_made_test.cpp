// Certificates of the coordinators' own making, beside an API that holds what names them.
#include "coordinator/webhooks/self_made.hpp"

#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/base64.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/webhooks/registrations.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "net/loopback.hpp"
#include "tests/support/kubernetes_kind.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::webhooks::Definition;
using coordinator::webhooks::SelfMadeCertificates;
using coordinator::webhooks::ValidatingConfiguration;

namespace {

constexpr auto machines = "metal3machines.infrastructure.cluster.x-k8s.io";

struct WithRegistrations : tests::Loop, net::HttpHandler {
  WithRegistrations() {
    auto crds = api::crdsOf(api::KindSet::clusterApi);
    crds.push_back(tests::kubernetesKind(ValidatingConfiguration::info));
    crds.push_back(tests::kubernetesKind(coordinator::webhooks::MutatingConfiguration::info));
    for (auto& crd : crds)
      if (auto* spec = crd["spec"].if_object(); spec->contains("conversion"))
        (*spec)["conversion"].at("webhook").at("clientConfig").at("service") =
            json::Object{{"name", "ingot-webhook-service"}, {"namespace", "ingot-system"}, {"path", "/convert"}};
    apiserver::EmbeddedOptions options{.definitions = std::move(crds), .converters = coordinator::kindConverters()};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
    network.serve("https://api.test", *this, apiserver::EmbeddedApi::localAdmin());
    client = kube::connect(runtime, network, {.server = "https://api.test"});
    kube::Namespace space;
    space.metadata.name = "ingot-system";
    run(client->create(std::move(space)));
  }
  ~WithRegistrations() override {
    run(tasks.close());
    client.reset();
    run(network.close());
    run(api->stop(1s));
  }
  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    const bool isRefused = !refused.empty() && request.method != "GET" && request.path().ends_with(refused);
    if (isRefused) co_return co_await out.send({403, {}, "a policy says no"});
    co_await api->handler().handle(std::move(request), out);
  }
  SelfMadeCertificates& startReplica() {
    auto& replica = *replicas.emplace_back(std::make_unique<SelfMadeCertificates>(
        runtime, *client, coordinator::webhooks::SelfMadeOptions{.namespace_ = "ingot-system"}));
    tasks.spawn("replica", replica.run());
    return replica;
  }
  void addConfiguration(const std::string& name) {
    run(client->api().create(
        kube::Resource::of(ValidatingConfiguration::info), "",
        json::parse(fmt::format(
            R"({{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingWebhookConfiguration",
            "metadata":{{"name":"{}"}},"webhooks":[
            {{"name":"ours","clientConfig":{{"service":{{"name":"ingot-webhook-service","namespace":"ingot-system","path":"/x"}}}},"rules":[1]}},
            {{"name":"theirs","clientConfig":{{"service":{{"name":"ingot-webhook-service","namespace":"elsewhere"}}}}}}]}})",
            name))));
  }
  kube::Secret secret() {
    return run(client->get<kube::Secret>({"ingot-system", std::string(coordinator::webhooks::selfMadeSecret)})).value();
  }
  std::string authority() { return secret().find("ca.crt")->reveal(); }
  json::Value stored(const std::string& name) {
    return run(client->api().get(kube::Resource::of(ValidatingConfiguration::info), {"", name})).value();
  }
  std::string bundleIn(const std::string& name) {
    return json::textAt(stored(name).at("webhooks").at(0), {"clientConfig", "caBundle"});
  }
  std::string bundleInDefinition() {
    return run(client->get<Definition>({"", machines}))->spec.conversion.webhook.clientConfig.caBundle;
  }

  std::string refused;  // writes to a path that ends so; "": none
  net::Loopback network{runtime};
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<kube::Client> client;
  base::TaskGroup tasks{runtime.executor, runtime.log};
  std::vector<std::unique_ptr<SelfMadeCertificates>> replicas;
};

}  // namespace

TEST_CASE("replicas share a certificate, whose authority is written where reviews are sent from", "[webhooks]") {
  WithRegistrations bench;
  bench.addConfiguration("before");
  auto &one = bench.startReplica(), &two = bench.startReplica();
  bench.clock.advance(10s);
  bench.addConfiguration("later");
  bench.clock.advance(10s);
  CHECK(one.pair().certificatePem == two.pair().certificatePem);
  CHECK(net::fits(one.pair()));
  CHECK(net::isSignedBy(one.pair().certificatePem, bench.authority()));
  CHECK(net::namesOf(one.pair().certificatePem) ==
        std::vector<std::string>{"ingot-webhook-service.ingot-system.svc",
                                 "ingot-webhook-service.ingot-system.svc.cluster.local"});
  const auto bundle = base::toBase64(bench.authority());
  for (const auto* name : {"before", "later"}) {
    CHECK(bench.bundleIn(name) == bundle);
    CHECK(json::serialize(bench.stored(name).at("webhooks").at(0).at("rules")) == "[1]");
    CHECK(json::find(bench.stored(name).at("webhooks").at(1), {"clientConfig", "caBundle"}) == nullptr);
  }
  CHECK(bench.bundleInDefinition() == bundle);
}

TEST_CASE("what somebody takes away or damages is made anew, and put back where it belongs", "[webhooks]") {
  WithRegistrations bench;
  bench.addConfiguration("hooks");
  auto& replica = bench.startReplica();
  bench.clock.advance(10s);
  const auto before = bench.authority();
  SECTION("a bundle") {
    bench.run(bench.client->patch<Definition>(
        {"", machines}, json::parse(R"({"spec":{"conversion":{"webhook":{"clientConfig":{"caBundle":null}}}}})")));
    bench.clock.advance(10s);
    CHECK(bench.bundleInDefinition() == base::toBase64(before));
  }
  SECTION("the Secret") {
    bench.run(bench.client->remove<kube::Secret>({"ingot-system", std::string(coordinator::webhooks::selfMadeSecret)}));
    bench.clock.advance(11min);
    CHECK(bench.authority() != before);
    CHECK(bench.authority().ends_with(before));  // it is believed until all know the other
    CHECK(bench.bundleIn("hooks") == base::toBase64(bench.authority()));
    CHECK(net::isSignedBy(replica.pair().certificatePem, bench.authority()));
  }
  SECTION("the key in it") {
    bench.run(bench.client->patch<kube::Secret>({"ingot-system", std::string(coordinator::webhooks::selfMadeSecret)},
                                                json::parse(R"({"data":{"tls.key":"eA=="}})")));
    bench.clock.advance(11min);
    CHECK(bench.authority() == before);
    CHECK(net::fits(replica.pair()));
  }
}

TEST_CASE("a new authority is used once it is believed everywhere, and not before", "[webhooks]") {
  WithRegistrations bench;
  bench.addConfiguration("hooks");
  auto& replica = bench.startReplica();
  bench.clock.advance(10s);
  const auto before = bench.authority();
  bench.refused = GENERATE("/validatingwebhookconfigurations/hooks", "/metal3machines.infrastructure.cluster.x-k8s.io");
  bench.run(bench.client->remove<kube::Secret>({"ingot-system", std::string(coordinator::webhooks::selfMadeSecret)}));
  bench.clock.advance(30min);
  REQUIRE(bench.authority() != before);
  CHECK(net::isSignedBy(replica.pair().certificatePem, before));
  bench.refused.clear();
  bench.clock.advance(10s);
  CHECK_FALSE(net::isSignedBy(replica.pair().certificatePem, before));
  CHECK(net::isSignedBy(replica.pair().certificatePem, bench.authority()));
}

TEST_CASE("a configuration that believes ours among others is left alone", "[webhooks]") {
  WithRegistrations bench;
  auto& replica = bench.startReplica();
  bench.clock.advance(10s);
  const auto merged =
      base::toBase64("-----BEGIN CERTIFICATE-----\ntheirs\n-----END CERTIFICATE-----\n" + bench.authority());
  bench.run(bench.client->patch<Definition>(
      {"", machines},
      json::parse(
          fmt::format(R"({{"spec":{{"conversion":{{"webhook":{{"clientConfig":{{"caBundle":"{}"}}}}}}}}}})", merged))));
  bench.clock.advance(10s);
  CHECK(bench.bundleInDefinition() == merged);
  CHECK(net::fits(replica.pair()));
}

TEST_CASE("what is about to run out is renewed: a certificate by its authority, an authority beside the one of before",
          "[webhooks]") {
  WithRegistrations bench;
  bench.addConfiguration("hooks");
  const bool isOld = GENERATE(false, true);
  const auto now = bench.clock.wall();
  const auto authority = net::CertificateAuthority::create("ingot-webhooks", now, 24h * (isOld ? 170 : 3000));
  const auto pair =
      authority.issue(net::ServerCertificate{.commonName = "x",
                                             .dnsNames = {"ingot-webhook-service.ingot-system.svc",
                                                          "ingot-webhook-service.ingot-system.svc.cluster.local"},
                                             .ipAddresses = {},
                                             .validity = 24h * (isOld ? 80 : 29)},
                      now);
  kube::Secret stored;
  stored.metadata.name = coordinator::webhooks::selfMadeSecret;
  stored.metadata.namespace_ = "ingot-system";
  stored.type = "kubernetes.io/tls";
  stored.data = {{"tls.crt", kube::SecretBytes(pair.certificatePem)},
                 {"tls.key", pair.privateKeyPem},
                 {"ca.crt", kube::SecretBytes(authority.certificatePem())},
                 {"ca.key", authority.keyPair().privateKeyPem}};
  bench.run(bench.client->create(std::move(stored)));
  auto& replica = bench.startReplica();
  bench.clock.advance(10s);
  CHECK(replica.pair().certificatePem != pair.certificatePem);
  CHECK(bench.authority().ends_with(authority.certificatePem()));
  CHECK((bench.authority() != authority.certificatePem()) == isOld);
  CHECK(net::isSignedBy(replica.pair().certificatePem, bench.authority()));
  CHECK(bench.bundleIn("hooks") == base::toBase64(bench.authority()));
}
