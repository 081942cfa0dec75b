// Virtual media through Redfish (spec/bmc.md §8).
#include "bmc/redfish/media_request.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;

namespace {

const std::string drive = "/redfish/v1/Systems/1/VirtualMedia/Cd", image = "http://images/live.iso";

net::HttpResponse mediaRefusal(int status, const std::string& id, const std::string& message,
                               const std::string& more = "") {
  return {
      .status = status,
      .body = fmt::format(R"({{"error":{{"@Message.ExtendedInfo":[{{"MessageId":"Base.1.8.{}","Message":"{}"{}}}]}}}})",
                          id, message, more)};
}

struct MediaBench : RedfishBench {
  MediaBench() { fake.hasMedia = true; }
  void insert(const std::string& url = image) { run(driver->media->insertMedia(bmc::Lane::operatorCommand, url, {})); }
  void eject() { run(driver->media->ejectMedia(bmc::Lane::operatorCommand, {})); }
  std::string inserted() { return run(driver->media->insertedMedia(bmc::Lane::operatorCommand)); }
  bmc::Error::Code insertFailure() {
    return failureOf([this] { insert(); });
  }
  // What is posted to insert an image is answered so, in order; then as it is.
  void answerInserts(std::vector<net::HttpResponse> answers) {
    fake.instead = [this, answers](const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
      if (request.path() != drive + "/Insert") return std::nullopt;
      bodies.push_back(request.body);
      if (answers.empty()) return std::nullopt;
      auto next = answers.front();
      answers.erase(answers.begin());
      return next;
    };
  }
  std::vector<std::string> bodies;
};

}  // namespace

