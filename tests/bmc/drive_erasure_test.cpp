// The drives of a host, erased through Redfish (spec/bmc.md §12.4, §18).
#include "bmc/drive_erasure.hpp"
#include "tests/bmc/fake_drives.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::EraseDepth;

namespace {

net::HttpResponse eraseRefusal(int status, const std::string& words) {
  return {.status = status, .body = fmt::format(R"({{"error":{{"message":"{}"}}}})", words)};
}

struct EraseBench : RedfishBench {
  explicit EraseBench(std::vector<std::string> serials = {"A", "B"}) {
    order.machineSerial = "S1";
    for (const auto& serial : serials) {
      drives.add(serial);
      order.known.push_back(serial);
    }
  }
  void erase() {
    record.job = "1";
    run(bmc::eraseDrives({.clock = clock,
                          .driver = *driver,
                          .lane = bmc::Lane::reconcile,
                          .permit = permit,
                          .save =
                              [this] {
                                if (onSave) onSave();
                                saved = record;
                              },
                          .progressed = [this] { ++percentages; }},
                         order, record));
  }
  bmc::Error::Code eraseFailure() {
    return failureOf([this] { erase(); });
  }
  std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const auto& drive : record.drives) all.push_back(drive.serialNumber + " " + drive.state);
    return all;
  }
  // Both processes end in the middle of it; what was saved is there.
  void restart() { record = saved; }

  FakeDrives drives{fake};
  bmc::EraseOrder order;
  bmc::ErasureRecord record, saved;
  bmc::WritePermit permit;
  std::function<void()> onSave;
  int percentages = 0;
};

}  // namespace

TEST_CASE("each drive is erased once, and verified by what the BMC shows of it afterwards") {
  EraseBench bench;
  bench.erase();
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B erased"});
  for (const auto& drive : bench.drives.drives)
    CHECK(drive.erasures == std::vector<std::string>{R"({"SanitizationType":"CryptographicErase"})"});
  CHECK(bench.saved.endedAt);
  CHECK(bench.saved.systemUuid == "4c4c4544-0001");
  const auto& first = bench.record.drives.front();
  CHECK(first.verified);
  CHECK(first.method == "CryptographicErase");
  CHECK(first.bytes == 960197124096);
  CHECK(first.kind == "NVME");
  CHECK(bench.percentages > 0);
  const auto before = bench.drives.erasures();
  bench.erase();  // what is erased stays so
  CHECK(bench.drives.erasures() == before);
}

TEST_CASE("full has each drive erased by the best it offers; a BMC that names no way gets no parameter") {
  EraseBench bench({"A", "B", "C"});
  bench.order.depth = EraseDepth::full;
  bench.drives.drives[0].types = {"Overwrite", "BlockErase"};
  bench.drives.drives[1].types = {"Overwrite"};
  bench.drives.drives[2].types = {};
  bench.erase();
  CHECK(bench.drives.drives[0].erasures == std::vector<std::string>{R"({"SanitizationType":"BlockErase"})"});
  CHECK(bench.drives.drives[1].erasures == std::vector<std::string>{R"({"SanitizationType":"Overwrite"})"});
  CHECK(bench.drives.drives[2].erasures == std::vector<std::string>{"{}"});
}

TEST_CASE("what a BMC offers may stand in its ActionInfo") {
  EraseBench bench({"A"});
  bench.drives.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST") return std::nullopt;
    if (request.path() == "/d/0")
      return net::HttpResponse{
          .status = 200,
          .body = R"({"Id":"0","SerialNumber":"A","CapacityBytes":1000,"Actions":{"#Drive.SecureErase":)"
                  R"({"target":"/d/0/erase","@Redfish.ActionInfo":"/d/0/info"}}})"};
    if (request.path() == "/d/0/info")
      return net::HttpResponse{
          .status = 200,
          .body = R"({"Parameters":[{"Name":"SanitizationType","AllowableValues":["CryptographicErase"]}]})"};
    return std::nullopt;
  };
  bench.erase();
  CHECK(bench.drives.drives[0].erasures.size() == 1);
}

TEST_CASE("nothing is erased unless everything fits: the machine, its drives, and what each can do") {
  EraseBench bench;
  auto expected = bmc::Error::Code::refused;
  std::string words;
  SECTION("another machine") { bench.order.machineSerial = "S2"; }
  SECTION("the record is of a machine with another UUID") { bench.record.systemUuid = "4c4c4544-0002"; }
  SECTION("a drive that inspection did not find") { bench.drives.add("X"); }
  SECTION("a drive that knows no cryptographic erase") { bench.drives.drives[1].types = {"Overwrite"}; }
  SECTION("a drive in a volume") {
    bench.drives.drives[1].more = R"(,"Links":{"Volumes":[{"@odata.id":"/v/1"}]})";
    bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"data","RAIDType":"RAID1"})";
  }
  SECTION("a drive that is gone") {
    bench.order.known.push_back("C");
    expected = bmc::Error::Code::busy;  // it may only not be shown yet
    words =
        "the BMC does not show the drives C, which inspection found; one that has been taken out is let go by C=keep";
  }
  SECTION("a drive that cannot be read") {
    expected = bmc::Error::Code::busy;
    bench.drives.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() != "/d/1") return std::nullopt;
      return eraseRefusal(404, "where is it?");
    };
  }
  SECTION("a BMC that does not say which machine it is") {
    expected = bmc::Error::Code::busy;
    bench.fake.documents["/redfish/v1/Systems/1"] = R"({"Id":"1","PowerState":"On","Storage":{"@odata.id":"/s"}})";
  }
  CHECK(bench.eraseFailure() == expected);
  CHECK(bench.text.find(words) != std::string::npos);
  CHECK(bench.drives.erasures() == 0);
  CHECK_FALSE(bench.record.startedAt);
}

