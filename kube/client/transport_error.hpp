// What a failed exchange means for the API's callers.
#pragma once

#include "kube/core/error.hpp"
#include "net/http.hpp"

#include <string>

namespace ingot::kube {

[[nodiscard]] Error errorFrom(const net::HttpError& why, const std::string& doing);

}  // namespace ingot::kube
