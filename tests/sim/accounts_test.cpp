// Accounts of a simulated BMC: what their roles allow, and that nothing half applies.
#include "net/basic_credentials.hpp"
#include "tests/sim/bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using tests::SimBench;
using namespace std::chrono_literals;

namespace {

constexpr auto accountsPath = "/redfish/v1/AccountService/Accounts";

net::Headers loginOf(const std::string& user) {
  return {{"Authorization", "Basic " + net::basicCredentials(user, base::Secret("Secret.12345"))}};
}

struct Accounts : SimBench {
  // Where the new account is.
  std::string add(const std::string& user, const std::string& role) {
    const auto made = send("POST", accountsPath,
                           fmt::format(R"({{"UserName":"{}","Password":"Secret.12345","RoleId":"{}"}})", user, role));
    REQUIRE(made.status == 201);
    return std::string(made.headers.get("Location"));
  }
  int as(const std::string& user, std::string method, std::string target, std::string body = {}) {
    return send(std::move(method), std::move(target), std::move(body), loginOf(user)).status;
  }
  // "status message"
  std::string whyNot(std::string method, std::string target, std::string body) {
    const auto refused = send(std::move(method), std::move(target), std::move(body));
    return fmt::format("{} {}", refused.status, json::textAt(json::parse(refused.body), {"error", "message"}));
  }
};

}  // namespace

TEST_CASE("a role allows what Redfish says that it does") {
  const std::string system = tests::systemPath, manager = "/redfish/v1/Managers/1", cd = manager + "/VirtualMedia/Cd";
  const std::string accounts = accountsPath, reset = R"({"ResetType":"On"})";
  struct Row {
    const char* method;
    std::string path, body;
    const char* lowest;  // role that may
  };
  const auto row = GENERATE_COPY(values<Row>({
      {"GET", system, "", "ReadOnly"},
      {"GET", accounts, "", "ReadOnly"},
      {"POST", system + "/Actions/ComputerSystem.Reset", reset, "Operator"},
      {"PATCH", system, R"({"Boot":{"BootSourceOverrideTarget":"Pxe","BootSourceOverrideEnabled":"Once"}})",
       "Operator"},
      {"POST", system + "/Bios/Actions/Bios.ResetBios", "{}", "Operator"},
      {"POST", "/redfish/v1/UpdateService/Actions/UpdateService.SimpleUpdate",
       R"({"ImageURI":"http://files/bios-1.9.bin"})", "Operator"},
      {"POST", system + "/LogServices/SEL/Actions/LogService.ClearLog", "{}", "Administrator"},
      {"POST", cd + "/Actions/VirtualMedia.EjectMedia", "{}", "Administrator"},
      {"POST", accounts, R"({"UserName":"new","Password":"Secret.12345","RoleId":"ReadOnly"})", "Administrator"},
      {"DELETE", accounts + "/4", "", "Administrator"},
  }));
  INFO(row.method << " " << row.path);
  Accounts bench;
  bool may = false;
  for (const auto* role : {"ReadOnly", "Operator", "Administrator"}) {
    bench.add(role, role);
    may = may || role == std::string(row.lowest);
    const int status = bench.as(role, row.method, row.path, row.body);
    INFO(role << " " << status);
    CHECK((may ? status / 100 == 2 : status == 403));
    if (may) break;
  }
}

TEST_CASE("who may not configure users changes the own password and nothing else") {
  Accounts bench;
  const auto reader = bench.add("reader", "ReadOnly");
  const auto worker = bench.add("worker", "Operator");
  CHECK(bench.as("reader", "GET", reader) == 200);
  CHECK(bench.as("reader", "GET", worker) == 403);
  CHECK(bench.as("worker", "PATCH", worker, R"({"RoleId":"Administrator"})") == 403);
  CHECK(bench.as("worker", "PATCH", worker, R"({"UserName":"admin"})") == 403);
  CHECK(bench.as("worker", "PATCH", worker, R"({"Password":"Other.12345","RoleId":"Administrator"})") == 403);
  CHECK(bench.as("worker", "PATCH", reader, R"({"Password":"Other.12345"})") == 403);
  const auto login =
      bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"reader","Password":"Secret.12345"})");
  CHECK(bench.as("worker", "DELETE", std::string(login.headers.get("Location"))) == 403);
  CHECK(bench.as("worker", "PATCH", worker, R"({"Password":"Other.12345"})") == 200);
  CHECK(bench.as("worker", "GET", worker) == 401);
}

TEST_CASE("a refused change of an account leaves it as it was, and says why") {
  Accounts bench;
  const auto path = bench.add("alice", "Operator");
  const auto before = bench.get(path);
  const std::pair<const char*, const char*> rows[] = {
      {R"({"RoleId":"ReadOnly","Password":"short"})", "400 The property Password takes 8 to 64 characters."},
      {R"({"Enabled":false,"RoleId":"King"})",
       "400 The value 'King' for the property RoleId is not in the list of acceptable values."},
      {R"({"Enabled":false,"UserName":"admin"})", "409 There is an account of the name 'admin' already."},
      {R"({"Enabled":"no"})", "400 The value of the property Enabled is of a wrong type."},
      {R"({"Colour":"red"})", "400 The property Colour is not in the list of properties."},
      {R"({"@odata.id":"x"})", "400 The request body has nothing that changes the resource."},
      {R"({"UserName":""})", "400 The property UserName takes 1 to 32 characters, no colon."},
      {R"({"UserName":"a:b"})", "400 The property UserName takes 1 to 32 characters, no colon."},
      {R"({"Locked":false})", "400 The property Locked is read-only."},
  };
  for (const auto& [body, why] : rows) {
    CHECK(bench.whyNot("PATCH", path, body) == why);
    CHECK(bench.get(path) == before);
  }
  CHECK(bench.whyNot("POST", accountsPath, R"({"UserName":"bob","RoleId":"Operator"})") ==
        "400 The property Password is required.");
  CHECK(bench.whyNot("DELETE", std::string(accountsPath) + "/1", "") ==
        "405 The account that the service is delivered with cannot be deleted.");
}

