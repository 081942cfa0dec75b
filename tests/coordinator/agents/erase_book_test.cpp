// What agents were asked to erase.
#include "coordinator/agents/erase_book.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::agents;
using namespace std::chrono_literals;

namespace {

const base::MonoTime eraseBegin{1h};

struct AskedToErase : EraseBook {
  AskedToErase() {
    auto& asked = ask("u1", {.job = "1", .order = {}, .resumeOnly = false}, eraseBegin);
    asked.agent = "near";
    asked.tokens = {{5, 1, 1}, {5, 1, 2}};
    asked.againAt = eraseBegin + 30s;
  }
  static wire::EraseReport goingOn() {
    return {.outcome = "running", .drives = {{.serialNumber = "A", .state = "running"}}};
  }
  bool answer(wire::EraseReport report, base::Duration after = 1s, const std::string& agent = "near") {
    report.host = "u1";
    if (report.job.empty()) report.job = "1";
    if (report.token == wire::Token{}) report.token = {5, 1, 1};
    return answered(agent, report, eraseBegin + after);
  }
  AskedErasure& asked() { return *find("u1"); }
  void waitFor(base::Duration from, base::Duration until) {  // as a host that is looked at every few seconds
    for (auto at = from; at <= until; at += 5s) asked().idle.look(eraseBegin + at);
  }
};

}  // namespace

TEST_CASE("a report counts from who was asked, for this erasure, until the end has come") {
  AskedToErase book;
  CHECK_FALSE(book.answer({.outcome = "done"}, 1s, "far"));
  CHECK_FALSE(book.answer({.token = {5, 1, 3}, .outcome = "done"}));
  CHECK_FALSE(book.answer({.job = "0", .outcome = "done"}));
  CHECK_FALSE(book.answer({.outcome = "running"}));  // the agent begins to look
  CHECK_FALSE(book.asked().progress);
  CHECK(book.answer(AskedToErase::goingOn()));
  CHECK_FALSE(book.answer(AskedToErase::goingOn()));  // no news
  CHECK(book.asked().progress);
  CHECK(book.asked().againAt == eraseBegin + 31s);
  CHECK(book.answer({.token = {5, 1, 2}, .outcome = "done"}));
  CHECK_FALSE(book.answer({.outcome = "failed"}));
  CHECK(book.asked().result->outcome == "done");
}

TEST_CASE("drives that do not show yet are waited for, a quarter of an hour from when nothing went on") {
  AskedToErase book;
  const wire::EraseReport notYet{
      .outcome = "failed", .errorCode = "busy", .error = "the BMC does not show the drives A"};
  book.waitFor(0s, 5min);
  CHECK(book.answer(notYet, 5min));
  CHECK_FALSE(book.asked().result);
  CHECK(book.asked().trouble == notYet.error);
  CHECK(book.asked().againAt == eraseBegin + 5min + 15s);
  CHECK_FALSE(book.answer({.outcome = "running"}, 5min + 15s));  // as at each request
  CHECK(book.asked().trouble == notYet.error);
  book.waitFor(5min, 10min);
  CHECK(book.answer(AskedToErase::goingOn(), 10min));
  book.waitFor(10min, 20min);
  CHECK(book.answer(notYet, 20min));
  CHECK_FALSE(book.asked().result);
  CHECK_FALSE(book.asked().progress);
  book.waitFor(20min, 25min);
  CHECK(book.answer(notYet, 25min));
  CHECK(book.asked().result->error == notYet.error);
}

TEST_CASE("drives that did not show before a gap in the wait have all their time after it") {
  AskedToErase book;
  const wire::EraseReport notYet{.outcome = "failed", .errorCode = "busy", .error = "not shown"};
  book.waitFor(0s, 10min);
  CHECK(book.answer(notYet, 10min));
  book.waitFor(40min, 54min);
  CHECK(book.answer(notYet, 54min));
  CHECK_FALSE(book.asked().result);
}

TEST_CASE("a refusal for the moment is asked again soon; one that will not pass is the end") {
  AskedToErase book;
  CHECK_FALSE(book.answer({.outcome = "refused", .errorCode = "busy", .error = "not now"}));
  CHECK(book.asked().againAt == eraseBegin + 16s);  // it looks at all drives each time
  CHECK_FALSE(book.answer({.outcome = "refused", .errorCode = "no-lease", .error = "not now"}));
  CHECK(book.asked().againAt == eraseBegin + 3s);
  CHECK(book.answer({.outcome = "failed", .errorCode = "refused", .error = "never"}));
  CHECK(book.asked().result->error == "never");
}

TEST_CASE("of an agent that has gone wrong no more is kept than a machine can have") {
  AskedToErase book;
  wire::EraseReport report{.outcome = "running", .error = std::string(5000, 'e'), .model = std::string(5000, 'm')};
  report.drives.resize(1000,
                       {.path = std::string(5000, 'p'), .serialNumber = std::string(5000, 's'), .state = "running"});
  CHECK(book.answer(report));
  const auto& kept = *book.asked().progress;
  CHECK(kept.drives.size() == 256);
  CHECK(kept.drives[0].serialNumber.size() == 256);
  CHECK(kept.drives[0].path.empty());
  CHECK(kept.error.size() == 1024);
  CHECK(kept.model.size() == 256);
}

TEST_CASE("another erasure is asked for anew") {
  AskedToErase book;
  static_cast<void>(book.ask("u1", {.job = "2", .order = {}, .resumeOnly = false}, eraseBegin));
  CHECK(book.asked().tokens.empty());
  CHECK_FALSE(book.answer({.outcome = "done"}));
}
