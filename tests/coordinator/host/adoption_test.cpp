// A host that the backend has forgotten, and that cannot be made known to it again.
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using namespace std::chrono_literals;
using host::Refused;
using host::State;
using host::Working;

struct Forgotten : Bench {
  Forgotten() : Bench(aHost(State::provisioned).online().poweredOn().image("u").deployed("u")) { script.on = true; }

  std::optional<base::Duration> answered(host::Progress progress) {
    script.answer("adopt", std::move(progress));
    return pass();
  }
};

const Refused refused{"Host adoption failed: the BMC is silent"};
const Working taken{.after = 3s, .started = true};
const Working atWork{.after = 3s};

TEST_CASE("an adoption that fails again and again is counted, and waited after for longer and longer",
          "[host][adoption]") {
  Forgotten b;
  for (int failures = 1; failures <= 5; ++failures) {
    CAPTURE(failures);
    const base::Duration longest = std::min<base::Duration>(std::chrono::minutes(1 << failures), 10min);
    const auto delay = b.answered(refused);
    CHECK(b.it.status.errorType == "provisioned registration error");
    CHECK(b.it.status.errorCount == failures);
    CHECK(delay > longest / 2);
    CHECK(delay <= longest);

    CHECK(b.answered(taken) == 3s);  // tried again
    CHECK(b.script.restarted);
    CHECK(b.answered(atWork) == 3s);
    CHECK_FALSE(b.script.restarted);  // how it ends is not known yet: it is not tried a third time
  }
  b.pass();
  CHECK(b.it.status.errorType.empty());
  CHECK(b.it.status.errorCount == 0);
}

TEST_CASE("a failed adoption stays shown until it is tried again", "[host][adoption]") {
  Forgotten b;
  b.answered(refused);
  for (int i = 0; i < 3; ++i) {
    CHECK(b.answered(atWork) == 3s);  // Ironic is busy
    CHECK(b.script.restarted);
    CHECK(b.it.status.errorType == "provisioned registration error");
  }
  CHECK(b.it.status.errorCount == 1);
}

TEST_CASE("an adoption in the way of a tear-down does not hold a deletion", "[host][adoption][delete]") {
  Bench b(aHost(State::deprovisioning).deployed("u").beingDeleted());
  for (int failures = 1; failures <= 3; ++failures) {
    b.script.answer("adopt", refused);
    b.pass();
    REQUIRE(b.state() == State::deprovisioning);
    b.script.answer("adopt", taken);
    b.pass();
  }
  b.script.answer("adopt", refused);
  b.pass();
  CHECK(b.state() == State::poweringOffBeforeDelete);
}

}  // namespace
}  // namespace ingot::tests
