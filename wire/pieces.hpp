// A message that is too long to be sent whole, in pieces and back (version 2 of the protocol).
#pragma once

#include "wire/codec.hpp"

#include <vector>

namespace ingot::wire {

constexpr std::size_t longestWhole = 4 << 20;  // bytes

// Others are bounded to fit.
[[nodiscard]] bool mayGoInPieces(const Message& message);

// As bytes that each fit in a message, to be sent in order. `whole` is at most longestWhole; `id` differs from that of
// the message before.
[[nodiscard]] std::vector<std::string> inPieces(std::int64_t id, std::string_view whole);

// Puts together what one sender says, one message at a time.
class PieceAssembly {
 public:
  // The whole, once its last piece is there. A piece that is out of turn gives up the message that it belongs to: the
  // others were lost on the way. Throws CodecError when a message would be longer than longestWhole.
  [[nodiscard]] std::optional<std::string> add(const Piece& piece);

 private:
  std::int64_t id_ = 0, next_ = 0, count_ = 0;
  std::string bytes_;
};

}  // namespace ingot::wire
