// Tasks of a Redfish service (spec/bmc.md §9), and what is done by them (§8.2, §8.5).
#include "bmc/redfish/task.hpp"

#include "bmc/redfish/dell_cd_boot.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::redfish::TaskState;

namespace {

net::HttpResponse accepted(const std::string& body, const std::string& location = "") {
  net::HttpResponse response{.status = 202, .body = body};
  if (!location.empty()) response.headers.add("Location", location);
  return response;
}

std::string taskIn(const std::string& state, const std::string& status = "OK", const std::string& messages = "") {
  return fmt::format(R"({{"@odata.type":"#Task.v1_4_3.Task","TaskState":"{}","TaskStatus":"{}","Messages":[{}]}})",
                     state, status, messages);
}

// An iDRAC whose virtual CD boots by import alone; what is posted for it is answered so, in order, then as accepted.
struct DellBench : RedfishBench {
  DellBench() {
    fake.hasMedia = true;
    fake.moreOfSystem =
        R"(,"Manufacturer":"Dell Inc.","Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/iDRAC"}]})";
    fake.documents["/redfish/v1/Managers/iDRAC"] =
        R"({"Id":"iDRAC.Embedded.1","Model":"17G Monolithic","FirmwareVersion":"1.20.25","Actions":{"Oem":)"
        R"({"OemManager.v1_1_0#OemManager.ImportSystemConfiguration":{"target":"/import"}}}})";
    fake.instead = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() == "/import") {
        imports.push_back(request.body);
        if (refusals.empty()) return accepted("", "https://bmc.example/redfish/v1/TaskService/Tasks/JID_1");
        auto next = refusals.front();
        refusals.pop_front();
        return next;
      }
      if (request.path() != "/redfish/v1/TaskService/Tasks/JID_1") return std::nullopt;
      ++looks;
      if (looks < endsAtLook) return net::HttpResponse{.status = 200, .body = taskIn("Running")};
      return net::HttpResponse{.status = 200, .body = end};
    };
  }
  bmc::BootLasts set() {
    return run(driver->boot->setBoot(bmc::Lane::operatorCommand, {bmc::BootDevice::cdrom, true, std::nullopt}, {}));
  }

  std::vector<std::string> imports;
  std::deque<net::HttpResponse> refusals;
  int looks = 0, endsAtLook = 2;
  std::string end = taskIn("Completed");
};

}  // namespace

TEST_CASE("where to ask how a task goes is told in the way of each vendor") {
  using bmc::redfish::monitorOf;
  const std::string location = "https://10.0.0.1/redfish/v1/TaskService/Tasks/JID_1";
  CHECK(monitorOf(accepted("", location)) == "/redfish/v1/TaskService/Tasks/JID_1");
  CHECK(monitorOf(accepted(R"({"@odata.id":"/redfish/v1/TaskService/Tasks/9"})")) == "/redfish/v1/TaskService/Tasks/9");
  CHECK(monitorOf(accepted(R"({"TaskMonitor":"/redfish/v1/TaskService/TaskMonitors/3"})", location)) ==
        "/redfish/v1/TaskService/TaskMonitors/3");
  CHECK(monitorOf(accepted(R"({"@odata.id":"/redfish/v1/Systems/1"})", location)) ==
        "/redfish/v1/TaskService/Tasks/JID_1");
  CHECK(monitorOf(accepted("", "/redfish/v1/odd/3")) == "/redfish/v1/odd/3");
  CHECK(monitorOf(accepted("not json")).empty());
  net::HttpResponse created{.status = 201};
  created.headers.add("Location", "/redfish/v1/EventService/Subscriptions/1");
  CHECK(monitorOf(created).empty());
  created.headers.set("Location", "/redfish/v1/TaskService/Tasks/42");
  CHECK(monitorOf(created) == "/redfish/v1/TaskService/Tasks/42");
}

