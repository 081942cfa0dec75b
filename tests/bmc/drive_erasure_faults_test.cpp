// Drives that are being erased while things go wrong (spec/bmc.md §18).
#include "tests/bmc/erase_bench.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::EraseDepth;

TEST_CASE("a BMC that tells nothing but that it took the request is waited for, and not taken at its word") {
  EraseBench bench({"A"});
  bench.drives.drives[0].hasTasks = bench.drives.drives[0].isOperationShown = false;
  const auto begun = bench.clock.now();
  bench.erase();
  CHECK(bench.clock.now() - begun >= 1min);
  CHECK(bench.record.drives[0].state == "erased");
  CHECK_FALSE(bench.record.drives[0].verified);
  CHECK(bench.record.drives[0].verification.find("it was never seen at it") != std::string::npos);
}

TEST_CASE("a BMC that restarts in the middle shows neither task nor drive for a while") {
  EraseBench bench({"A"});
  bench.drives.drives[0].looks = 10;
  bench.fake.before = [&](const net::ServerRequest&) -> base::Task<void> {
    auto& drive = bench.drives.drives[0];
    if (drive.looksLeft == 5) drive.notFoundFor = 60, drive.looksLeft = 4;
    co_return;
  };
  bench.erase();
  CHECK(bench.record.drives[0].state == "erased");
  CHECK(bench.drives.erasures() == 1);
}

TEST_CASE("an error of the BMC's own leaves open whether it has begun") {
  EraseBench bench({"A"});
  bench.drives.drives[0].refusals = {eraseRefusal(502, "no answer from the controller")};
  bench.drives.drives[0].looksLeft = 8;  // it has
  bench.erase();
  CHECK(bench.drives.erasures() == 1);  // once more, when it was at rest
  CHECK(bench.record.drives[0].asked == 2);
}

TEST_CASE("a controller that erases one drive at a time gets the time that it takes") {
  EraseBench bench({"A", "B"});
  bench.drives.drives[0].looks = 120;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    const bool isWorking = bench.drives.drives[0].looksLeft > 0;
    if (request.path() != "/d/1/erase" || !isWorking) return std::nullopt;
    return eraseRefusal(503, "one at a time");
  };
  bench.erase();
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B erased"});
}

TEST_CASE("a drive that is taken out after it has failed is let go by keep") {
  EraseBench bench;
  bench.drives.drives[1].end = "Exception";
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  bench.drives.drives.pop_back();
  CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
  bench.order.depths["B"] = EraseDepth::keep;
  bench.erase();
  CHECK(bench.states() == std::vector<std::string>{"A erased", "B kept"});
  CHECK(bench.record.endedAt);
  CHECK(bench.record.drives[1].verification == "the BMC does not show it");
}

TEST_CASE("what is under way is followed to its end before anything else is judged") {
  EraseBench bench;
  bench.beginInTheMiddle();
  bench.drives.drives[0].looksLeft = 20;
  bench.drives.add("X");  // which nobody knows
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK_FALSE(bench.drives.isErasing());
  CHECK(bench.states() == std::vector<std::string>{"A erased"});
  CHECK_FALSE(isUnderWay(bench.record));
}

TEST_CASE("a drive that shows itself only when the others are erased is looked at, too") {
  EraseBench bench({"A"});
  bench.onSave = [&] {
    const bool isOver = !bench.record.drives.empty() && bench.record.drives[0].state == "erased";
    if (isOver && bench.drives.drives.size() == 1) bench.drives.add("X");
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find("the drive X is none of those that inspection found") != std::string::npos);
  CHECK_FALSE(bench.record.endedAt);
}

