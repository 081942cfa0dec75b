// Stands in for a backend that cannot be asked now: every question ends in the error that says why. With it a host's
// power can still be read where somebody else than the backend reads it.
#pragma once

#include "coordinator/host/provisioner.hpp"

namespace ingot::coordinator::host {

class AbsentBackend final : public Provisioner {
 public:
  explicit AbsentBackend(const ProvisionerError& why) : why_(std::make_exception_ptr(why)) {}

  [[nodiscard]] base::Task<Registered> registerHost(RegisterData, bool, bool) override { refuse(); }
  [[nodiscard]] base::Task<Inspected> inspectHardware(InspectData, bool, bool, bool) override {
    std::rethrow_exception(why_);
  }
  [[nodiscard]] base::Task<std::optional<bool>> poweredOn() override { refuse(); }
  [[nodiscard]] base::Task<Result> adopt(std::string, bool) override { refuse(); }
  [[nodiscard]] base::Task<Prepared> prepare(PrepareData, bool, bool) override { refuse(); }
  [[nodiscard]] base::Task<Result> provision(ProvisionData, bool) override { refuse(); }
  [[nodiscard]] base::Task<Result> deprovision(bool, std::string) override { refuse(); }
  [[nodiscard]] base::Task<Result> remove() override { refuse(); }
  [[nodiscard]] base::Task<Result> powerOn(bool) override { refuse(); }
  [[nodiscard]] base::Task<Result> powerOff(RebootMode, bool, std::string) override { refuse(); }
  [[nodiscard]] base::Task<bool> hasCapacity() override { refuse(); }
  [[nodiscard]] base::Task<bool> hasPowerFailure() override { refuse(); }
  [[nodiscard]] base::Task<std::string> health() override { refuse(); }

 private:
  [[noreturn]] void refuse() const { std::rethrow_exception(why_); }
  std::exception_ptr why_;
};

}  // namespace ingot::coordinator::host
