#include "coordinator/agents/agent_cleaning.hpp"

#include "coordinator/agents/bmc_access.hpp"
#include "coordinator/agents/cleaning_depth.hpp"
#include "coordinator/host/cluster.hpp"
#include "coordinator/host/wish_guard.hpp"

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

// Whether a drive is being erased can be said by an agent alone. It is waited for, by a deletion too: whoever came next
// would cut it off.
std::string AgentCleaning::whyUnknown(const api::BareMetalHost& host) const {
  if (!tools_.agents.grants().serves(host.metadata.uid)) return std::string(noAgent);
  if (tools_.agents.jobs().erasesDrives(host.metadata.uid)) return {};
  return "the agent that serves this host is of a version that erases no disks; let a newer one serve it";
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
  if (speaksIpmi(host.spec.bmc.address))  // nothing was begun
    co_return how.cleans ? Progress(Refused{whyNot(host)}) : Progress(host::Done{});
  HostSteps steps({host.metadata.key(), host.metadata.uid, host::wishGuard(tools_.hosts, host), true}, publish, tools_,
                  backend, taken_);
  if (auto stall = whyUnknown(host); !stall.empty())
    co_return Working{.after = untilSomebodyMay, .stall = std::move(stall)};
  co_return co_await steps.giveBack(std::move(host), how);
}

}  // namespace ingot::coordinator::agents