TEST_CASE("a look at a task is read by its status, then by its state") {
  const auto state = [](int status, const std::string& body) {
    return bmc::redfish::viewOf(status, body.empty() ? json::Value() : json::parse(body)).state;
  };
  CHECK(state(202, "") == TaskState::running);
  for (const auto* word : {"New", "Starting", "Running", "Pending", "Suspended", "Service", "Downloading", "Scheduled"})
    CHECK(state(200, taskIn(word)) == TaskState::running);
  for (const auto* word : {"Killed", "Exception", "Cancelled"}) CHECK(state(200, taskIn(word)) == TaskState::failed);
  CHECK(state(200, taskIn("Completed")) == TaskState::done);
  CHECK(state(200, taskIn("Completed", "Warning")) == TaskState::done);
  CHECK(state(200, taskIn("Completed", "Critical")) == TaskState::failed);
  CHECK(state(204, "") == TaskState::done);
  CHECK(state(200, R"({"Id":"the result of the operation"})") == TaskState::done);
  CHECK(state(200, taskIn("Interrupted")) == TaskState::unseen);
  for (const int status : {404, 405, 410}) CHECK(state(status, "{}") == TaskState::unseen);
  CHECK(state(503, "") == TaskState::unseen);
  CHECK(state(429, "") == TaskState::unseen);
  CHECK(state(200, R"({"@odata.type":"#Job.v1_2_0.Job","JobState":"Running"})") == TaskState::running);
  CHECK(state(200, R"({"JobState":"Completed","JobStatus":"OK"})") == TaskState::done);
  CHECK(state(200, R"({"JobState":"Exception","JobStatus":"Critical"})") == TaskState::failed);
  CHECK(state(400, "{}") == TaskState::failed);
  CHECK(state(200, R"({"JobState":"CompletedWithErrors"})") == TaskState::failed);
}

TEST_CASE("the end of a task in the shape of an error is a failure, unless its first message says Success") {
  const auto view = [](int status, const std::string& id) {
    const auto body =
        fmt::format(R"({{"error":{{"@Message.ExtendedInfo":[{{"MessageId":"{}","Message":"what it says"}},)"
                    R"({{"MessageId":"iLO.2.14.Success"}}]}}}})",
                    id);
    return bmc::redfish::viewOf(status, json::parse(body));
  };
  for (const int status : {200, 400}) {
    CHECK(view(status, "Base.1.4.Success").state == TaskState::done);
    CHECK(view(status, "iLO.2.14.InternalError").state == TaskState::failed);
    CHECK_THAT(view(status, "iLO.2.14.InternalError").text, Catch::Contains("what it says"));
  }
}

TEST_CASE("why a task has failed is what its messages say, or their identifiers") {
  const auto view = bmc::redfish::viewOf(
      200, json::parse(
               taskIn("Exception", "Critical",
                      R"({"MessageId":"IDRAC.2.8.RAC0679","Message":"a job runs"},{"MessageId":"IDRAC.2.8.LC068"})")));
  CHECK(view.messageIds == std::vector<std::string>{"RAC0679", "LC068"});
  CHECK(view.text == "a job runs; IDRAC.2.8.LC068");
}

TEST_CASE("an iDRAC whose virtual CD boots by import alone is given the profile, and its task followed to the end") {
  DellBench bench;
  CHECK(bench.set() == bmc::BootLasts::once);
  REQUIRE(bench.imports.size() == 1);
  CHECK(bench.looks == 2);
  const auto body = json::parse(bench.imports.front());
  CHECK(json::textAt(body, {"ShareParameters", "Target"}) == "ALL");
  const auto profile = json::textAt(body, {"ImportBuffer"});
  CHECK(profile == bmc::redfish::cdBootProfile("iDRAC.Embedded.1"));
  CHECK_THAT(profile, Catch::Contains(R"(FQDD="iDRAC.Embedded.1")") &&
                          Catch::Contains(R"("ServerBoot.1#FirstBootDevice">VCD-DVD<)") &&
                          Catch::Contains(R"("ServerBoot.1#BootOnce">Enabled<)"));
  CHECK(bench.fake.bootEnabled == "Disabled");  // the override of Redfish leads to the disk
}

TEST_CASE("an import waits for the job before it, and gives up after some nine minutes") {
  DellBench bench;
  const net::HttpResponse busy{
      .status = 400,
      .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"IDRAC.2.8.RAC0679","Message":"a job runs"}]}})"};
  SECTION("it ends") {
    bench.refusals = {busy, busy};
    const auto begin = bench.clock.now();
    CHECK(bench.set() == bmc::BootLasts::once);
    CHECK(bench.clock.now() - begin >= 30s);
  }
  SECTION("it does not") {
    bench.refusals = std::deque<net::HttpResponse>(100, busy);
    const auto begin = bench.clock.now();
    CHECK(bench.failureOf([&] { bench.set(); }) == bmc::Error::Code::busy);
    CHECK(bench.imports.size() == 35);
    CHECK(bench.clock.now() - begin == 34 * 15s);
    CHECK_THAT(bench.text, Catch::Contains("a job runs"));
  }
}

TEST_CASE("an import that fails is told with its reason; a pending configuration passes") {
  DellBench bench;
  bench.end =
      taskIn("Exception", "Critical", R"({"MessageId":"IDRAC.2.8.LC068","Message":"a configuration is pending"})");
  CHECK(bench.failureOf([&] { bench.set(); }) == bmc::Error::Code::busy);
  CHECK_THAT(bench.text, Catch::Contains("a configuration is pending"));
  bench.end = taskIn("Completed", "Critical", R"({"MessageId":"X.1.BAD","Message":"the profile is wrong"})");
  CHECK(bench.failureOf([&] { bench.set(); }) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, Catch::Contains("the profile is wrong"));
}

TEST_CASE("a manager without the import cannot boot its virtual CD, and says so") {
  DellBench bench;
  bench.fake.documents["/redfish/v1/Managers/iDRAC"] = R"({"Id":"iDRAC.Embedded.1","Model":"12G"})";
  CHECK(bench.failureOf([&] { bench.set(); }) == bmc::Error::Code::unsupported);
  CHECK(bench.imports.empty());
}

TEST_CASE("a BMC that restarts while a task runs is no failure, and one that shows an end once has ended") {
  DellBench bench;
  int looks = 0;
  const auto before = bench.fake.instead;
  bench.fake.instead = [&, before](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/TaskService/Tasks/JID_1") return before(request);
    ++looks;
    if (looks == 1) return net::HttpResponse{.status = 200, .body = taskIn("Running")};
    if (looks < 4) return net::HttpResponse{.status = 0};  // the connection breaks
    if (looks < 6) return net::HttpResponse{.status = 503, .body = "{}"};
    return net::HttpResponse{.status = 404, .body = "{}"};
  };
  CHECK(bench.failureOf([&] { bench.set(); }) == bmc::Error::Code::refused);  // its effect is not seen either
  CHECK(looks == 6);
  CHECK_THAT(bench.text, Catch::Contains("was not seen to end"));
}

TEST_CASE("an image whose loading fails in a task is told with the task's words, and no minute is waited for it") {
  RedfishBench bench;
  bench.fake.hasMedia = true;
  const std::string insert = "/redfish/v1/Systems/1/VirtualMedia/Cd/Insert", task = "/redfish/v1/TaskService/Tasks/1";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == insert) return accepted("", task);
    if (request.path() != task) return std::nullopt;
    return net::HttpResponse{.status = 200,
                             .body = taskIn("Exception", "Critical", R"({"Message":"the server answers 404"})")};
  };
  const auto begin = bench.clock.now();
  CHECK(bench.failureOf([&] {
    bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, "http://images/live.iso", {}));
  }) == bmc::Error::Code::refused);
  CHECK(bench.clock.now() - begin < 10s);
  CHECK_THAT(bench.text, Catch::Contains("the server answers 404"));
}
