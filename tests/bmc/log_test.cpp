// The ends of BMCs' logs (spec/bmc.md §13.1, §15.4).
#include "bmc/ipmi/event_log.hpp"
#include "bmc/redfish/log_choice.hpp"
#include "tests/bmc/redfish_bench.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using bmc::Error;
using bmc::Lane;
using bmc::LogEntry;
using Entries = std::vector<LogEntry>;

namespace {

constexpr auto selAt = "/redfish/v1/Systems/1/LogServices/SEL";
constexpr auto entriesAt = "/redfish/v1/Systems/1/LogServices/SEL/Entries";

std::string entry(int id, const std::string& more = R"(,"Severity":"Warning")") {
  return fmt::format(R"({{"@odata.id":"{}/{}","Id":"{}","Created":"2026-11-20T10:{:02}:00+01:00","Message":"m{}"{}}})",
                     entriesAt, id, id, id % 60, id, more);
}

struct LogBench : tests::RedfishBench {
  LogBench() {
    auto& documents = fake.documents;
    documents["/redfish/v1/Systems/1"] =
        R"({"Id":"1","PowerState":"On","LogServices":{"@odata.id":"/redfish/v1/Systems/1/LogServices"},
        "Links":{"ManagedBy":[{"@odata.id":"/m"}],"Chassis":[{"@odata.id":"/c"}]}})";
    documents["/redfish/v1/Systems/1/LogServices"] = fmt::format(R"({{"Members":[{{"@odata.id":"{}"}}]}})", selAt);
    documents["/m"] = R"({"LogServices":{"@odata.id":"/m/logs"}})";
    documents["/m/logs"] = R"({"Members":[{"@odata.id":"/m/logs/1"}]})";
    documents["/m/logs/1"] = R"({"@odata.id":"/m/logs/1","Id":"Lclog","Entries":{"@odata.id":"/m/logs/1/e"}})";
    documents["/c"] = "{}";
    documents[selAt] = fmt::format(
        R"({{"@odata.id":"{}","Id":"SEL","LogEntryType":"SEL","Entries":{{"@odata.id":"{}"}}}})", selAt, entriesAt);
    show({entry(1), entry(2)});
    fake.before = [this](const net::ServerRequest& request) -> base::Task<void> {
      asked.emplace_back(request.target);
      co_return;
    };
  }
  void show(const std::vector<std::string>& members, const std::string& more = "") {
    fake.documents[entriesAt] =
        fmt::format(R"({{"Members@odata.count":{},"Members":[{}]{}}})", members.size(), fmt::join(members, ","), more);
  }
  void skipping() {
    fake.documents["/"] = R"({"Systems":{"@odata.id":"/redfish/v1/Systems"},
      "Links":{"Sessions":{"@odata.id":"/redfish/v1/SessionService/Sessions"}},
      "ProtocolFeaturesSupported":{"TopSkipQuery":true}})";
  }
  bmc::LogReading take(bmc::LogMarks marks = {}) {
    return run(driver->logs->readLogs(Lane::background, std::move(marks)));
  }
  std::vector<std::string> ids() {
    std::vector<std::string> found;
    const auto reading = take();
    if (reading.tails.empty()) return found;
    for (const auto& one : *reading.tails.front().entries) found.push_back(one.id);
    return found;
  }

  std::vector<std::string> asked;
};

LogEntry at(const std::string& id, const std::string& created) { return {id, created, "", ""}; }

}  // namespace

TEST_CASE("what is new in a log is what comes after the entry that was read last", "[logs]") {
  const Entries log{at("7", "t1"), at("8", "t2"), at("9", "t2"), at("10", "t3")};
  const auto after = [&](const std::string& id, const std::string& created) {
    return bmc::firstAfter(log, {id, created});
  };
  CHECK(after("10", "t3") == 4);
  CHECK(after("8", "t2") == 2);
  CHECK(after("7", "t1") == 1);
  CHECK(after("", "") == 0);     // it was empty
  CHECK(after("3", "t0") == 0);  // that one has made room
  CHECK(after("5", "t2") == 3);  // likewise, and only the time is left to go by
  CHECK(after("7", "t9") == 0);  // cleared, and the clock set back
  CHECK(after("99", "") == 0);   // it had no time
  CHECK(bmc::firstAfter({}, {"9", "t2"}) == 0);
  CHECK(bmc::endOf(log) == bmc::LogPosition{"10", "t3"});
  CHECK(bmc::endOf({}) == bmc::LogPosition{});
}

