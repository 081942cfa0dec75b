// Messages of a peer that come in pieces: lines of frames, in whatever order and number, and then a message of our own.
// What comes together is one message whose pieces came in turn, and no longer than allowed; whatever came before, the
// pieces of a message that come in turn come back as it.
#include "wire/pieces.hpp"

#include <cstdlib>

namespace {

using namespace ingot;

// What a line says; none: it is no piece.
std::optional<wire::Piece> pieceIn(std::string_view line) {
  try {
    const auto message = wire::decode(line);
    const auto* piece = message ? std::get_if<wire::Piece>(&*message) : nullptr;
    return piece != nullptr ? std::optional(*piece) : std::nullopt;
  } catch (const wire::CodecError&) {
    return std::nullopt;
  }
}

// In the compact form: a byte each for the id, the index, the count and the length of the part, and as many bytes. A
// mutation of it is another order of pieces more often than nonsense.
std::optional<wire::Piece> pieceIn(const unsigned char*& at, const unsigned char* end) {
  if (end - at < 4) return std::nullopt;
  wire::Piece piece{.id = static_cast<signed char>(at[0]),
                    .index = static_cast<signed char>(at[1]),
                    .count = static_cast<signed char>(at[2]),
                    .part = {}};
  const auto length = std::min<std::ptrdiff_t>(at[3], end - at - 4);
  piece.part.data.assign(reinterpret_cast<const char*>(at + 4), static_cast<std::size_t>(length));
  if (at[3] == 0xff) piece.part.data.resize(wire::longestMessage / 2, 'x');  // long ones reach the limit
  at += 4 + length;
  return piece;
}

class Listener {
 public:
  void hear(const wire::Piece& piece) {
    if (piece.index == 0) inTurn_.clear();
    inTurn_.push_back(piece);
    const bool isWhole = piece.count > 0 && piece.index == piece.count - 1 && isInTurn();
    const auto expected = together();
    std::optional<std::string> whole;
    try {
      whole = assembly_.add(piece);
    } catch (const wire::CodecError&) {
      inTurn_.clear();
      return;
    }
    if (whole.has_value() != isWhole || (whole && *whole != expected)) std::abort();
    if (whole && whole->size() > wire::longestWhole) std::abort();
    if (whole) inTurn_.clear();
  }
  void mustUnderstand(const std::string& whole) {
    std::optional<std::string> heard;
    for (const auto& frame : wire::inPieces(1, whole)) {
      if (heard) std::abort();
      const auto message = wire::decode(frame);
      heard = assembly_.add(std::get<wire::Piece>(message.value()));
    }
    if (heard != whole) std::abort();
  }

 private:
  // What was said since the last first piece is one message, each piece of it once and in order.
  [[nodiscard]] bool isInTurn() const {
    std::int64_t next = 0;
    return std::ranges::all_of(inTurn_, [&](const auto& piece) {
      return piece.id == inTurn_.front().id && piece.count == inTurn_.front().count && piece.index == next++;
    });
  }
  [[nodiscard]] std::string together() const {
    std::string all;
    for (const auto& piece : inTurn_) all += piece.part.data;
    return all;
  }

  wire::PieceAssembly assembly_;
  std::vector<wire::Piece> inTurn_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  Listener listener;
  if (data[0] == '{') {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    while (!text.empty()) {
      const auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (const auto piece = pieceIn(line)) listener.hear(*piece);
    }
  } else {
    const unsigned char *at = data, *end = data + size;
    while (const auto piece = pieceIn(at, end)) listener.hear(*piece);
  }
  std::string own(reinterpret_cast<const char*>(data), size);
  if (data[0] % 16 == 1) own.resize(wire::longestMessage + size, 'y');  // two pieces
  listener.mustUnderstand(own);
  return 0;
}
