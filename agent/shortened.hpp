// What is said in place of a message that is too long to be sent.
#pragma once

#include "wire/messages.hpp"

#include <optional>

namespace ingot::agent {

// A result arrives, and is not waited for or tried for ever. nullopt: nothing is said.
[[nodiscard]] std::optional<wire::Message> shortened(const wire::Message& message);

}  // namespace ingot::agent
