// When a BMC wants to be asked again.
#include "bmc/redfish/retry_after.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("a BMC says in seconds or by a date when it wants to be asked again") {
  const base::WallTime now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 27} + 6h};
  const auto of = [&](std::string after, std::string date = "") {
    net::HttpResponse response{.status = 503, .headers = {{"Retry-After", std::move(after)}}};
    if (!date.empty()) response.headers.set("Date", date);
    return bmc::redfish::retryAfter(response, now);
  };
  CHECK(of("7") == 7s);
  CHECK(of(" 7 ") == 7s);
  CHECK(of("0") == 0s);
  CHECK(of("-5") == 0s);
  CHECK(of("999999999999") == 24h);
  CHECK(of("Fri, 27 Nov 2026 06:00:09 GMT") == 9s);
  CHECK(of("Fri, 27 Nov 2026 05:00:00 GMT") == 0s);
  CHECK(of("Fri, 31 Dec 9999 23:59:59 GMT") == 24h);  // more nanoseconds than there are numbers for
  CHECK(of("Fri, 27 Nov 2026 06:00:09 GMT", "Fri, 31 Dec 9999 23:59:59 GMT") == 0s);
  CHECK(of("Thu, 01 Jan 1970 00:05:30 GMT", "Thu, 01 Jan 1970 00:05:00 GMT") == 30s);  // a clock that was never set
  for (const auto* none : {"", "soon", "7 s", "7.5", "Fri, 27 Nov"}) CHECK(of(none) == std::nullopt);
  CHECK(bmc::redfish::retryAfter({.status = 503}, now) == std::nullopt);
}