TEST_CASE("no more is begun once that is called off, and what is under way is followed") {
  EraseBench bench({"A", "B", "C", "D", "E"});
  for (auto& drive : bench.drives.drives) drive.looks = 10;
  bench.mayBegin = [&] { return bench.drives.erasures() < 2; };
  CHECK(bench.eraseFailure() == bmc::Error::Code::busy);
  CHECK(bench.drives.erasures() == 2);
  CHECK_FALSE(bench.drives.isErasing());
  bench.mayBegin = {};
  bench.erase();
  CHECK(bench.drives.erasures() == 5);
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
  bench.drives.drives[0].looksLeft = 60;
  bench.erase();
  CHECK(bench.drives.erasures() == 1);
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
  bool isGone = false;
  SECTION("critical") {
    bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const bool isOver = bench.drives.erasures() == 1 && !bench.drives.isErasing();
      if (request.path() != "/d/0" || !isOver) return std::nullopt;
      return net::HttpResponse{.status = 200,
                               .body = R"({"Id":"0","SerialNumber":"A","CapacityBytes":1000,)"
                                       R"("Status":{"State":"Enabled","Health":"Critical"}})"};
    };
  }
  SECTION("locked") { bench.drives.drives[0].more = R"(,"EncryptionStatus":"Locked")"; }
  SECTION("gone") {
    isGone = true;
    bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const bool isOver = bench.drives.erasures() == 1 && !bench.drives.isErasing();
      if (request.path() != "/d/0" || !isOver) return std::nullopt;
      return net::HttpResponse{.status = 404};
    };
  }
  if (isGone)
    CHECK(bench.eraseFailure() == bmc::Error::Code::busy);  // the last look does not find it
  else
    bench.erase();
  CHECK(bench.record.drives[0].state == "erased");
  CHECK_FALSE(bench.record.drives[0].verified);
  CHECK(bench.record.drives[0].verification.find("of the drive afterwards: ") != std::string::npos);
}

TEST_CASE("a task that was given up while the drive goes on is no end of it") {
  EraseBench bench({"A"});
  auto& drive = bench.drives.drives[0];
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/redfish/v1/TaskService")) return std::nullopt;
    return net::HttpResponse{
        .status = 200, .body = R"({"TaskState":"Exception","TaskStatus":"Critical","Messages":[{"Message":"late"}]})"};
  };
  drive.looks = 10;
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK_FALSE(bench.drives.isErasing());
  CHECK(bench.text.find("A: the BMC says: late") != std::string::npos);
}

TEST_CASE("another drive at the place of one that was erased is not taken for it") {
  EraseBench bench({"A"});
  const std::string words = "another drive is in its place: Z";
  bench.onSave = [&] {
    if (!bench.record.drives.empty() && !bench.record.drives[0].task.empty()) bench.drives.drives[0].serial = "Z";
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find(words) != std::string::npos);
  CHECK(bench.record.drives[0].state == "failed");
}

TEST_CASE("a slow erasure that shows nothing of itself is waited for as long as it should take") {
  EraseBench bench({"A"});
  bench.order.depth = EraseDepth::full;
  auto& drive = bench.drives.drives[0];
  drive.types = {"BlockErase"};
  drive.hasTasks = drive.isOperationShown = false;
  const auto begun = bench.clock.now();
  bench.erase();
  CHECK(bench.clock.now() - begun >= 30min);
  CHECK_FALSE(bench.record.drives[0].verified);
}

TEST_CASE("a drive that shows no capacity is one all the same, and a volume that is gone holds none") {
  EraseBench bench({"A"});
  bench.drives.add("B").more = R"(,"CapacityBytes":null)";
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find("the drive B is none of those that inspection found") != std::string::npos);
  bench.drives.drives.pop_back();
  bench.drives.drives[0].more = R"(,"Links":{"Volumes":[{"@odata.id":"/v/gone"}]})";
  bench.erase();
  CHECK(bench.record.drives[0].verified);
}

TEST_CASE("an erasure whose task stays interrupted is no endless one: the drive tells") {
  EraseBench bench({"A"});
  bench.drives.drives[0].looks = 1;
  bench.drives.drives[0].end = "Interrupted";
  const auto begin = bench.clock.now();
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.states() == std::vector<std::string>{"A failed"});
  CHECK_THAT(bench.text, Catch::Contains("nobody knows what became of it"));
  CHECK(bench.clock.now() - begin < 12h);
}

TEST_CASE("an erasure whose end is not on record has not ended, and erases nothing anew when it is asked for again") {
  EraseBench bench({"A"});
  bool isFull = true;
  bench.onSave = [&] {
    if (isFull && bench.record.endedAt) throw base::Error("no space left");
  };
  CHECK_THROWS_WITH(bench.erase(), Catch::Contains("no space left"));
  CHECK_FALSE(bench.record.endedAt);
  CHECK_FALSE(bench.saved.endedAt);
  isFull = false;
  bench.erase();
  CHECK(bench.saved.endedAt);
  CHECK(bench.drives.erasures() == 1);
}
