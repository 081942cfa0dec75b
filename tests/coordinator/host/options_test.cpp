#include "coordinator/options.hpp"
#include "net/host_port.hpp"

#include "base/error.hpp"
#include "base/version.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator;

Parsed parse(std::vector<const char*> words) {
  words.insert(words.begin(), "ingot-coordinator");
  return parseOptions(static_cast<int>(words.size()), words.data());
}

TEST_CASE("the flags that scripts rely on are understood", "[options]") {
  const auto options = parse({"--embedded", "--data-dir", "/d", "--listen", "127.0.0.1:0", "--kubeconfig-out", "/k",
                              "--namespace", "metal", "--provisioner", "fixture", "--agents-endpoint", "tcp://*:*",
                              "--metrics-addr", ":9001", "--health-addr", "0"})
                           .options.value();
  CHECK(options.embedded);
  CHECK(options.dataDir == "/d");
  CHECK(options.listen == "127.0.0.1:0");
  CHECK(options.kubeconfigOut == "/k");
  CHECK(options.namespace_ == "metal");
  CHECK(options.provisioner == Backend::fixture);
  CHECK(options.agentsEndpoint == "tcp://*:*");
  CHECK(options.metricsAddress == ":9001");
  CHECK(options.healthAddress == "0");
}

TEST_CASE("names of the certificate, a filter and the retry of refused claims can be told", "[options]") {
  const auto options = parse({"--embedded", "--data-dir", "/d", "--tls-san", "a.example, 10.0.0.1", "--watch-filter",
                              "ours", "--retry-refused-claims", "--enable-bmh-name-based-preallocation"})
                           .options.value();
  CHECK(tlsNamesOf(options) == std::vector<std::string>{"a.example", "10.0.0.1"});
  CHECK(options.watchFilter == "ours");
  CHECK(options.retryRefusedClaims);
  CHECK(options.claimsNamedByHost);
}

TEST_CASE("an empty value takes nothing of what follows", "[options]") {
  const auto options =
      parse({"--agents-endpoint=", "--watch-filter=", "--log-level=debug", "--namespace", ""}).options.value();
  CHECK(options.agentsEndpoint.empty());
  CHECK(options.watchFilter.empty());
  CHECK(options.namespace_.empty());
}

TEST_CASE("several namespaces are named with commas", "[options]") {
  const auto of = [](const char* text) { return namespacesOf(parse({"--namespace", text}).options.value()); };
  CHECK(of("metal") == std::vector<std::string>{"metal"});
  CHECK(of("metal, edge,,metal") == std::vector<std::string>{"metal", "edge"});
  CHECK(namespacesOf({}).empty());  // all
}

TEST_CASE("which controllers work is told as to kube-controller-manager", "[options]") {
  const auto of = [](const std::string& text) {
    const std::string flag = "--controllers=" + text;
    return partsOf(parse({flag.c_str()}).options.value());
  };
  const Parts all = partsOf(parse({}).options.value());
  CHECK(all.size() == std::size(kParts));
  CHECK(of("*") == all);
  CHECK(of("ipam") == Parts{Part::ipam});
  CHECK(of("host, ipam") == Parts{Part::host, Part::ipam});
  Parts others = all;
  others.erase(Part::ipam);
  CHECK(of("*,-ipam") == others);
  CHECK(of("-ipam,*") == others);
  CHECK(of("ipam,-ipam,host") == Parts{Part::host, Part::ipam});  // the first word counts
  CHECK(of("-ipam,ipam,host") == Parts{Part::host});
}

TEST_CASE("how often agents read hosts can be told", "[options]") {
  const auto options = parse({"--power-poll-seconds", "0.5", "--health-poll-seconds", "30"}).options.value();
  CHECK(options.powerPollSeconds == 0.5);
  CHECK(options.healthPollSeconds == 30);
  CHECK_FALSE(parse({"--power-poll-seconds", "0"}).options);
  CHECK(options.sensorPollSeconds == 120);
  CHECK(parse({"--sensor-poll-seconds", "0"}).options.value().sensorPollSeconds == 0);
  CHECK_FALSE(parse({"--sensor-poll-seconds", "-1"}).options);
  CHECK(options.logPollSeconds == 120);
  CHECK(parse({"--log-poll-seconds", "0"}).options.value().logPollSeconds == 0);
  CHECK_FALSE(parse({"--log-poll-seconds", "-1"}).options);
  CHECK(options.inventoryPollSeconds == 6 * 3600);
  CHECK(parse({"--inventory-poll-seconds", "0"}).options.value().inventoryPollSeconds == 0);
  CHECK_FALSE(parse({"--inventory-poll-seconds", "-1"}).options);
}

TEST_CASE("check takes the flags of the coordinator, before it and after", "[options]") {
  CHECK_FALSE(parse({"--provisioner", "fixture"}).options.value().checksOnly);
  for (const auto& options :
       {parse({"check", "--provisioner", "fixture"}), parse({"--provisioner", "fixture", "check"})}) {
    CHECK(options.options.value().checksOnly);
    CHECK(options.options->provisioner == coordinator::Backend::fixture);
  }
  CHECK_FALSE(parse({"check", "--embedded", "--data-dir", "/d"}).options);
  CHECK_FALSE(parse({"chekc"}).options);
}

