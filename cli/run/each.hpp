// Commands that name several objects: each is tried, whatever became of the ones before it.
#pragma once

#include "cli/run/session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ingot::cli {

using ForOne = std::function<base::Task<void>(const std::string& name)>;

// What went wrong is told, and its code together with that of the others.
[[nodiscard]] base::Task<ExitCode> forEach(Session& session, std::vector<std::string> names, ForOne what);

}  // namespace ingot::cli
