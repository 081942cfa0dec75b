#include "apiserver/store/history.hpp"
#include "base/random.hpp"

#include <catch2/catch.hpp>

namespace ingot::apiserver {
namespace {

ObjectPtr state(int host, int number, Revision revision) {
  json::Value document =
      json::Object{{"apiVersion", "v1"},
                   {"kind", "Host"},
                   {"metadata", json::Object{{"name", fmt::format("host-{}", host)},
                                             {"namespace", host % 2 == 0 ? "even" : "odd"},
                                             {"uid", fmt::format("uid-{}", host)},
                                             {"labels", json::Object{{"rack", fmt::format("r{}", host % 7)}}}}},
                   {"status", json::Object{{"number", number}, {"text", std::string(500, 'x')}}}};
  return makeObject(document, revision);
}

// Twenty hosts that are written in turn; every hundredth write removes one, the next of it makes it anew.
struct Past {
  History history{{}};
  std::vector<Event> all;

  explicit Past(int writes) {
    history.begin(0, 0);
    std::map<int, ObjectPtr> now;
    for (int i = 0; i < writes; ++i) {
      const int host = i % 20;
      const Revision revision = 10 + i;
      Event event{revision, now[host], nullptr, nullptr};
      if (i % 100 == 60 && event.previous) {
        event.last = state(host, i, revision);
        now[host] = nullptr;
      } else {
        event.next = now[host] = state(host, i, revision);
      }
      history.add("hosts", event, {});
      all.push_back(event);
    }
  }
};

std::string text(const ObjectPtr& object) { return object ? object->body.text() : "none"; }

void checkSame(const Event& got, const Event& wanted) {
  CHECK(got.revision == wanted.revision);
  CHECK(text(got.previous) == text(wanted.previous));
  CHECK(text(got.next) == text(wanted.next));
  CHECK(text(got.last) == text(wanted.last));
  CHECK(got.key() == wanted.key());
  const auto& shown = wanted.next ? wanted.next : wanted.last;
  const auto& also = got.next ? got.next : got.last;
  CHECK(also->revision == shown->revision);
  CHECK(also->labels == shown->labels);
  CHECK(also->uid == shown->uid);
}

// All that comes after, however many times one has to ask.
std::vector<Event> everything(const History& history, EventQuery query) {
  std::vector<Event> all;
  while (true) {
    const auto some = history.after("hosts", query);
    if (some.through == query.after) return all;
    all.insert(all.end(), some.events.begin(), some.events.end());
    query.after = some.through;
  }
}

// The hosts as they were at `revision`: forwards from the beginning.
History::States statesAt(const std::vector<Event>& all, Revision revision) {
  History::States states;
  for (const auto& event : all) {
    if (event.revision > revision) break;
    states[event.key()] = event.next;
  }
  return states;
}

TEST_CASE("the past reads the same whether it is packed or not", "[store][history]") {
  const Past past(2000);
  for (const std::size_t after : {0u, 1u, 255u, 256u, 1000u, 1500u, 1743u, 1744u, 1999u}) {
    const auto got = everything(past.history, {.after = past.all[after].revision});
    REQUIRE(got.size() == 1999 - after);
    for (std::size_t i = 0; i < got.size(); i += 37) checkSame(got[i], past.all[after + 1 + i]);
  }
}

TEST_CASE("a follower that lags is given the past in portions", "[store][history]") {
  const Past past(2000);
  Revision at = past.all.front().revision;
  std::size_t got = 0;
  while (true) {
    const auto some = past.history.after("hosts", {.after = at, .events = 100});
    if (some.events.empty()) break;
    CHECK(some.events.size() <= 100);
    checkSame(some.events.front(), past.all[1 + got]);
    got += some.events.size();
    at = some.through;
  }
  CHECK(got == 1999);
  CHECK(past.history.after("hosts", {.after = past.all.front().revision, .bytes = 1500}).events.size() == 3);
}

TEST_CASE("a follower of one namespace is given its part of the packed past", "[store][history]") {
  const Past past(2000);
  const auto even = everything(past.history, {.after = past.all.front().revision, .space = "even"});
  CHECK(even.size() == 999);
  for (const auto& event : even) CHECK(event.key().space == "even");
  const auto none = past.history.after("hosts", {.after = past.all.front().revision, .space = "nobody's"});
  CHECK(none.events.empty());
  CHECK(none.through > past.all.front().revision);
}

TEST_CASE("what objects were at a version is read from the packed past, a block at a time", "[store][history]") {
  const Past past(2000);
  for (const std::size_t at : {0u, 60u, 61u, 700u, 1500u, 1980u, 1999u}) {
    const Revision then = past.all[at].revision;
    History::States states;
    int blocks = 0;
    auto rewound = past.history.rewind("hosts", then, states);
    for (; !rewound.done; ++blocks) rewound = past.history.rewind("hosts", rewound.through, states);
    const auto wanted = statesAt(past.all, then);
    for (const auto& [key, object] : states) {
      const auto found = wanted.find(key);
      CHECK(text(object) == text(found == wanted.end() ? nullptr : found->second));
    }
    CHECK(states.size() == std::min<std::size_t>(20, 1999 - at));
    CHECK(blocks == std::max(0, 6 - static_cast<int>(at + 1) / 256));
  }
}

TEST_CASE("what goes when there is too much goes a block at a time, the rest stays whole", "[store][history]") {
  History most({.mostEvents = 700});
  most.begin(0, 0);
  const Past longer(3000);
  for (const auto& event : longer.all) most.add("hosts", event, {});
  CHECK(most.size() <= 700);
  CHECK(most.size() > 400);
  CHECK_FALSE(most.reaches("hosts", longer.all[2200].revision));
  CHECK(most.reaches("hosts", longer.all[2600].revision));
  const auto got = everything(most, {.after = longer.all[2600].revision});
  REQUIRE(got.size() == 399);
  checkSame(got.front(), longer.all[2601]);
}

TEST_CASE("a minute of a thousand writes a second stays, in a part of the bytes", "[store][history]") {
  History history({});
  history.begin(0, 0);
  const Past some(20);
  base::MonoTime now{};
  for (int i = 0; i < 60'000; ++i, now += std::chrono::milliseconds(1)) {
    Event event = some.all[static_cast<std::size_t>(i % 20)];
    event.previous = event.next;
    event.revision = i + 1;
    history.add("hosts", std::move(event), now);
  }
  CHECK(history.size() == 60'000);
  CHECK(history.reaches("hosts", 0));
  CHECK(history.bytes() < (4u << 20));
}

TEST_CASE("events of large objects make small blocks", "[store][history]") {
  const auto random = base::seededRandom(7);
  History history({.mostBytes = 20u << 20});
  history.begin(0, 0);
  ObjectPtr before;
  for (int i = 1; i <= 40; ++i) {
    json::Value document = json::Object{{"apiVersion", "v1"},
                                        {"kind", "Host"},
                                        {"metadata", json::Object{{"name", "large"}, {"namespace", "even"}}},
                                        {"text", random->alphanumeric(1u << 20)}};
    auto next = makeObject(document, i);
    history.add("hosts", Event{i, before, next, nullptr}, {});
    before = next;
  }
  CHECK(history.bytes() <= (20u << 20));
  CHECK(history.reaches("hosts", 35));
  CHECK(history.after("hosts", {.after = 35}).events.size() == 1);
  CHECK(everything(history, {.after = 35}).size() == 5);
}

TEST_CASE("a block takes a small part of its texts", "[store][history]") {
  const Past past(256);
  const HistoryBlock block(past.all);
  std::size_t bytes = 0;
  for (const auto& event : past.all) bytes += text(event.next ? event.next : event.last).size();
  CHECK(block.bytesHeld() < bytes / 10);
  CHECK(block.last() == past.all.back().revision);
}

}  // namespace
}  // namespace ingot::apiserver
