// How much of large bodies may arrive at the same time, and who may have how much of it.
#include "coordinator/webhooks/body_budget.hpp"

#include "coordinator/webhooks/listener.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::webhooks::BodyBudget;
using coordinator::webhooks::ListenerOptions;

TEST_CASE("large bodies that arrive at the same time have room for so many bytes", "[webhooks]") {
  BodyBudget budget(100, 10s);
  const base::MonoTime now{};
  CHECK_FALSE(budget.announce(51, "a", now));
  CHECK(budget.announce(50, "a", now));
  CHECK_FALSE(budget.announce(26, "b", now));
  CHECK(budget.announce(25, "b", now));
  {
    const BodyBudget::Arrived body(budget, 50, "a");
    CHECK_FALSE(budget.announce(1, "a", now + 10s));
    CHECK(budget.announce(25, "c", now + 10s));  // that of b never arrived whole
  }
  CHECK(budget.announce(37, "a", now + 10s));
}

TEST_CASE("clients that announce bodies and send none leave room to others", "[webhooks]") {
  BodyBudget budget(ListenerOptions{}.allBytes, 10s);
  const base::MonoTime now{};
  for (int i = 0; i < 2; ++i) CHECK(budget.announce(32u << 20, "10.0.0.66", now));
  for (int i = 0; i < 3; ++i) CHECK_FALSE(budget.announce(32u << 20, "10.0.0.66", now));
  CHECK_FALSE(budget.announce(1, "10.0.0.66", now));
  CHECK(budget.announce(32u << 20, "10.0.0.67", now));
  CHECK(budget.announce(16u << 20, "10.0.0.1", now));
}
