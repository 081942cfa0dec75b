// The Provisioner over Ironic: hands each operation to its file.
#pragma once

#include "coordinator/host/ironic/session.hpp"

namespace ingot::coordinator::host::ironic_backend {

class IronicProvisioner final : public Provisioner {
 public:
  explicit IronicProvisioner(Session session) : session_(std::move(session)) {}

  [[nodiscard]] base::Task<Registered> registerHost(RegisterData data, bool credentialsChanged,
                                                    bool restartOnFailure) override;
  [[nodiscard]] base::Task<Inspected> inspectHardware(InspectData data, bool restartOnFailure, bool refresh,
                                                      bool forceReboot) override;
  [[nodiscard]] base::Task<std::optional<bool>> poweredOn() override;
  [[nodiscard]] base::Task<Result> adopt(std::string state, bool restartOnFailure) override;
  [[nodiscard]] base::Task<Prepared> prepare(PrepareData data, bool unprepared, bool restartOnFailure) override;
  [[nodiscard]] base::Task<Result> provision(ProvisionData data, bool forceReboot) override;
  [[nodiscard]] base::Task<Result> deprovision(bool restartOnFailure, std::string automatedCleaningMode) override;
  [[nodiscard]] base::Task<Result> remove() override;
  [[nodiscard]] base::Task<Result> powerOn(bool force) override;
  [[nodiscard]] base::Task<Result> powerOff(RebootMode mode, bool force, std::string automatedCleaningMode) override;
  [[nodiscard]] base::Task<Result> endWork(std::string automatedCleaningMode) override;
  [[nodiscard]] base::Task<bool> hasCapacity() override;
  [[nodiscard]] base::Task<bool> hasPowerFailure() override;
  [[nodiscard]] base::Task<std::string> health() override;

 private:
  // For conditions at the end of a reconcile: never worth a failure. nullptr: not known.
  [[nodiscard]] base::Task<NodePtr> nodeOrNothing();

  Session session_;
};

}  // namespace ingot::coordinator::host::ironic_backend
