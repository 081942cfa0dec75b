// How a login is refused (spec/bmc.md §3).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Error;
using bmc::Power;
using tests::RedfishBench;

TEST_CASE("a login that fails for a moment says nothing of how to log in") {
  RedfishBench bench;
  bench.answer("/redfish/v1/SessionService/Sessions", {.status = GENERATE(500, 502, 504, 429)}, 1);
  CHECK(bench.readFailure() == Error::Code::busy);
  bool basic = false;
  bench.fake.before = [&basic](const net::ServerRequest& request) -> base::Task<void> {
    basic = basic || request.headers.find("Authorization");
    co_return;
  };
  CHECK(bench.read().power == Power::off);
  CHECK_FALSE(basic);
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a BMC that wants another password first says so, and is not logged in to again and again") {
  RedfishBench bench;
  bench.answer("/redfish/v1/Systems/1",
               {.status = 403, .body = R"({"error":{"code":"Base.1.13.GeneralError","message":"no",
      "@Message.ExtendedInfo":[{"MessageId":"Base.1.13.0.PasswordChangeRequired","MessageArgs":["/redfish/v1/a/1"]}]}})"});
  for (int i = 0; i < 3; ++i) CHECK(bench.readFailure() == Error::Code::refused);
  CHECK(bench.text ==
        "https://bmc.example does nothing for admin before the password of that account is changed "
        "(PasswordChangeRequired): change it there, then in the Secret");
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a resource that an account may not see, or a BMC that is locked down, says nothing of the password") {
  RedfishBench bench;
  const int status = GENERATE(401, 403);
  bench.answer("/redfish/v1/Systems/1", {.status = status, .body = R"({"error":{"message":"not for you"}})"});
  CHECK(bench.readFailure() == Error::Code::refused);
  CHECK(bench.text ==
        fmt::format("https://bmc.example/redfish/v1/Systems/1: HTTP {}: not for you (the login was taken; does "
                    "the account have the right, or is the BMC locked down?)",
                    status));
  CHECK(bench.fake.logins == 2);  // the session may have run out
  CHECK(bench.readFailure() == Error::Code::refused);
  CHECK(bench.fake.logins == 2);
  CHECK(bench.fake.logouts.size() == 1);  // none that may be good is left behind
}

TEST_CASE("a login that is declined as a bad request, as some do with a wrong password, is not repeated by Basic") {
  RedfishBench bench;
  const auto [body, code] = GENERATE(table<std::string, Error::Code>({
      {R"({"error":{"message":"wrong"}})", Error::Code::authenticationFailed},
      {R"({"error":{"code":"Base.1.8.SessionLimitExceeded","message":"full"}})", Error::Code::busy},
  }));
  bench.answer("/redfish/v1/SessionService/Sessions", {.status = 400, .headers = {}, .body = body}, 1);
  bool basic = false;
  bench.fake.before = [&basic](const net::ServerRequest& request) -> base::Task<void> {
    basic = basic || request.headers.find("Authorization");
    co_return;
  };
  CHECK(bench.readFailure() == code);
  CHECK_FALSE(basic);
  if (code == Error::Code::authenticationFailed) CHECK(bench.readFailure() == Error::Code::lockedOut);
  bench.clock.advance(std::chrono::seconds(61));
  CHECK(bench.read().power == Power::off);
  CHECK_FALSE(basic);
}

TEST_CASE("a login goes where the BMC has moved its sessions, and where they are unclear it goes nowhere",
          "[redirect]") {
  RedfishBench bench;
  const int status = GENERATE(308, 307, 301, 409);
  bench.fake.documents["/"] =
      R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},"Links":{"Sessions":{"@odata.id":"/moved"}}})";
  bench.answer("/moved",
               {.status = status, .headers = {{"Location", "/redfish/v1/SessionService/Sessions"}}, .body = ""});
  const bool isFollowed = status == 308 || status == 307;
  if (isFollowed)
    CHECK(bench.read().power == Power::off);
  else
    CHECK(bench.readFailure() == Error::Code::refused);
  CHECK(bench.fake.logins == (isFollowed ? 1 : 0));
}

