#include "coordinator/agents/agent_cleaning.hpp"

#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::agents {

using host::Progress;
using host::Refused;
using host::Working;

namespace {

constexpr base::Duration untilSomebodyMay = std::chrono::seconds(10);

}  // namespace

bool AgentCleaning::isWanted(const api::BareMetalHost& host) const {
  return host.spec.automatedCleaningMode != "disabled" &&
         host.metadata.annotation(std::string(cleaningDepthAnnotation)) != nullptr;
}

std::string AgentCleaning::whyNot(const api::BareMetalHost& host) const {
  if (host.spec.disablePowerOff)
    return fmt::format(
        "a host whose disks an agent erases (annotation {}) is switched off before and after, which disablePowerOff "
        "forbids: set one of them otherwise",
        cleaningDepthAnnotation);
  return whyNotErasable(host);
}

base::Task<Progress> AgentCleaning::erase(const api::BareMetalHost& host, host::PowerBackend& backend,
                                          host::Publish publish) {
  return giveBack(host, backend, std::move(publish), {.cleans = true});
}

base::Task<Progress> AgentCleaning::callOff(const api::BareMetalHost& host, host::PowerBackend& backend,
                                            host::Publish publish) {
  return giveBack(host, backend, std::move(publish), {.staysOn = host.spec.disablePowerOff});
}

base::Task<Progress> AgentCleaning::giveBack(api::BareMetalHost host, host::PowerBackend& backend,
                                             host::Publish publish, HostSteps::GiveBack how) {
  if (how.cleans && host.spec.disablePowerOff) co_return Refused{whyNot(host)};
  const auto confirmWish = [this, key = host.metadata.key(), wish = host::powerWish(host)] {
    const auto now = tools_.hosts.find(key);
    if (!now || host::powerWish(*now) != wish) throw host::HostMoved();
  };
  HostSteps steps({host.metadata.key(), host.metadata.uid, confirmWish, true}, publish,
                  {tools_.clock, tools_.client, tools_.agents, tools_.power, tools_.boot, erasure_, tools_.hosts},
                  backend, taken_);
  // Whether drives are being erased says who serves the host. Not as HostSteps::nobody(): a deletion is held up by what
  // it says, and not for ever.
  if (!steps.isServed()) co_return Working{.after = untilSomebodyMay, .obstacle = std::string(noAgent)};
  auto progress = co_await steps.giveBack(std::move(host), how);
  co_return progress;
}

}  // namespace ingot::coordinator::agents
