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

// Throws CodecError above the limit: sent whole, the other end would drop the connection, with all that waits on it.
[[nodiscard]] std::string encode(const Message& message, std::size_t limit = longestMessage);

// nullopt: a kind that this version does not know. Throws CodecError.
[[nodiscard]] std::optional<Message> decode(std::string_view bytes, std::size_t limit = longestMessage);

// It waits for credit, and for everything that is not patient.
[[nodiscard]] bool isPatient(const Message& message);

// "facts", "grant", …: what a log may say of a message.
[[nodiscard]] std::string_view kindOf(const Message& message);

}  // namespace ingot::wire
