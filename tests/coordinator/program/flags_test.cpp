// The command lines of Metal3's three managers start Ingot (spec/capm3.md §20.1, §20.5, spec/ipam.md §16,
// spec/cluster-api.md §1.15).
#include "base/file.hpp"
#include "base/text.hpp"
#include "coordinator/flags/manager_flags.hpp"
#include "coordinator/options.hpp"
#include "tests/support/guide_commands.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <sstream>

namespace ingot::tests {
namespace {

using namespace coordinator;
using namespace std::chrono_literals;

Parsed parsed(const std::vector<std::string>& words) {
  std::vector<const char*> arguments{"ingot-coordinator"};
  for (const auto& word : words) arguments.push_back(word.c_str());
  return parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

Options optionsOf(const std::vector<std::string>& words) {
  auto out = parsed(words);
  INFO(out.leave.text);
  REQUIRE(out.options);
  return std::move(*out.options);
}

std::string complaint(const std::vector<std::string>& words) {
  const auto out = parsed(words);
  CHECK_FALSE(out.options);
  CHECK(out.leave.code == 2);
  return out.leave.text;
}

struct EnvironmentVariable {
  EnvironmentVariable(std::string variable, const char* value) : name(std::move(variable)) {
    ::setenv(name.c_str(), value, 1);
  }
  ~EnvironmentVariable() { ::unsetenv(name.c_str()); }
  std::string name;
};

// A row of the guide's tables: | `--flag` | whose | what it does here |
struct GuideRow {
  std::string whose, here;
};

std::map<std::string, GuideRow> guide() {
  std::map<std::string, GuideRow> rows;
  std::istringstream page(base::readFile(INGOT_SOURCE_DIR "/docs/guide/flags.md"));
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("| `--")) continue;
    const auto nameEnd = line.find('`', 5);
    if (line.compare(nameEnd, 4, "` | ") != 0) continue;  // of another table
    const auto whoseEnd = line.find(" |", nameEnd + 4);
    const std::string name = line.substr(5, nameEnd - 5);
    const bool isNew = rows.emplace(name, GuideRow{line.substr(nameEnd + 4, whoseEnd - nameEnd - 4),
                                                   line.substr(whoseEnd + 3, line.rfind(" |") - whoseEnd - 3)})
                           .second;
    INFO(line);
    CHECK(isNew);
  }
  return rows;
}

// The flags that the rows of a section's table name; "-x" is the rest of a name, "x-" its beginning.
std::vector<std::string> flagsIn(const std::string& chapter, const std::string& heading) {
  std::vector<std::string> names;
  std::istringstream page(base::readFile(INGOT_SOURCE_DIR "/docs/spec/" + chapter));
  bool isInside = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) isInside = line.find(heading) != std::string::npos;
    const auto end = line.find(" | ", 2);
    std::string cell = isInside && line.starts_with("| ") && end != std::string::npos ? line.substr(2, end - 2) : "";
    std::erase(cell, '`');
    if (!cell.starts_with("--")) continue;
    std::ranges::replace(cell, '/', ',');
    std::istringstream parts(cell);
    for (std::string part; std::getline(parts, part, ',');) {
      std::istringstream(part) >> part;
      names.push_back(part.starts_with("--") ? part.substr(2) : part);
    }
  }
  return names;
}

}  // namespace

TEST_CASE("capm3 §20.1, ipam §16 the flags of the managers are those that the chapters list", "[flags]") {
  const auto isTaken = [](const std::string& name) {
    return std::ranges::any_of(managerFlags(), [&](const ManagerFlag& flag) {
      const std::string_view known = flag.name;
      if (name.starts_with('-')) return known.ends_with(name);
      return name.ends_with('-') ? known.starts_with(name) : known == name;
    });
  };
  std::size_t listed = 0;
  for (const auto& [chapter, heading] : {std::pair("capm3.md", "20.1 Flags"), std::pair("ipam.md", "16. "),
                                         std::pair("baremetalhost.md", "15.1 Flags")}) {
    const auto names = flagsIn(chapter, heading);
    CHECK(names.size() > 10);
    listed += names.size();
    for (const auto& name : names) {
      INFO(chapter << " " << name);
      CHECK(isTaken(name));
    }
  }
  CHECK(listed > 55);
}

