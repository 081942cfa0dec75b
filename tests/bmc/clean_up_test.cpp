// Steps of a cleaning at BMCs that are slow, odd or unwilling (spec/bmc.md §7.6, §13.1, §14).
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::CleaningStep;
using Code = bmc::Error::Code;

namespace {

struct UncleanBench : RedfishBench {
  std::string take(CleaningStep step) { return run(driver->cleaning->cleanUp(bmc::Lane::reconcile, step, {})); }
  Code failure(CleaningStep step) {
    return failureOf([&] { static_cast<void>(take(step)); });
  }
  void answer(std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> how) {
    fake.instead = std::move(how);
  }
  // A boot order of three, of which none can be removed; what is written is shown from then on.
  void showBootOrder() {
    fake.documents["/options"] =
        R"({"Members":[{"@odata.id":"/options/1"},{"@odata.id":"/options/2"},{"@odata.id":"/options/3"}]})";
    option(1, R"(HD(1,GPT,x)/\\EFI\\ubuntu\\shimx64.efi)");
    option(2, "PciRoot(0x0)/NVMe(0x1)");
    option(3, "PciRoot(0x0)/MAC(02)/IPv4(0.0.0.0)");
    showOrder(R"(["Boot1","Boot2","Boot3"])");
  }
  void option(int number, const std::string& path) {
    fake.documents[fmt::format("/options/{}", number)] =
        fmt::format(R"({{"BootOptionReference":"Boot{}","UefiDevicePath":"{}"}})", number, path);
  }
  void showOrder(const std::string& order) {
    fake.moreOfSystem = R"(,"Boot":{"BootOptions":{"@odata.id":"/options"},"BootOrder":)" + order + "}";
  }
};

net::HttpResponse refusalWith(int status) {
  return {.status = status, .body = R"({"error":{"code":"Base.1.8.GeneralError","message":"no"}})"};
}

}  // namespace

TEST_CASE("entries that cannot be removed are put last, and the BMC has to show it") {
  UncleanBench bench;
  bench.showBootOrder();
  const bool isShown = GENERATE(true, false);
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "PATCH") return std::nullopt;
    if (isShown) bench.showOrder(R"(["Boot2","Boot3","Boot1"])");
    return net::HttpResponse{.status = 204};
  });
  if (isShown)
    CHECK(bench.take(CleaningStep::resetBootOrder) ==
          "no entry was removed; those that cannot be removed are the last now");
  else
    CHECK(bench.failure(CleaningStep::resetBootOrder) == Code::notReached);
  REQUIRE(bench.fake.journal.size() == 1);
  CHECK(bench.fake.journal.front() ==
        R"(PATCH /redfish/v1/Systems/1 {"Boot":{"BootOrder":["Boot2","Boot3","Boot1"]}})");
}

TEST_CASE("an entry that is not shown now may be a system's: nothing is decided without it") {
  UncleanBench bench;
  bench.showBootOrder();
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    return request.path() == "/options/1" ? std::optional(refusalWith(503)) : std::nullopt;
  });
  CHECK(bench.failure(CleaningStep::resetBootOrder) == Code::busy);
  CHECK(bench.fake.journal.empty());
}

TEST_CASE("a BMC that takes no order, or shows none, offers none") {
  UncleanBench bench;
  CHECK(bench.failure(CleaningStep::resetBootOrder) == Code::unsupported);
  bench.showBootOrder();
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    return request.method == "PATCH" ? std::optional(refusalWith(400)) : std::nullopt;
  });
  CHECK(bench.failure(CleaningStep::resetBootOrder) == Code::unsupported);
}

