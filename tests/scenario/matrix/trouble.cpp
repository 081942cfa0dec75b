// What goes wrong around the hosts of a plant, what is mended, and what must not happen meanwhile.
#include "api/bmh/names.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "tests/scenario/matrix/processes.hpp"

namespace ingot::tests::matrix {

namespace {

using namespace std::chrono_literals;

constexpr base::Duration troubleLasts = 45s;

}  // namespace

bool Plant::quiet(const std::string& host) const {
  return coordinatorAlive() && std::ranges::find(heal_, host, &Healing::host) == heal_.end();
}

void Plant::strike(const std::string& name, Fault fault) {
  heal_.push_back({runtime.clock.now() + troubleLasts, name, fault});
  Server& server = *servers_.at(name);
  server.trouble = fault;
  switch (fault) {
    case Fault::agentLost: *boxes_.at(agentOf(name))->life->alive = false; return;
    case Fault::passwordRefused:
      server.bmc.password = "another";
      server.bmc.expireSessions();
      return;
    case Fault::bmcAnswers500:
      server.bmc.instead = [](const auto&) { return net::HttpResponse{.status = 500}; };
      return;
    case Fault::bmcIgnoresResets: server.bmc.obeys = false; return;
    case Fault::bmcHangs: server.bmc.before = [this](const auto&) { return runtime.clock.sleepFor(10min); }; return;
    default: return;
  }
}

void Plant::heal(const std::string& name, Fault fault) {
  Server& server = *servers_.at(name);
  server.trouble.reset();
  server.bmc.password = server.password;
  server.bmc.instead = nullptr;
  server.bmc.before = nullptr;
  server.bmc.obeys = true;
  if (fault != Fault::agentLost) return;
  endAgent(agentOf(name));
  startAgent(agentOf(name));
}

// A provisioned host that is to be on is switched off by nobody; an agent keeps its hands off what Ironic owns.
void Plant::switched(const std::string& name, const std::string& who, bool on) {
  const auto* it = host(name);
  if (it == nullptr) return;
  const auto has = [&](std::string_view annotation) {
    return it->metadata.annotations.contains(std::string(annotation));
  };
  const bool provisioned = it->status.provisioning.state == "provisioned";
  Server& server = *servers_.at(name);
  if (std::exchange(server.wasOn, on) && !on && provisioned) ++server.timesOff;
  const bool inUse = provisioned && it->spec.online && !has(api::annotation::reboot);
  if (inUse && !on && it->status.poweredOn) breaches_[name].push_back(who + " switched a provisioned host off");
  if (has(api::annotation::paused)) breaches_[name].push_back(who + " switched a paused host");
  if (who == "Ironic" || !ironic.has(nodeOf(name))) return;
  const auto node = json::decode<ironic::Node>(json::Value(ironic.record(nodeOf(name))));
  if (coordinator::host::ironic_backend::ironicOwns(node))
    breaches_[name].push_back(
        fmt::format("an agent switched it while Ironic owned it ({})", node.provisionState.text()));
}

}  // namespace ingot::tests::matrix