TEST_CASE("a session that has run out is renewed, by whatever word the BMC says so") {
  RedfishBench bench;
  bench.read();
  const auto [status, word] =
      GENERATE(table<int, std::string>({{401, "ResourceAtUriUnauthorized"}, {403, "NoValidSession"}, {401, "x"}}));
  bench.answer("/redfish/v1/Systems/1",
               {.status = status, .headers = {}, .body = fmt::format(R"({{"error":{{"code":"Base.1.8.{}"}}}})", word)},
               1);
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE("Basic that is refused is no fate: the next login asks for sessions again") {
  RedfishBench bench;
  bench.fake.hasSessions = false;
  bench.read();
  bench.fake.hasSessions = true;
  bench.answer("/redfish/v1/Systems/1", {.status = 401, .headers = {}, .body = "{}"}, 1);
  CHECK(bench.readFailure() == Error::Code::authenticationFailed);
  bench.clock.advance(std::chrono::seconds(61));
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a system that a new firmware calls otherwise is found again") {
  RedfishBench bench;
  bench.read();
  bench.fake.documents["/redfish/v1/Systems"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/new"}]})";
  bench.fake.documents["/redfish/v1/Systems/new"] = R"({"Id":"new","PowerState":"On"})";
  bench.answer("/redfish/v1/Systems/1", {.status = 404, .headers = {}, .body = "{}"});
  CHECK(bench.readFailure() == Error::Code::unsupported);
  CHECK(bench.read().power == Power::on);
}

TEST_CASE("a poll that hangs is given up sooner than anything else, for what is more urgent waits behind it") {
  RedfishBench bench;
  bench.read();
  const auto [lane, limit] = GENERATE(table<bmc::Lane, std::chrono::seconds>(
      {{bmc::Lane::polling, std::chrono::seconds(30)}, {bmc::Lane::operatorCommand, std::chrono::seconds(60)}}));
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(std::chrono::hours(1)); };
  const auto start = bench.clock.now();
  CHECK(bench.failureOf([&, lane = lane] { bench.run(bench.driver->power->readPower(lane)); }) == Error::Code::timeout);
  CHECK(bench.clock.now() - start == limit);
}

namespace {

// A BMC that shows nothing at all to whoever has not logged in.
struct ClosedRoot : RedfishBench {
  explicit ClosedRoot(int status = 401) {
    fake.instead = [this, status](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const bool isRoot = request.path() == "/redfish/v1/" || request.path() == "/redfish/v1";
      if (!isRoot || fake.admits(request)) return std::nullopt;
      return net::HttpResponse{.status = status, .body = R"({"error":{"code":"Base.1.8.NoValidSession"}})"};
    };
  }
};

}  // namespace

TEST_CASE("a service whose root wants a login is logged in to, once") {
  ClosedRoot bench(GENERATE(401, 403));
  CHECK(bench.read().power == Power::off);
  CHECK(bench.read().power == Power::off);
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a service whose root wants a login and that has no sessions gets Basic") {
  ClosedRoot bench;
  bench.fake.hasSessions = false;
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a wrong password is shown once to a service whose root wants a login") {
  ClosedRoot bench;
  bench.fake.password = "another";
  CHECK(bench.readFailure() == Error::Code::authenticationFailed);
  CHECK(bench.fake.logins == 1);
  CHECK(bench.readFailure() == Error::Code::lockedOut);
  bench.fake.password = "s3cret";
  bench.clock.advance(std::chrono::seconds(61));
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a session that dies while the root has to be read anew is renewed") {
  ClosedRoot bench;
  bench.read();
  bench.fake.expireSessions();
  bench.read();  // renewed: the root is to be read anew
  bench.fake.documents["/redfish/v1/Systems"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/new"}]})";
  bench.fake.documents["/redfish/v1/Systems/new"] = R"({"Id":"new","PowerState":"On"})";
  const auto closed = bench.fake.instead;
  bench.answer("/redfish/v1/Systems/1", {.status = 404, .headers = {}, .body = "{}"});
  CHECK(bench.readFailure() == Error::Code::unsupported);  // and the system is to be found anew
  bench.fake.instead = closed;
  bench.fake.expireSessions();
  CHECK(bench.read().power == Power::on);
  CHECK(bench.fake.logins == 3);
}