TEST_CASE("capm3 §20.1, ipam §16 every flag of the three managers is taken, with one dash and with two", "[flags]") {
  for (const ManagerFlag& flag : managerFlags())
    for (const char* dashes : {"--", "-"}) {
      INFO(dashes << flag.name);
      const auto options = optionsOf({fmt::format("{}{}={}", dashes, flag.name, flag.example)});
      CHECK(options.idle.size() == (flag.idle.empty() ? 0 : 1));
    }
}

TEST_CASE("a flag that changes nothing here is told, with the reason", "[flags]") {
  const auto options = optionsOf({"--leader-elect", "--enable-leader-election", "--vmodule=queue=5"});
  REQUIRE(options.idle.size() == 3);
  CHECK(std::ranges::all_of(options.idle, [](const IdleFlag& flag) { return !flag.why.empty(); }));
  CHECK(optionsOf({"--hostclaims"}).idle.front().asksForMore);
  CHECK(optionsOf({"--hostclaims=false", "--build-preprov-image=false"}).idle.empty());  // which is what he gets
  CHECK_FALSE(parsed({"--leader-elect=perhaps"}).options);
}

TEST_CASE("the guide names the flags of which two add up", "[flags][docs]") {
  std::string adding, flag, text;
  const auto close = [&] {
    if (std::exchange(text, "").contains("add up"))
      adding += fmt::format("{}`{}`", adding.empty() ? "" : " and ", flag);
  };
  std::istringstream help(parsed({"--help"}).leave.text);
  for (std::string line; std::getline(help, line);) {
    const std::string_view trimmed = base::trimmed(line);
    if (trimmed.starts_with('-')) {
      close();
      const auto at = trimmed.find("--");
      flag = trimmed.substr(at, trimmed.find_first_of(" ,", at) - at);
    }
    text += fmt::format("{} ", trimmed);
  }
  close();
  CHECK_THAT(base::readFile(INGOT_SOURCE_DIR "/docs/guide/flags.md"),
             Catch::Contains(fmt::format("the last counts, but for {}, which add up", adding)));
}

TEST_CASE("what of a migration is left out adds up, and is named", "[flags]") {
  using coordinator::migration::Phases;
  const auto phases = [](std::vector<std::string> flags) { return optionsOf(std::move(flags)).migration; };
  CHECK(phases({}) == Phases{});
  CHECK(phases({"--skip-crd-migration-phases=StorageVersionMigration"}) == Phases{.storageVersion = false});
  CHECK_FALSE(phases({"--skip-crd-migration-phases=StorageVersionMigration", "--skip-crd-migration-phases",
                      "CleanupManagedFields"})
                  .any());
  CHECK_FALSE(phases({"--skip-crd-migration-phases=StorageVersionMigration,CleanupManagedFields"}).any());
  CHECK_FALSE(phases({"--skip-crd-migration-phases=All"}).any());
}

TEST_CASE("capm3 §20.5, ipam §16 the Deployments of the three managers start as they are", "[flags]") {
  const std::vector<std::string> ofCapm3 = {"--webhook-port=9443", "--enable-bmh-name-based-preallocation=false",
                                            "--diagnostics-address=:8443", "--insecure-diagnostics=false"};
  const std::vector<std::string> ofIpam = {"--webhook-port=9443", "--diagnostics-address=:8443",
                                           "--insecure-diagnostics=false"};
  const std::vector<std::string> ofBmo = {"--enable-leader-election", "--hostclaims"};
  CHECK(optionsOf(ofCapm3).diagnosticsAddress == ":8443");
  CHECK_FALSE(optionsOf(ofCapm3).claimsNamedByHost);
  CHECK_FALSE(optionsOf(ofIpam).insecureDiagnostics);
  CHECK(optionsOf(ofBmo).idle.size() == 2);
}