TEST_CASE("a log is chosen by what it calls itself, then by its name", "[logs]") {
  const auto service = [](std::string id, std::string type = "", bool enabled = true, bool hasEntries = true) {
    bmc::redfish::LogService out;
    out.id = std::move(id);
    if (!type.empty()) out.entryType = std::move(type);
    out.enabled = enabled;
    if (hasEntries) out.entries = bmc::redfish::Link{"/" + *out.id};
    return out;
  };
  const auto chosen = [](std::vector<bmc::redfish::LogService> services) {
    std::vector<std::string> ids;
    for (const auto& one : bmc::redfish::chooseLogs(std::move(services))) ids.push_back(*one.id);
    return ids;
  };
  using Ids = std::vector<std::string>;
  CHECK(chosen({service("PostCodes"), service("EventLog", "Event"), service("System", "SEL")}) == Ids{"System"});
  CHECK(chosen({service("a", "SEL"), service("b", "SEL")}) == Ids{"a", "b"});
  CHECK(chosen({service("IEL"), service("EventLog"), service("IML", "OEM")}) == Ids{"IML"});
  CHECK(chosen({service("Sel", "OEM", false), service("LCLOG")}) == Ids{"LCLOG"});
  CHECK(chosen({service("SEL", "SEL", true, false), service("Dump")}).empty());
}

TEST_CASE("the end of a log comes oldest first, whichever way the BMC shows it", "[logs]") {
  LogBench bench;
  SECTION("oldest first") {}
  SECTION("newest first") { bench.show({entry(2), entry(1)}); }
  SECTION("newest first, by number") {
    bench.show({R"({"Id":"2","Message":"m2"})", R"({"Id":"1","Message":"m1"})"});
    CHECK(bench.ids() == std::vector<std::string>{"1", "2"});
    return;
  }
  SECTION("as links") {
    const bool reversed = GENERATE(false, true);
    std::vector<std::string> links;
    for (int i = 1; i <= 2; ++i) {
      links.push_back(fmt::format(R"({{"@odata.id":"{}/{}"}})", entriesAt, i));
      bench.fake.documents[fmt::format("{}/{}", entriesAt, i)] = entry(i);
    }
    if (reversed) std::ranges::reverse(links);
    bench.show(links);
  }
  const auto reading = bench.take();
  CHECK(reading.unread.empty());
  REQUIRE(reading.tails.size() == 1);
  CHECK(reading.tails.front().log == selAt);
  CHECK(*reading.tails.front().entries ==
        Entries{{"1", "2026-11-20T09:01:00Z", "Warning", "m1"}, {"2", "2026-11-20T09:02:00Z", "Warning", "m2"}});
}

TEST_CASE("a log that stands as it stood costs one request, and is not told again", "[logs]") {
  LogBench bench;
  const bool skips = GENERATE(false, true);
  if (skips) bench.skipping();
  const auto first = bench.take();
  REQUIRE(first.tails.size() == 1);
  bench.asked.clear();
  const bmc::LogMarks marks{{selAt, first.tails.front().mark}};
  auto again = bench.take(marks);
  REQUIRE(again.tails.size() == 1);
  CHECK_FALSE(again.tails.front().entries);
  CHECK(bench.asked == std::vector<std::string>{skips ? std::string(entriesAt) + "?$top=1" : entriesAt});
  SECTION("one more at the end") { bench.show({entry(1), entry(2), entry(3)}); }
  SECTION("one more at the front") { bench.show({entry(3), entry(2), entry(1)}); }
  SECTION("the oldest has made room") { bench.show({entry(2), entry(3)}); }
  SECTION("cleared") { bench.show({}); }
  again = bench.take(marks);
  REQUIRE(again.tails.size() == 1);
  CHECK(again.tails.front().entries);
  CHECK(again.tails.front().mark != first.tails.front().mark);
}

