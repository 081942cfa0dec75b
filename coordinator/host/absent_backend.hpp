// Stands in for the power of a host whose backend cannot be asked now: every question ends in the error that says why.
// With it the power can still be read where somebody else than the backend reads it.
#pragma once

#include "coordinator/host/power_backend.hpp"

namespace ingot::coordinator::host {

class AbsentBackend final : public PowerBackend {
 public:
  explicit AbsentBackend(const ProvisionerError& why) : why_(std::make_exception_ptr(why)) {}

  [[nodiscard]] base::Task<std::optional<bool>> poweredOn() override { refuse(); }
  [[nodiscard]] base::Task<Progress> powerOn(PowerOn) override { refuse(); }
  [[nodiscard]] base::Task<Progress> powerOff(PowerOff, std::string) override { refuse(); }
  [[nodiscard]] base::Task<bool> hasPowerFailure() override { refuse(); }

 private:
  [[noreturn]] void refuse() const { std::rethrow_exception(why_); }
  std::exception_ptr why_;
};

}  // namespace ingot::coordinator::host
