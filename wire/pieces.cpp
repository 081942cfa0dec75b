#include "wire/pieces.hpp"

namespace ingot::wire {

namespace {

// As base64, in an envelope, it still fits.
constexpr std::size_t longestPart = longestMessage * 3 / 4 - 1024;
constexpr auto mostPieces = static_cast<std::int64_t>((longestWhole + longestPart - 1) / longestPart);

}  // namespace

bool mayGoInPieces(const Message& message) {
  return std::holds_alternative<InventoryResult>(message) || std::holds_alternative<HardwareFacts>(message);
}

std::vector<std::string> inPieces(std::int64_t id, std::string_view whole) {
  const auto count = static_cast<std::int64_t>((whole.size() + longestPart - 1) / longestPart);
  std::vector<std::string> pieces;
  pieces.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index)
    pieces.push_back(
        encode(Piece{.id = id,
                     .index = index,
                     .count = count,
                     .part = {std::string(whole.substr(static_cast<std::size_t>(index) * longestPart, longestPart))}}));
  return pieces;
}

std::optional<std::string> PieceAssembly::add(const Piece& piece) {
  if (piece.index == 0) {
    id_ = piece.id;
    next_ = 0;
    count_ = piece.count;
    bytes_.clear();
  }
  const bool isInTurn = piece.id == id_ && piece.index == next_ && piece.count == count_ && piece.index < count_;
  if (!isInTurn) {
    *this = {};
    return std::nullopt;
  }
  if (count_ > mostPieces || bytes_.size() + piece.part.data.size() > longestWhole) {
    *this = {};
    throw CodecError(fmt::format("a message in {} pieces; it may have {} bytes", piece.count, longestWhole));
  }
  bytes_ += piece.part.data;
  if (++next_ < count_) return std::nullopt;
  return std::exchange(*this, {}).bytes_;
}

}  // namespace ingot::wire