TEST_CASE("without flags it works in a cluster, through Ironic", "[options]") {
  const auto options = parse({}).options.value();
  CHECK_FALSE(options.embedded);
  CHECK(options.provisioner == Backend::ironic);
  CHECK(tlsNamesOf(options).empty());
  CHECK(options.watchFilter.empty());
  CHECK_FALSE(options.retryRefusedClaims);
  CHECK_FALSE(options.claimsNamedByHost);
}

TEST_CASE("webhooks are served in a cluster, where upstream's managers have them, unless told otherwise", "[options]") {
  const auto usual = parse({}).options.value();
  CHECK(webhookPortOf(usual) == 9443);
  CHECK(usual.webhookCertDir == "/tmp/k8s-webhook-server/serving-certs/");
  CHECK(usual.webhookCertName == "tls.crt");
  CHECK(usual.webhookKeyName == "tls.key");
  CHECK(usual.tlsLowest == net::TlsVersion::tls12);
  CHECK(webhookPortOf(parse({"--webhook-port", "0"}).options.value()) == 0);
  CHECK(webhookPortOf(parse({"--embedded", "--data-dir", "/d"}).options.value()) == 0);
  CHECK(webhookPortOf(parse({"--embedded", "--data-dir", "/d", "--webhook-port", "8443"}).options.value()) == 8443);
  const auto told = parse({"--webhook-port=9444", "--webhook-cert-dir", "/c", "--webhook-cert-name", "a",
                           "--webhook-key-name", "b", "--tls-min-version", "VersionTLS13", "--tls-max-version", "TLS13",
                           "--tls-cipher-suites", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_AES_128_GCM_SHA256"})
                        .options.value();
  CHECK(webhookPortOf(told) == 9444);
  CHECK(told.webhookCertDir == "/c");
  CHECK(told.webhookCertName == "a");
  CHECK(told.webhookKeyName == "b");
  CHECK(told.tlsLowest == net::TlsVersion::tls13);
  CHECK(cipherSuitesOf(told).size() == 2);
}

TEST_CASE("a configuration file that cannot be read may come yet", "[options]") {
  const auto parsed = parse({"--config", "/nowhere/coordinator.yaml"});
  CHECK(parsed.leave.code == 1);
  CHECK_THAT(parsed.leave.text, Catch::Contains("/nowhere/coordinator.yaml"));
}

TEST_CASE("of a flag that is given twice the last counts, so that flags win over a file", "[options]") {
  CHECK(parse({"--namespace", "a", "--namespace", "b"}).options.value().namespace_ == "b");
}

TEST_CASE("what cannot work is refused with exit code 2", "[options]") {
  const std::vector<std::vector<const char*>> rows = {
      {"--embedded"},        // no data folder
      {"--data-dir", "/d"},  // without --embedded
      {"--tls-san", "a.example"},
      {"--embedded", "--data-dir", "/d", "--kubeconfig", "/k"},
      {"--provisioner", "magic"},
      {"--max-provisioning-retries", "-1"},
      {"--webhook-port", "70000"},
      {"--tls-min-version", "TLS11"},
      {"--tls-min-version", "TLS13", "--tls-max-version", "TLS12"},
      {"--tls-cipher-suites", "TLS_RSA_WITH_NOTHING"},
      {"--controllers", "*,-ippool"},  // no such name
      {"--controllers=-ipam"},         // all others are off, too
      {"--controllers", ""},
      {"--leader-elect-resource-name", "Not A Name"},
      {"--no-such-flag"},
  };
  for (const auto& row : rows) {
    const Parsed parsed = parse(row);
    CHECK_FALSE(parsed.options);
    CHECK(parsed.leave.code == 2);
    CHECK_FALSE(parsed.leave.text.empty());
  }
}

TEST_CASE("the help lists the choices of an option by their names", "[options]") {
  const std::string help = parse({"--help"}).leave.text;
  CHECK_THAT(help, Catch::Contains("--provisioner TEXT:{agent,fixture,ironic}"));
  CHECK_THAT(help, Catch::Contains("--log-level TEXT:{debug,error,info,warn}"));
  CHECK_THAT(help, !Catch::Contains("->"));
  CHECK_THAT(parse({"--provisioner", "magic"}).leave.text, Catch::Contains("magic not in {agent,fixture,ironic}"));
}

TEST_CASE("agents that do all the work need a way in", "[options]") {
  CHECK(parse({"--provisioner", "agent"}).options.value().provisioner == Backend::agent);
  const Parsed closed = parse({"--provisioner", "agent", "--agents-endpoint", ""});
  CHECK(closed.leave.code == 2);
  CHECK_THAT(closed.leave.text, Catch::Contains("--provisioner agent needs --agents-endpoint"));
}

TEST_CASE("asking for help or the version is no mistake", "[options]") {
  CHECK(parse({"--help"}).leave.code == 0);
  CHECK(parse({"--version"}).leave.text.find(base::version) != std::string::npos);
}

TEST_CASE("addresses are host and port", "[options]") {
  CHECK(net::parseHostPort("--x", "127.0.0.1:80").port == 80);
  CHECK(net::parseHostPort("--x", "[::1]:0").host == "::1");
  CHECK(net::parseHostPort("--x", ":8080").host.empty());  // every address
  CHECK(net::parseHostPort("--x", "localhost:8085").host == "127.0.0.1");
  for (const std::string bad : {"80", "host:", "host:http", "host:99999"}) {
    CHECK_THROWS_AS(net::parseHostPort("--x", bad), base::InvalidInput);
  }
}

}  // namespace
}  // namespace ingot::tests