TEST_CASE("an image is inserted after whatever is in the drive was ejected, and is seen there") {
  MediaBench bench;
  bench.fake.media = "http://images/old.iso";
  bench.insert();
  CHECK(bench.inserted() == image);
  CHECK(bench.fake.journal ==
        std::vector<std::string>{"POST " + drive + "/Eject ",
                                 "POST " + drive + R"(/Insert {"Image":"http://images/live.iso"})"});
  bench.eject();
  CHECK(bench.inserted().empty());
  bench.fake.journal.clear();
  bench.eject();  // nothing is there, as far as it says: an image may be on its way in
  CHECK(bench.fake.journal == std::vector<std::string>{"POST " + drive + "/Eject "});
}

TEST_CASE("a BMC that names what it misses gets it") {
  MediaBench bench;
  bench.answerInserts({mediaRefusal(400, "ActionParameterMissing", "missing",
                                    R"(,"MessageArgs":["InsertMedia","TransferProtocolType"])"),
                       mediaRefusal(400, "GeneralError", "TransferMethod is needed"),
                       mediaRefusal(400, "ActionParameterMissing", "The action requires the parameter UserName")});
  bench.insert();
  CHECK(bench.inserted() == image);
  REQUIRE(bench.bodies.size() == 4);
  CHECK(bench.bodies.back() ==
        R"({"Image":"http://images/live.iso","TransferProtocolType":"HTTP","TransferMethod":"Stream",)"
        R"("UserName":"none","Password":"none"})");
}

TEST_CASE("what a BMC misses still is not told twice") {
  const json::Object body{{"Image", "https://x/y.iso"}};
  const bmc::redfish::ErrorBody wants{.messageIds = {"PropertyMissing"},
                                      .mentioned = R"("relatedproperties":["#/transferprotocoltype"])"};
  const auto more = bmc::redfish::completed(body, wants);
  REQUIRE(more);
  CHECK(more->at("TransferProtocolType") == "HTTPS");
  CHECK_FALSE(bmc::redfish::completed(*more, wants));
  CHECK_FALSE(bmc::redfish::completed(body, {.messageIds = {"AccessDenied"}, .mentioned = "transfermethod"}));
}

TEST_CASE("a BMC at fault is asked three times, and no more") {
  MediaBench bench;
  const auto fault = mediaRefusal(500, "InternalError", "try later");
  bench.answerInserts({fault, fault});
  const auto begin = bench.clock.now();
  bench.insert();
  CHECK(bench.clock.now() - begin == 6s);
  bench.answerInserts(std::vector(9, fault));
  bench.bodies.clear();
  CHECK(bench.insertFailure() == bmc::Error::Code::busy);
  CHECK(bench.bodies.size() == 3);
  CHECK(bench.text.find("try later") != std::string::npos);
}

TEST_CASE("a drive that takes no images leaves it to the next") {
  MediaBench bench;
  bench.fake.hasMedia = false;
  bench.fake.moreOfSystem = R"(,"Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/1"}]})";
  auto& documents = bench.fake.documents;
  documents["/redfish/v1/Managers/1"] = R"({"VirtualMedia":{"@odata.id":"/redfish/v1/Managers/1/VirtualMedia"}})";
  documents["/redfish/v1/Managers/1/VirtualMedia"] =
      R"({"Members":[{"@odata.id":"/vm/floppy"},{"@odata.id":"/vm/proxy"},{"@odata.id":"/vm/local"},)"
      R"({"@odata.id":"/vm/cd"}]})";
  documents["/vm/floppy"] =
      R"({"Id":"F","MediaTypes":["Floppy"],"Actions":{"#VirtualMedia.InsertMedia":{"target":"/vm/f/i"}}})";
  documents["/vm/proxy"] = R"({"Id":"P","MediaTypes":["CD"]})";
  documents["/vm/local"] =
      R"({"Id":"L","MediaTypes":["CD"],"Actions":{"#VirtualMedia.InsertMedia":{"target":"/vm/l/i"}}})";
  documents["/vm/cd"] =
      R"({"Id":"C","MediaTypes":["DVD"],"Actions":{"#VirtualMedia.InsertMedia":{"target":"/vm/c/i"}}})";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.method != "POST") return std::nullopt;
    bench.bodies.emplace_back(request.path());
    if (request.path() == "/vm/l/i") return mediaRefusal(405, "OperationNotAllowed", "an internal drive");
    if (request.path() != "/vm/c/i") return std::nullopt;
    documents["/vm/cd"] = R"({"Id":"C","MediaTypes":["DVD"],"Image":"http://images/live.iso","Inserted":true})";
    return net::HttpResponse{.status = 204};
  };
  bench.insert();
  CHECK(std::ranges::count(bench.bodies, "/vm/f/i") == 0);
  CHECK(std::ranges::count(bench.bodies, "/vm/l/i") == 1);
  CHECK(bench.bodies.back() == "/vm/c/i");
}

TEST_CASE("a Lenovo's drive is patched, its remote ones first, and an image there is an image inserted") {
  MediaBench bench;
  bench.fake.hasMedia = false;
  bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo","VirtualMedia":{"@odata.id":"/vm"})";
  bench.fake.documents["/vm"] = R"({"Members":[{"@odata.id":"/vm/RDOC1"},{"@odata.id":"/vm/Remote1"}]})";
  std::string held = "null";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/vm/")) return std::nullopt;
    if (request.method == "PATCH") {
      bench.bodies.push_back(std::string(request.path()) + " " + request.body);
      const auto body = json::parse(request.body);
      if (const auto url = json::textAt(body, {"Image"}); !url.empty()) held = fmt::format("\"{}\"", url);
      return net::HttpResponse{.status = 200, .body = "{}"};
    }
    const bool remote = request.path() == "/vm/Remote1";
    return net::HttpResponse{.status = 200,
                             .headers = {{"Allow", "GET, PATCH"}},
                             .body = fmt::format(R"({{"Id":"{}","Image":{},"Inserted":false}})",
                                                 remote ? "Remote1" : "RDOC1", remote ? held : "null")};
  };
  bench.insert();
  CHECK(bench.bodies.back() ==
        R"(/vm/Remote1 {"Image":"http://images/live.iso","Inserted":true,"WriteProtected":true})");
  CHECK(bench.inserted() == image);
}

TEST_CASE("a BMC that wants a body for an ejection gets an empty one") {
  MediaBench bench;
  bench.fake.media = image;
  bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == drive + "/Eject" && request.body.empty()) return mediaRefusal(415, "Unsupported", "no body");
    return std::nullopt;
  };
  bench.eject();
  CHECK(bench.fake.media.empty());
}

TEST_CASE("an ejection that is refused is an error where the image is still there, and else none") {
  MediaBench bench;
  bench.fake.media = image;
  const bool isGone = GENERATE(true, false);
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != drive + "/Eject") return std::nullopt;
    if (isGone) bench.fake.media.clear();
    return mediaRefusal(409, "ResourceInUse", "the host reads it");
  };
  if (isGone) return bench.eject();
  CHECK(bench.failureOf([&] { bench.eject(); }) == bmc::Error::Code::refused);
  CHECK(bench.text.find("the host reads it") != std::string::npos);
}

TEST_CASE("an image that the BMC took and does not show after a minute is not there") {
  MediaBench bench;
  bench.answerInserts({net::HttpResponse{.status = 202}});
  const auto begin = bench.clock.now();
  CHECK(bench.insertFailure() == bmc::Error::Code::notReached);
  CHECK(bench.clock.now() - begin >= 60s);
  CHECK(bench.clock.now() - begin < 70s);
}

