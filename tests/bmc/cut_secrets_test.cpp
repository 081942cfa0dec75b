// Secrets that a BMC repeats where what it says is cut off: no piece of them is shown (docs/decisions/0042).
#include "base/redaction.hpp"
#include "bmc/redfish/media_request.hpp"
#include "tests/bmc/ipmi_bench.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Lane;

namespace {

// Words that end in the secret, so that a cut at any place leaves a piece of it.
struct RepeatingBench : tests::RedfishBench {
  RepeatingBench() {
    auto& documents = fake.documents;
    documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},"Registries":{"@odata.id":"/reg"},)"
                     R"("Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}}})";
    documents["/reg"] = R"({"Members":[{"@odata.id":"/reg/X.1.0"}]})";
    documents["/reg/X.1.0"] = R"({"Location":[{"Language":"en","Uri":"/x.json"}]})";
    documents["/x.json"] = R"({"Messages":{"Bad":{"Message":"%1"}}})";
  }
  // Those of the log with this one entry.
  std::string logged(const std::string& entry) {
    fake.showLog(1, entry);
    const auto reading = run(driver->logs->readLogs(Lane::polling, {}));
    REQUIRE(reading.tails.size() == 1);
    REQUIRE(reading.tails[0].entries);
    REQUIRE(reading.tails[0].entries->size() == 1);
    return reading.tails[0].entries->front().message;
  }
  // Why a reset failed whose task says this.
  std::string reset(const std::string& messages) {
    fake.instead = [messages](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.path() == "/task")
        return net::HttpResponse{.status = 200,
                                 .body = fmt::format(R"({{"TaskState":"Exception","Messages":[{}]}})", messages)};
      if (!request.path().ends_with("/ComputerSystem.Reset")) return std::nullopt;
      return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = "{}"};
    };
    static_cast<void>(changeFailure(bmc::PowerAction::on));
    return text;
  }
};

}  // namespace

TEST_CASE("no piece of a secret is shown where a BMC's words are cut off", "[redfish]") {
  RepeatingBench bench;
  const std::string secret = GENERATE("s3cret", "token-1", "YWRtaW46czNjcmV0");  // password, session, Basic
  const auto piece = Catch::Contains(secret.substr(0, 4));
  const auto isHidden = [&](const std::string& text) {
    CHECK_FALSE(text.empty());
    CHECK_THAT(text, !piece);
  };
  const auto longTo = [&](std::size_t limit, std::size_t shown) { return std::string(limit - shown, 'x') + secret; };
  for (const std::size_t shown : {4U, 5U, 60U}) {
    INFO(shown);
    SECTION("the argument of a log entry " + std::to_string(shown)) {
      isHidden(bench.logged(
          fmt::format(R"({{"Id":"1","MessageId":"X.1.0.Bad","MessageArgs":["{}"]}})", longTo(256, shown))));
    }
    SECTION("a log entry " + std::to_string(shown)) {
      isHidden(bench.logged(fmt::format(R"({{"Id":"1","Message":"{}"}})", longTo(1024, shown))));
      isHidden(bench.logged(fmt::format(R"({{"Id":"1","Message":"{}"}})", secret)));
    }
    SECTION("a task " + std::to_string(shown)) {
      isHidden(bench.reset(fmt::format(R"({{"Message":"{}"}})", longTo(300, shown))));
    }
    SECTION("the argument of a task " + std::to_string(shown)) {
      isHidden(bench.reset(fmt::format(R"({{"MessageId":"X.1.0.Bad","MessageArgs":["{}"]}})", longTo(300, shown))));
    }
    SECTION("the identifier of a task " + std::to_string(shown)) {
      isHidden(bench.reset(fmt::format(R"({{"MessageId":"X.1.{}"}})", longTo(252, shown))));
    }
    SECTION("a link that is none " + std::to_string(shown)) {
      bench.fake.moreOfSystem =
          fmt::format(R"(,"LogServices":{{"@odata.id":"/{}{}"}})", longTo(63, shown), std::string(3000, 'y'));
      const auto reading = bench.run(bench.driver->logs->readLogs(Lane::polling, {}));
      REQUIRE_FALSE(reading.unread.empty());
      for (const auto& why : reading.unread) isHidden(why);
    }
  }
}

TEST_CASE("no piece of the password is shown where the words of ipmitool are cut off", "[ipmi]") {
  for (std::size_t before = 60; before < 300; ++before) {
    tests::IpmiBench bench;
    const auto words = std::string(before, 'x') + "secret and more";
    for (const auto& result : {tests::failed("at first\n" + words), tests::said(words)}) {
      bench.processes.next = {result};
      std::string text;
      try {
        static_cast<void>(bench.read());
      } catch (const bmc::Error& error) {
        text = error.what();
      }
      INFO(text);
      CHECK_THAT(text, Catch::Contains("xxx") && !Catch::Contains("xs"));
    }
    bench.processes.next = {{.exitCode = 0, .standardError = "SDR " + words}};
    const auto unread = bench.run(bench.driver->sensors->readSensors(Lane::background)).sensors.unread;
    REQUIRE(unread.size() == 1);
    CHECK_THAT(unread.front(), Catch::Contains("xxx") && !Catch::Contains("xs"));
  }
}