TEST_CASE("capm3 §20.1, ipam §16, cluster-api §1.15 flags arrive where they are read", "[flags]") {
  const auto options = optionsOf(
      {"--sync-period=1h30m", "--metal3machine-concurrency=1", "--metal3cluster-concurrency=2",
       "--metal3datatemplate-concurrency=3", "--metal3data-concurrency=4", "--metal3labelsync-concurrency=5",
       "--metal3machinetemplate-concurrency=6", "--metal3remediation-concurrency=7", "--ippool-concurrency=0",
       "--controller-concurrency=9", "--enableBMHNameBasedPreallocation", "--tls-curve-preferences=29,CurveP384",
       "--insecure-diagnostics", "--diagnostics-address=127.0.0.1:0"});
  CHECK(options.syncPeriod == 90min);
  const Concurrency& at = options.concurrency;
  const std::vector<Concurrency::Workers> seen = {at.machines,     at.clusters,  at.dataTemplates,
                                                  at.data,         at.labelSync, at.machineTemplates,
                                                  at.remediations, at.pools,     at.hosts};
  CHECK(seen == std::vector<Concurrency::Workers>{1, 2, 3, 4, 5, 6, 7, 1, 9});
  CHECK(options.claimsNamedByHost);
  CHECK(keyExchangesOf(options) == std::vector<std::string>{"X25519", "CurveP384"});
  CHECK(options.insecureDiagnostics);
  CHECK(options.diagnosticsAddress == "127.0.0.1:0");
  CHECK(optionsOf({"--metal3data-concurrency=-1"}).concurrency.data == 1U);
  CHECK(optionsOf({"--metal3data-concurrency=2000"}).concurrency.data == 1000U);
  CHECK(optionsOf({"--controller-concurrency=2000"}).concurrency.hosts == 1000U);
  CHECK_FALSE(optionsOf({"--controller-concurrency=-1"}).concurrency.hosts);
  CHECK_FALSE(optionsOf({"--controller-concurrency=0"}).concurrency.hosts);
  const EnvironmentVariable told("BMO_CONCURRENCY", "3");
  CHECK(optionsOf({}).concurrency.hosts == 3U);
  CHECK(optionsOf({"--controller-concurrency=4"}).concurrency.hosts == 4U);
  CHECK(optionsOf({"--controller-concurrency=0"}).concurrency.hosts == 3U);
}

TEST_CASE("a BMO_CONCURRENCY that is no number of workers is as good as none", "[flags]") {
  for (const char* none : {"", "0", "-2", "many", "3x"}) {
    const EnvironmentVariable told("BMO_CONCURRENCY", none);
    CHECK_FALSE(optionsOf({}).concurrency.hosts);
  }
}

TEST_CASE("flags with one dash work with a file, and with values that are empty", "[flags]") {
  CHECK_THAT(parsed({"-config=/nowhere/x.yaml"}).leave.text, Catch::Contains("/nowhere/x.yaml"));
  CHECK_THAT(parsed({"-config", "/nowhere/x.yaml"}).leave.text, Catch::Contains("/nowhere/x.yaml"));
  const auto options = optionsOf({"-namespace=", "-metrics-addr=0"});
  CHECK(options.namespace_.empty());
  CHECK(options.metricsAddress == "0");
}

TEST_CASE("in a pod health is served where the managers' Deployments look for it", "[flags]") {
  CHECK(optionsOf({}).healthAddress == "127.0.0.1:0");
  const EnvironmentVariable pod("KUBERNETES_SERVICE_HOST", "10.96.0.1");
  CHECK(optionsOf({}).healthAddress == ":9440");
  CHECK(optionsOf({}).metricsAddress == "127.0.0.1:0");
  CHECK(optionsOf({"--health-addr=0"}).healthAddress == "0");
  CHECK(optionsOf({"--embedded", "--data-dir=/d"}).healthAddress == "127.0.0.1:0");
}

