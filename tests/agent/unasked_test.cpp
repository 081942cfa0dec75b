// Commands that the BMC was never asked to carry out, and those that it was.
#include "tests/agent/fixture.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

TEST_CASE("a command that the BMC could not be asked to carry out has not failed: nobody was asked to shut down") {
  Serving bench;
  const auto [answer, code] = GENERATE(table<net::HttpResponse, std::string>({
      {{.status = 503, .headers = {{"Retry-After", "30"}}, .body = "{}"}, "bmc-busy"},
      {{.status = 200, .headers = {}, .body = "<html>"}, "protocol"},
      {{.status = 404, .headers = {}, .body = "{}"}, "protocol"},
      {{.status = 0}, "timeout"},
      {{.status = 401, .headers = {}, .body = R"({"error":{"code":"x.ResourceAtUriUnauthorized"}})"}, "refused"},
  }));
  bench.bmc.instead = [&answer = answer](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    return request.path() == "/redfish/v1/Systems/1" ? std::optional(answer) : std::nullopt;
  };
  const auto result = bench.command({5, 1, 1}, "soft-off");
  CHECK(result.outcome == (code == "refused" ? "failed" : "refused"));
  CHECK(result.errorCode == code);
  CHECK(bench.resets() == 0);
}

TEST_CASE("a power-off that the BMC declined, or that came to nothing, has failed") {
  Serving bench;
  bench.bmc.powerState = "On";
  SECTION("declined") { bench.bmc.refusals.push_back({.status = 400, .headers = {}, .body = "{}"}); }
  SECTION("not now") { bench.bmc.refusals.push_back({.status = 503, .headers = {}, .body = "{}"}); }
  SECTION("came to nothing") { bench.bmc.obeys = false; }
  CHECK(bench.command({5, 1, 1}, "hard-off").outcome == "failed");
}

TEST_CASE("what was asked for in part is not told as never tried, though the BMC cannot be reached for the rest") {
  Serving bench;
  bench.bmc.powerState = "On";
  bench.bmc.resetTypes = R"("On","ForceOff","FullPowerCycle")";
  const auto* action = GENERATE("ac-cycle", "hard-reboot");
  bench.network.beforeRequest = [](const net::ClientOptions&, const net::HttpRequest& request) {
    const bool isSecondStep = request.method == "POST" && request.target.ends_with("Reset") &&
                              request.body.find("ForceOff") == std::string::npos;
    if (isSecondStep) throw net::HttpError(net::HttpError::Code::unreachable, "no route to host");
  };
  const auto result = bench.command({5, 1, 1}, action);
  CHECK(bench.bmc.powerState == "Off");
  CHECK(result.outcome == "failed");
  CHECK(result.errorCode == "unreachable");
}

TEST_CASE("a BMC that took a restart and said in its task that it is too early was asked, though it is gone then") {
  Serving bench;
  bench.bmc.powerState = "On";
  bench.bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/task")
      return net::HttpResponse{
          .status = 200,
          .body = R"({"TaskState":"Exception","Messages":[{"MessageId":"X.SYS518","Message":"not now"}]})"};
    if (!request.path().ends_with("/ComputerSystem.Reset")) return std::nullopt;
    return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = "{}"};
  };
  bench.network.beforeRequest = [&](const net::ClientOptions&, const net::HttpRequest& request) {
    if (request.method == "POST" && bench.resets() == 1)
      throw net::HttpError(net::HttpError::Code::unreachable, "no route to host");
  };
  const auto result = bench.command({5, 1, 1}, "hard-restart");
  CHECK(result.outcome == "failed");
  CHECK_THAT(result.error, Catch::Contains("not now"));
  CHECK(bench.resets() == 1);
}

TEST_CASE("a restart whose task failed is told as unknown: whoever ordered it sends no other") {
  Serving bench;
  bench.bmc.powerState = "On";
  bench.bmc.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/task")
      return net::HttpResponse{.status = 200, .body = R"({"TaskState":"Exception","Messages":[{"Message":"a fan"}]})"};
    if (!request.path().ends_with("/ComputerSystem.Reset")) return std::nullopt;
    return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = "{}"};
  };
  const auto result = bench.command({5, 1, 1}, "hard-restart");
  CHECK(result.outcome == "unknown");
  CHECK_THAT(result.error, Catch::Contains("a fan"));
  CHECK(bench.resets() == 1);
}
