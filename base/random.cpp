#include "base/random.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace ingot::base {
namespace {

class SystemRandom final : public Random {
 public:
  std::uint64_t next() override {
    std::uint64_t value = 0;
    while (::getrandom(&value, sizeof value, 0) != static_cast<ssize_t>(sizeof value)) {
      if (errno != EINTR) throw Error(std::string("getrandom: ") + std::strerror(errno));
    }
    return value;
  }
};

std::uint64_t splitMix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

// xoshiro256**
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) {
    for (auto& word : state_) word = splitMix(seed);
  }

  std::uint64_t next() override {
    const auto result = std::rotl(state_[1] * 5, 7) * 9;
    const auto shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace

double Random::unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t bound) {
  const std::uint64_t unfair = -bound % bound;  // the first 2^64 mod bound values would favour small results
  std::uint64_t value = next();
  while (value < unfair) value = next();
  return value % bound;
}

std::string Random::bytes(std::size_t length) {
  std::string result(length, '\0');
  for (std::size_t at = 0; at < length; at += sizeof(std::uint64_t)) {
    const auto word = next();
    std::memcpy(result.data() + at, &word, std::min(sizeof word, length - at));
  }
  return result;
}

std::string Random::uuid() {
  auto raw = bytes(16);
  raw[6] = static_cast<char>((raw[6] & 0x0f) | 0x40);
  raw[8] = static_cast<char>((raw[8] & 0x3f) | 0x80);
  std::string text = hex(raw);
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) text.insert(dash, 1, '-');
  return text;
}

std::string Random::alphanumeric(std::size_t length) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::string result(length, ' ');
  for (auto& c : result) c = letters[below(letters.size())];
  return result;
}

std::unique_ptr<Random> systemRandom() { return std::make_unique<SystemRandom>(); }
std::unique_ptr<Random> seededRandom(std::uint64_t seed) { return std::make_unique<SeededRandom>(seed); }

}  // namespace ingot::base
