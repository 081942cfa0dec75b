// The text of a long list, piece by piece: one piece is what one turn of the loop makes, in whichever layout.
#pragma once

#include "apiserver/http/rendering.hpp"
#include "apiserver/http/reply.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ingot::apiserver {

// More items or bytes than one turn should make.
[[nodiscard]] bool isLong(const Listed& listed);

class ListPieces {
 public:
  // `listed` has items, and holds each as it was at its revision, however long the client takes to read. Both outlive
  // the pieces.
  ListPieces(const Rendering& form, const Listed& listed, const ReplyStyle& style);

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] std::string next();

 private:
  enum class Layout : std::uint8_t { compact, indented, yaml };

  [[nodiscard]] std::string head() const;
  [[nodiscard]] std::string item(const Object& object, bool first) const;
  [[nodiscard]] std::string tail() const;

  const Rendering& form_;
  const Listed& listed_;
  Layout layout_;
  std::string head_;     // of the compact list, up to the items
  std::string content_;  // the member that holds the items
  std::size_t at_ = 0;
  bool done_ = false;
};

}  // namespace ingot::apiserver
