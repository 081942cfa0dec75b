// What BMCs do wrong, and what becomes of it (spec/bmc.md §2, §3).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;
using tests::RedfishBench;

namespace {

constexpr auto systemPath = "/redfish/v1/Systems/1";
constexpr auto resetPath = "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset";
constexpr auto sessions = "/redfish/v1/SessionService/Sessions";

net::HttpResponse reply(int status, std::string body = "{}", net::Headers headers = {}) {
  return {.status = status, .headers = std::move(headers), .body = std::move(body)};
}

}  // namespace

TEST_CASE("whatever a BMC says of itself, a reading is short") {
  RedfishBench bench;
  const std::string much(300'000, 'x');
  bench.fake.documents[systemPath] = fmt::format(
      R"({{"Id":"1","Manufacturer":"{0}","Model":"{0}","SerialNumber":"{0}","UUID":"{0}","PowerState":"{0}"}})", much);
  CHECK(bench.read().raw.size() <= 256);
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  for (const auto& text : {identity.vendor, identity.manufacturer, identity.model, identity.serialNumber,
                           identity.systemUuid, identity.bmcFirmware})
    CHECK(text.size() <= 256);
}

TEST_CASE("what a reading does not need may be of any type") {
  RedfishBench bench;
  bench.fake.documents[systemPath] = R"({"Id":1,"SKU":4711,"Manufacturer":["x"],"Model":{"a":1},"SerialNumber":12,
      "Status":"fine","Boot":"disk","Links":[],"Actions":"none","SystemType":7,"PowerState":"On"})";
  const auto reading = bench.read();
  CHECK(reading.power == Power::on);
  CHECK(reading.health == bmc::Health::unknown);
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  CHECK(identity.serialNumber == "12");
  CHECK(identity.model.empty());
  CHECK(bench.changeFailure(PowerAction::hardOff) == Error::Code::unsupported);
  CHECK_THAT(bench.text, Catch::Contains("has no reset action"));
}

TEST_CASE("a manager that does not answer hides nothing of the machine") {
  RedfishBench bench;
  bench.fake.documents[systemPath] =
      R"({"Id":"1","Model":"m1","PowerState":"On","Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/1"}]}})";
  bench.answer("/redfish/v1/Managers/1", GENERATE(reply(503), reply(404), reply(200, "<html>")));
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  CHECK(identity.model == "m1");
  CHECK(identity.bmcFirmware.empty());
}

TEST_CASE("a letter that is no UTF-8 hides no reading") {
  RedfishBench bench;
  bench.fake.documents[systemPath] = "{\"Id\":\"1\",\"AssetTag\":\"Geb\xe4ude\",\"PowerState\":\"On\"}";
  CHECK(bench.read().power == Power::on);
}

TEST_CASE("every way to answer badly has a name of its own, and none holds a secret") {
  struct Row {
    std::string what, path;
    net::HttpResponse response;
    Error::Code code;
  };
  const auto row = GENERATE(values<Row>({
      {"broken JSON", systemPath, reply(200, "{\"PowerState\":"), Error::Code::protocol},
      {"a web page", systemPath, reply(200, "<html>s3cret</html>"), Error::Code::protocol},
      {"nothing", systemPath, reply(200, ""), Error::Code::protocol},
      {"JSON of another shape", systemPath, reply(200, "[1,2,3]"), Error::Code::protocol},
      {"JSON too deep", systemPath, reply(200, std::string(5000, '[') + std::string(5000, ']')), Error::Code::protocol},
      {"100 MB", systemPath, reply(200, std::string(100u << 20, ' ')), Error::Code::protocol},
      {"a broken connection", systemPath, reply(0), Error::Code::timeout},
      {"no such system", systemPath, reply(404), Error::Code::unsupported},
      {"always 500", systemPath, reply(500), Error::Code::busy},
      {"broken service root", "/redfish/v1/", reply(200, "{"), Error::Code::protocol},
      {"no session slot", sessions, reply(503), Error::Code::busy},
      {"login refused", sessions, reply(401), Error::Code::authenticationFailed},
      {"privilege missing", systemPath,
       reply(403, R"({"error":{"code":"Base.1.8.InsufficientPrivilege","message":"no"}})"), Error::Code::refused},
      {"a redirect to nowhere", systemPath, reply(307), Error::Code::protocol},
      {"redirects without end", systemPath, reply(307, "", {{"Location", systemPath}}), Error::Code::protocol},
  }));
  INFO(row.what);
  RedfishBench bench;
  bench.answer(row.path, row.response);
  CHECK(bench.readFailure() == row.code);
  CHECK(bench.text.find("s3cret") == std::string::npos);
  CHECK(bench.text.size() < 600);
  bench.fake.instead = nullptr;  // and it heals by itself, a refused password after a minute
  bench.clock.advance(61s);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a BMC that repeats the password or the session's token is quoted without them") {
  const std::string filling(290, 'x');  // what is cut off leaves no half of them either
  const auto secret = GENERATE(values<std::string>({"s3cret", "token-1", "YWRtaW46czNjcmV0"}));
  const auto body = R"({"error":{"message":")" + filling + " " + secret + R"( is wrong"}})";
  INFO(secret);
  RedfishBench bench;
  bench.fake.refusals.assign(20, reply(400, body));
  if (GENERATE(true, false)) {
    bench.answer(systemPath, reply(404, body));
    bench.readFailure();
  } else {
    bench.changeFailure(PowerAction::on);
  }
  CHECK(bench.text.contains(filling));
  CHECK_FALSE(bench.text.contains(secret.substr(0, 4)));
}

