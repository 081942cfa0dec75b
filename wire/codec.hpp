// Messages as bytes: {"v":1,"kind":"facts","body":{…}}. Unknown members are skipped, unknown kinds are not an error.
#pragma once

#include "wire/messages.hpp"

#include "base/error.hpp"

#include <optional>

namespace ingot::wire {

constexpr std::size_t longestMessage = 256 << 10;  // bytes; spec/bmc.md §19.3

// The peer sent something that is no message of this protocol, or a message would be too long to be sent. No part of
// the bytes is in the text: they may hold a password.
class CodecError final : public base::Error {
 public:
  using Error::Error;
};

// Throws CodecError above longestMessage: the other end would drop the connection, with all that waits on it.
[[nodiscard]] std::string encode(const Message& message);

// nullopt: a kind that this version does not know. Throws CodecError.
[[nodiscard]] std::optional<Message> decode(std::string_view bytes);

// "facts", "grant", …: what a log may say of a message.
[[nodiscard]] std::string_view kindOf(const Message& message);

}  // namespace ingot::wire