TEST_CASE("a volume that a controller only passes through is none") {
  EraseBench bench({"A"});
  bench.drives.drives[0].more = R"(,"Links":{"Volumes":[{"@odata.id":"/v/1"}]})";
  bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"namespace 1","RAIDType":null})";
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
}

TEST_CASE("a drive that cannot be erased is named, and the others are erased") {
  EraseBench bench({"A", "B", "C"});
  bench.drives.drives[0].end = "Exception";
  bench.drives.drives[1].refusals = {eraseRefusal(400, "no such drive action")};
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(
      bench.text.find("2 of 3 drives were not erased: A: the BMC says: words of the task; B: the BMC refused to erase "
                      "it: HTTP 400: no such drive action") != std::string::npos);
  CHECK(bench.states() == std::vector<std::string>{"A failed", "B failed", "C erased"});
  CHECK_FALSE(bench.record.endedAt);
  bench.drives.drives[0].end = "Completed";
  bench.erase();  // once more: only what is not erased yet
  CHECK(bench.record.endedAt);
  CHECK(bench.drives.drives[0].erasures.size() == 2);
  CHECK(bench.drives.drives[2].erasures.size() == 1);
}

TEST_CASE("a BMC that says not now is asked again, for a quarter of an hour") {
  EraseBench bench({"A"});
  bench.drives.drives[0].refusals = {eraseRefusal(503, "busy"), eraseRefusal(409, "busy")};
  const auto begun = bench.clock.now();
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
  CHECK(bench.clock.now() - begun >= 30s);
  bench.record = {};
  bench.drives.drives[0].refusals.assign(1000, eraseRefusal(503, "still busy"));
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find("still busy, for 15 min") != std::string::npos);
  CHECK(bench.clock.now() - begun < 20min);
}

TEST_CASE("of the drives on one controller four are erased at a time") {
  EraseBench bench({"A", "B", "C", "D", "E", "F"});
  std::size_t most = 0;
  bench.fake.before = [&](const net::ServerRequest&) -> base::Task<void> {
    const auto now = std::ranges::count_if(bench.drives.drives, [](const auto& drive) { return drive.looksLeft > 0; });
    most = std::max(most, static_cast<std::size_t>(now));
    co_return;
  };
  bench.erase();
  CHECK(most == 4);
  CHECK(bench.drives.erasures() == 6);
}

TEST_CASE("without a task the drive tells when it is over") {
  EraseBench bench({"A"});
  bench.drives.drives[0].hasTasks = false;
  bench.drives.drives[0].looks = 5;
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
  CHECK(bench.drives.drives[0].looksLeft == 0);
  CHECK(bench.record.drives[0].verified);
}

TEST_CASE("a task that the BMC has forgotten proves nothing: the drive is erased again, three times at most") {
  EraseBench bench({"A"});
  bench.drives.drives[0].forgets = true;
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.drives.erasures() == 3);
  CHECK(bench.text.find("was asked 3 times, and nobody knows what became of it") != std::string::npos);
}

TEST_CASE("an answer that is lost is no reason to erase a drive twice while it is at it") {
  EraseBench bench({"A"});
  auto& drive = bench.drives.drives[0];
  bool isLost = false;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "POST" || request.path() != "/d/0/erase" || std::exchange(isLost, true)) return std::nullopt;
    drive.hasTasks = false;  // nobody was told of one
    drive.looksLeft = 6;
    drive.erasures.push_back("lost");
    return net::HttpResponse{.status = 0};
  };
  int atOnce = 0;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    if (request.path() == "/d/0/erase" && drive.looksLeft > 0) ++atOnce;
    co_return;
  };
  bench.erase();
  CHECK(atOnce == 0);
  CHECK(drive.erasures.size() == 2);  // nobody knew, so once more when the drive was at rest
}

TEST_CASE("an erasure takes up after a restart where it was: what was begun is followed, and not begun again") {
  EraseBench bench;
  bench.drives.drives[1].looks = 50;
  // The process ends when the first of them is erased.
  struct Killed {};
  bench.onSave = [&] {
    if (bench.record.drives.size() == 2 && bench.record.drives[0].state == "erased") throw Killed();
  };
  CHECK_THROWS_AS(bench.erase(), Killed);
  bench.onSave = {};
  REQUIRE(bench.saved.drives[0].state == "running");
  REQUIRE(bench.saved.drives[1].state == "running");
  REQUIRE_FALSE(bench.saved.drives[1].task.empty());
  bench.restart();
  bench.erase();
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B erased"});
  CHECK(bench.drives.erasures() == 2);
}

