// The head of an answer as bytes. Pure.
#pragma once

#include "net/http.hpp"

#include <optional>
#include <string>

namespace ingot::net {

struct Framing {
  std::optional<std::size_t> length;  // none and not chunked: the body ends with the connection
  bool chunked = false;
  bool close = false;  // the connection ends after this answer
};

// Framing headers among `headers` are left out: `framing` decides. Line ends in values become blanks.
[[nodiscard]] std::string responseHead(int status, const Headers& headers, const Framing& framing);

[[nodiscard]] bool mayHaveBody(int status);  // not for 1xx, 204, 304

}  // namespace ingot::net
