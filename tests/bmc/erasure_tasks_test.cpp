// What the tasks that a BMC names for erasures tell, and what they do not (docs/decisions/0022).
#include "tests/bmc/erase_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using tests::EraseBench;

TEST_CASE("what a BMC names for an erasure and is no task leaves it to the drive, which is erased once") {
  EraseBench bench({"A"});
  auto& drive = bench.drives.drives[0];
  const auto answer = GENERATE(net::HttpResponse{.status = 405}, net::HttpResponse{.status = 200},
                               net::HttpResponse{.status = 200, .body = R"({"@odata.type":"#Drive.v1_14_0.Drive"})"});
  CAPTURE(answer.status, answer.body);
  bench.drives.instead = [&answer](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/redfish/v1/TaskService")) return std::nullopt;
    return answer;
  };
  const bool isSeen = GENERATE(false, true), restarts = GENERATE(false, true);
  drive.isOperationShown = isSeen;
  if (restarts) {
    bench.beginInTheMiddle();
    drive.looksLeft = 5;
  }
  const auto begun = bench.clock.now();
  bench.erase();
  CHECK(drive.erasures.size() == 1);  // also where the process before has asked, and may have seen a task
  CHECK(drive.looksLeft == 0);
  CHECK(bench.states() == std::vector<std::string>{"A erased"});
  CHECK(bench.record.drives[0].verified == isSeen);
  if (isSeen) return;
  CHECK(bench.clock.now() - begun >= 1min);
  CHECK_THAT(bench.record.drives[0].verification,
             Catch::EndsWith("of the drive afterwards: it was never seen at it, and no task tells of it"));
}

TEST_CASE("a monitor that has shown a task says by another document that it is over") {
  EraseBench bench({"A"});
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/redfish/v1/TaskService") || ++looks == 1) return std::nullopt;
    return net::HttpResponse{.status = 200, .body = R"({"@odata.type":"#Drive.v1_14_0.Drive"})"};
  };
  bench.drives.take(2);
  bench.drives.drives[0].isOperationShown = false;
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
  CHECK(bench.record.drives[0].verified);
}

TEST_CASE("a task of a BMC that has restarted is believed by when it began") {
  EraseBench bench({"A"});
  const bool isSame = GENERATE(false, true);
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST") looks = 0;
    if (!request.path().starts_with("/redfish/v1/TaskService")) return std::nullopt;
    bench.drives.drives[0].looksLeft = ++looks < 5 ? 1 : 0;  // it is seen at it meanwhile
    if (looks > 1 && looks < 5) return net::HttpResponse{.status = 404};
    return net::HttpResponse{
        .status = 200,
        .body = fmt::format(R"({{"TaskState":"{}","TaskStatus":"OK","StartTime":"2026-01-31T10:00:0{}Z"}})",
                            looks == 1 ? "Running" : "Completed", looks == 1 || isSame ? 0 : 1)};
  };
  if (isSame) {
    bench.erase();
    CHECK(bench.drives.erasures() == 1);
    CHECK(bench.record.drives[0].verified);
  } else {
    CHECK(bench.eraseFailure() == bmc::Error::Code::refused);  // nobody knows what became of it, three times
    CHECK(bench.drives.erasures() == 3);
    CHECK(bench.states() == std::vector<std::string>{"A failed"});
  }
}

TEST_CASE("a task that was seen and is none any more proves nothing") {
  EraseBench bench({"A"});
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST") looks = 0;
    if (!request.path().starts_with("/redfish/v1/TaskService") || ++looks == 1) return std::nullopt;
    return net::HttpResponse{.status = 405};
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.drives.erasures() == 3);
}

TEST_CASE("a task that is shown late and forgotten proves nothing, though it looked like none at first") {
  EraseBench bench({"A"});
  bench.drives.take(4);
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST") looks = 0;
    if (!request.path().starts_with("/redfish/v1/TaskService") || ++looks == 2) return std::nullopt;
    return net::HttpResponse{.status = looks == 1 ? 405 : 404};
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.drives.erasures() == 3);
}

TEST_CASE("a BMC that cannot say how a task goes on is asked again, and its drive not erased again") {
  EraseBench bench({"A"});
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/redfish/v1/TaskService") || ++looks > 50) return std::nullopt;
    return net::HttpResponse{.status = 503};
  };
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
  CHECK(bench.record.drives[0].verified);
}
