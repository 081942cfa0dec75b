// A reset that a BMC goes on with in a task (spec/bmc.md §6.4, §9; docs/decisions/0042).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using bmc::Error;
using bmc::Power;
using bmc::PowerAction;
using tests::RedfishBench;

namespace {

// A BMC that takes a reset and goes on with it in a task.
struct TaskedReset : RedfishBench {
  TaskedReset() {
    fake.instead = [this](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() == task) {
        ++looks;
        if (hangs) return net::HttpResponse{.status = 503, .headers = {{"Retry-After", "60"}}};
        return net::HttpResponse{.status = status, .body = body};
      }
      if (!request.path().ends_with("/ComputerSystem.Reset")) return std::nullopt;
      if (obeys) fake.powerState = "On";
      if (fake.onReset) fake.onReset();
      return net::HttpResponse{.status = 202, .headers = {{"Location", task}}, .body = "{}"};
    };
  }
  void show(const std::string& state, const std::string& message = "", const std::string& id = "X.1.0.Bad") {
    body = fmt::format(R"({{"@odata.type":"#Task.v1_4_3.Task","TaskState":"{}","TaskStatus":"OK","Messages":)"
                       R"([{{"MessageId":"{}","Message":"{}"}}]}})",
                       state, id, message);
  }

  const std::string task = "/redfish/v1/TaskService/Tasks/7";
  std::string body;
  bool obeys = false, hangs = false;
  int status = 200, looks = 0;
};

}  // namespace

TEST_CASE("a reset whose task ends in an exception is refused, with the words of the task", "[power]") {
  TaskedReset bench;
  bench.show("Exception", "the chassis is in lockdown");
  const auto begin = bench.clock.now();
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::refused);
  CHECK_THAT(bench.text, Catch::Contains("refused On") && Catch::Contains("the chassis is in lockdown"));
  CHECK(bench.clock.now() - begin < 5s);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a reset whose task says that it knows no such reset is tried in the next way", "[power]") {
  TaskedReset bench;
  bench.fake.resetTypes = R"("On","ForceOn")";
  bench.show("Exception", "no such reset", "Base.1.8.ActionParameterNotSupported");
  CHECK(bench.changeFailure(PowerAction::on) == Error::Code::unsupported);
  CHECK(bench.resets() == 2);
}

TEST_CASE("the power decides, whatever else becomes of the task of a reset", "[power]") {
  TaskedReset bench;
  bench.obeys = true;
  SECTION("it ends well") { bench.show("Completed"); }
  SECTION("it goes on") { bench.show("Running"); }
  SECTION("it is not shown") { bench.hangs = true; }
  SECTION("it ends badly after what was wanted") { bench.show("Exception", "some fan"); }
  const auto begin = bench.clock.now();
  CHECK(bench.change(PowerAction::on).reading.power == Power::on);
  CHECK(bench.looks > 0);
  CHECK(bench.clock.now() - begin <= 15s);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a restart or an NMI whose task ended badly may have been carried out: it is not sent again", "[power]") {
  TaskedReset bench;
  bench.fake.powerState = "On";
  bench.fake.resetTypes = R"("On","ForceOff","ForceRestart","GracefulRestart","Nmi")";
  const auto action = GENERATE(PowerAction::hardRestart, PowerAction::softReboot, PowerAction::nmi);
  SECTION("an exception") { bench.show("Exception", "some fan"); }
  SECTION("with errors") { bench.show("CompletedWithErrors", "some fan"); }
  SECTION("ended by somebody") { bench.show("Cancelled", "some fan"); }
  SECTION("as an answer to the request would be") {
    bench.status = 400;
    bench.body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"X.1.0.Bad","Message":"some fan"}]}})";
  }
  CHECK(bench.changeFailure(action) == Error::Code::outcomeUnknown);
  CHECK_THAT(bench.text, Catch::Contains("some fan"));
  CHECK(bench.resets() == 1);
}

TEST_CASE("a place that is no task says nothing of the reset for which it was named", "[power]") {
  TaskedReset bench;
  bench.fake.powerState = "On";
  bench.status = 405;
  bench.body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":"X.1.0.Bad","Message":"POST only"}]}})";
  CHECK(bench.change(PowerAction::hardRestart).commandSent);
  CHECK(bench.resets() == 1);
}

TEST_CASE("a restart whose task says that it is too early is sent again", "[power]") {
  TaskedReset bench;
  bench.fake.powerState = "On";
  bench.show("Exception", "not now", "IDRAC.2.8.SYS518");
  SECTION("until it is taken") {
    bench.fake.onReset = [&] {
      if (bench.resets() == 3) bench.show("Completed");
    };
    CHECK(bench.change(PowerAction::hardRestart).commandSent);
    CHECK(bench.resets() == 3);
  }
  SECTION("for a minute") {
    CHECK(bench.changeFailure(PowerAction::hardRestart) == Error::Code::refused);
    CHECK(bench.resets() == 7);
  }
}

TEST_CASE("what a task means is known by its identifiers, however long their words take to be looked up", "[power]") {
  TaskedReset bench;
  bench.fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},"Registries":{"@odata.id":"/reg"}})";
  bench.fake.hasSessions = false;
  const auto slowness = GENERATE(4s, 12s);
  bench.fake.before = [&bench, slowness](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/reg") co_await bench.clock.sleepFor(slowness);
    if (request.path() == bench.task) co_await bench.clock.sleepFor(4s);
  };
  bench.fake.documents["/reg"] = R"({"Members":[{"@odata.id":"/reg/X.1.0"}]})";
  bench.fake.documents["/reg/X.1.0"] = R"({"Location":[{"Language":"en","Uri":"/reg/x.json"}]})";
  bench.fake.documents["/reg/x.json"] = R"({"Messages":{"Bad":{"Message":"the chassis is in lockdown"}}})";
  bench.fake.resetTypes = R"("On","ForceOn")";
  SECTION("it is refused") {
    bench.show("Exception");
    CHECK(bench.changeFailure(PowerAction::on) == Error::Code::refused);
    CHECK_THAT(bench.text, Catch::Contains(slowness == 4s ? "the chassis is in lockdown" : "X.1.0.Bad"));
    CHECK(bench.resets() == 1);
  }
  SECTION("there may be another way") {
    bench.show("Exception", "", "Base.1.8.ActionParameterNotSupported");
    CHECK(bench.changeFailure(PowerAction::on) == Error::Code::unsupported);
    CHECK(bench.resets() == 2);
  }
}