TEST_CASE("cipher suites add up, and have Go's older names, too", "[flags]") {
  const auto suites = [](const std::vector<std::string>& words) { return cipherSuitesOf(optionsOf(words)); };
  CHECK(suites({"--tls-cipher-suites=TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305"}) ==
        std::vector<std::string>{"TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
                                 "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"});
  CHECK(suites({"--tls-cipher-suites=TLS_AES_128_GCM_SHA256",
                "--tls-cipher-suites=TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384"}) ==
        std::vector<std::string>{"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"});
  CHECK_FALSE(parsed({"--tls-cipher-suites=TLS_RSA_WITH_RC4_128_SHA"}).options);  // Go calls it insecure
}

TEST_CASE("the timing of the election: units win over seconds, and those over the defaults", "[flags]") {
  CHECK(electionTimingOf(optionsOf({})) == ElectionTiming{15s, 10s, 2s});
  const std::vector<std::string> seconds = {"--lease-duration-seconds=60", "--renew-deadline-seconds=40",
                                            "--retry-period-seconds=5"};
  CHECK(electionTimingOf(optionsOf(seconds)) == ElectionTiming{60s, 40s, 5s});
  auto both = seconds;
  both.insert(both.end(), {"--leader-elect-lease-duration=50s", "--leader-elect-renew-deadline=30s",
                           "--leader-elect-retry-period=1500ms"});
  CHECK(electionTimingOf(optionsOf(both)) == ElectionTiming{50s, 30s, 1500ms});
  const EnvironmentVariable empty("LEASE_DURATION_SECONDS", ""), told("RETRY_PERIOD_SECONDS", "3");
  CHECK(electionTimingOf(optionsOf({})) == ElectionTiming{15s, 10s, 3s});
}

TEST_CASE("an election that cannot work is refused", "[flags]") {
  for (const std::string wrong :
       {"--leader-elect-lease-duration=10s", "--leader-elect-renew-deadline=20s", "--leader-elect-retry-period=9s",
        "--leader-elect-retry-period=0", "--lease-duration-seconds=32768", "--lease-duration-seconds=1.5",
        "--leader-elect-lease-duration=15500ms", "--leader-elect-lease-duration=15",
        "--leader-elect-lease-duration=-15s"}) {
    INFO(wrong);
    CHECK_FALSE(complaint({wrong}).empty());
  }
}

TEST_CASE("rates are read as client-go reads them, and there is none unless told", "[flags]") {
  using Rate = std::optional<net::RequestRate>;
  const auto rate = [](const std::vector<std::string>& words) { return rateOf(optionsOf(words).kubeApi); };
  CHECK(rate({}) == Rate());
  CHECK(rate({"--kube-api-qps=50", "--kube-api-burst=100"}) == Rate({50, 100}));
  CHECK(rate({"--kube-api-qps=0.5"}) == Rate({0.5, 30}));
  CHECK(rate({"--kube-api-burst=7"}) == Rate({20, 7}));
  CHECK(rate({"--kube-api-qps=0", "--kube-api-burst=0"}) == Rate({5, 10}));
  CHECK(rate({"--kube-api-qps=-1"}) == Rate());
  CHECK(rateOf(optionsOf({"--clustercache-client-qps=3"}).workloadClusters) == Rate({3, 30}));
}

TEST_CASE("how much is logged: our own flag wins, then -v, then --dev", "[flags]") {
  const auto level = [](const std::vector<std::string>& words) { return optionsOf(words).logLevel; };
  CHECK(level({}) == base::Level::info);
  CHECK(level({"-v", "4"}) == base::Level::debug);
  CHECK(level({"-v=3"}) == base::Level::info);
  CHECK(level({"--v=5"}) == base::Level::debug);
  CHECK(level({"-v=200"}) == base::Level::debug);
  CHECK(level({"--dev"}) == base::Level::debug);
  CHECK(level({"--dev", "--v=0"}) == base::Level::info);
  CHECK(level({"--dev", "--v=5", "--log-level=warn"}) == base::Level::warn);
  CHECK(optionsOf({}).logFormat == LogFormat::text);
  CHECK(optionsOf({"--logging-format=json"}).logFormat == LogFormat::json);
  CHECK_FALSE(parsed({"--logging-format=xml"}).options);
}