TEST_CASE("a process that ended before it was told of the task finds the drive at work, and waits") {
  EraseBench bench({"A"});
  bench.drives.drives[0].hasTasks = false;
  bench.record = {
      .job = "1",
      .drives = {
          {.path = "/d/0", .serialNumber = "A", .method = "CryptographicErase", .state = "running", .asked = 1}}};
  bench.drives.drives[0].looksLeft = 20;
  bool cameEarly = false;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    cameEarly = cameEarly || (request.path() == "/d/0/erase" && bench.drives.isErasing());
    co_return;
  };
  bench.erase();
  CHECK_FALSE(cameEarly);
  CHECK(bench.record.drives[0].state == "erased");
}

TEST_CASE("nothing is sent that could not be written down before, and what goes on is followed to its end") {
  EraseBench bench;
  bench.drives.drives[0].looks = 20;
  bench.onSave = [&] {
    const auto running = std::ranges::count(bench.record.drives, "running", &bmc::DriveErasure::state);
    if (running == 2) throw base::Error("no space left on device");
  };
  CHECK_THROWS_WITH(bench.erase(), Catch::Contains("no space left"));
  CHECK(bench.drives.drives[0].erasures.size() == 1);
  CHECK(bench.drives.drives[1].erasures.empty());
  CHECK_FALSE(bench.drives.isErasing());
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B waiting"});
}

TEST_CASE("without the right to act nothing more is begun") {
  EraseBench bench;
  bench.drives.drives[0].looks = 20;
  bench.permit.timeLimit = [&]() -> base::Duration {
    if (bench.drives.erasures() > 0) throw bmc::Error(bmc::Error::Code::notPermitted, "the lease has ended");
    return 1min;
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::notPermitted);
  CHECK(bench.drives.drives[0].erasures.size() == 1);
  CHECK(bench.drives.drives[1].erasures.empty());
  CHECK_FALSE(bench.drives.isErasing());
  bench.permit = {};
  bench.erase();
  CHECK(bench.drives.erasures() == 2);
}

TEST_CASE("a drive that was changed for another between two looks is not erased") {
  EraseBench bench;
  bool isChanged = false;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method == "POST" && request.path() == "/d/0/erase" && !std::exchange(isChanged, true))
      bench.drives.drives[1].serial = "Z";
    return std::nullopt;
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find("B: another drive is in its place: Z") != std::string::npos);
  CHECK(bench.drives.drives[1].erasures.empty());
}

TEST_CASE("a drive on which something goes on is left alone until that is over") {
  EraseBench bench({"A"});
  auto& drive = bench.drives.drives[0];
  drive.looksLeft = 3;
  bool cameEarly = false;
  bench.fake.before = [&](const net::ServerRequest& request) -> base::Task<void> {
    const bool asks = request.path() == "/d/0/erase";
    cameEarly = cameEarly || (asks && drive.looksLeft > 0);
    if (request.method == "GET" && request.path() == "/d/0" && drive.erasures.empty() && drive.looksLeft > 0)
      --drive.looksLeft;
    co_return;
  };
  bench.erase();
  CHECK_FALSE(cameEarly);
  CHECK(drive.erasures.size() == 1);
}

TEST_CASE("an erasure that takes longer than it should is told of and not given up") {
  EraseBench bench({"A"});
  bench.drives.drives[0].looks = 130;
  std::string told;
  bench.onSave = [&] {
    if (!bench.record.drives.empty() && bench.record.drives[0].state == "running" &&
        !bench.record.drives[0].error.empty())
      told = bench.record.drives[0].error;
  };
  bench.erase();
  CHECK(told == "it takes longer than 30 min");
  CHECK(bench.record.drives[0].state == "erased");
  CHECK(bench.record.drives[0].error.empty());
}

TEST_CASE("a BMC that says done of a drive that it shows in trouble, or not any more, is not taken at its word") {
  EraseBench bench({"A"});
  SECTION("locked") { bench.drives.drives[0].more = R"(,"EncryptionStatus":"Locked")"; }
  SECTION("gone") {
    bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const bool isOver = bench.drives.erasures() == 1 && !bench.drives.isErasing();
      if (request.path() != "/d/0" || !isOver) return std::nullopt;
      return net::HttpResponse{.status = 404};
    };
  }
  bench.erase();
  CHECK(bench.record.drives[0].state == "erased");
  CHECK_FALSE(bench.record.drives[0].verified);
  CHECK(bench.record.drives[0].verification.find("of the drive afterwards: ") != std::string::npos);
}

TEST_CASE("over IPMI no drives are told of") {
  RedfishBench bench;
  auto driver =
      bench.pool.open({.address = bmc::parseAddress("ipmi://10.0.0.1"), .login = {"admin", base::Secret("s3cret")}});
  CHECK(bench.failureOf([&] { static_cast<void>(bench.run(driver->readDrives(bmc::Lane::reconcile))); }) ==
        bmc::Error::Code::unsupported);
}
