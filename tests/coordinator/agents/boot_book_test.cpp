// What agents were asked to make hosts boot from.
#include "coordinator/agents/boot_book.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace ingot::coordinator::agents;
using namespace std::chrono_literals;

namespace {

const base::MonoTime begin{1h};
const bmc::BootPlan cd{.image = "http://images/live.iso", .setting = {.device = bmc::BootDevice::cdrom}}, nothing;

struct Asked : BootBook {
  Asked() {
    auto& asked = ask("u1", cd, begin);
    asked.agent = "near";
    asked.tokens = {{5, 1, 1}, {5, 1, 2}};
    asked.againAt = begin + 10min;
  }
  bool answer(wire::BootResult result, base::Duration after = 1s, const std::string& agent = "near") {
    result.host = "u1";
    if (result.token == wire::Token{}) result.token = {5, 1, 1};
    return answered(agent, result, begin + after);
  }
  AskedBoot& asked() { return *find("u1"); }
  void waitFor(base::Duration from, base::Duration until) {  // as a host that is looked at every few seconds
    for (auto at = from; at <= until; at += 5s) asked().waited.look(begin + at);
  }
};

}  // namespace

TEST_CASE("the answer to any request for a plan answers it, once, from who was asked") {
  Asked book;
  CHECK_FALSE(book.answer({.outcome = "done"}, 1s, "far"));
  CHECK_FALSE(book.answer({.token = {5, 1, 3}, .outcome = "done"}));
  CHECK(book.answer({.token = {5, 1, 2}, .outcome = "done"}));
  CHECK(book.asked().result->outcome == "done");
  CHECK_FALSE(book.answer({.token = {5, 1, 1}, .outcome = "failed"}));
  CHECK(book.asked().result->outcome == "done");
}

TEST_CASE("another plan is asked anew; the answer to the last one is nobody's") {
  Asked book;
  static_cast<void>(book.ask("u1", nothing, begin + 1s));
  CHECK(book.asked().tokens.empty());
  CHECK_FALSE(book.answer({.outcome = "done"}));
  CHECK_FALSE(book.asked().result);
}

TEST_CASE("a refusal for the moment is asked again soon, with its words; one that will not pass is the answer") {
  for (const auto* code : {"busy", "no-lease", "stale-token"}) {
    Asked book;
    CHECK_FALSE(book.answer({.outcome = "refused", .errorCode = code, .error = "not now"}));
    CHECK(book.asked().againAt == begin + 3s);
    CHECK(book.asked().trouble == "not now");
    CHECK(book.asked().isOccupied == (code == std::string("busy")));
    CHECK(book.answer({.outcome = "failed", .errorCode = "busy", .error = "the BMC is"}));
    CHECK_FALSE(book.asked().isOccupied);
  }
  for (const auto* code : {"unsupported", "tls", "bad-address"}) {
    Asked book;
    CHECK(book.answer({.outcome = "refused", .errorCode = code, .error = "never"}));
    CHECK(book.asked().result->error == "never");
    CHECK(book.asked().answeredAt == begin + 1s);
  }
}

TEST_CASE("a BMC that cannot be spoken to is tried again for five minutes, and its word shown") {
  Asked book;
  const auto code =
      GENERATE(as<std::string>(), "unreachable", "timeout", "busy", "outcome-unknown", "locked-out", "not-reached");
  CHECK(book.answer({.outcome = "failed", .errorCode = code, .error = "no route"}));
  CHECK_FALSE(book.asked().result);
  CHECK(book.asked().trouble == "no route");
  CHECK(book.asked().againAt == begin + 16s);
  book.waitFor(0s, 5min);
  CHECK(book.answer({.outcome = "failed", .errorCode = code, .error = "no route"}, 5min));
  CHECK(book.asked().result);
}

TEST_CASE("trouble of before a gap in the wait is none that has lasted since") {
  Asked book;
  book.waitFor(0s, 4min);
  CHECK(book.answer({.outcome = "failed", .errorCode = "unreachable", .error = "no route"}, 4min));
  book.waitFor(30min, 34min);
  CHECK(book.answer({.outcome = "failed", .errorCode = "unreachable", .error = "no route"}, 34min));
  CHECK_FALSE(book.asked().result);
  book.waitFor(34min, 35min);
  CHECK(book.answer({.outcome = "failed", .errorCode = "unreachable", .error = "no route"}, 35min));
  CHECK(book.asked().result);
}

TEST_CASE("what a BMC declines is final; what an agent says of it is bounded") {
  Asked book;
  CHECK(book.answer({.outcome = "failed", .errorCode = "refused", .error = std::string(5000, 'x')}));
  CHECK(book.asked().result->error.size() <= 1024);
}
