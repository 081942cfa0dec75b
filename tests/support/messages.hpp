// Of messages on the agent link, those of one kind.
#pragma once

#include "wire/messages.hpp"

#include <vector>

namespace ingot::tests {

template <class Kind>
std::vector<Kind> ofKind(const std::vector<wire::Message>& messages) {
  std::vector<Kind> found;
  for (const auto& message : messages)
    if (const auto* it = std::get_if<Kind>(&message)) found.push_back(*it);
  return found;
}

}  // namespace ingot::tests
