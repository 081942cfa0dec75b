// What goes wrong around the hosts of a plant, what is mended, and what must not happen meanwhile.
#include "api/bmh/names.hpp"
#include "tests/matrix/processes.hpp"
#include "tests/support/ironic/owner.hpp"

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
    case Fault::sweepsFail: ++sweepsFail_; return;
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
  if (fault == Fault::sweepsFail) --sweepsFail_;
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
  const bool reboots = std::ranges::any_of(it->metadata.annotations, [](const auto& item) {
    return item.first == api::annotation::reboot || item.first.starts_with(api::annotation::rebootPrefix);
  });
  const bool inUse = provisioned && it->spec.online && !reboots;
  if (inUse && !on && it->status.poweredOn) breaches_[name].push_back(who + " switched a provisioned host off");
  if (has(api::annotation::paused)) breaches_[name].push_back(who + " switched a paused host");
  if (who == "Ironic") return;
  if (const std::string why = whyIronicOwns(ironic, nodeOf(name)); !why.empty())
    breaches_[name].push_back("an agent switched it while Ironic owned it: " + why);
}

// Work that Ironic was asked for begins when no agent may act any more. (Its power sync asks nobody:
// docs/decisions/0009.)
void Plant::ironicBegan(const std::string& node, const std::string& what) {
  const std::string name = hostOfNode(node);
  const auto* it = host(name);
  if (it == nullptr) return;
  ++workBegun;
  for (const auto& [agent, box] : boxes_) {
    const bool acts = box->life && *box->life->alive && box->life->agent.actsOn(it->metadata.uid);
    if (acts) breaches_[name].push_back(fmt::format("Ironic began \"{}\" while {} might act on it", what, agent));
  }
}

}  // namespace ingot::tests::matrix