TEST_CASE("an account that must change its password can do that, end its session, and nothing else") {
  Accounts bench;
  const auto path = bench.add("second", "Administrator");
  const bool passwordFirst = GENERATE(true, false);
  const std::string flag = R"("PasswordChangeRequired":true)", password = R"("Password":"Secret.12345")";
  REQUIRE(
      bench.send("PATCH", path, "{" + (passwordFirst ? password + "," + flag : flag + "," + password) + "}").status ==
      200);

  const std::string sessions = "/redfish/v1/SessionService/Sessions";
  const auto login = R"({"UserName":"second","Password":"Secret.12345"})";
  const auto session = bench.send("POST", sessions, login);
  REQUIRE(session.status == 201);
  CHECK_THAT(session.body, Catch::Contains("Base.1.18.PasswordChangeRequired"));
  const auto admins = bench.send("POST", sessions, R"({"UserName":"admin","Password":"ingot-sim"})");

  CHECK(bench.as("second", "GET", tests::systemPath) == 403);
  CHECK(bench.as("second", "GET", "/redfish/v1/EventService/SSE") == 403);
  CHECK(bench.as("second", "PATCH", path, R"({"PasswordChangeRequired":false})") == 403);
  CHECK(bench.as("second", "PATCH", path, R"({"Password":"Other.12345","RoleId":"ReadOnly"})") == 403);
  CHECK(bench.as("second", "DELETE", std::string(admins.headers.get("Location"))) == 403);
  CHECK(bench.as("second", "DELETE", std::string(session.headers.get("Location"))) == 204);
  CHECK(bench.as("second", "GET", path) == 200);
  CHECK(bench.as("second", "PATCH", path, "{" + password + "}") == 200);
  CHECK(bench.as("second", "GET", tests::systemPath) == 200);
}

TEST_CASE("the account that a BMC is delivered with stays an administrator") {
  Accounts bench;
  const std::string path = std::string(accountsPath) + "/1";
  for (const auto* body : {R"({"Enabled":false})", R"({"RoleId":"ReadOnly"})", R"({"UserName":"root"})"})
    CHECK(bench.whyNot("PATCH", path, body) ==
          "400 The account that the service is delivered with keeps its name, role and state.");
  // As those set a password who do not care whether the account is new.
  const auto* upsert = R"({"Password":"Another.12345","RoleId":"Administrator","Enabled":true})";
  CHECK(bench.send("PATCH", path, upsert).status == 200);
  CHECK(bench.send("GET", path).status == 401);
}

TEST_CASE("the sessions of an account end with it") {
  Accounts bench;
  const auto path = bench.add("alice", "Operator");
  const auto login = [&] {
    bench.anonymous = true;
    const auto session =
        bench.send("POST", "/redfish/v1/SessionService/Sessions", R"({"UserName":"alice","Password":"Secret.12345"})");
    bench.anonymous = false;
    return std::string(session.headers.get("X-Auth-Token"));
  };
  const auto asked = [&](const std::string& token) {
    return bench.send("GET", tests::systemPath, {}, {{"X-Auth-Token", token}}).status;
  };
  const auto token = login();
  REQUIRE(asked(token) == 200);
  REQUIRE(bench.send("PATCH", path, R"({"Enabled":false})").status == 200);
  CHECK(asked(token) == 401);
  CHECK(login() == "");
  REQUIRE(bench.send("PATCH", path, R"({"Enabled":true})").status == 200);
  const auto second = login();
  REQUIRE(asked(second) == 200);
  REQUIRE(bench.send("PATCH", path, R"({"UserName":"bob"})").status == 200);
  CHECK(asked(second) == 401);
  REQUIRE(bench.send("PATCH", path, R"({"UserName":"alice"})").status == 200);
  const auto third = login();
  REQUIRE(asked(third) == 200);
  REQUIRE(bench.send("DELETE", path).status == 204);
  CHECK(asked(third) == 401);
}

TEST_CASE("a write with a tag to what is absent, or what the account may not see, says that") {
  Accounts bench;
  const auto worker = bench.add("worker", "Operator");
  bench.add("reader", "ReadOnly");
  const net::Headers tagged{{"If-Match", "W/\"1\""}};
  CHECK(bench.send("PATCH", worker, "{}", tagged).status == 412);
  CHECK(bench.send("PATCH", std::string(accountsPath) + "/9", "{}", tagged).status == 404);
  net::Headers readers = loginOf("reader");
  readers.set("If-Match", "W/\"1\"");
  CHECK(bench.send("PATCH", worker, "{}", readers).status == 403);
}

TEST_CASE("there is room for so many accounts and no more") {
  Accounts bench;
  for (std::size_t i = 1; i < sim::redfish::maxAccounts; ++i) bench.add(fmt::format("user-{}", i), "ReadOnly");
  CHECK(bench.whyNot("POST", accountsPath, R"({"UserName":"late","Password":"Secret.12345","RoleId":"ReadOnly"})") ==
        "400 The service has no room for another account.");
}