TEST_CASE("a password is found as the BMC means it, not as JSON writes it, and takes no word of the error's grammar") {
  const std::string quoted = "s3\"cret\\password";
  RedfishBench bench(quoted);
  bench.fake.password = quoted;
  const json::Object error{{"message", std::string(295, 'x') + " " + quoted}};
  bench.answer(systemPath, reply(404, json::serialize(json::Object{{"error", error}})));
  CHECK(bench.readFailure() == Error::Code::unsupported);
  CHECK_FALSE(bench.text.contains("s3"));

  RedfishBench plain("error");
  plain.fake.password = "error";
  plain.answer(systemPath, reply(403, R"({"error":{"code":"Base.1.8.InsufficientPrivilege","message":"an error"}})"));
  CHECK(plain.readFailure() == Error::Code::refused);
  CHECK(plain.text.ends_with(": an ***"));
}

TEST_CASE("a message that comes as its identifier with the password as argument is quoted without it") {
  RedfishBench bench;
  bench.answer(systemPath, reply(404, R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"Base.1.8.PropertyUnknown",)"
                                      R"("MessageArgs":["s3cret"]}]}})"));
  CHECK(bench.readFailure() == Error::Code::unsupported);
  CHECK(bench.text.ends_with("Base.1.8.PropertyUnknown (***)"));
}

TEST_CASE("the password is no link, no reading and no name of a reset") {
  RedfishBench bench;
  bench.fake.documents[systemPath] =
      R"({"Manufacturer":"my s3cret","SerialNumber":"s3cret","PowerState":"s3cret","Actions":{"#ComputerSystem.Reset":)"
      R"({"target":"/s3cret","ResetType@Redfish.AllowableValues":["s3cret\n"]}}})";
  const auto identity = bench.run(bench.driver->identity->identify(bmc::Lane::polling));
  CHECK(identity.manufacturer == "my ***");
  CHECK(identity.serialNumber == "***");
  CHECK(bench.read().raw == "***");
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::unsupported);
  CHECK(bench.text.ends_with("it allows *** "));

  RedfishBench elsewhere;
  elsewhere.fake.documents["/redfish/v1/Systems"] = R"({"Members":[{"@odata.id":"/s3cret"}]})";
  CHECK(elsewhere.readFailure() == Error::Code::unsupported);
  CHECK(elsewhere.text.contains("/***: HTTP 404"));
}

TEST_CASE("an answer that is no JSON is told with its URL and where it breaks, an endless one with the limit") {
  RedfishBench bench;
  bench.answer(systemPath, reply(200, "{\"PowerState\":\n"));
  CHECK(bench.readFailure() == Error::Code::protocol);
  CHECK_THAT(bench.text,
             Catch::StartsWith("https://bmc.example/redfish/v1/Systems/1: ") && Catch::Contains("at line 2, column 1"));
  bench.answer(systemPath, reply(200, std::string(100u << 20, ' ')));
  CHECK(bench.readFailure() == Error::Code::protocol);
  CHECK_THAT(bench.text, Catch::Contains("https://bmc.example") &&
                             Catch::EndsWith("/redfish/v1/Systems/1: the answer is larger than 4194304 bytes"));
}

