// Sessions that a killed process leaves at BMCs.
#include "bmc/open_sessions.hpp"

#include "base/file.hpp"
#include "tests/bmc/redfish_bench.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Lane;
using bmc::Power;

namespace {

const auto account = bmc::OpenSessions::keyOf("https://bmc.example", "admin");

constexpr auto oldPath = "/redfish/v1/SessionService/Sessions/old";
constexpr auto oldSession = R"({"sessions":{"https://bmc.example admin":["/redfish/v1/SessionService/Sessions/old"]}})";

// An agent's pool that is killed and started again: what it has not written is lost.
struct Killable : tests::RedfishBench {
  std::unique_ptr<bmc::Driver> start() {
    next = std::make_unique<bmc::BmcPool>(runtime, bmc::Transports{transport, processes}, bmc::GovernorOptions{},
                                          bmc::RememberedFiles{.sessions = file});
    return next->open(
        {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"admin", base::Secret("s3cret")}});
  }
  // As it was when the process was killed.
  void leave(const std::string& content) { base::writeFileAtomically(file, content); }

  tests::TemporaryFolder folder;
  std::string file = folder.path("sessions.json");
  std::unique_ptr<bmc::BmcPool> next;
};

}  // namespace

TEST_CASE("the sessions that are open are written down soon, without a token, and those that were closed are not") {
  Killable bench;
  const auto driver = bench.start();
  bench.run(driver->power->readPower(Lane::polling));
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file) ==
        R"({"sessions":{"https://bmc.example admin":["/redfish/v1/SessionService/Sessions/1"]}})");
  bench.run(driver->close());
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file) == R"({"sessions":{}})");
}

TEST_CASE("a session that a killed agent left is closed by the next, if it is still its own", "[sessions]") {
  Killable bench;
  const auto [user, logouts] = GENERATE(table<std::string, std::vector<std::string>>({
      {"admin", {"/redfish/v1/SessionService/Sessions/old"}},
      {"somebody", {}},  // the number was given anew
      {"", {}},          // it has run out
  }));
  bench.leave(oldSession);
  if (!user.empty()) bench.fake.documents[oldPath] = fmt::format(R"({{"UserName":"{}"}})", user);
  const auto driver = bench.start();
  CHECK(bench.run(driver->power->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logouts.empty());  // no reading waits for it
  for (int i = 0; i < 2; ++i) {
    (void)bench.run(driver->identity->identify(Lane::polling));
    CHECK(bench.fake.logouts == logouts);
  }
  CHECK(bench.fake.logins == 1);
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file).find("old") == std::string::npos);
}

TEST_CASE("what was noted as a session and lies elsewhere is nobody's to delete", "[sessions]") {
  Killable bench;
  const std::string noted = GENERATE("/redfish/v1/AccountService/Accounts/3", "/redfish/v1/SessionService/Sessions");
  bench.leave(fmt::format(R"({{"sessions":{{"https://bmc.example admin":["{}"]}}}})", noted));
  bench.fake.documents[noted] = R"({"UserName":"admin"})";
  const auto driver = bench.start();
  bench.run(driver->power->readPower(Lane::polling));
  (void)bench.run(driver->identity->identify(Lane::polling));
  CHECK(bench.fake.logouts.empty());
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file).find(noted + "\"") == std::string::npos);
}

TEST_CASE("a session that could not be seen to is seen to another time, and keeps nobody from the next", "[sessions]") {
  Killable bench;
  const std::string other = "/redfish/v1/SessionService/Sessions/other";
  bench.leave(fmt::format(R"({{"sessions":{{"https://bmc.example admin":["{}","{}"]}}}})", oldPath, other));
  bench.fake.documents[oldPath] = bench.fake.documents[other] = R"({"UserName":"admin"})";
  const std::string method = GENERATE("GET", "DELETE");
  const int status = GENERATE(0, 503);
  bench.fake.instead = [=](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != oldPath || request.method != method) return std::nullopt;
    return net::HttpResponse{.status = status};
  };
  const auto driver = bench.start();
  (void)bench.run(driver->identity->identify(Lane::polling));
  CHECK(bench.fake.logouts == std::vector<std::string>{other});
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file).find("Sessions/old") != std::string::npos);
  bench.fake.instead = nullptr;
  (void)bench.run(driver->identity->identify(Lane::polling));
  CHECK(bench.fake.logouts == std::vector<std::string>{other, oldPath});
}

TEST_CASE("a logout that does not get through stays on the list", "[sessions]") {
  Killable bench;
  const auto driver = bench.start();
  bench.run(driver->power->readPower(Lane::polling));
  bench.answer("/redfish/v1/SessionService/Sessions/1", {.status = 0});
  bench.run(driver->close());
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file).find("Sessions/1") != std::string::npos);
}

