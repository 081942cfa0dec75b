// What an answer of the API says of a write to an address object (kube::Error).
#pragma once

#include "kube/core/error.hpp"

#include <algorithm>
#include <iterator>

namespace ingot::coordinator::ipam {

// The server would refuse the same request again. Refusals by a quota, a policy, a missing right or a kind that is not
// installed yet may pass, so those are retried.
[[nodiscard]] inline bool isRefusal(const kube::Error& error) {
  using Code = kube::Error::Code;
  constexpr Code refusals[] = {Code::badRequest, Code::methodNotAllowed, Code::tooLarge, Code::invalid,
                               Code::unsupportedMediaType};
  return std::ranges::find(refusals, error.code()) != std::end(refusals);
}

// The server did nothing, though it may the next time. Any other error leaves open whether it did.
[[nodiscard]] inline bool isDenial(const kube::Error& error) {
  using Code = kube::Error::Code;
  return error.code() == Code::forbidden || error.code() == Code::notFound;
}

}  // namespace ingot::coordinator::ipam