TEST_CASE("a service whose root tells of no sessions gets Basic at once: a wrong password is tried once") {
  RedfishBench bench;
  bench.fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"}})";
  bench.fake.password = "another";
  CHECK(bench.readFailure() == Error::Code::authenticationFailed);
  CHECK(bench.fake.logins == 0);
  CHECK(bench.readFailure() == Error::Code::lockedOut);
  bench.fake.password = "s3cret";
  bench.clock.advance(61s);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a BMC that hangs costs a minute, not more") {
  RedfishBench bench;
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(1h); };
  const auto start = bench.clock.now();
  CHECK(bench.readFailure() == Error::Code::timeout);
  CHECK(bench.clock.now() - start <= 61s);
}

TEST_CASE("a server error is passed over, within a bound") {
  RedfishBench bench;
  bench.answer(systemPath, reply(500), 2);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a BMC that wants to be left alone for long is not waited for: others have things to say to it") {
  RedfishBench bench;
  bench.answer(systemPath, reply(503, "{}", {{"Retry-After", "30"}}), 1);
  const auto start = bench.clock.now();
  CHECK(bench.readFailure() == Error::Code::busy);
  CHECK(bench.clock.now() - start < 1s);
}

TEST_CASE("a BMC that moves everything to another scheme says so in the error, and nothing of a secret", "[redirect]") {
  tests::RedfishBench bench;
  bench.transport.serve("http://bmc.example:80", bench.fake);
  const auto tail = GENERATE(values<std::string>({"", "/s3cret", "/" + std::string(9000, 'x')}));
  bench.fake.instead = [tail](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    return reply(308, "", {{"Location", "https://bmc.example:8443" + std::string(request.target) + tail}});
  };
  const auto driver = bench.open("s3cret", "redfish+http://bmc.example");
  CHECK(bench.failureOf([&] { bench.run(driver->power->readPower(bmc::Lane::polling)); }) == Error::Code::protocol);
  CHECK_THAT(bench.text, Catch::Contains("redirected nowhere: HTTP 308 to 'https://bmc.example:8443/redfish/v1/"));
  CHECK_THAT(bench.text, Catch::EndsWith("'; is the BMC's address right (https, port)?"));
  CHECK_FALSE(bench.text.contains("s3cret"));
  CHECK(bench.text.size() < 600);
  bench.run(driver->close());
}

TEST_CASE("a name that leads to another path by 307 is followed, also when power is changed", "[redirect]") {
  RedfishBench bench;
  bench.fake.documents["/redfish/v1/Systems"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/alias"}]})";
  bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/Systems/alias") return std::nullopt;
    return reply(307, "", {{"Location", "https://another.example/redfish/v1/Systems/1"}});  // its own idea of its name
  };
  CHECK(bench.change(PowerAction::on).reading.power == Power::on);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a session that is gone in the middle of a command is renewed; the command is sent once") {
  RedfishBench bench;
  bench.read();
  bench.fake.before = [&bench, first = true](const net::ServerRequest& request) mutable -> base::Task<void> {
    if (request.method == "POST" && request.path() == resetPath && std::exchange(first, false))
      bench.fake.expireSessions();
    co_return;
  };
  CHECK(bench.change(PowerAction::on).reading.power == Power::on);
  CHECK(bench.fake.logins == 2);
}

TEST_CASE("a BMC that refuses to be asked for plain answers is not asked for them") {
  RedfishBench bench;
  bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.headers.find("Accept-Encoding")) return std::nullopt;
    return reply(406);
  };
  CHECK(bench.read().power == Power::off);
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a login that tells its session only in the body is logged out all the same") {
  RedfishBench bench;
  bench.fake.tellsLocation = false;
  bench.read();
  bench.run(bench.driver->close());
  CHECK(bench.fake.logouts == std::vector<std::string>{"/redfish/v1/SessionService/Sessions/1"});
}

TEST_CASE("nothing logs in again after the logout") {
  RedfishBench bench;
  bench.read();
  const auto logins = bench.fake.logins;
  bench.run(bench.driver->close());
  CHECK(bench.readFailure() == Error::Code::notPermitted);
  CHECK(bench.fake.logins == logins);
}

TEST_CASE("whatever changes something goes over a connection of its own") {
  RedfishBench bench;
  std::vector<std::string> kept;
  bench.fake.before = [&kept](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "POST" && request.headers.get("Connection") != "close") kept.push_back(request.target);
    co_return;
  };
  bench.change(PowerAction::on);
  CHECK(kept.empty());
}

