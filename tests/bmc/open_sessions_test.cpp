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

const std::string bmcUrl = "https://bmc.example";

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
  bench.run(driver->readPower(Lane::polling));
  bench.clock.advance(2s);
  CHECK(base::readFile(bench.file) ==
        R"({"sessions":{"https://bmc.example":["/redfish/v1/SessionService/Sessions/7"]}})");
  bench.run(driver->close());
  bench.clock.advance(2s);
  CHECK(base::readFile(bench.file) == R"({"sessions":{}})");
}

TEST_CASE("a session that a killed agent left is closed by the next, if it is still its own") {
  Killable bench;
  const auto [user, logouts] = GENERATE(table<std::string, std::vector<std::string>>({
      {"admin", {"/redfish/v1/SessionService/Sessions/old"}},
      {"somebody", {}},  // the number was given anew
      {"", {}},          // it has run out
  }));
  bench.leave(R"({"sessions":{"https://bmc.example":["/redfish/v1/SessionService/Sessions/old"]}})");
  if (!user.empty())
    bench.fake.documents["/redfish/v1/SessionService/Sessions/old"] = fmt::format(R"({{"UserName":"{}"}})", user);
  const auto driver = bench.start();
  CHECK(bench.run(driver->readPower(Lane::polling)).power == Power::off);
  CHECK(bench.fake.logouts == logouts);
  bench.run(driver->readPower(Lane::polling));
  CHECK(bench.fake.logouts == logouts);
  CHECK(bench.fake.logins == 1);
}

TEST_CASE("a power-off does not wait for old sessions to be closed") {
  Killable bench;
  bench.leave(R"({"sessions":{"https://bmc.example":["/redfish/v1/SessionService/Sessions/old"]}})");
  bench.fake.documents["/redfish/v1/SessionService/Sessions/old"] = R"({"UserName":"admin"})";
  const auto driver = bench.start();
  bench.run(driver->readPower(Lane::fencing));
  CHECK(bench.fake.logouts.empty());
  bench.run(driver->readPower(Lane::polling));
  CHECK(bench.fake.logouts.size() == 1);
}

TEST_CASE("sessions that were left stay so over further restarts until they are seen to") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("sessions.json");
  {
    bmc::OpenSessions first(loop.runtime, file);
    first.opened(bmcUrl, "/s/1");
    first.opened(bmcUrl, "/s/2");
  }
  {
    bmc::OpenSessions second(loop.runtime, file);
    CHECK(second.left(bmcUrl) == std::vector<std::string>{"/s/1", "/s/2"});
    second.opened(bmcUrl, "/s/2");  // the BMC began to count anew
    second.opened(bmcUrl, "/s/3");
    CHECK(second.left(bmcUrl) == std::vector<std::string>{"/s/1"});
  }
  bmc::OpenSessions third(loop.runtime, file);
  CHECK(third.left(bmcUrl) == std::vector<std::string>{"/s/1", "/s/2", "/s/3"});
  third.closed(bmcUrl, "/s/2");
  CHECK(third.left(bmcUrl).size() == 2);
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
      {R"({"sessions":{"https://bmc.example":["http://elsewhere/s/1"]}})", 0},
      {fmt::format(R"({{"sessions":{{"https://bmc.example":[{}]}}}})", many), 8},
  }));
  base::writeFileAtomically(file, content);
  bmc::OpenSessions sessions(loop.runtime, file);
  CHECK(sessions.left(bmcUrl).size() == left);
  sessions.opened(bmcUrl, std::string(2000, '/'));
  CHECK(sessions.left(bmcUrl).size() == left);
}
