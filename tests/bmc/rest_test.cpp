// A BMC that asks to be left alone for a while (spec/bmc.md §1.3, §2.2).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Lane;
using bmc::Power;

namespace {

struct RestBench : tests::RedfishBench {
  RestBench() {
    fake.before = [this](const auto&) -> base::Task<void> {
      ++asked;
      co_return;
    };
  }
  // The next request for this path is answered so.
  void refuse(const std::string& path, int status, const std::string& after) {
    answer(path, {.status = status, .headers = {{"Date", "Sun, 06 Nov 1994 08:49:37 GMT"}, {"Retry-After", after}}}, 1);
  }
  // Of a poll, and without a word to the BMC.
  void checkThatItRests() {
    asked = 0;
    CHECK(readFailure() == Error::Code::busy);
    CHECK(text == "the BMC asks to be left alone for a while (Retry-After)");
    CHECK(asked == 0);
  }
  int asked = 0;
};

constexpr auto restingSystem = "/redfish/v1/Systems/1";

}  // namespace

TEST_CASE("a BMC that asks to be left alone is not polled until then; commands and fencing reach it") {
  RestBench bench;
  const auto [status, after] =
      GENERATE(table<int, std::string>({{503, "40"}, {429, "40"}, {503, "Sun, 06 Nov 1994 08:50:17 GMT"}}));
  bench.read();
  bench.refuse(restingSystem, status, after);
  CHECK(bench.readFailure() == Error::Code::busy);
  bench.clock.advance(10s);
  bench.checkThatItRests();
  for (const auto lane : {Lane::fencing, Lane::operatorCommand})
    CHECK(bench.run(bench.driver->power->readPower(lane)).power == Power::off);
  CHECK(bench.asked == 2);
  bench.clock.advance(20s);
  bench.checkThatItRests();
  bench.clock.advance(11s);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("whatever it answers so, a login and a write included, the BMC is left alone, and no longer than a minute") {
  RestBench bench;
  const bool isLogin = GENERATE(true, false);
  if (isLogin) {
    bench.refuse("/redfish/v1/SessionService/Sessions", 503, "86400");
    CHECK(bench.readFailure() == Error::Code::busy);
  } else {
    bench.read();
    bench.refuse("/redfish/v1/Systems/1/Actions/ComputerSystem.Reset", 503, "86400");
    CHECK_THROWS_AS(bench.request(bmc::PowerAction::on), Error);
  }
  bench.clock.advance(50s);
  bench.checkThatItRests();
  bench.clock.advance(11s);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a server error that names no time, or another one that does, leaves the BMC to its polls") {
  RestBench bench;
  bench.read();
  const auto [status, after] = GENERATE(table<int, std::string>({{503, ""}, {503, "0"}, {404, "40"}}));
  bench.refuse(restingSystem, status, after);
  try {
    bench.read();
  } catch (const Error&) {  // of a 404
  }
  CHECK(bench.read().power == Power::off);
}
