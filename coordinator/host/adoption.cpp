#include "coordinator/host/adoption.hpp"

namespace ingot::coordinator::host {

base::Task<std::optional<Step>> ensureAdopted(Scope& s) {
  const bool restart = failedWith(s.host, ErrorType::provisionedRegistration);
  const Result result = co_await s.backend.adopt(s.host.status.provisioning.state, restart);
  if (!result.errorMessage.empty()) co_return Fail{ErrorType::provisionedRegistration, result.errorMessage};
  if (result.dirty) co_return Stay{result.requeueAfter};
  if (restart) clearError(s.host);
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host
