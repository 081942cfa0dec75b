// The drives of a host, erased through Redfish (spec/bmc.md §12.4, §18).
#include "tests/bmc/erase_bench.hpp"

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using bmc::EraseDepth;

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
  bench.order.depths["B"] = EraseDepth::full;
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
  SECTION("a drive in a volume of firmware that is older than RAIDType") {
    bench.drives.drives[1].more = R"(,"Links":{"Volumes":[{"@odata.id":"/v/1"}]})";
    bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"data","VolumeType":"Mirrored"})";
  }
  SECTION("a drive that is gone") {
    bench.order.known.push_back("C");
    expected = bmc::Error::Code::busy;  // it may only not be shown yet
    words =
        "the BMC does not show the drives C, which inspection found; one that has been taken out is let go by C=keep";
  }
  SECTION("a drive that the order names and nobody knows") {
    bench.order.depths["A1"] = EraseDepth::keep;  // mistyped
    words = "A1=keep names no drive of this host";
  }
  SECTION("a drive that cannot be read") {
    expected = bmc::Error::Code::busy;
    words = "not all drives could be looked at";
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
  SECTION("it says so by no RAID type") {
    bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"namespace 1","RAIDType":null})";
  }
  SECTION("it says so by both types") {
    bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"disk","RAIDType":"None","VolumeType":"NonRedundant"})";
  }
  SECTION("its firmware is older than RAIDType") {
    bench.fake.documents["/v/1"] = R"({"Id":"1","Name":"disk","VolumeType":"RawDevice"})";
  }
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

TEST_CASE("the drives of another controller are erased beside them, and one that both show once") {
  EraseBench bench({"A", "B", "C", "D", "E", "F", "G", "H", "I", "J"});
  bench.drives.secondController = true;
  std::ptrdiff_t most = 0;
  bench.fake.before = [&](const net::ServerRequest&) -> base::Task<void> {
    const auto now = std::ranges::count_if(bench.drives.drives, [](const auto& drive) { return drive.looksLeft > 0; });
    most = std::max(most, now);
    co_return;
  };
  for (auto& drive : bench.drives.drives) drive.looks = 20;
  bench.erase();
  CHECK(most == 8);
  CHECK(bench.drives.erasures() == 10);
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

TEST_CASE("a task that an answer other than 202 names is followed, and what comes after it") {
  EraseBench bench({"A"});
  int looks = 0;
  bench.drives.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    net::HttpResponse answer{.status = 204};
    if (request.path() == "/d/0/erase") {
      answer.headers.add("Location", "/redfish/v1/TaskService/Tasks/7");
      return answer;
    }
    if (request.path() == "/redfish/v1/TaskService/Tasks/7")
      return net::HttpResponse{.status = 200,
                               .body = R"({"TaskState":"Completed","TaskStatus":"OK","Messages":[{"MessageId":)"
                                       R"("X.1.0.OperationTransitionedToJob","MessageArgs":["/jobs/3"]}]})"};
    if (request.path() != "/jobs/3") return std::nullopt;
    if (++looks == 3) return net::HttpResponse{.status = 429};
    return net::HttpResponse{.status = 200,
                             .body = looks < 5 ? R"({"JobState":"Running","JobStatus":"OK"})"
                                               : R"({"JobState":"Completed","JobStatus":"OK"})"};
  };
  bench.erase();
  CHECK(looks == 5);
  CHECK(bench.record.drives[0].verified);
}

TEST_CASE("how long an erasure should take hangs on what is done and how large the drive is") {
  const auto limit = [](const std::string& method, std::int64_t bytes) {
    return limitOf(bmc::DriveErasure{.bytes = bytes, .method = method});
  };
  CHECK(limit("CryptographicErase", 20'000'000'000'000) == 30min);
  CHECK(limit("BlockErase", 20'000'000'000'000) == 30min);
  CHECK(limit("Overwrite", 1'000'000) == 1h);
  CHECK(limit("Overwrite", 20'000'000'000'000) == 400'000s);
  CHECK(limit("unnamed", 20'000'000'000'000) == 400'000s);
}

TEST_CASE("over IPMI no drives are told of") {
  RedfishBench bench;
  auto driver =
      bench.pool.open({.address = bmc::parseAddress("ipmi://10.0.0.1"), .login = {"admin", base::Secret("s3cret")}});
  CHECK(bench.failureOf([&] { static_cast<void>(bench.run(driver->erasure->readDrives(bmc::Lane::reconcile))); }) ==
        bmc::Error::Code::unsupported);
}

TEST_CASE("a drive is looked at again before it is erased where its record took long to be written") {
  EraseBench bench;
  int saves = 0;
  bench.savingTakes = 10s;
  bench.onSave = [&] {
    if (++saves == 2) bench.drives.drives[0].serial = "X";  // what was there is on record, and is there no more
  };
  CHECK(bench.eraseFailure() == bmc::Error::Code::refused);
  CHECK(bench.text.find("A: another drive is in its place: X") != std::string::npos);
  CHECK(bench.drives.drives[0].erasures.empty());
  CHECK(bench.drives.drives[1].erasures.size() == 1);
}
