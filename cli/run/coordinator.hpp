// A coordinator that is asked itself, where it serves its metrics.
#pragma once

#include "cli/run/session.hpp"

#include <memory>
#include <string>

namespace ingot::cli {

// Whom to ask: nullptr for the cluster. `url` is what the command line says, and then the environment. The
// coordinator's own server asks nobody who he is: no credential of the cluster goes there.
[[nodiscard]] std::unique_ptr<kube::Client> coordinatorNamed(const Session& session, std::string& url);

}  // namespace ingot::cli
