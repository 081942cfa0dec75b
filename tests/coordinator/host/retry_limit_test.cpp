// Images that cannot be deployed (spec/baremetalhost.md §8.9, §16 item 36).
#include "tests/coordinator/host/bench.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {
namespace {

using host::State;

HostBuilder failedOften(int times) {
  return aHost(State::available).online().image("u").with([times](auto& h) {
    h.status.provisioningFailCount = times;
    h.status.lastAttemptedImage = h.spec.image;
  });
}

TEST_CASE("an image that failed too often is not tried again until it changes", "[host][retries]") {
  Bench b(failedOften(5));
  b.pass();
  CHECK(b.state() == State::available);
  CHECK(b.failed());
  b.it.spec.image->checksum = "other";
  b.pass();
  CHECK(b.state() == State::provisioning);
  CHECK(b.it.status.provisioningFailCount == 0);
}

TEST_CASE("below the limit, and without one, an image is tried again", "[host][retries]") {
  Bench below(failedOften(4));
  below.pass();
  CHECK(below.state() == State::provisioning);
  Bench unlimited(failedOften(500));
  unlimited.policy.maxProvisioningRetries = 0;
  unlimited.pass();
  CHECK(unlimited.state() == State::provisioning);
}

TEST_CASE("withdrawing the image forgets its failures", "[host][retries]") {
  Bench b(failedOften(5).noImage());
  b.pass();
  CHECK(b.it.status.provisioningFailCount == 0);
  CHECK_FALSE(b.it.status.lastAttemptedImage);
}

}  // namespace
}  // namespace ingot::tests
