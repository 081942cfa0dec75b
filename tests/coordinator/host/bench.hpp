// One host and everything around it, to run single passes of the state machine on.
#pragma once

#include "coordinator/host/apply.hpp"
#include "coordinator/host/machine.hpp"
#include "coordinator/host/power_watchdog.hpp"
#include "tests/coordinator/host/hosts.hpp"
#include "tests/coordinator/host/memory_cluster.hpp"
#include "tests/coordinator/host/scripted_backend.hpp"
#include "tests/support/loop.hpp"

namespace ingot::tests {

struct Bench {
  explicit Bench(api::BareMetalHost start) : it(std::move(start)) {
    cluster.add("bmc", {{"username", "admin"}, {"password", "hunter22"}});
    it.status.goodCredentials = it.status.triedCredentials = {
        .credentials = api::SecretReference{.name = "bmc", .namespace_ = "metal"}, .credentialsVersion = "1"};
    it.status.provisioning.ID = script.provisionerId;
  }

  // When the pass wants to look again; nullopt: on a change.
  std::optional<base::Duration> pass() {
    const auto delay = passUnsaved();
    journal.saved();
    return delay;
  }

  // Runs a pass whose edits could not be stored (they are in `it`).
  std::optional<base::Duration> passUnsaved() {
    journal = {};
    ScriptedBackend backend(script);
    host::Scope scope{
        it, access, backend, power, cluster, journal, held, policy, loop.clock.wall(), base::Log::silent()};
    scope.boot = boot;
    step = loop.run(host::runMachine(scope));
    return host::apply(*step, it, journal, loop.clock.wall(), *loop.random);
  }

  [[nodiscard]] host::State state() const { return host::stateOf(it); }
  [[nodiscard]] bool told(const std::string& reason) const {
    return std::ranges::any_of(journal.events(), [&](const auto& e) { return e.reason == reason; });
  }
  [[nodiscard]] bool failed() const { return it.status.operationalStatus == "error"; }

  Loop loop;
  Script script;
  MemoryCluster cluster;
  host::ProvisionerPower provisionerPower;
  host::PowerWatchdog power{loop.clock, provisionerPower};
  host::HeldDeletions held{loop.runtime};
  host::Policy policy;
  host::Journal journal;
  host::OutOfBandBoot* boot = nullptr;
  std::optional<host::BmcAccess> access = host::BmcAccess{"bmc", "1", {"admin", base::Secret("hunter22")}};
  api::BareMetalHost it;
  std::optional<host::Step> step;
  std::vector<std::string> allEvents;  // for who collects them
};

}  // namespace ingot::tests
