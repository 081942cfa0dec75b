// Refusals that carry only a message's identifier.
#include "bmc/redfish/message_registry.hpp"
#include "base/utf8.hpp"

#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::bmc::redfish;
using namespace std::chrono_literals;

namespace {

constexpr const char* kRefusal =
    R"({"error":{"code":"Base.1.8.GeneralError","message":"See ExtendedInfo.","@Message.ExtendedInfo":[)"
    R"({"MessageId":"Vendor.2.1.SystemLocked","Severity":"Critical","MessageArgs":["lockdown",2]}]}})";

struct RegistryBench : tests::RedfishBench {
  RegistryBench() {
    fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},)"
                          R"("Registries":{"@odata.id":"/redfish/v1/Registries"},)"
                          R"("Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}}})";
    fake.documents["/redfish/v1/Registries"] = R"({"Members":[{"@odata.id":"/redfish/v1/Registries/VendorOther.1"},)"
                                               R"({"@odata.id":"/redfish/v1/Registries/Vendor.2.1.0"}]})";
    fake.documents["/redfish/v1/Registries/Vendor.2.1.0"] =
        R"({"Location":[{"Language":"ja","Uri":"/ja"},{"Language":"en","Uri":"/en.json"}]})";
    fake.documents["/en.json"] =
        R"({"Messages":{"SystemLocked":{"Message":"The system is in %1 mode since %2 days: unlock it.","NumberOfArgs":2}}})";
  }
  std::string refusedOn() {
    fake.refusals = {{.status = 400, .body = kRefusal}};
    CHECK(changeFailure(bmc::PowerAction::on) == bmc::Error::Code::refused);
    return text;
  }
};

}  // namespace

TEST_CASE("a message without words is looked up in the BMC's registry, once", "[redfish]") {
  RegistryBench bench;
  int reads = 0;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    reads += request.target == "/en.json" ? 1 : 0;
    co_return;
  };
  for (int i = 0; i < 2; ++i)
    CHECK_THAT(bench.refusedOn(), Catch::EndsWith("HTTP 400: The system is in lockdown mode since 2 days: unlock it."));
  CHECK(reads == 1);
}

TEST_CASE("the identifier does where there is no registry, no such message, or no answer in time", "[redfish]") {
  RegistryBench bench;
  const auto wordless = Catch::EndsWith("HTTP 400: Vendor.2.1.SystemLocked (lockdown, 2)");
  SECTION("none") { bench.fake.documents["/"].replace(bench.fake.documents["/"].find("Registries"), 10, "Nothing---"); }
  SECTION("of another name") { bench.fake.documents["/redfish/v1/Registries"] = R"({"Members":[]})"; }
  SECTION("elsewhere") {
    bench.fake.documents["/redfish/v1/Registries/Vendor.2.1.0"] =
        R"({"Location":[{"Language":"en","Uri":"https://registries.example/Vendor.json"}]})";
  }
  SECTION("without the message") { bench.fake.documents["/en.json"] = R"({"Messages":{}})"; }
  SECTION("that is broken") { bench.fake.documents["/en.json"] = "<html>"; }
  SECTION("that never comes") {
    bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
      if (request.target == "/en.json") co_await bench.clock.sleepFor(1h);
    };
    const auto start = bench.clock.now();
    CHECK_THAT(bench.refusedOn(), wordless);
    CHECK(bench.clock.now() - start < 15s);
    return;
  }
  CHECK_THAT(bench.refusedOn(), wordless);
}

TEST_CASE("words of the worst message win, then its identifier, then the general ones", "[redfish]") {
  const auto detail = [](std::string_view info) {
    return readErrorBody(R"({"error":{"code":"Base.1.0.GeneralError","message":"general","@Message.ExtendedInfo":)" +
                         std::string(info) + "}}")
        .detail;
  };
  CHECK(detail(R"([{"MessageId":"A.1.B","Severity":"Critical"},{"Message":"words","Severity":"Warning"}])") == "words");
  CHECK(detail(R"([{"MessageId":"A.1.W","Severity":"Warning"},{"MessageId":"A.1.C","Severity":"Critical"}])") ==
        "A.1.C");
  CHECK(detail(R"([{"MessageId":"A.1.Fine","Severity":"OK"}])") == "general");
  CHECK(detail(R"([{"MessageId":"Base.1.0.GeneralError","Severity":"Critical"}])") == "general");
  CHECK(detail(R"({"MessageId":"A.1.B","MessageArgs":["x"]})") == "A.1.B (x)");
}

TEST_CASE("a letter that is no UTF-8 hides no identifier", "[redfish]") {
  const auto body = readErrorBody(
      "{\"error\":{\"@Message.ExtendedInfo\":[{\"MessageId\":\"Base.1.8.ActionParameterNotSupported\",\"Message\":"
      "\"\xfc\"}]}}");
  CHECK(body.has("ActionParameterNotSupported"));
}

TEST_CASE("a long message is cut between two characters", "[redfish]") {
  for (std::size_t plain = 290; plain < 303; ++plain) {
    const auto body = readErrorBody(R"({"error":{"message":")" + std::string(plain, 'x') + "\u96fb\u6e90\"}}");
    CHECK(base::isUtf8(body.detail));
    CHECK(body.detail.size() <= 300);
  }
}

TEST_CASE("arguments take their places in a message", "[redfish]") {
  CHECK(substituted("%1 of %2, %1 again, %3, 100%", {"a", "b"}, 100) == "a of b, a again, %3, 100%");
  std::string many;
  for (int i = 0; i < 100'000; ++i) many += "%1";
  CHECK(substituted(many, {std::string(300, 'x')}, 1000).size() <= 1300);  // and not 30 MB
  CHECK(registryOf("Base.1.8.1.PropertyMissing") == "Base.1.8.1");
  CHECK(registryOf("PropertyMissing").empty());
}

TEST_CASE("the reason is found where a BMC gives it as a mere information, or writes MessageID") {
  const auto body = readErrorBody(
      R"({"error":{"code":"Base.1.8.GeneralError","message":"A general error has occurred. See ExtendedInfo.",
      "@Message.ExtendedInfo":[{"MessageId":"Base.1.8.GeneralError","Message":"A general error has occurred.",
      "Severity":"OK"},{"MessageID":"IDRAC.2.8.PSU501","Message":"Server is already powered ON.",
      "Severity":"Informational"}]}})",
      {});
  CHECK(body.detail == "Server is already powered ON.");
  CHECK(body.has("PSU501"));
}
