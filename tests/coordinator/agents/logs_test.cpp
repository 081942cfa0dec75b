// What agents tell of logs: what of it is news, and what becomes of it.
#include "coordinator/agents/log_book.hpp"

#include "tests/coordinator/agents/fleet.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using coordinator::agents::LogBook;

namespace {

bmc::LogEntry logged(int id, std::string severity = "Critical") {
  return {.id = std::to_string(id),
          .created = fmt::format("2026-11-20T10:{:02}:{:02}Z", id / 60, id % 60),
          .severity = std::move(severity),
          .message = fmt::format("m{}", id)};
}

wire::LogFacts logOf(int count, std::int64_t known, const std::string& severity = "Critical") {
  wire::LogFacts facts{.host = "u1", .log = "SEL", .known = known, .entries = {}};
  for (int i = 1; i <= count; ++i) facts.entries.push_back(logged(i, severity));
  return facts;
}

std::vector<std::string> idsOf(const std::vector<bmc::LogEntry>& entries) {
  std::vector<std::string> ids;
  for (const auto& entry : entries) ids.push_back(entry.id);
  return ids;
}

const kube::ObjectKey host{"metal", "a"};
const base::MonoTime noon{1h};
using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("news are what neither we nor a coordinator before us has heard of", "[logs]") {
  LogBook book;
  CHECK(idsOf(book.take("u1", host, logOf(3, 2), noon).shown) == Ids{"3"});
  CHECK(book.take("u1", host, logOf(3, 0), noon).shown.empty());             // the acknowledgement was lost
  CHECK(idsOf(book.take("u1", host, logOf(4, 4), noon).shown) == Ids{"4"});  // another agent, which knows nothing
  CHECK(book.take("u2", {"metal", "b"}, logOf(4, 4), noon).shown.empty());
  REQUIRE(book.find(host) != nullptr);
  CHECK(idsOf(book.find(host)->at("SEL")) == Ids{"1", "2", "3", "4"});
  book.forget("u1");
  CHECK(book.find(host) == nullptr);
  CHECK(book.take("u1", host, logOf(5, 5), noon).shown.empty());
}

TEST_CASE("entries that were deleted, or a log that shows nothing for a moment, make no news of what was known",
          "[logs]") {
  LogBook book;
  static_cast<void>(book.take("u1", host, logOf(4, 4), noon));
  auto facts = logOf(3, 0);
  CHECK(book.take("u1", host, facts, noon).shown.empty());  // the last was deleted
  facts.entries.push_back(logged(5));
  CHECK(idsOf(book.take("u1", host, facts, noon).shown) == Ids{"5"});
  CHECK(book.take("u1", host, logOf(0, 0), noon).shown.empty());
  CHECK(book.take("u1", host, facts = logOf(5, 5), noon).shown.empty());  // the agent knows how far it was told
}

TEST_CASE("what comes into a log that was empty is news, also from an agent that has not seen it empty", "[logs]") {
  LogBook book;
  static_cast<void>(book.take("u1", host, logOf(0, 0), noon));
  CHECK(idsOf(book.take("u1", host, logOf(2, 2), noon).shown) == Ids{"2", "1"});
  static_cast<void>(book.take("u1", host, logOf(0, 0), noon));               // cleared, or not shown for a moment
  CHECK(idsOf(book.take("u1", host, logOf(3, 3), noon).shown) == Ids{"3"});  // the first two were known
}

TEST_CASE("of news people are shown warnings and worse, the worst first, and no more than they can read", "[logs]") {
  LogBook book;
  static_cast<void>(book.take("u1", host, logOf(0, 0), noon));
  auto facts = logOf(3, 0, "OK");
  facts.entries.push_back(logged(4, "Warning"));
  facts.entries.push_back(logged(5, "Critical"));
  facts.entries.push_back(logged(6, ""));
  const auto news = book.take("u1", host, facts, noon);
  CHECK(idsOf(news.shown) == Ids{"5", "4"});
  CHECK(news.withheld == 0);
  for (int i = 7; i < 20; ++i) facts.entries.push_back(logged(i, i == 10 ? "Critical" : "Warning"));
  const auto many = book.take("u1", host, facts, noon);
  CHECK(idsOf(many.shown) == Ids{"10", "19", "18", "17", "16"});  // five warnings in all, one was shown before
  CHECK(many.withheld == 8);
  facts.entries.push_back(logged(20, "Warning"));
  const auto none = book.take("u1", host, facts, noon + 1min);
  CHECK(none.shown.empty());
  CHECK(none.withheld == 0);
  facts.entries.push_back(logged(21));  // what is critical has room of its own
  const auto later = book.take("u1", host, facts, noon + 2min);
  CHECK(idsOf(later.shown) == Ids{"21"});
  CHECK(later.withheld == 1);
  facts.entries.push_back(logged(22, "Warning"));
  CHECK(idsOf(book.take("u1", host, facts, noon + 16min).shown) == Ids{"22"});
}

TEST_CASE("all news are counted, by severity", "[logs]") {
  LogBook book;
  auto facts = logOf(3, 1, "OK");
  facts.entries.push_back(logged(4));
  facts.entries.push_back(logged(5, "Odd"));
  static_cast<void>(book.take("u1", host, facts, noon));
  static_cast<void>(book.take("u1", host, facts, noon));
  std::string out;
  book.write(out);
  CHECK(out ==
        "# HELP bmh_log_entries_total Entries that came into the log of a host's BMC\n"
        "# TYPE bmh_log_entries_total counter\n"
        "bmh_log_entries_total{namespace=\"metal\",host=\"a\",severity=\"Unknown\"} 1\n"
        "bmh_log_entries_total{namespace=\"metal\",host=\"a\",severity=\"OK\"} 2\n"
        "bmh_log_entries_total{namespace=\"metal\",host=\"a\",severity=\"Critical\"} 1\n");
  out.clear();
  LogBook().write(out);
  CHECK(out.empty());
}

TEST_CASE("an agent that has gone wrong takes no more room than a host can have", "[logs]") {
  LogBook book;
  for (int log = 0; log < 100; ++log) {
    wire::LogFacts facts{.host = "u1", .log = fmt::format("{}{}", log, std::string(5000, 'l')), .known = -5};
    for (int i = 0; i < 500; ++i)
      facts.entries.push_back({std::string(5000, 'i'), "\n", "Very", std::string(5000, 'm')});
    static_cast<void>(book.take("u1", host, facts, noon));
  }
  const auto& logs = *book.find(host);
  CHECK(logs.size() == LogBook::mostLogs);
  for (const auto& [name, entries] : logs) {
    CHECK(name.size() <= 256);
    CHECK(entries.size() == LogBook::mostKept);
    for (const auto& entry : entries) {
      CHECK(entry.id.size() + entry.created.size() + entry.message.size() < 600);
      CHECK(entry.severity.empty());
      CHECK(entry.created.find('\n') == std::string::npos);
    }
  }
}

TEST_CASE("in a fleet with too many entries each host keeps its last", "[logs]") {
  LogBook book;
  const auto hosts = LogBook::mostEntries / LogBook::mostKept + 10;
  for (std::size_t i = 0; i < hosts; ++i)
    static_cast<void>(book.take(std::to_string(i), {"metal", std::to_string(i)}, logOf(64, 64), noon));
  CHECK(book.find({"metal", "0"})->at("SEL").size() == LogBook::mostKept);
  const auto last = idsOf(book.find({"metal", std::to_string(hosts - 1)})->at("SEL"));
  CHECK(last.size() == LogBook::mostEntries / hosts);
  CHECK(last.back() == "64");
  for (std::size_t i = 0; i + 1 < hosts; ++i) book.forget(std::to_string(i));
  static_cast<void>(book.take("again", {"metal", "again"}, logOf(64, 64), noon));
  CHECK(book.find({"metal", "again"})->at("SEL").size() == LogBook::mostKept);
}

TEST_CASE("news of the agent that serves a host become Events, and are acknowledged", "[logs]") {
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  REQUIRE(fleet.lastGrant);
  CHECK(fleet.lastGrant->logPollMs == 120'000);
  auto facts = logOf(8, 1);
  facts.host = fleet.uid(0);
  facts.term = fleet.lastGrant->token.term;
  const auto say = [&](std::int64_t lease) {
    facts.lease = lease;
    fleet.say(facts);
    fleet.clock.advance(2s);
    return fleet.logAcknowledged.size();
  };
  const auto lease = fleet.lastGrant->token.lease;
  CHECK(say(lease + 1) == 0);  // which was never given
  CHECK(say(0) == 0);          // with another access, perhaps to another machine
  REQUIRE(say(lease) == 1);
  CHECK(fleet.logAcknowledged.front().log == "SEL");
  CHECK(fleet.logAcknowledged.front().end == bmc::endOf(facts.entries));
  CHECK(say(lease) == 2);
  CHECK(fleet.events.pending() == 6);  // five, and one that counts the others; none twice
  facts.entries.push_back(logged(9, "Warning"));
  CHECK(say(lease) == 3);
  CHECK(fleet.events.pending() == 7);
  fleet.run(fleet.client->patch<kube::Secret>({"metal", "host-0-bmc"},
                                              json::Object{{"data", json::Object{{"password", "Y2hhbmdlZA=="}}}}));
  fleet.clock.advance(5s);
  CHECK(fleet.logs.find({"metal", "host-0"}) != nullptr);  // its log is still the same
  fleet.run(fleet.client->patchStatus<api::BareMetalHost>(
      {"metal", "host-0"}, json::parse(R"({"status":{"operationalStatus":"detached"}})")));
  fleet.patchHost(0, R"({"spec":{"bmc":{"address":"redfish://10.9.9.9/redfish/v1/Systems/1"}}})");
  fleet.clock.advance(5s);
  CHECK(fleet.logs.find({"metal", "host-0"}) == nullptr);
}

TEST_CASE("an agent that says it was told more than there is, or a host that goes, does no harm", "[logs]") {
  LogBook book;
  for (const std::int64_t known :
       {std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 40, std::numeric_limits<std::int64_t>::min()}) {
    book.forget("u1");
    CHECK(book.take("u1", host, logOf(3, known), noon).shown.size() == (known < 0 ? 3 : 0));
  }
  tests::Fleet fleet(1);
  fleet.approve();
  fleet.clock.advance(5s);
  auto facts = logOf(2, 1);
  facts.host = fleet.uid(0);
  facts.term = fleet.lastGrant->token.term;
  facts.lease = fleet.lastGrant->token.lease;
  fleet.say(facts);
  fleet.clock.advance(1s);
  REQUIRE(fleet.logs.find({"metal", "host-0"}) != nullptr);
  fleet.run(fleet.client->remove<api::BareMetalHost>({"metal", "host-0"}));
  fleet.clock.advance(5s);
  CHECK(fleet.logs.find({"metal", "host-0"}) == nullptr);
}
