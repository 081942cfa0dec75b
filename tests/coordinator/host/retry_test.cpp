#include "coordinator/host/retry.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace coordinator::host;
using namespace std::chrono_literals;

// A source that always draws the same number.
class Fixed final : public base::Random {
 public:
  explicit Fixed(std::uint64_t value) : value_(value) {}
  std::uint64_t next() override { return value_; }

 private:
  std::uint64_t value_;
};

TEST_CASE("the wait doubles with each failure and never exceeds ten minutes", "[host][retry]") {
  const std::pair<int, base::Duration> rows[] = {{0, 1min},  {1, 2min},  {2, 4min},    {3, 8min},
                                                 {4, 10min}, {9, 10min}, {1000, 10min}};
  Fixed longest(0), shortest(~0ULL);
  for (const auto& [count, most] : rows) {
    CHECK(failureDelay(count, longest) == most);
    CHECK(failureDelay(count, shortest) >= most / 2);
    CHECK(failureDelay(count, shortest) < most / 2 + 1s);
  }
}

}  // namespace
}  // namespace ingot::tests
