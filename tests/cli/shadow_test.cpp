// ingotctl shadow report.
#include "tests/cli/world.hpp"

using namespace ingot;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

constexpr const char* kCoordinator = "http://127.0.0.1:8085";
constexpr const char* kReport = R"({"kind":"ShadowReport","apiVersion":"shadow.ingot.dev/v1alpha1",
  "since":"2020-01-01T00:00:00Z","time":"2020-01-01T00:00:00Z","pending":2,"dropped":0,"notKept":5,"versionsBegunAnew":3,
  "counts":[{"controller":"host","outcome":"agreed","count":40},{"controller":"ipam","outcome":"agreed","count":2},
            {"controller":"ipam","outcome":"differs","count":1}],
  "otherManagers":[{"manager":"kubectl-edit","count":3},{"manager":"renamed","count":7}],"otherManagersLeftOut":4,
  "differences":[{"time":"2020-01-01T00:00:00Z","outcome":"differs","controller":"ipam","manager":"ipam",
    "reason":"the first that is free","object":{"resource":"ipclaims.ipam.metal3.io","kind":"IPClaim",
    "namespace":"metal","name":"c"},"fields":[{"path":"status.address.name","theirs":"\"p-11\"","ours":"\"p-10\""}],"fieldsLeftOut":9}],
  "ironic":[{"method":"PUT","what":"/v1/nodes/1/states/power: power on","times":3}]})";

std::optional<net::HttpResponse> report(const net::ServerRequest& request) {
  if (request.path() != "/shadow/report") return net::HttpResponse{.status = 404, .body = "not found"};
  return net::HttpResponse{.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = kReport};
}

struct Asked : World {
  Asked() { loopback.serve(kCoordinator, coordinator); }
  ~Asked() { loopback.remove(kCoordinator); }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  Door coordinator;
};

TEST_CASE("a report of a shadow says what, theirs, ours and why", "[cli][shadow]") {
  Asked w;
  w.coordinator.instead = report;
  CHECK(w.run({"shadow", "report", "--coordinator", kCoordinator}) == 0);
  for (const char* part :
       {"IPClaim metal/c", "status.address.name", "\"p-11\"", "\"p-10\"", "the first that is free", "(9 more)"})
    CHECK_THAT(w.terminal.printed, Contains(part));
  CHECK_THAT(w.terminal.notes, Contains("42 agreed, 1 differs; 2 objects wait"));
  CHECK_THAT(w.terminal.notes, Contains("5 times there was no room for an object of a workload cluster"));
  CHECK_THAT(w.terminal.notes, Contains("3 times versions of a kind began anew"));
  CHECK_THAT(w.terminal.notes,
             Contains("somebody else than Metal3's managers: kubectl-edit (3), renamed (7), and 4 others"));
  CHECK_THAT(w.terminal.notes, Contains("would have asked Ironic 3 times: PUT /v1/nodes/1/states/power: power on"));
  CHECK(w.run({"shadow", "report", "--coordinator", kCoordinator, "-o", "json"}) == 0);
  CHECK_THAT(w.terminal.printed, Contains("\"kind\": \"ShadowReport\""));
}

TEST_CASE("whoever is asked for the report of a shadow and is none is told of", "[cli][shadow]") {
  Asked w;
  w.coordinator.instead = [](const net::ServerRequest&) {
    return net::HttpResponse{.status = 404, .body = "not found"};
  };
  CHECK(w.run({"shadow", "report"}) == 2);
  CHECK_THAT(w.terminal.errors, Contains("--coordinator http://127.0.0.1:PORT"));
  CHECK(w.run({"shadow", "report", "--coordinator", kCoordinator}) == 3);
  CHECK_THAT(w.terminal.errors, Contains("no coordinator in shadow"));
}

}  // namespace