TEST_CASE("of a long log the end is read", "[logs]") {
  LogBench bench;
  const auto page = [&](const std::string& path, int from, int to, const std::string& next) {
    std::vector<std::string> members;
    for (int i = from; i != to; i += from < to ? 1 : -1)
      members.push_back(fmt::format(R"({{"Id":"{}","Message":"m","Severity":"OK"}})", i));
    bench.fake.documents[path] =
        fmt::format(R"({{"Members@odata.count":300,"Members":[{}]{}}})", fmt::join(members, ","),
                    next.empty() ? "" : fmt::format(R"(,"Members@odata.nextLink":"{}")", next));
  };
  SECTION("page by page, oldest first") {
    page(entriesAt, 0, 100, "/p2"), page("/p2", 100, 200, "/p3"), page("/p3", 200, 300, "");
  }
  SECTION("newest first: no more pages than it takes") {
    page(entriesAt, 299, 199, "/p2"), page("/p2", 199, 99, "/p3");
    bench.ids();
    CHECK(std::ranges::count(bench.asked, "/p3") == 0);
  }
  SECTION("at once, where it can be skipped to") {
    bench.skipping();
    page(entriesAt, 0, 100, "/nowhere");
    bench.fake.instead =
        [&, body = std::string()](const net::ServerRequest& request) mutable -> std::optional<net::HttpResponse> {
      if (request.query() != "$skip=172") return std::nullopt;
      page("/end", 172, 300, "");
      return net::HttpResponse{.status = 200, .headers = {}, .body = bench.fake.documents["/end"]};
    };
  }
  const auto ids = bench.ids();
  REQUIRE(ids.size() == bmc::mostLogEntries);
  CHECK(ids.front() == "172");
  CHECK(ids.back() == "299");
}

TEST_CASE("a BMC whose pages go round ends the reading of its log", "[logs]") {
  LogBench bench;
  bench.show({entry(1)}, fmt::format(R"(,"Members@odata.nextLink":"{}")", entriesAt));
  const auto reading = bench.take();
  CHECK_FALSE(reading.unread.empty());
  CHECK(reading.tails.empty());  // an end that was not reached is none: what was read would pass for it
  CHECK(bench.asked.size() < 60);
}

TEST_CASE("a page that cannot be read is no end of a log", "[logs]") {
  LogBench bench;
  bench.show({entry(1), entry(2)}, R"(,"Members@odata.nextLink":"/p2")");
  const auto reading = bench.take();
  CHECK(reading.tails.empty());
  CHECK(reading.unread.size() == 1);
}

TEST_CASE("a clock that was wrong once does not turn a log round", "[logs]") {
  LogBench bench;
  const auto at = [](const std::string& id, const std::string& created) {
    return fmt::format(R"({{{}"Created":"{}","Message":"m"}})", id.empty() ? "" : fmt::format(R"("Id":"{}",)", id),
                       created);
  };
  const auto times = std::vector<std::string>{"2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z",
                                              "1970-01-01T00:00:00Z"};
  const bool hasIds = GENERATE(false, true);
  std::vector<std::string> members;
  for (std::size_t i = 0; i < times.size(); ++i) members.push_back(at(hasIds ? std::to_string(i) : "", times[i]));
  bench.show(members);
  CHECK(bench.take().tails.front().entries->back().created == times.back());
  std::ranges::reverse(members);
  bench.show(members);
  CHECK(bench.take().tails.front().entries->back().created == times.back());
}

