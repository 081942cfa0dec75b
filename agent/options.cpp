#include "agent/options.hpp"

#include "agent/event_inbox.hpp"
#include "base/pace.hpp"
#include "base/version.hpp"
#include "json/config.hpp"
#include "net/host_port.hpp"

#include <unistd.h>
#include <CLI/CLI.hpp>

#include <sstream>

namespace ingot::agent {

namespace {

std::string hostName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "agent";
}

constexpr double leastRate = 1.0 / 60;  // requests a second; more seldom, and no fact of a host would be fresh

void checkEvents(const Options& options) {
  const bool isWanted = !options.eventsUrl.empty();
  const bool isMore =
      !options.eventsListen.empty() || !options.eventsCertFile.empty() || !options.eventsKeyFile.empty();
  if (!isWanted && isMore)
    throw base::InvalidInput("--events-url", "--events-listen, -cert-file and -key-file say more of it");
  if (!isWanted) return;
  if (!options.followsEvents) throw base::InvalidInput("--events-url", "not with --no-events");
  if (const auto why = whyNoEventsUrl(options.eventsUrl); !why.empty()) throw base::InvalidInput("--events-url", why);
  if (options.eventsCertFile.empty() != options.eventsKeyFile.empty())
    throw base::InvalidInput("--events-cert-file", "it goes together with --events-key-file");
  if (!options.eventsListen.empty()) static_cast<void>(net::parseHostPort("--events-listen", options.eventsListen));
}

void checkRate(const Options& options) {
  if (options.bmcMaxRate != 0 && !(options.bmcMaxRate >= leastRate))
    throw base::InvalidInput("--bmc-max-rate", "0, or 0.0167 at least: one request a minute");
}

void checkTransport(const Options& options) {
  if (!isBuiltIn(options.redfishTransport))
    throw base::InvalidInput("--redfish-transport",
                             "this ingot-agent was built without libredfish (-DINGOT_LIBREDFISH=ON); it speaks to BMCs "
                             "through curl");
  if (options.redfishTransport == RedfishTransport::libredfish && !options.caFile.empty())
    throw base::InvalidInput("--bmc-ca-file", "not with --redfish-transport libredfish, which verifies no certificate");
}

}  // namespace

base::Duration Options::leastInterval() const {
  return bmcMaxRate == 0 ? base::Duration{} : base::intervalOf(bmcMaxRate);
}

Parsed parseOptions(int argc, const char* const* argv) {
  Options options{.name = hostName()};
  CLI::App app("Serves the BMCs of one network for an Ingot coordinator.", "ingot-agent");
  app.set_version_flag("--version", base::version);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  std::string config;
  app.add_option("--config", config, "YAML file with options (server: tcp://10.0.0.1:7460); flags win");
  app.add_option("--server", options.server, "The coordinator's endpoint, e.g. tcp://10.0.0.1:7460")
      ->capture_default_str();
  app.add_option("--server-key", options.serverKey, "File with the coordinator's public key")->required();
  app.add_option("--data-dir", options.dataDir, "Folder for the agent's own keys and journal")->capture_default_str();
  app.add_option("--name", options.name, "Name that the coordinator shows; the machine's unless told");
  app.add_option("--bmc-ca-file", options.caFile, "PEM file with the CA of the BMCs' certificates");
  app.add_option("--redfish-transport", options.redfishTransport,
                 "curl, or libredfish where this agent was built with it: that verifies no certificate, so hosts need "
                 "disableCertificateVerification, and has no streams of events")
      ->transform(CLI::CheckedTransformer(std::map<std::string, RedfishTransport>{
          {"curl", RedfishTransport::curl}, {"libredfish", RedfishTransport::libredfish}}))
      ->option_text("curl|libredfish [curl]");
  app.add_flag("!--no-events", options.followsEvents,
               "Opens no stream of events at a BMC, for BMCs that have few connections; all is polled");
  app.add_option("--events-url", options.eventsUrl,
                 "https://HOST:PORT under which BMCs reach this agent: they push their events there, where they can")
      ->option_text("URL");
  app.add_option("--events-listen", options.eventsListen, "Listens here for --events-url; else everywhere, at its port")
      ->option_text("HOST:PORT");
  app.add_option("--events-cert-file", options.eventsCertFile,
                 "PEM file with the certificate of --events-url; else the agent makes one, which no BMC can verify");
  app.add_option("--events-key-file", options.eventsKeyFile, "PEM file with its key");
  app.add_option(
         "--bmc-max-rate", options.bmcMaxRate,
         "At most so many requests a second to one BMC; they never overlap. 0.2: one in five seconds. 0: as fast "
         "as it answers")
      ->option_text("N [0]")
      ->check(CLI::Range(0.0, 1000.0));
  app.add_option("--keep-connections", options.keepConnections,
                 "Keeps at most so many connections to BMCs open between requests; each takes some 30 KiB, and saves a "
                 "TLS handshake")
      ->option_text("N [16384]")
      ->check(CLI::Range(1u, 100000u));
  app.add_option("--metrics-addr", options.metricsAddress,
                 "Serves /metrics and /healthz over plain HTTP here, e.g. 127.0.0.1:9470; not served unless told")
      ->option_text("HOST:PORT");
  app.add_flag("--check", options.check, "Tell whether an agent would start so and reach its coordinator, and exit");
  app.add_option("--log-level", options.logLevel, "debug, info, warn or error")
      ->transform(CLI::CheckedTransformer(std::map<std::string, base::Level>{{"debug", base::Level::debug},
                                                                             {"info", base::Level::info},
                                                                             {"warn", base::Level::warn},
                                                                             {"error", base::Level::error}}))
      ->option_text("LEVEL");
  try {
    auto arguments = json::withConfigFile({argv + 1, argv + argc}, [&app](const std::string& option) {
      return app.get_option_no_throw(option) != nullptr;
    });
    std::ranges::reverse(arguments);  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& stop) {
    std::ostringstream out;
    const int code = app.exit(stop, out, out);
    return {std::nullopt, {code == 0 ? 0 : 2, out.str()}};
  } catch (const base::InvalidInput& problem) {
    return {std::nullopt, {2, fmt::format("ingot-agent: {}\n", problem.what())}};
  }
  try {
    if (!options.metricsAddress.empty())
      static_cast<void>(net::parseHostPort("--metrics-addr", options.metricsAddress));
    checkEvents(options);
    checkRate(options);
    checkTransport(options);
  } catch (const base::InvalidInput& problem) {
    return {std::nullopt, {2, fmt::format("ingot-agent: {}\n", problem.what())}};
  }
  return {std::move(options), {}};
}

}  // namespace ingot::agent
