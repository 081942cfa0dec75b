// Randomness is injected: one seed replays a whole run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ingot::base {

class Random {
 public:
  virtual ~Random() = default;
  [[nodiscard]] virtual std::uint64_t next() = 0;

  [[nodiscard]] double unit();                                 // [0, 1)
  [[nodiscard]] std::uint64_t below(std::uint64_t bound);      // [0, bound), bound > 0
  [[nodiscard]] std::string uuid();                            // version 4, lower case
  [[nodiscard]] std::string alphanumeric(std::size_t length);  // a-z 0-9, as generateName suffixes use
  [[nodiscard]] std::string bytes(std::size_t length);
};

// From the kernel (getrandom). Fit for keys and tokens.
[[nodiscard]] std::unique_ptr<Random> systemRandom();

// xoshiro256** from a seed. For tests and simulation only.
[[nodiscard]] std::unique_ptr<Random> seededRandom(std::uint64_t seed);

}  // namespace ingot::base
