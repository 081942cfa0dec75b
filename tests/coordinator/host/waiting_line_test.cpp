#include "coordinator/host/waiting_line.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <string>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using Line = coordinator::host::WaitingLine<std::string>;

constexpr base::MonoTime start{};

// Counts how often two of its kind are compared.
struct Counted {
  int value;
  static inline std::size_t comparisons = 0;
  friend bool operator<(const Counted& a, const Counted& b) { return ++comparisons, a.value < b.value; }
};

TEST_CASE("who has waited longest is woken first, and once", "[host][slots]") {
  Line line;
  line.join("late", start + 2s);
  line.join("early", start + 1s);
  CHECK(line.wakeLongest() == "early");
  CHECK(line.wakeLongest() == "late");
  CHECK_FALSE(line.wakeLongest());
}

TEST_CASE("who finds the slots taken keeps the place that it had", "[host][slots]") {
  Line line;
  line.join("early", start);
  line.join("late", start + 1s);
  CHECK(line.wakeLongest() == "early");
  line.join("early", start + 5s);
  CHECK(line.wakeLongest() == "early");
}

TEST_CASE("who leaves is not woken, and starts anew when it comes back", "[host][slots]") {
  Line line;
  line.join("a", start);
  line.join("b", start + 1s);
  line.leave("a");
  line.leave("nobody");
  line.join("a", start + 2s);
  CHECK(line.wakeLongest() == "b");
  line.leave("a");
  CHECK_FALSE(line.wakeLongest());
}

TEST_CASE("a wake-up costs the logarithm of how many wait", "[host][slots]") {
  constexpr int many = 20'000;
  coordinator::host::WaitingLine<Counted> line;
  for (int i = 0; i < many; ++i) line.join({i}, start + i % 100 * 1s);
  Counted::comparisons = 0;
  for (int i = 0; i < many; ++i) {
    const auto woken = line.wakeLongest();
    REQUIRE(woken);
    line.join(*woken, start + 1h);
    static_cast<void>(line.wakeLongest());
    line.leave(*woken);
  }
  CHECK(static_cast<double>(Counted::comparisons) < 12 * many * std::log2(many));
}

}  // namespace
}  // namespace ingot::tests