TEST_CASE("a service that gave up sessions gets Basic after a while, and nothing of the session") {
  RedfishBench bench;
  bench.read();
  bench.fake.expireSessions();
  bench.fake.hasSessions = false;
  CHECK(bench.readFailure() == Error::Code::busy);  // it may just be starting
  bench.clock.advance(3min);
  CHECK(bench.read().power == Power::off);
  bench.fake.before = [](const net::ServerRequest& request) -> base::Task<void> {
    CHECK_FALSE(request.headers.find("X-Auth-Token"));
    CHECK(request.headers.find("Authorization"));
    co_return;
  };
  CHECK(bench.read().power == Power::off);
}

TEST_CASE("a reset whose answer is lost is not sent again: what the host does tells") {
  RedfishBench bench;
  const bool carriedOut = GENERATE(true, false);
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != resetPath) return std::nullopt;
    if (carriedOut) bench.fake.powerState = "On";
    return reply(0);
  };
  if (carriedOut) {
    CHECK(bench.change(PowerAction::on).reading.power == Power::on);
  } else {
    CHECK_THROWS_WITH(bench.change(PowerAction::on), Catch::Contains("not On after 120 s"));
  }
  CHECK(bench.resets() == 1);
}

TEST_CASE("whatever answers a shutdown but a refusal: the operating system has all its time") {
  RedfishBench bench;
  bench.fake.powerState = "On";
  const net::HttpResponse odd = GENERATE(reply(500), reply(504), reply(200, std::string(5u << 20, 'x')));
  bench.answer(resetPath, odd, 1);
  const auto start = bench.clock.now();
  CHECK(bench.changeFailure(PowerAction::softOff) == Error::Code::notReached);
  CHECK(bench.clock.now() - start >= 600s);
  CHECK_THAT(bench.text, Catch::Contains("nobody knows what the BMC made of the command") &&
                             Catch::Contains("not Off after 600 s"));
  CHECK(bench.resets() == 1);
}

TEST_CASE("a restart that left has never failed: a second one would do harm") {
  RedfishBench bench;
  bench.fake.powerState = "On";
  const bool answered = GENERATE(true, false);
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != resetPath) return std::nullopt;
    bench.fake.powerState = "Off";  // and it does not come back
    return answered ? reply(204) : reply(500);
  };
  CHECK(bench.changeFailure(PowerAction::hardRestart) == Error::Code::outcomeUnknown);
}

TEST_CASE("a refused restart was not carried out") {
  RedfishBench bench;
  bench.fake.powerState = "On";
  bench.answer(resetPath, GENERATE(reply(409), reply(503)));
  CHECK(bench.changeFailure(PowerAction::hardRestart) != Error::Code::outcomeUnknown);
}

TEST_CASE("each exchange of a write has a permit of its own: a redirect may come after the lease", "[redirect]") {
  RedfishBench bench;
  bench.read();
  bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != resetPath) return std::nullopt;
    auto elsewhere = reply(307);
    elsewhere.headers.set("Location", "/redfish/v1/elsewhere");
    return elsewhere;
  };
  int asked = 0;
  const bmc::WritePermit permit{.timeLimit = [&]() -> base::Duration {
    if (++asked > 1) throw Error(Error::Code::notPermitted, "the lease is over");
    return 10s;
  }};
  CHECK(bench.failureOf([&] { bench.request(PowerAction::on, permit); }) == Error::Code::notPermitted);
}

TEST_CASE("the permit is asked right before the write, after everything that may take time") {
  RedfishBench bench;
  bench.fake.before = [&bench](const auto&) { return bench.clock.sleepFor(4s); };
  const auto until = bench.clock.now() + 10s;  // service root, login and a read take 12 s
  const bmc::WritePermit permit{.timeLimit = [&]() -> base::Duration {
    if (bench.clock.now() >= until) throw Error(Error::Code::notPermitted, "the lease is over");
    return until - bench.clock.now();
  }};
  try {
    bench.request(PowerAction::on, permit);
    FAIL("it was sent");
  } catch (const Error& error) {
    CHECK(error.code() == Error::Code::notPermitted);
  }
  CHECK(bench.resets() == 0);
}

TEST_CASE("a write ends with its permit") {
  RedfishBench bench;
  bench.read();
  bench.fake.before = [&bench](const net::ServerRequest& request) -> base::Task<void> {
    if (request.method == "POST") co_await bench.clock.sleepFor(40s);
  };
  const auto start = bench.clock.now();
  try {
    bench.request(PowerAction::on, {.timeLimit = [] { return base::Duration(13s); }});
    FAIL("it was answered");
  } catch (const Error& error) {
    CHECK(error.code() == Error::Code::outcomeUnknown);
  }
  CHECK(bench.clock.now() - start <= 14s);
}