TEST_CASE("what was in a drive and stays there is not the new image") {
  MediaBench bench;
  bench.fake.media = "http://images/old.iso";
  SECTION("the ejection is refused") {
    bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (!request.path().ends_with("/Eject")) return std::nullopt;
      return mediaRefusal(409, "ResourceInUse", "somebody uses it");
    };
    CHECK(bench.insertFailure() == bmc::Error::Code::refused);
    CHECK_THAT(bench.text, Catch::Contains("keeps the image that it holds") && Catch::Contains("somebody uses it"));
    CHECK(std::ranges::none_of(bench.fake.journal,
                               [](const auto& write) { return write.find("/Insert") != std::string::npos; }));
  }
  SECTION("the ejection is said to be done, and the insertion goes on later, or not") {
    bench.fake.instead = [](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path().ends_with("/Eject")) return net::HttpResponse{.status = 204};
      if (request.path().ends_with("/Insert")) return net::HttpResponse{.status = 202};
      return std::nullopt;
    };
    CHECK(bench.insertFailure() == bmc::Error::Code::notReached);
  }
}

TEST_CASE("a BMC that loads an image for longer than a request may last has it all the same") {
  MediaBench bench;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Insert")) return std::nullopt;
    bench.fake.media = image;
    return net::HttpResponse{.status = 0};  // no answer
  };
  bench.insert();
  CHECK(bench.inserted() == image);
  CHECK(std::ranges::count_if(bench.fake.journal,
                              [](const auto& write) { return write.find("/Insert") != std::string::npos; }) == 1);
}

TEST_CASE("a BMC that cannot show its drives now is no BMC without drives") {
  MediaBench bench;
  bench.fake.media = image;
  bench.answer("/redfish/v1/Systems/1/VirtualMedia", {.status = 503, .body = "{}"});
  CHECK(bench.insertFailure() == bmc::Error::Code::busy);
  CHECK(bench.failureOf([&] { bench.eject(); }) == bmc::Error::Code::busy);
  CHECK(bench.fake.media == image);
}

TEST_CASE("an ejection is over when the drive shows it") {
  MediaBench bench;
  bench.fake.media = image;
  bench.answer(drive + "/Eject", {.status = 202});
  const auto begin = bench.clock.now();
  CHECK(bench.failureOf([&] { bench.eject(); }) == bmc::Error::Code::notReached);
  CHECK(bench.clock.now() - begin >= 30s);
}

TEST_CASE("an insertion empties the drives of system and managers, and takes the system's") {
  MediaBench bench;
  bench.fake.moreOfSystem = R"(,"Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/1"}]})";
  auto& documents = bench.fake.documents;
  documents["/redfish/v1/Managers/1"] = R"({"VirtualMedia":{"@odata.id":"/vm"}})";
  documents["/vm"] = R"({"Members":[{"@odata.id":"/vm/1"}]})";
  documents["/vm/1"] = R"({"Id":"1","MediaTypes":["CD"],"Actions":{"#VirtualMedia.InsertMedia":{"target":"/vm/1/in"},)"
                       R"("#VirtualMedia.EjectMedia":{"target":"/vm/1/out"}}})";
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().starts_with("/vm/1/")) return std::nullopt;
    bench.bodies.emplace_back(request.path());
    return net::HttpResponse{.status = 204};
  };
  bench.insert();
  CHECK(bench.fake.media == image);
  CHECK(bench.bodies == std::vector<std::string>{"/vm/1/out"});
}

TEST_CASE("a BMC without a virtual CD drive says so, and has nothing to eject") {
  MediaBench bench;
  bench.fake.hasMedia = false;
  CHECK(bench.insertFailure() == bmc::Error::Code::unsupported);
  bench.eject();
  CHECK(bench.inserted().empty());
}

TEST_CASE("an image's credentials and query are in no error") {
  MediaBench bench;
  MediaBench echo;
  echo.answerInserts({mediaRefusal(400, "Bad", "The value https://images/live.iso?token=hidden for Image is wrong")});
  CHECK(echo.failureOf([&] { echo.insert("https://images/live.iso?token=hidden"); }) == bmc::Error::Code::refused);
  CHECK_THAT(echo.text, Catch::Contains("for Image is wrong"));
  CHECK(echo.text.find("hidden") == std::string::npos);
  const auto [url, shown] =
      GENERATE(table<std::string, std::string>({{"https://images/live.iso?token=hidden", "https://images/live.iso:"},
                                                {"https://user:hidden@images/live.iso", "an image:"}}));
  bench.answerInserts({mediaRefusal(400, "Bad", "no")});
  CHECK(bench.failureOf([&, url = url] { bench.insert(url); }) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, Catch::Contains("no virtual CD drive took " + shown));
  CHECK(bench.text.find("hidden") == std::string::npos);
}

