#include "sim/ramdisk/agent.hpp"

namespace ingot::sim::ramdisk {

namespace {

using namespace std::chrono_literals;
constexpr base::Duration retryPause = 1s;
constexpr base::Duration heartbeatPause = 2s;
constexpr base::Duration afterCommand = 200ms;
constexpr int maxTries = 600;  // of anything that is asked again each second

std::string dashed(std::string mac) {
  std::ranges::replace(mac, ':', '-');
  return mac;
}

std::vector<std::string> macsOf(const Machine& machine) {
  std::vector<std::string> macs;
  for (const auto& nic : machine.spec().nics) macs.push_back(nic.mac);
  return macs;
}

}  // namespace

Agent::Agent(RamdiskContext& context, Machine& machine, BootDevice from)
    : context_(context), machine_(machine), from_(from), commandEnded_(context.runtime.executor) {}

base::Task<void> Agent::run() {
  const auto self = shared_from_this();
  co_await life_.run(live());
}

void Agent::end() {
  life_.abort();
  work_.abort();
}

void Agent::note(const std::string& action, const std::string& detail) {
  context_.journal.record(
      {.machine = machine_.name(), .kind = "event", .sender = "ramdisk", .action = action, .detail = detail});
}

base::Task<void> Agent::live() {
  co_await context_.runtime.clock.sleepFor(std::chrono::milliseconds(machine_.spec().timing.boot));
  auto parameters = co_await readParameters();
  if (!parameters) co_return note("ramdisk", "nothing to boot");
  parameters_ = std::move(*parameters);
  token_ = parameters_.agentToken;
  note("ramdisk", "booted");

  if (!parameters_.inspectionCallback.empty()) co_await inspect();
  if (parameters_.apiUrl.empty()) co_return;
  co_await lookUp();
  co_await sendHeartbeats();
}

base::Task<std::optional<Parameters>> Agent::readParameters() {
  std::vector<std::string> places;
  if (from_ == BootDevice::cd)
    places.push_back(machine_.cd.image);
  else
    for (const auto& nic : machine_.spec().nics)
      if (nic.pxe) places.push_back(fmt::format("{}/pxelinux.cfg/{}", context_.bootUrl, dashed(nic.mac)));

  for (const auto& url : places) {
    if (url.empty()) continue;
    try {
      const auto response = co_await context_.clients.send("GET", url);
      if (!response.ok()) continue;
      if (auto found = findParameters(response.body)) co_return found;
    } catch (const net::HttpError& error) {
      context_.runtime.log.warn("cannot read what to boot",
                                {{"machine", machine_.name()}, {"url", url}, {"error", error.what()}});
    }
  }
  co_return std::nullopt;
}

// Ironic powers the machine on first and parks the node a moment later: before that it refuses.
base::Task<void> Agent::inspect() {
  for (int attempt = 0; attempt < maxTries; ++attempt) {
    const int status =
        co_await context_.ironic.continueInspection(parameters_.inspectionCallback, inventoryOf(machine_));
    if (status == 202 || status == 200) co_return note("ramdisk", "inspected");
    co_await context_.runtime.clock.sleepFor(retryPause);
  }
}

base::Task<void> Agent::lookUp() {
  for (int attempt = 0; attempt < maxTries; ++attempt) {
    const auto found = co_await context_.ironic.lookup(parameters_.apiUrl, macsOf(machine_));
    if (found) {
      nodeUuid_ = found->nodeUuid;
      if (!found->token.starts_with("***") && !found->token.empty()) token_ = found->token;
      co_return;
    }
    co_await context_.runtime.clock.sleepFor(retryPause);
  }
}

// Ironic moves on heartbeats only: one at boot, then every two seconds, and one soon after each asynchronous command.
base::Task<void> Agent::sendHeartbeats() {
  auto& clock = context_.runtime.clock;
  while (true) {
    const auto callback = fmt::format("{}/{}", context_.callbackUrl, nodeUuid_);
    const int status = co_await context_.ironic.heartbeat(parameters_.apiUrl, nodeUuid_, callback, token_);
    if (status == 400 || status == 401) {  // the token was wiped: power-off is coming, or a reboot was missed
      commands_.clear();
      co_await clock.sleepFor(retryPause);
      co_await lookUp();
      continue;
    }
    const bool ended = co_await commandEnded_.waitUntil(clock, clock.now() + heartbeatPause);
    if (ended) co_await clock.sleepFor(afterCommand);
  }
}

}  // namespace ingot::sim::ramdisk
