// What makes a command safe to carry out (docs/architecture.md): who leads, which grant, which command.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace ingot::wire {

// Compared in this order. An agent obeys only tokens above the highest it has journalled for the host.
struct Token {
  std::int64_t term = 0;   // the coordinator's leadership term
  std::int64_t lease = 0;  // the grant for one host
  std::int64_t seq = 0;    // the command under that grant; 0: the grant itself

  friend auto operator<=>(const Token&, const Token&) = default;

  static void describe(auto& v) {
    v.field("term", &Token::term).always();
    v.field("lease", &Token::lease).always();
    v.field("seq", &Token::seq).always();
  }
};

}  // namespace ingot::wire