TEST_CASE("a BMC whose list is endless costs no memory for it", "[logs]") {
  LogBench bench;
  std::string many = "{}";
  for (int i = 0; i < 20'000; ++i) many += ",{}";
  bench.fake.documents[entriesAt] = fmt::format(R"({{"Members":[{}]}})", many);
  const auto reading = bench.take();
  CHECK(reading.tails.empty());
  REQUIRE(reading.unread.size() == 1);
  CHECK(reading.unread.front().find("20001 members") != std::string::npos);
}

TEST_CASE("a log that cannot be read is named, and looked for again; a BMC without logs has none", "[logs]") {
  LogBench bench;
  SECTION("no longer there") {
    CHECK(bench.ids().size() == 2);
    bench.fake.documents.erase(entriesAt);
    const auto reading = bench.take();
    CHECK(reading.tails.empty());
    CHECK(reading.unread.size() == 1);
    bench.show({entry(1)});
    bench.asked.clear();
    CHECK(bench.ids().size() == 1);
    CHECK(std::ranges::count(bench.asked, "/m/logs") == 0);
    bench.fake.documents.erase(entriesAt);
    static_cast<void>(bench.take());
    bench.show({entry(1)});
    bench.clock.advance(std::chrono::minutes(6));
    bench.asked.clear();
    CHECK(bench.ids().size() == 1);
    CHECK(std::ranges::count(bench.asked, "/m/logs") == 1);
  }
  SECTION("none") {
    bench.fake.documents["/redfish/v1/Systems/1"] = R"({"Id":"1","PowerState":"On"})";
    CHECK(bench.take().tails.empty());
  }
  SECTION("the manager's, where the system has none") {
    bench.fake.documents["/redfish/v1/Systems/1/LogServices"] = R"({"Members":[]})";
    bench.fake.documents["/m/logs/1/e"] = R"({"Members":[{"Id":"9","Message":"x"}]})";
    CHECK(bench.ids() == std::vector<std::string>{"9"});
  }
  SECTION("the system does not answer") {
    bench.answer("/redfish/v1/Systems/1", {.status = 503, .headers = {}, .body = "{}"});
    CHECK(bench.failureOf([&] { bench.take(); }) == Error::Code::protocol);
  }
}

TEST_CASE("words of a log are bounded, one line each, and hold no password", "[logs]") {
  LogBench bench;
  bench.show(
      {entry(1),
       fmt::format(R"({{"Id":"2","Severity":"Odd","Message":"login admin s3cret\nfailed{}"}})", std::string(2000, 'x')),
       R"({"Id":"3","MessageId":"Base.1.0.Thing","Severity":"critical","Created":"yesterday"})"});
  const auto entries = *bench.take().tails.front().entries;
  REQUIRE(entries.size() == 3);
  CHECK(entries[1].message.starts_with("login admin *** failedxxx"));
  CHECK(entries[1].message.size() <= 256);
  CHECK(entries[1].severity.empty());
  CHECK(entries[2] == LogEntry{"3", "", "Critical", "Base.1.0.Thing"});
}

TEST_CASE("rows of ipmitool's event log are entries", "[logs][ipmi]") {
  const auto found = bmc::ipmi::parseSel(
      "1, Pre-Init ,0000000685,Temperature #0x01,Upper Critical going high,Asserted\n"
      "2,11/20/26,23:49:22 UTC,Temperature MBTemp,Upper Critical going high,Asserted,Reading 150 > Threshold 144 "
      "degrees C\n"
      "3,11/20/2026,23:50:00 GMT,Temperature MBTemp,Upper Critical going high,Deasserted\n"
      "a,11/20/26,23:51:00 UTC,Fan 1,Lower Non-critical going low,Asserted\n"
      "b,11/20/26,23:52:00 UTC,Memory DIMM_A1,Correctable ECC,Asserted\n"
      "c,11/20/26,23:53:00 UTC,Power Supply PSU1,Power Supply AC lost,Asserted\n"
      "d,11/20/26,23:54:00 UTC,System Boot Initiated,Initiated by power up,Asserted\n"
      "e,11/20/26,23:55:00 UTC,Critical Interrupt #0x05,Bus Correctable error,Asserted\n"
      "SEL has no entries\nnonsense\n,,,\n");
  CHECK(found ==
        Entries{{"1", "", "Critical", "Temperature #0x01, Upper Critical going high"},
                {"2", "2026-11-20T23:49:22Z", "Critical",
                 "Temperature MBTemp, Upper Critical going high, Reading 150 > Threshold 144 degrees C"},
                {"3", "2026-11-20T23:50:00Z", "OK", "Temperature MBTemp, Upper Critical going high, Deasserted"},
                {"a", "2026-11-20T23:51:00Z", "Warning", "Fan 1, Lower Non-critical going low"},
                {"b", "2026-11-20T23:52:00Z", "Warning", "Memory DIMM_A1, Correctable ECC"},
                {"c", "2026-11-20T23:53:00Z", "Critical", "Power Supply PSU1, Power Supply AC lost"},
                {"d", "2026-11-20T23:54:00Z", "", "System Boot Initiated, Initiated by power up"},
                {"e", "2026-11-20T23:55:00Z", "", "Critical Interrupt #0x05, Bus Correctable error"}});
  const auto mark = bmc::ipmi::markOfSel(
      "SEL Information\nVersion          : 1.5\nEntries          : 2\n"
      "Last Add Time    : 11/20/26 23:49:22 UTC\nLast Del Time    : Not Available\n");
  CHECK(mark == "2|11/20/26 23:49:22 UTC|Not Available|");
  CHECK(bmc::ipmi::markOfSel("Get SEL Info command failed").empty());
}
