// Disks erased by the agent in place of Ironic's cleaning, where an annotation allows it (docs/decisions/0022).
#pragma once

#include "coordinator/agents/host_steps.hpp"
#include "coordinator/host/out_of_band.hpp"

namespace ingot::coordinator::agents {

class AgentCleaning final : public host::OutOfBandCleaning {
 public:
  explicit AgentCleaning(HostSteps::Tools tools) : tools_(tools) {}

  // Whatever the annotation says: what cannot be read is refused, and not cleaned by somebody else instead.
  [[nodiscard]] bool isWanted(const api::BareMetalHost& host) const override;
  [[nodiscard]] std::string whyNot(const api::BareMetalHost& host) const override;
  void forget(const std::string& uid) override { taken_.forget(uid); }
  [[nodiscard]] base::Task<host::Progress> erase(const api::BareMetalHost& host, host::PowerBackend& backend,
                                                 host::Publish publish) override;
  [[nodiscard]] base::Task<host::Progress> callOff(const api::BareMetalHost& host, host::PowerBackend& backend,
                                                   host::Publish publish) override;

 private:
  [[nodiscard]] std::string whyUnknown(const api::BareMetalHost& host) const;
  [[nodiscard]] base::Task<host::Progress> giveBack(api::BareMetalHost host, host::PowerBackend& backend,
                                                    host::Publish publish, HostSteps::GiveBack how);

  HostSteps::Tools tools_;
  StepsTaken taken_;
};

}  // namespace ingot::coordinator::agents