TEST_CASE("no piece of the query of an image is shown where a BMC repeats the URL", "[media]") {
  const std::string url = "https://images/live.iso?X-Signature=abcdef";
  const auto shown = [&](const std::string& text) { return bmc::redfish::withoutQuery(text, url); };
  CHECK(shown("cannot load " + url + " now") == "cannot load https://images/live.iso?*** now");
  CHECK(shown("cannot load https://images/live.iso?X-Signature=ab") == "cannot load https://images/live.iso?***");
  CHECK(shown("cannot load https://images/live.iso?X-Si") == "cannot load https://images/live.iso?***");
  CHECK(shown("cannot load https://images/live.iso?X-S") == "cannot load https://images/live.iso?X-S");  // any word's
  CHECK(bmc::redfish::withoutQuery("no file", "https://images/live.iso") == "no file");
}

TEST_CASE("a query is not told where a part of it was taken for the user information of a URL", "[media]") {
  const auto* url =
      GENERATE("https://images:8080/live.iso?GoogleAccessId=svc@project&Signature=q",
               "https://images/live.iso?Signature=q&of=https://svc@project/x",
               "https://images/live.iso?a=https://b@c&Signature=q&of=https://d@e/x&Signature=q",
               "https://images:8080/live.iso?a@10.0.0.1&Signature=q@b", "https://u:p@images/x?Signature=q");
  const auto shown = [&](const std::string& words) {
    return bmc::redfish::withoutQuery(base::redacted(words, base::Secret()), url);
  };
  for (const auto* words : {"cannot load {}", "cannot load '{}', {}: no such file"}) {
    const auto text = shown(fmt::format(fmt::runtime(words), url, url));
    INFO(text);
    CHECK_THAT(text, !Catch::Contains("Signature=q") && Catch::StartsWith("cannot load"));
  }
}

TEST_CASE("a query whose end is cut off is not told where its beginning was taken for user information", "[media]") {
  const std::string url = "https://images:8080/live.iso?GoogleAccessId=svc@project&Signature=qqqq&of=svc@project";
  for (auto size = url.find("Signature=q") + 11; size < url.size(); ++size) {
    const auto text =
        bmc::redfish::withoutQuery(base::redacted("cannot load " + url.substr(0, size), base::Secret()), url);
    INFO(text);
    CHECK_THAT(text, !Catch::Contains("Signature=q") && Catch::StartsWith("cannot load https://***"));
  }
}

TEST_CASE("an image that stays in its drive is told without its query, and so is the one that was to come", "[media]") {
  tests::RedfishBench bench;
  bench.fake.hasMedia = true;
  const std::string old = "https://images/old.iso?X-Signature=qqqq", wanted = "https://images/new.iso?sig=rrrr";
  bench.fake.media = old;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (!request.path().ends_with("/Eject")) return std::nullopt;
    return net::HttpResponse{.status = 400,
                             .body = fmt::format(R"({{"error":{{"message":"{} is in use, not {}"}}}})", old, wanted)};
  };
  auto& media = *bench.driver->media;
  CHECK(bench.failureOf([&] { bench.run(media.ejectMedia(Lane::operatorCommand, {})); }) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, !Catch::Contains("qqqq") && Catch::Contains("https://images/old.iso?*** is in use"));
  CHECK(bench.failureOf([&] { bench.run(media.insertMedia(Lane::operatorCommand, wanted, {})); }) ==
        bmc::Error::Code::refused);
  CHECK_THAT(bench.text, !Catch::Contains("qqqq") && !Catch::Contains("rrrr") && Catch::EndsWith("new.iso?***"));
}

TEST_CASE("a refused image is told without its query, however long the BMC's words are", "[media]") {
  tests::RedfishBench bench;
  bench.fake.hasMedia = true;
  const bool isInTask = GENERATE(false, true);
  const std::string query = "X-Signature=" + std::string(64, 'q');
  const auto words = std::string(280, 'x') + "?" + query;
  bench.fake.instead = [&](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
    if (request.path() == "/task")
      return net::HttpResponse{
          .status = 200, .body = fmt::format(R"({{"TaskState":"Exception","Messages":[{{"Message":"{}"}}]}})", words)};
    if (!request.path().ends_with("/Insert")) return std::nullopt;
    if (isInTask) return net::HttpResponse{.status = 202, .headers = {{"Location", "/task"}}, .body = "{}"};
    return net::HttpResponse{.status = 400, .body = fmt::format(R"({{"error":{{"message":"{}"}}}})", words)};
  };
  CHECK(bench.failureOf([&] {
    bench.run(bench.driver->media->insertMedia(Lane::operatorCommand, "https://images/live.iso?" + query, {}));
  }) == bmc::Error::Code::refused);
  CHECK_THAT(bench.text, !Catch::Contains("X-Sig") && Catch::Contains("xxx?***"));
}
