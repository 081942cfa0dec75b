// A live ISO booted by the agent in place of Ironic, where an annotation asks for it (docs/decisions/0038).
#pragma once

#include "coordinator/agents/host_steps.hpp"
#include "coordinator/host/out_of_band.hpp"

namespace ingot::coordinator::agents {

class AgentLiveBoot final : public host::OutOfBandBoot {
 public:
  explicit AgentLiveBoot(HostSteps::Tools tools) : tools_(tools) {}

  [[nodiscard]] std::string whyNot(const api::BareMetalHost& host) const override;
  [[nodiscard]] std::string whyNobody(const api::BareMetalHost& host) const override;
  [[nodiscard]] base::Task<host::Progress> boot(const api::BareMetalHost& host, host::PowerBackend& backend,
                                                host::Publish publish) override;
  [[nodiscard]] base::Task<host::Progress> eject(const api::BareMetalHost& host, host::PowerBackend& backend,
                                                 host::Publish publish) override;
  [[nodiscard]] std::optional<bool> provedOn(const std::string& uid) const override;
  void forget(const std::string& uid) override;

 private:
  [[nodiscard]] HostSteps stepsOf(const api::BareMetalHost& host, host::PowerBackend& backend,
                                  const host::Publish& publish);
  [[nodiscard]] base::Task<host::Progress> bootFrom(api::BareMetalHost host, host::PowerBackend& backend,
                                                    host::Publish publish);
  [[nodiscard]] base::Task<host::Progress> ejectFrom(api::BareMetalHost host, host::PowerBackend& backend,
                                                     host::Publish publish);

  HostSteps::Tools tools_;
  StepsTaken taken_;
};

}  // namespace ingot::coordinator::agents
