#include "cli/run/coordinator.hpp"

namespace ingot::cli {

std::unique_ptr<kube::Client> coordinatorNamed(const Session& session, std::string& url) {
  if (url.empty()) url = session.environment("INGOT_COORDINATOR").value_or("");
  if (url.empty()) return nullptr;
  try {
    return kube::connect(session.runtime, session.transport, {.server = url}, forPeople());
  } catch (const base::Error& error) {
    throw Failure(ExitCode::usage, fmt::format("--coordinator: {}", error.what()));
  }
}

}  // namespace ingot::cli