TEST_CASE("versions of TLS are spelled as any of the managers spells them", "[flags]") {
  for (const std::string twelve : {"TLS12", "VersionTLS12", "VersionTLS10", "VersionTLS11"})
    CHECK(optionsOf({"--tls-min-version=" + twelve}).tlsLowest == net::TlsVersion::tls12);
  for (const std::string thirteen : {"TLS13", "VersionTLS13"})
    CHECK(optionsOf({"--tls-min-version=" + thirteen}).tlsLowest == net::TlsVersion::tls13);
  CHECK_THAT(complaint({"--tls-curve-preferences=CurveP0"}), Catch::Contains("CurveP0"));
}

TEST_CASE("an unknown flag is refused by its name, with the nearest one", "[flags]") {
  CHECK(complaint({"--leader-elec"}) ==
        "ingot-coordinator: unknown flag --leader-elec; did you mean --leader-elect?; see --help\n");
  CHECK_THAT(complaint({"--metal3machin-concurrency=5"}), Catch::Contains("did you mean --metal3machine-concurrency?"));
  CHECK_THAT(complaint({"-namespce", "x"}), Catch::Contains("unknown flag -namespce; did you mean --namespace?"));
  CHECK(complaint({"--feature-gates=A=true"}) == "ingot-coordinator: unknown flag --feature-gates; see --help\n");
  CHECK_THAT(complaint({"stray"}), Catch::Contains("\"stray\" is no flag"));
}

TEST_CASE("diagnostics of the embedded API are for everybody or for nobody", "[flags]") {
  const std::vector<std::string> embedded = {"--embedded", "--data-dir=/d", "--diagnostics-address=:8443"};
  CHECK_THAT(complaint(embedded), Catch::Contains("--insecure-diagnostics"));
  auto insecure = embedded;
  insecure.emplace_back("--insecure-diagnostics");
  CHECK(optionsOf(insecure).insecureDiagnostics);
}

// In the place of $INGOT_COORDINATOR_OPTIONS, what coordinator.env has for a cluster.
TEST_CASE("the coordinator understands what the guides have it called with", "[flags][docs]") {
  const auto settings = base::readFile(INGOT_SOURCE_DIR "/systemd/coordinator.env");
  const std::string name = "#INGOT_COORDINATOR_OPTIONS=";
  const auto begin = settings.find(name) + name.size();
  const auto ofUnit = shellWords(settings.substr(begin, settings.find('\n', begin) - begin));
  const auto commands = guideCommands("ingot-coordinator");
  CHECK(commands.size() >= 8);
  for (auto [page, line, words] : commands) {
    INFO(page << ": " << line);
    if (std::ranges::find(words, "…") != words.end()) continue;
    if (std::erase(words, "$INGOT_COORDINATOR_OPTIONS") > 0) words.insert(words.end(), ofUnit.begin(), ofUnit.end());
    const auto out = parsed(words);
    INFO(out.leave.text);
    CHECK((out.options || out.leave.code == 0));
  }
}

TEST_CASE("capm3 §20.1, ipam §16 the guide lists every flag, whose it is and what it does here", "[flags][docs]") {
  const auto rows = guide();
  for (const auto& name : flagNames()) {
    INFO("--" << name << " is not in docs/guide/flags.md");
    CHECK(rows.contains(name));
  }
  const auto known = flagNames();
  std::map<std::string, std::string> managers;
  for (const ManagerFlag& flag : managerFlags()) managers.emplace(flag.name, flag.managers);
  for (const auto& [name, row] : rows) {
    INFO("--" << name);
    CHECK(std::ranges::find(known, name) != known.end());
    const auto whose = managers.find(name);
    CHECK(row.whose == (whose == managers.end() ? "Ingot" : whose->second));
  }
  for (const ManagerFlag& flag : managerFlags()) {
    INFO("--" << flag.name);
    const std::string nothing = fmt::format("Nothing: {}.", flag.idle);
    CHECK(rows.at(std::string(flag.name)).here.starts_with("Nothing: ") == !flag.idle.empty());
    if (!flag.idle.empty()) CHECK_THAT(rows.at(std::string(flag.name)).here, Catch::StartsWith(nothing));
  }
}

}  // namespace ingot::tests
