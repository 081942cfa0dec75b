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

TEST_CASE("what else a BMC refuses by an identifier alone is told in words, too", "[redfish]") {
  RegistryBench bench;
  bench.fake.hasMedia = true;
  const auto words = Catch::Contains("The system is in lockdown mode since 2 days: unlock it.");
  const auto refuse = [&](std::string path, int status = 400) {
    bench.answer(std::move(path), {.status = status, .body = kRefusal});
  };
  const std::string drive = "/redfish/v1/Systems/1/VirtualMedia/Cd";
  SECTION("an image") {
    refuse(drive + "/Insert");
    CHECK(bench.failureOf([&] {
      bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, "http://x/y.iso", {}));
    }) == bmc::Error::Code::refused);
  }
  SECTION("an ejection") {
    bench.fake.media = "http://x/y.iso";
    refuse(drive + "/Eject", 409);
    CHECK(bench.failureOf([&] { bench.run(bench.driver->media->ejectMedia(bmc::Lane::operatorCommand, {})); }) ==
          bmc::Error::Code::refused);
  }
  SECTION("what to boot from") {
    bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.method != "PATCH") return std::nullopt;
      return net::HttpResponse{.status = 400, .body = kRefusal};
    };
    CHECK(bench.failureOf([&] {
      bench.run(
          bench.driver->boot->setBoot(bmc::Lane::operatorCommand, {bmc::BootDevice::pxe, false, std::nullopt}, {}));
    }) == bmc::Error::Code::refused);
  }
  SECTION("an erasure") {
    refuse("/d/erase");
    CHECK(bench.failureOf([&] {
      const bmc::ErasableDrive drive{.path = "/d", .eraseTarget = "/d/erase"};
      static_cast<void>(
          bench.run(bench.driver->erasure->eraseDrive(bmc::Lane::reconcile, drive, bmc::EraseMethod::unnamed, {})));
    }) == bmc::Error::Code::refused);
  }
  SECTION("a log's clearing") {
    bench.fake.showLog(0);
    bench.fake.documents["/logs"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL"}]})";
    bench.fake.documents["/redfish/v1/Systems/1/LogServices/SEL"] =
        R"({"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL","LogEntryType":"SEL","Entries":{"@odata.id":"/entries"},)"
        R"("Actions":{"#LogService.ClearLog":{"target":"/clear"}}})";
    refuse("/clear");
    CHECK(bench.failureOf([&] {
      static_cast<void>(
          bench.run(bench.driver->cleaning->cleanUp(bmc::Lane::reconcile, bmc::CleaningStep::clearLogs, {})));
    }) == bmc::Error::Code::refused);
  }
  CHECK_THAT(bench.text, words);
}

TEST_CASE("why a task has failed is told in words where it names messages alone", "[redfish]") {
  RegistryBench bench;
  bench.fake.hasMedia = true;
  const std::string task = "/redfish/v1/TaskService/Tasks/1";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path().ends_with("/Insert"))
      return net::HttpResponse{.status = 202, .headers = {{"Location", task}}, .body = "{}"};
    if (request.path() != task) return std::nullopt;
    return net::HttpResponse{
        .status = 200,
        .body = R"({"@odata.type":"#Task.v1_4_3.Task","TaskState":"Exception","Messages":[{"Message":"It failed."},)"
                R"({"MessageId":"Vendor.2.1.SystemLocked","MessageArgs":["lockdown",2]},)"
                R"({"MessageId":"Vendor.2.1.Other","MessageArgs":["x"]}]})"};
  };
  CHECK(bench.failureOf([&] {
    bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, "http://x/y.iso", {}));
  }) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, Catch::Contains("It failed.; The system is in lockdown mode since 2 days: unlock it.; "
                                         "Vendor.2.1.Other (x)"));
  const auto progress = bench.run(bench.driver->erasure->lookAtErasure(bmc::Lane::reconcile, task));
  CHECK(progress.error == "It failed.; The system is in lockdown mode since 2 days: unlock it.; Vendor.2.1.Other (x)");
}

TEST_CASE("an entry of a log that names a message alone is told in words, by one reading of the registry", "[logs]") {
  RegistryBench bench;
  bench.fake.showLog(4, R"({"Id":"1","MessageId":"Vendor.2.1.SystemLocked","MessageArgs":["lockdown",2]},)"
                        R"({"Id":"2","MessageId":"Vendor.2.1.PowerLost","MessageArgs":["PSU 1"]},)"
                        R"({"Id":"3","MessageId":"Vendor.2.1.Unknown","MessageArgs":["PSU 1", 7]},)"
                        R"({"Id":"4","MessageId":"Vendor.2.1.SystemLocked","Message":"its own"})");
  bench.fake.documents["/en.json"] =
      R"({"Messages":{"SystemLocked":{"Message":"The system is in %1 mode since %2 days."},)"
      R"("PowerLost":{"Message":"%1 has no input."}}})";
  int reads = 0;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    reads += request.target == "/en.json" ? 1 : 0;
    co_return;
  };
  const auto reading = bench.run(bench.driver->logs->readLogs(bmc::Lane::background, {}));
  REQUIRE(reading.tails.size() == 1);
  std::vector<std::string> messages;
  for (const auto& entry : *reading.tails.front().entries) messages.push_back(entry.message);
  CHECK(messages == std::vector<std::string>{"The system is in lockdown mode since 2 days.", "PSU 1 has no input.",
                                             "Vendor.2.1.Unknown (PSU 1, 7)", "its own"});
  CHECK(reads == 1);
}

TEST_CASE("a registry that cannot be read for a moment is asked again a few minutes later", "[redfish]") {
  RegistryBench bench;
  int reads = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/Registries") return std::nullopt;
    return ++reads > 1 ? std::nullopt
                       : std::optional(net::HttpResponse{.status = 503, .headers = {{"Retry-After", "60"}}});
  };
  for (int i = 0; i < 3; ++i) CHECK_THAT(bench.refusedOn(), Catch::EndsWith("Vendor.2.1.SystemLocked (lockdown, 2)"));
  CHECK(reads == 1);
  bench.clock.advance(6min);
  CHECK_THAT(bench.refusedOn(), Catch::EndsWith("The system is in lockdown mode since 2 days: unlock it."));
}

TEST_CASE("a registry is read once for all messages of a log, however many were known before", "[redfish]") {
  RegistryBench bench;
  int reads = 0;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    reads += request.target == "/en.json" ? 1 : 0;
    co_return;
  };
  constexpr int entriesOfRound = 95, rounds = 12;  // more than are kept
  for (int round = 1; round <= rounds; ++round) {
    std::string entries;
    for (int i = 0; i < entriesOfRound; ++i)
      entries += fmt::format(R"({}{{"Id":"{}","MessageId":"Vendor.2.1.M{}"}})", i == 0 ? "" : ",", i,
                             round * entriesOfRound + i);
    bench.fake.showLog(entriesOfRound, entries);
    const auto read = bench.run(bench.driver->logs->readLogs(bmc::Lane::polling, {}));
    REQUIRE(read.tails.size() == 1);
    INFO(round);
    CHECK(reads == round);
  }
}