TEST_CASE("a log is cleared when the BMC shows it so; one that is not shown now is no log that is not there") {
  UncleanBench bench;
  bench.fake.showLog(3);
  bench.fake.documents["/redfish/v1/Systems/1/LogServices/SEL"] =
      R"({"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL","LogEntryType":"SEL","Entries":{"@odata.id":"/entries"},)"
      R"("Actions":{"#LogService.ClearLog":{"target":"/clear"}}})";
  bench.fake.documents["/logs"] = R"({"Members":[{"@odata.id":"/redfish/v1/Systems/1/LogServices/SEL"}]})";
  int looks = 0;
  SECTION("after a while") {
    bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() == "/clear") return net::HttpResponse{.status = 204};
      if (request.path() == "/entries" && ++looks == 3) bench.fake.documents["/entries"] = R"({"Members":[]})";
      return std::nullopt;
    });
    CHECK(bench.take(CleaningStep::clearLogs) == "cleared /redfish/v1/Systems/1/LogServices/SEL");
    CHECK(looks == 3);
  }
  SECTION("never") {
    bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      return request.path() == "/clear" ? std::optional(net::HttpResponse{.status = 204}) : std::nullopt;
    });
    CHECK(bench.failure(CleaningStep::clearLogs) == Code::notReached);
  }
  SECTION("refused for now") {
    bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      return request.path() == "/clear" ? std::optional(refusalWith(429)) : std::nullopt;
    });
    CHECK(bench.failure(CleaningStep::clearLogs) == Code::busy);
  }
  SECTION("not shown") {
    bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      return request.path() == "/logs" ? std::optional(refusalWith(503)) : std::nullopt;
    });
    CHECK(bench.failure(CleaningStep::clearLogs) == Code::busy);
  }
}

TEST_CASE("a log that several systems share is not cleared for one of them") {
  UncleanBench bench;
  const bool isShared = GENERATE(true, false);
  bench.fake.moreOfSystem = R"(,"Links":{"ManagedBy":[{"@odata.id":"/m/1"}]})";
  bench.fake.documents["/m/1"] = fmt::format(
      R"({{"LogServices":{{"@odata.id":"/m/1/LogServices"}},"Links":{{"ManagerForServers":[{{"@odata.id":"/a"}}{}]}}}})",
      isShared ? R"(,{"@odata.id":"/b"})" : "");
  bench.fake.documents["/m/1/LogServices"] = R"({"Members":[{"@odata.id":"/m/1/LogServices/Sel"}]})";
  bench.fake.documents["/m/1/LogServices/Sel"] =
      R"({"@odata.id":"/m/1/LogServices/Sel","LogEntryType":"SEL","Entries":{"@odata.id":"/entries"},)"
      R"("Actions":{"#LogService.ClearLog":{"target":"/clear"}}})";
  bench.fake.documents["/entries"] = R"({"Members":[]})";
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    return request.path() == "/clear" ? std::optional(net::HttpResponse{.status = 204}) : std::nullopt;
  });
  if (isShared)
    CHECK(bench.failure(CleaningStep::clearLogs) == Code::unsupported);
  else
    CHECK(bench.take(CleaningStep::clearLogs) == "cleared /m/1/LogServices/Sel");
  CHECK(bench.fake.journal.size() == (isShared ? 0 : 1));
}

TEST_CASE("a list of sessions that leads back to itself has an end") {
  UncleanBench bench;
  int pages = 0;
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/SessionService/Sessions" || request.method != "GET") return std::nullopt;
    if (++pages > 300) return net::HttpResponse{.status = 404, .body = "{}"};  // whoever comes so far goes on for ever
    return net::HttpResponse{.status = 200, .body = R"({"Members":[{"@odata.id":"/elsewhere/1"}],
      "Members@odata.nextLink":"/redfish/v1/SessionService/Sessions"})"};
  });
  CHECK(bench.take(CleaningStep::closeSessions) == "sessions closed: 0");
  CHECK(pages == 1);
}

TEST_CASE("sessions that are not listed now are not closed, and that is no end of the step") {
  UncleanBench bench;
  bench.read();
  bench.answer([&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/redfish/v1/SessionService/Sessions" || request.method != "GET") return std::nullopt;
    return refusalWith(503);
  });
  CHECK(bench.failure(CleaningStep::closeSessions) == Code::busy);
}
