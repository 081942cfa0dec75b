// How a run of ipmitool ends.
#pragma once

#include "base/subprocess.hpp"

#include <string>

namespace ingot::tests {

inline base::ProcessResult failed(std::string text) { return {.exitCode = 1, .standardError = std::move(text)}; }
inline base::ProcessResult said(std::string text) { return {.exitCode = 0, .standardOutput = std::move(text)}; }

}  // namespace ingot::tests
