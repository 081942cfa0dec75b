// Whom an agent takes for the BMC of a host, as Secret and annotations say (docs/decisions/0025).
#include "coordinator/agents/bmc_trust.hpp"
#include "base/base64.hpp"
#include "kube/core/secret.hpp"
#include "net/certificates.hpp"
#include "tests/coordinator/agents/resting_host.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

constexpr auto pin = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

std::string someCa() { return net::CertificateAuthority::create("BMCs", base::WallTime{}).certificatePem(); }

bool isTold(Site& site) {
  return std::ranges::any_of(site.events("metal"),
                             [](const kube::Event& event) { return event.reason == "BMCTrustInvalid"; });
}

std::string problemOf(const std::map<std::string, std::string>& annotations, const std::string& ca = {},
                      const std::string& address = "redfish://10.0.0.1/redfish/v1/Systems/1") {
  api::BareMetalHost host;
  host.spec.bmc.address = address;
  host.spec.bmc.credentialsName = "h-bmc";
  for (const auto& [name, value] : annotations) host.metadata.annotations[name] = value;
  coordinator::host::SecretContent secret;
  if (!ca.empty()) secret.data.emplace("ca.crt", base::Secret(ca));
  const auto trust = coordinator::agents::bmcTrust(host, secret);
  const auto* problem = std::get_if<std::string>(&trust);
  return problem == nullptr ? "" : *problem;
}

// The TLS with which the agent speaks to the BMC last.
struct Watched {
  explicit Watched(Site& site) : site(site) {
    site.network.beforeRequest = [this](const net::ClientOptions& options, const net::HttpRequest&) {
      if (!options.baseUrl.contains("10.0.0.1")) return;
      tls = options.tls;
      ++asked;
    };
  }
  ~Watched() { site.network.beforeRequest = {}; }
  Site& site;
  net::ClientTls tls;
  int asked = 0;
};

void setCa(Site& site, const std::string& pem) {
  json::Object data;
  data["ca.crt"] = pem.empty() ? json::Value() : json::Value(base::toBase64(pem));
  site.loop.run(site.user().patch<kube::Secret>({"metal", "a-bmc"}, json::Object{{"data", data}}));
}

std::string annotate(const std::string& name, const std::string& value) {
  return json::serialize(
      json::Object{{"metadata", {{"annotations", {{name, value.empty() ? json::Value() : json::Value(value)}}}}}});
}

}  // namespace

