// What the answer to a creation says of the object (kube::Error).
#pragma once

#include "coordinator/caches/lost_answer.hpp"
#include "kube/core/error.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::data {

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