TEST_CASE("a session whose log-out failed is closed by the next login of the same process", "[sessions]") {
  Killable bench;
  const auto before = bench.start();
  bench.run(before->power->readPower(Lane::polling));
  const std::string path = "/redfish/v1/SessionService/Sessions/1";
  bench.answer(path, {.status = GENERATE(0, 503)}, 1);
  bench.run(before->close());
  REQUIRE(bench.fake.logouts.empty());
  bench.fake.documents[path] = R"({"UserName":"admin"})";
  const auto after = bench.next->open(
      {.address = bmc::parseAddress("redfish://bmc.example"), .login = {"admin", base::Secret("s3cret")}});
  (void)bench.run(after->identity->identify(Lane::polling));
  CHECK(bench.fake.logouts == std::vector<std::string>{path});
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file).find("Sessions/1\"") == std::string::npos);
}

TEST_CASE("a session that ran out is no longer on the list, the one that took its place is", "[sessions]") {
  Killable bench;
  const auto driver = bench.start();
  bench.run(driver->power->readPower(Lane::polling));
  bench.fake.expireSessions();
  bench.run(driver->power->readPower(Lane::polling));
  bench.clock.advance(6s);
  CHECK(base::readFile(bench.file) ==
        R"({"sessions":{"https://bmc.example admin":["/redfish/v1/SessionService/Sessions/2"]}})");
}

TEST_CASE("sessions that were left stay so over further restarts until they are seen to") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("sessions.json");
  {
    bmc::OpenSessions first(loop.runtime, file);
    first.opened(account, "/s/1");
    first.opened(account, "/s/2");
  }
  {
    bmc::OpenSessions second(loop.runtime, file);
    CHECK(second.left(account) == std::vector<std::string>{"/s/1", "/s/2"});
    second.opened(account, "/s/2");  // the BMC began to count anew
    second.opened(account, "/s/3");
    CHECK(second.left(account) == std::vector<std::string>{"/s/1"});
  }
  bmc::OpenSessions third(loop.runtime, file);
  CHECK(third.left(account) == std::vector<std::string>{"/s/1", "/s/2", "/s/3"});
  third.closed(account, "/s/2");
  CHECK(third.left(account).size() == 2);
  CHECK(third.left("https://other.example").empty());
}

TEST_CASE("a list of sessions that is damaged, too long or no list is no reason to stop") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("sessions.json");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += fmt::format(R"({}"/s/{}")", i == 0 ? "" : ",", i);
  const auto [content, left] = GENERATE_COPY(table<std::string, std::size_t>({
      {"", 0},
      {"{", 0},
      {R"({"sessions":[]})", 0},
      {R"({"sessions":{"https://bmc.example admin":["http://elsewhere/s/1"]}})", 0},
      {fmt::format(R"({{"sessions":{{"https://bmc.example admin":[{}]}}}})", many), 8},
  }));
  base::writeFileAtomically(file, content);
  bmc::OpenSessions sessions(loop.runtime, file);
  CHECK(sessions.left(account).size() == left);
}

TEST_CASE("a path that is too long, or no text, is not kept: it would spoil the list of all", "[sessions]") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("sessions.json");
  {
    bmc::OpenSessions sessions(loop.runtime, file);
    for (const auto& path : {std::string(2000, '/'), std::string("/s/\xff"), std::string(), std::string("/s/1")})
      sessions.opened(account, path);
  }
  CHECK(bmc::OpenSessions(loop.runtime, file).left(account) == std::vector<std::string>{"/s/1"});
}

TEST_CASE("a BMC that takes each login and refuses all else is not logged in to without end", "[sessions]") {
  Killable bench;
  const auto driver = bench.start();
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "DELETE") return net::HttpResponse{.status = 500};
    if (request.path() != "/redfish/v1/Systems/1") return std::nullopt;
    return net::HttpResponse{.status = 403, .body = R"({"error":{"code":"Base.1.8.NoValidSession"}})"};
  };
  for (int i = 0; i < 1000; ++i) {
    CHECK(bench.failureOf([&] { bench.run(driver->power->readPower(Lane::polling)); }) == bmc::Error::Code::refused);
    if (i == 499) CHECK(bench.fake.logins <= 11);  // all of them at one time
    if (i >= 500) bench.clock.advance(6s);         // 50 min
  }
  CHECK(bench.fake.logins <= 550);
  CHECK(bench.fake.logins >= 20);  // it may get well
  bench.clock.advance(6s);
  const auto kept = json::parse(base::readFile(bench.file));
  const auto* paths = json::arrayAt(kept, {"sessions", account});
  REQUIRE(paths != nullptr);
  CHECK(paths->size() <= 8);
  const auto last = fmt::format("/redfish/v1/SessionService/Sessions/{}", bench.fake.logins);
  CHECK(std::ranges::any_of(*paths, [&](const auto& path) { return path.as_string() == last; }));
  bench.fake.instead = nullptr;
  CHECK(bench.run(driver->power->readPower(Lane::polling)).power == Power::off);
}
