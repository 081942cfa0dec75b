#include "coordinator/agents/agent_live_boot.hpp"

#include "coordinator/agents/bmc_access.hpp"
#include "coordinator/agents/live_iso.hpp"
#include "coordinator/host/ironic/access.hpp"
#include "coordinator/host/wish_guard.hpp"

namespace ingot::coordinator::agents {

using host::Done;
using host::Progress;
using host::Refused;

namespace {

// A host is Ironic's to give back wherever no agent is left to do it.
std::string whyNotEmptied(const std::string& address) {
  const auto scheme = schemeOf(address);
  if (!scheme) return {};
  const auto boot = host::ironic_backend::accessOf(*scheme).boot;
  if (host::ironic_backend::emptiesDrives(boot)) return {};
  return fmt::format(
      "Ironic's boot interface for this address ({}) takes nothing out of virtual drives when a host is "
      "given back without an agent; use the address of a virtual media scheme, as redfish-virtualmedia://",
      boot);
}

}  // namespace

std::string AgentLiveBoot::whyNot(const api::BareMetalHost& host) const {
  if (host.spec.disablePowerOff) return std::string(mustBeSwitchedOff);
  auto why = whyNotByAgent({.url = host.spec.image ? host.spec.image->url : std::string(),
                            .bootMode = host.effectiveBootMode(),
                            .bmcAddress = host.spec.bmc.address});
  return why.empty() ? whyNotEmptied(host.spec.bmc.address) : why;
}

std::string AgentLiveBoot::whyNobody(const api::BareMetalHost& host) const {
  const auto& uid = host.metadata.uid;
  const bool isServed = tools_.agents.grants().serves(uid) || tools_.agents.grants().mayStillCome(uid);
  return isServed ? std::string() : std::string(noAgent);
}

HostSteps AgentLiveBoot::stepsOf(const api::BareMetalHost& host, host::PowerBackend& backend,
                                 const host::Publish& publish) {
  return {{host.metadata.key(), host.metadata.uid, host::wishGuard(tools_.hosts, host), true},
          publish,
          tools_,
          backend,
          taken_};
}

base::Task<Progress> AgentLiveBoot::boot(const api::BareMetalHost& host, host::PowerBackend& backend,
                                         host::Publish publish) {
  return bootFrom(host, backend, std::move(publish));
}

base::Task<Progress> AgentLiveBoot::eject(const api::BareMetalHost& host, host::PowerBackend& backend,
                                          host::Publish publish) {
  return ejectFrom(host, backend, std::move(publish));
}

base::Task<Progress> AgentLiveBoot::bootFrom(api::BareMetalHost host, host::PowerBackend& backend,
                                             host::Publish publish) {
  if (host.spec.disablePowerOff) co_return Refused{std::string(mustBeSwitchedOff)};
  auto steps = stepsOf(host, backend, publish);
  if (auto wait = co_await steps.prepareWhileOff(liveBoot(host.spec.image->url, host.status.provisioning.bootMode)))
    co_return steps.patiently(std::move(*wait), HostSteps::Patience::aWhile);
  co_return steps.patiently(co_await steps.turnOn(), HostSteps::Patience::aWhile);
}

base::Task<Progress> AgentLiveBoot::ejectFrom(api::BareMetalHost host, host::PowerBackend& backend,
                                              host::Publish publish) {
  if (host.spec.disablePowerOff) co_return Refused{std::string(mustBeSwitchedOff)};
  auto steps = stepsOf(host, backend, publish);
  if (auto wait = co_await steps.prepareWhileOff({}))
    co_return steps.patiently(std::move(*wait), HostSteps::Patience::endless);
  co_return steps.patiently(co_await steps.turnOff(),
                            HostSteps::Patience::endless);  // it is; Ironic's record is to say so, too
}

std::optional<bool> AgentLiveBoot::provedOn(const std::string& uid) const {
  const auto found = taken_.switching.find(uid);
  return found == taken_.switching.end() ? std::nullopt : found->second.provedOn;
}

void AgentLiveBoot::forget(const std::string& uid) {
  taken_.forget(uid);
  tools_.agents.jobs().forgetBoot(uid);
}

}  // namespace ingot::coordinator::agents