namespace {

// A BMC with two virtual drives, "1" and "2", whose answers `judge` may give.
struct TwoDrives : MediaBench {
  using Judge = std::function<std::optional<net::HttpResponse>(const std::string& write)>;
  explicit TwoDrives(Judge judge = {}) {
    fake.hasMedia = false;
    fake.moreOfSystem = R"(,"VirtualMedia":{"@odata.id":"/vm"})";
    fake.documents["/vm"] = R"({"Members":[{"@odata.id":"/vm/1"},{"@odata.id":"/vm/2"}]})";
    fake.instead = [this, judge](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      const std::string path(request.path());
      if (!path.starts_with("/vm/")) return std::nullopt;
      auto& slot = path.starts_with("/vm/1") ? first : second;
      if (request.method == "GET") return show(path.substr(4, 1), slot);
      writes.push_back(path.substr(4));
      if (judge)
        if (auto answer = judge(writes.back())) return answer;
      slot = path.ends_with("/in") ? json::textAt(json::parse(request.body), {"Image"}) : "";
      return net::HttpResponse{.status = 204};
    };
  }
  static net::HttpResponse show(const std::string& id, const std::string& held) {
    return {.status = 200,
            .body = fmt::format(R"({{"Id":"{0}","MediaTypes":["CD"],"Image":"{1}","Inserted":{2},"Actions":{{)"
                                R"("#VirtualMedia.InsertMedia":{{"target":"/vm/{0}/in"}},)"
                                R"("#VirtualMedia.EjectMedia":{{"target":"/vm/{0}/out"}}}}}})",
                                id, held, !held.empty())};
  }
  std::string first, second;
  std::vector<std::string> writes;
};

}  // namespace

TEST_CASE("a second drive gets an image that the first may be loading only after both were emptied") {
  TwoDrives bench([&](const std::string& write) -> std::optional<net::HttpResponse> {
    if (write != "1/in") return std::nullopt;
    return mediaRefusal(504, "OperationTimeout", "it still loads");
  });
  bench.insert();
  CHECK(bench.second == image);
  REQUIRE(std::ranges::count(bench.writes, "1/in") == 3);
  CHECK(std::ranges::count(bench.writes, "2/in") == 1);
  CHECK(bench.writes.back() == "2/in");
  CHECK(*(bench.writes.end() - 3) == "1/out");
}

TEST_CASE("an ejection waits out what follows a power change") {
  int left = 2;
  TwoDrives bench([&](const std::string& write) -> std::optional<net::HttpResponse> {
    if (write != "1/out" || left-- <= 0) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = R"({"error":{"@Message.ExtendedInfo":[{"MessageId":)"
                                     R"("iLO.2.14.InvalidOperationForSystemState","Message":"not now"}]}})"};
  });
  bench.first = "http://images/old.iso";
  const auto begin = bench.clock.now();
  if (GENERATE(true, false))
    bench.insert();
  else
    bench.eject();
  CHECK(bench.first != "http://images/old.iso");
  CHECK(bench.clock.now() - begin >= 6s);
}

TEST_CASE("of an iDRAC 10 the second drive is emptied, too, and never filled") {
  TwoDrives bench;
  bench.fake.moreOfSystem +=
      R"(,"Manufacturer":"Dell Inc.","Links":{"ManagedBy":[{"@odata.id":"/redfish/v1/Managers/iDRAC"}]})";
  bench.fake.documents["/redfish/v1/Managers/iDRAC"] = R"({"Id":"iDRAC.Embedded.1","Model":"17G Monolithic"})";
  bench.second = "http://images/old.iso";
  CHECK(bench.inserted().empty());
  bench.insert();
  CHECK(bench.first == image);
  CHECK(bench.second.empty());
  bench.second = "http://images/old.iso";
  bench.eject();
  CHECK(bench.second.empty());
}

TEST_CASE("a drive that is patched may load the image for longer than a request may last") {
  MediaBench bench;
  bench.fake.hasMedia = false;
  bench.fake.moreOfSystem = R"(,"Manufacturer":"Lenovo","VirtualMedia":{"@odata.id":"/vm"})";
  bench.fake.documents["/vm"] = R"({"Members":[{"@odata.id":"/vm/Remote1"}]})";
  std::string held;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() != "/vm/Remote1") return std::nullopt;
    if (request.method == "PATCH") {
      held = json::textAt(json::parse(request.body), {"Image"});
      if (!held.empty()) bench.bodies.push_back(request.body);
      return held.empty() ? net::HttpResponse{.status = 200, .body = "{}"} : net::HttpResponse{.status = 0};
    }
    return net::HttpResponse{.status = 200,
                             .headers = {{"Allow", "GET, PATCH"}},
                             .body = fmt::format(R"({{"Id":"Remote1","Image":"{}","Inserted":false}})", held)};
  };
  bench.insert();
  CHECK(bench.inserted() == image);
  CHECK(bench.bodies.size() == 1);
}