TEST_CASE("what is said wrongly of a BMC's certificate is told with what would be right") {
  CHECK(problemOf({}).empty());
  CHECK(problemOf({{"ingot.dev/bmc-pinned-key", pin}, {"ingot.dev/bmc-tls", "legacy"}}, someCa()).empty());
  CHECK(
      problemOf({{"ingot.dev/bmc-pinned-key", "SHA256:abc"}}) ==
      "annotation ingot.dev/bmc-pinned-key is sha256//BASE64 of a public key's SHA-256, several with ';' between them");
  CHECK(problemOf({{"ingot.dev/bmc-tls", "1.0"}}) ==
        "annotation ingot.dev/bmc-tls may be legacy (TLS from 1.0 on) or be left out");
  CHECK(problemOf({}, "no PEM") == "ca.crt of the Secret h-bmc holds no PEM certificate");
  CHECK(problemOf({}, std::string(70'000, 'x')) ==
        "ca.crt of the Secret h-bmc has 70000 bytes; at most 16384 are taken");
  const std::map<std::string, std::string> pinned{{"ingot.dev/bmc-pinned-key", pin}};
  for (const auto* address : {"redfish+http://10.0.0.1/redfish/v1/Systems/1", "ipmi://10.0.0.1"})
    CHECK_THAT(problemOf(pinned, "", address), Catch::Contains("has no TLS in which the BMC could prove who it is"));
  for (const auto* address : {"redfish+http://10.0.0.1/redfish/v1/Systems/1", "ipmi://10.0.0.1"})
    CHECK(problemOf({}, someCa(), address).empty());  // it may be the Secret of several hosts
  for (const auto* name : {"ingot.dev/bmc-pinned-key", "ingot.dev/bmc-tls"})
    CHECK_FALSE(problemOf({{name, ""}}).empty());
  CHECK_FALSE(problemOf({}, "-----BEGIN CERTIFICATE-----\x01-----END CERTIFICATE-----").empty());
  CHECK(problemOf(pinned, "", "no address").empty());  // which the host controller tells
  std::string many = pin;
  while (many.size() <= 1024) many += std::string(";") + pin;
  CHECK_FALSE(problemOf({{"ingot.dev/bmc-pinned-key", many}}).empty());
}

TEST_CASE("an agent trusts the CA that the Secret names, the key that the host names, and old TLS where it is told") {
  Site site;
  Watched watched(site);
  restingHost(site);
  CHECK(watched.tls.verify);
  CHECK(watched.tls.caPem.empty());
  CHECK(watched.tls.pinnedKeys.empty());
  CHECK_FALSE(watched.tls.legacyTls);

  const auto ca = someCa();
  setCa(site, ca);
  REQUIRE(site.until([&] { return watched.tls.caPem == ca; }, 10s));
  CHECK(watched.tls.verify);
  site.patchHost("a", annotate("ingot.dev/bmc-pinned-key", pin));
  REQUIRE(site.until([&] { return watched.tls.pinnedKeys == pin; }, 10s));
  CHECK(watched.tls.verify);  // also for an agent that knows no pins
  site.patchHost("a", annotate("ingot.dev/bmc-tls", "legacy"));
  REQUIRE(site.until([&] { return watched.tls.legacyTls; }, 10s));
  site.patchHost("a", R"({"spec":{"bmc":{"disableCertificateVerification":true}}})");
  site.pass(10s);
  CHECK(watched.tls.verify);
  site.patchHost("a", annotate("ingot.dev/bmc-pinned-key", ""));
  REQUIRE(site.until([&] { return watched.tls.pinnedKeys.empty(); }, 10s));
  CHECK(watched.tls.verify);  // there is a CA
  setCa(site, "");
  REQUIRE(site.until([&] { return watched.tls.caPem.empty(); }, 10s));
  CHECK_FALSE(watched.tls.verify);  // as the host says
  REQUIRE(site.until([&] { return site.settled("a"); }, 1min));
}

TEST_CASE("a host that says wrongly whom to trust is served by no agent until it is right, and an Event tells") {
  Site site;
  Watched watched(site);
  restingHost(site);
  if (GENERATE(true, false))
    site.patchHost("a", annotate("ingot.dev/bmc-pinned-key", "my BMC"));
  else
    setCa(site, "my CA");
  REQUIRE(site.until([&] { return isTold(site); }, 10s));
  site.pass(20s);
  const int asked = watched.asked;
  site.pass(1min);
  CHECK(watched.asked == asked);
  site.patchHost("a", annotate("ingot.dev/bmc-pinned-key", ""));
  setCa(site, "");
  REQUIRE(site.until([&] { return watched.asked > asked; }, 10s));
  REQUIRE(site.until([&] { return site.settled("a"); }, 1min));
}

TEST_CASE("a host that is registered with a wrong word about its BMC's certificate says so itself") {
  Site site;
  site.serveAll("near");
  site.addHost("a", "10.0.0.1", false);
  site.patchHost("a", annotate("ingot.dev/bmc-tls", "1.0"));
  REQUIRE(site.until([&] { return site.host("a")->status.errorType == "registration error"; }, 1min));
  CHECK_THAT(site.host("a")->status.errorMessage, Catch::Contains("ingot.dev/bmc-tls may be legacy"));
  CHECK(site.bmc("10.0.0.1").logins == 0);
  site.patchHost("a", annotate("ingot.dev/bmc-tls", ""));
  REQUIRE(site.until([&] { return site.settled("a"); }, 5min));
}
