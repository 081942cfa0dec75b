// How an image is told, and what comes before it (spec/bmc.md §8.2).
#include "bmc/redfish/media_request.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;

namespace {

const std::string cdDrive = "/redfish/v1/Systems/1/VirtualMedia/Cd", newIso = "http://images/live.iso";

}  // namespace

TEST_CASE("how an image is transferred follows from its scheme, in a BMC's words") {
  const bmc::redfish::ErrorBody wants{.messageIds = {"PropertyMissing"}, .mentioned = "transferprotocoltype"};
  const auto [url, type] = GENERATE(table<std::string, std::string>({{"http://x/y.iso", "HTTP"},
                                                                     {"https://x/y.iso", "HTTPS"},
                                                                     {"HTTPS://x/y.iso", "HTTPS"},
                                                                     {"nfs://x/y.iso", "NFS"},
                                                                     {"cifs://x/y.iso", "CIFS"},
                                                                     {"smb://x/y.iso", "CIFS"}}));
  const auto more = bmc::redfish::completed({{"Image", url}}, wants);
  REQUIRE(more);
  CHECK(json::textAt(*more, {"TransferProtocolType"}) == type);
  CHECK_FALSE(bmc::redfish::completed({{"Image", "gopher://x/y.iso"}}, wants));
}

TEST_CASE("an image is inserted once the one before is out, however the BMC tells that it takes it out") {
  RedfishBench bench;
  bench.fake.hasMedia = true;
  bench.fake.media = "http://images/old.iso";
  const std::string task = "/redfish/v1/TaskService/Tasks/1";
  const bool hasTask = GENERATE(true, false);
  const bool fails = GENERATE(false, true);
  int looks = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path().ends_with("/Insert")) CHECK(bench.fake.media.empty());
    const auto ends = [&] {
      if (++looks == 3 && !fails) bench.fake.media.clear();
    };
    if (request.path().ends_with("/Eject")) {
      net::HttpResponse accepted{.status = 202, .body = "{}"};
      if (hasTask) accepted.headers.add("Location", task);
      return accepted;
    }
    if (request.path() == cdDrive && !hasTask) ends();
    if (request.path() != task) return std::nullopt;
    ends();
    const auto* state = looks < 3 ? "Running" : fails ? "Exception" : "Completed";
    return net::HttpResponse{.status = 200,
                             .body = fmt::format(R"({{"@odata.type":"#Task.v1_4_3.Task","TaskState":"{}","TaskStatus":)"
                                                 R"("OK","Messages":[{{"Message":"the host reads it"}}]}})",
                                                 state)};
  };
  const auto insert = [&] { bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, newIso, {})); };
  if (!fails) {
    insert();
    CHECK(bench.fake.media == newIso);
    return;
  }
  CHECK(bench.failureOf(insert) == (hasTask ? bmc::Error::Code::refused : bmc::Error::Code::notReached));
  if (hasTask) CHECK_THAT(bench.text, Catch::Contains("keeps the image") && Catch::Contains("the host reads it"));
  CHECK(std::ranges::none_of(bench.fake.journal, [](const auto& write) { return write.contains("/Insert"); }));
}

TEST_CASE("a drive that is patched is followed in its tasks, too", "[media]") {
  RedfishBench bench;
  bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo","VirtualMedia":{"@odata.id":"/vm"})";
  bench.fake.documents["/vm"] = R"({"Members":[{"@odata.id":"/vm/Remote1"}]})";
  const std::string task = "/redfish/v1/TaskService/Tasks/1";
  const bool fails = GENERATE(false, true);
  std::string held = "http://images/old.iso", next;
  int looks = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == task) {
      const bool isOver = ++looks % 2 == 0;
      const bool isBad = isOver && fails && !next.empty();
      if (isOver && !isBad) held = next;
      const auto* state = !isOver ? "Running" : isBad ? "Exception" : "Completed";
      return net::HttpResponse{.status = 200,
                               .body = fmt::format(R"({{"@odata.type":"#Task.v1_4_3.Task","TaskState":"{}",)"
                                                   R"("Messages":[{{"Message":"the server answers 404"}}]}})",
                                                   state)};
    }
    if (request.path() != "/vm/Remote1") return std::nullopt;
    if (request.method == "PATCH") {
      next = json::textAt(json::parse(request.body), {"Image"});
      if (!next.empty()) CHECK(held.empty());
      return net::HttpResponse{.status = 202, .headers = {{"Location", task}}, .body = "{}"};
    }
    return net::HttpResponse{.status = 200,
                             .headers = {{"Allow", "GET, PATCH"}},
                             .body = fmt::format(R"({{"Id":"Remote1","Image":"{}","Inserted":false}})", held)};
  };
  const auto insert = [&] { bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, newIso, {})); };
  if (!fails) {
    insert();
    CHECK(held == newIso);
    return;
  }
  CHECK(bench.failureOf(insert) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, Catch::Contains("the server answers 404"));
}

TEST_CASE("a task of a drive that stays interrupted says nothing: the drive tells", "[media]") {
  RedfishBench bench;
  bench.fake.hasMedia = true;
  bench.fake.media = "http://images/old.iso";
  const auto* interrupted = GENERATE("/Eject", "/Insert");
  const bool goesOn = GENERATE(true, false);
  int looks = 0;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/task") {
      if (++looks == 2 && goesOn) bench.fake.media = interrupted == std::string("/Eject") ? "" : newIso;
      return net::HttpResponse{.status = 200, .body = R"({"TaskState":"Interrupted","Messages":[{"Message":"no"}]})"};
    }
    if (!request.path().ends_with(interrupted)) return std::nullopt;
    return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = "{}"};
  };
  const auto insert = [&] { bench.run(bench.driver->media->insertMedia(bmc::Lane::operatorCommand, newIso, {})); };
  if (goesOn) {
    insert();
    CHECK(bench.fake.media == newIso);
  } else {
    CHECK(bench.failureOf(insert) == bmc::Error::Code::notReached);
    CHECK(bench.fake.media == (interrupted == std::string("/Eject") ? "http://images/old.iso" : ""));
  }
  CHECK(looks > 2);
}
