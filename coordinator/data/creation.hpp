// What the answer to a creation says of the object (kube::Error).
#pragma once

#include "base/clock.hpp"
#include "kube/core/error.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::data {

// A request that was given up may still be on its way for so long.
inline constexpr base::Duration kLostAnswer = std::chrono::seconds(60);

// The server made nothing, and says why: a person should know. Any other error leaves open whether the object exists
// by now, but for "already exists".
[[nodiscard]] inline bool isRefusal(const kube::Error& error) {
  using Code = kube::Error::Code;
  constexpr Code refusals[] = {Code::badRequest,          Code::forbidden, Code::notFound,
                               Code::methodNotAllowed,    Code::tooLarge,  Code::invalid,
                               Code::unsupportedMediaType};
  return std::ranges::find(refusals, error.code()) != std::end(refusals);
}

}  // namespace ingot::coordinator::data
