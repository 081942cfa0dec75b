// Stands in for a backend that cannot be asked now: every question ends in the error that says why. With it a host's
// power can still be read where somebody else than the backend reads it.
#pragma once

#include "coordinator/host/provisioner.hpp"

namespace ingot::coordinator::host {

class AbsentBackend final : public Provisioner {
 public:
  explicit AbsentBackend(const ProvisionerError& why) : why_(why) {}

  [[nodiscard]] base::Task<Registered> registerHost(RegisterData, bool, bool) override { throw why_; }
  [[nodiscard]] base::Task<Inspected> inspectHardware(InspectData, bool, bool, bool) override { throw why_; }
  [[nodiscard]] base::Task<std::optional<bool>> poweredOn() override { throw why_; }
  [[nodiscard]] base::Task<Result> adopt(std::string, bool) override { throw why_; }
  [[nodiscard]] base::Task<Prepared> prepare(PrepareData, bool, bool) override { throw why_; }
  [[nodiscard]] base::Task<Result> provision(ProvisionData, bool) override { throw why_; }
  [[nodiscard]] base::Task<Result> deprovision(bool, std::string) override { throw why_; }
  [[nodiscard]] base::Task<Result> remove() override { throw why_; }
  [[nodiscard]] base::Task<Result> powerOn(bool) override { throw why_; }
  [[nodiscard]] base::Task<Result> powerOff(RebootMode, bool, std::string) override { throw why_; }
  [[nodiscard]] base::Task<bool> hasCapacity() override { throw why_; }
  [[nodiscard]] base::Task<bool> hasPowerFailure() override { throw why_; }
  [[nodiscard]] base::Task<std::string> health() override { throw why_; }

 private:
  ProvisionerError why_;
};

}  // namespace ingot::coordinator::host
