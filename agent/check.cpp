#include "agent/check.hpp"

#include "agent/disk_journal.hpp"
#include "base/file.hpp"
#include "base/sync.hpp"
#include "base/text.hpp"
#include "bmc/model/capability.hpp"
#include "net/certificates.hpp"
#include "wire/codec.hpp"

#include <fmt/ranges.h>

namespace ingot::agent {

namespace {

constexpr base::Duration answerWithin = std::chrono::seconds(5);
constexpr base::Duration betweenTries =
    std::chrono::milliseconds(200);  // a link connects by itself, and drops till then
constexpr base::Duration ipmitoolWithin = std::chrono::seconds(10);

// What `look` says, or the error that it throws.
Finding foundBy(const std::function<std::string()>& look) {
  try {
    return {.good = true, .text = look()};
  } catch (const base::Error& error) {
    return {.good = false, .text = error.what()};
  }
}

Finding bmcTrust(const Options& options) {
  if (options.caFile.empty()) return {.text = "BMC certificates are judged by the system's authorities"};
  return foundBy([&] {
    if (base::readFile(options.caFile).find("-----BEGIN CERTIFICATE-----") == std::string::npos)
      throw base::Error(fmt::format("--bmc-ca-file {} holds no PEM certificate", options.caFile));
    return fmt::format("BMC certificates are judged by {}", options.caFile);
  });
}

std::optional<Finding> events(const Options& options) {
  if (options.eventsUrl.empty()) return std::nullopt;
  return foundBy([&] {
    if (options.eventsCertFile.empty()) return fmt::format("BMCs push their events to {}", options.eventsUrl);
    const net::KeyPair pair{base::readFile(options.eventsCertFile),
                            base::Secret(base::readFile(options.eventsKeyFile))};
    if (!net::fits(pair))
      throw base::Error(fmt::format("--events-cert-file {} and --events-key-file {} do not belong together",
                                    options.eventsCertFile, options.eventsKeyFile));
    return fmt::format("BMCs push their events to {}, whose certificate ends on {}", options.eventsUrl,
                       base::formatTime(net::expiresAt(pair.certificatePem)));
  });
}

Finding journalOf(const base::Executor& executor, const Options& options) {
  return foundBy([&] {
    const auto store = diskJournal(executor, options.dataDir + "/journal");
    const auto hosts = store->load();
    if (const auto damaged = store->damaged(); !damaged.empty())
      throw base::Error(fmt::format(
          "the journal of {} cannot be read: the coordinator can switch them once its term has risen (it "
          "has been restarted)",
          fmt::join(std::ranges::count(damaged, everyHost) > 0 ? std::vector<std::string>{"all hosts"} : damaged,
                    ", ")));
    return fmt::format("the journal in {} can be read: {} hosts, term {}", options.dataDir, hosts.size(),
                       store->loadTerm());
  });
}

base::Task<Finding> ipmitool(base::ProcessRunner& processes) {
  try {
    const auto ended = co_await processes.run({.argv = {"ipmitool", "-V"}, .deadline = ipmitoolWithin});
    if (ended.exitCode == 0)
      co_return Finding{.text = fmt::format("hosts behind IPMI are served by {}; they have no {}",
                                            base::trimmed(ended.standardOutput), bmc::missingIn(bmc::Protocol::ipmi))};
  } catch (const base::Error&) {  // told below
  }
  co_return Finding{.good = false, .text = "ipmitool does not run: hosts behind IPMI cannot be served"};
}

// A heartbeat of an agent that has not introduced itself is answered, and nothing is granted for it.
base::Task<void> greeted(base::Clock& clock, wire::AgentLink& link) {
  while (!link.send(wire::encode(wire::Heartbeat{}))) co_await clock.sleepFor(betweenTries);
  while (true) {
    const auto message = wire::decode(co_await link.receive());
    if (message && std::holds_alternative<wire::Welcome>(*message)) co_return;
  }
}

base::Task<Finding> coordinator(CheckWorld& world, const Options& options, const wire::KeyPair& keys) {
  try {
    const std::string serverKey(base::trimmed(base::readFile(options.serverKey)));
    const auto link = world.connect({options.server, serverKey, keys});
    co_await base::withTimeout(world.runtime.clock, answerWithin, "the coordinator",
                               greeted(world.runtime.clock, *link));
    co_return Finding{.text = fmt::format("the coordinator at {} answers", options.server)};
  } catch (const base::TimedOut&) {
    co_return Finding{.good = false,
                      .text = fmt::format(
                          "the coordinator at {} does not answer within {} s: is it there, is a firewall between, and "
                          "is {} its key (coordinator.pub)?",
                          options.server, answerWithin / std::chrono::seconds(1), options.serverKey)};
  } catch (const base::Error& error) {
    co_return Finding{.good = false, .text = error.what()};
  }
}

}  // namespace

base::Task<std::vector<Finding>> check(CheckWorld world, Options options, bool isRunning) {
  std::vector<Finding> found;
  std::optional<wire::KeyPair> keys;
  found.push_back(foundBy([&] {
    keys = wire::loadOrCreateKeyPair(options.dataDir + "/agent");
    const auto print = wire::fingerprint(keys->publicKey);
    return fmt::format("the fingerprint is {}; approve it by: ingotctl agents approve {} --fingerprint '{}' --all",
                       print, options.name, print);
  }));
  found.push_back(bmcTrust(options));
  if (auto told = events(options)) found.push_back(std::move(*told));
  found.push_back(journalOf(world.runtime.executor, options));
  found.push_back(co_await ipmitool(world.processes));
  if (isRunning)
    found.push_back({.text = "an agent runs with this folder; whether it has a coordinator is in its log"});
  else if (keys)
    found.push_back(co_await coordinator(world, options, *keys));
  co_return found;
}

Exit reportOf(const std::vector<Finding>& findings) {
  Exit report;
  for (const auto& [good, text] : findings) {
    report.text += fmt::format("{}: {}\n", good ? "ok" : "trouble", text);
    if (!good) report.code = 1;
  }
  return report;
}

}  // namespace ingot::agent
