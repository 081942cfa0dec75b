// The Provisioner over Ironic: hands each operation to its file.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

class IronicProvisioner final : public Provisioner {
 public:
  explicit IronicProvisioner(Session session) : session_(std::move(session)) {}

  [[nodiscard]] base::Task<Registered> registerHost(RegisterData data) override;
  [[nodiscard]] base::Task<Inspected> inspectHardware(InspectData data) override;
  [[nodiscard]] base::Task<bool> isAtRest() override;
  [[nodiscard]] base::Task<Progress> adopt(AdoptData data) override;
  [[nodiscard]] base::Task<Progress> prepare(PrepareData data) override;
  [[nodiscard]] base::Task<Progress> provision(ProvisionData data) override;
  [[nodiscard]] base::Task<Progress> deprovision(DeprovisionData data) override;
  [[nodiscard]] base::Task<bool> owesErasure() override;
  [[nodiscard]] base::Task<Progress> lend(Loan loan) override;
  [[nodiscard]] base::Task<Progress> takeBack() override;
  [[nodiscard]] base::Task<Progress> cleanAfterAll() override;
  [[nodiscard]] bool lendsToBoot() const override { return true; }
  [[nodiscard]] base::Task<BootLoan> lendToBoot(ProvisionData data) override;
  [[nodiscard]] base::Task<bool> isPastBoot(api::Image image) override;
  [[nodiscard]] base::Task<Progress> noteBooted() override;
  [[nodiscard]] base::Task<bool> leavesLentAsItIs(std::optional<bool> provedOn) override;
  [[nodiscard]] base::Task<bool> owesEjection() override;
  [[nodiscard]] base::Task<Progress> noteEjected() override;
  [[nodiscard]] base::Task<Progress> remove() override;
  [[nodiscard]] base::Task<std::string> abandon(std::string reason) override;

  [[nodiscard]] base::Task<std::optional<bool>> poweredOn() override;
  [[nodiscard]] base::Task<Progress> powerOn(PowerOn how) override;
  [[nodiscard]] base::Task<Progress> powerOff(PowerOff how, std::string automatedCleaningMode) override;
  [[nodiscard]] base::Task<Progress> endWork(std::string automatedCleaningMode) override;
  [[nodiscard]] base::Task<std::string> obstacle(base::Duration waited) override;
  [[nodiscard]] base::Task<bool> hasPowerFailure() override;

  [[nodiscard]] bool answers() override;
  [[nodiscard]] base::Task<bool> acquireSlot() override;
  [[nodiscard]] base::Task<std::string> health() override;

 private:
  // For conditions at the end of a reconcile: never worth a failure. nullptr: not known.
  [[nodiscard]] base::Task<NodePtr> nodeOrNothing();

  Session session_;
};

}  // namespace ingot::coordinator::host::ironic_backend
