#include "coordinator/host/adoption.hpp"

#include "coordinator/host/apply.hpp"

namespace ingot::coordinator::host {

base::Task<std::optional<Step>> ensureAdopted(Scope& s) {
  const bool restart = failedWith(s.host, ErrorType::provisionedRegistration);
  const Progress progress = co_await s.backend.adopt({.state = stateOf(s.host), .restartOnFailure = restart});
  if (const auto* refused = std::get_if<Refused>(&progress))
    co_return Fail{ErrorType::provisionedRegistration, refused->message};
  if (const auto* work = std::get_if<Working>(&progress)) {
    // This attempt answers the failure that is shown, so the next one is a new failure, which is counted and waited
    // after.
    if (restart && work->started) clearError(s.host);
    if (!restart) showObstacle(s, *work);
    co_return Stay{work->after, work->obstacle};
  }
  if (restart) clearError(s.host);
  co_return std::nullopt;
}

}  // namespace ingot::coordinator::host
