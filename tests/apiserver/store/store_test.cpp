#include "tests/apiserver/store/fixture.hpp"

namespace ingot::apiserver::tests {

using ingot::tests::Loop;

TEST_CASE("revisions grow by one counter over all kinds", "[store]") {
  Loop loop;
  Store store(loop.runtime, openMemoryJournal(std::make_shared<MemoryDisk>()), inLine());
  const auto a = put(loop, store, "a", "1");
  const auto b = loop.run(store.put("others", thing("b"), nullptr, building(thing("b"), "1")));
  CHECK(b->revision == a->revision + 1);
  CHECK(store.revision() == b->revision);
}

TEST_CASE("a write under an outdated condition is stale", "[store]") {
  Loop loop;
  Store store(loop.runtime, openMemoryJournal(std::make_shared<MemoryDisk>()), inLine());
  const auto first = put(loop, store, "a", "1");
  put(loop, store, "a", "2");
  const auto write = [&](const ObjectPtr& seen) {
    return [&, seen] { (void)loop.run(store.put(things, thing("a"), seen, building(thing("a"), "3"))); };
  };
  CHECK(storeRefusal(write(first)) == StoreError::Code::stale);
  CHECK(storeRefusal(write(nullptr)) == StoreError::Code::stale);
  CHECK(contentOf(store.find(things, thing("a"))) == "2");
}

TEST_CASE("writes of one turn share a transaction", "[store]") {
  Loop loop;
  auto disk = std::make_shared<MemoryDisk>();
  std::vector<std::size_t> batches;
  disk->beforeCommit = [&](std::span<const Change> batch) { batches.push_back(batch.size()); };
  Store store(loop.runtime, openMemoryJournal(disk), inLine());
  int done = 0;
  for (int i = 0; i < 100; ++i) {
    const auto key = thing(std::to_string(i));
    boost::asio::co_spawn(loop.io, store.put(things, key, nullptr, building(key, "x")),
                          [&](const std::exception_ptr& e, const ObjectPtr&) { done += e ? 0 : 1; });
  }
  loop.clock.settle();
  CHECK(done == 100);
  CHECK(batches.size() <= 2);
}

TEST_CASE("nobody sees a change before it is durable", "[store]") {
  Loop loop;
  auto disk = std::make_shared<MemoryDisk>();
  Store store(loop.runtime, openMemoryJournal(disk), inLine());
  bool seenEarly = false;
  disk->beforeCommit = [&](std::span<const Change>) { seenEarly = store.find(things, thing("a")) != nullptr; };
  store.observe(
      [&](const std::string&, const Event& event) { seenEarly = seenEarly || disk->revision < event.revision; });
  put(loop, store, "a", "1");
  CHECK_FALSE(seenEarly);
  CHECK(contentOf(store.find(things, thing("a"))) == "1");
}

TEST_CASE("a full disk refuses a batch whole, and the next write works", "[store]") {
  Loop loop;
  auto disk = std::make_shared<MemoryDisk>();
  Store store(loop.runtime, openMemoryJournal(disk), inLine());
  put(loop, store, "a", "1");
  disk->beforeCommit = [](std::span<const Change>) { throw JournalError(JournalError::Code::full, "no space"); };
  CHECK(storeRefusal([&] { put(loop, store, "a", "2"); }) == StoreError::Code::full);
  CHECK(contentOf(store.find(things, thing("a"))) == "1");
  CHECK(store.historySize() == 1);
  disk->beforeCommit = nullptr;
  put(loop, store, "a", "3");
  CHECK(contentOf(store.find(things, thing("a"))) == "3");
}

TEST_CASE("after an unknown outcome no write is taken", "[store]") {
  Loop loop;
  auto disk = std::make_shared<MemoryDisk>();
  Store store(loop.runtime, openMemoryJournal(disk), inLine());
  disk->beforeCommit = [](std::span<const Change>) { throw JournalError(JournalError::Code::failed, "sync failed"); };
  CHECK(storeRefusal([&] { put(loop, store, "a", "1"); }) == StoreError::Code::failed);
  disk->beforeCommit = nullptr;
  CHECK(storeRefusal([&] { put(loop, store, "a", "1"); }) == StoreError::Code::failed);
}

TEST_CASE("too many waiting writes are refused", "[store]") {
  Loop loop;
  auto options = inLine();
  options.queuedChanges = 10;
  Store store(loop.runtime, openMemoryJournal(std::make_shared<MemoryDisk>()), options);
  int done = 0, refused = 0;
  for (int i = 0; i < 20; ++i) {
    const auto key = thing(std::to_string(i));
    boost::asio::co_spawn(loop.io, store.put(things, key, nullptr, building(key, "x")),
                          [&](const std::exception_ptr& e, const ObjectPtr&) { ++(e ? refused : done); });
  }
  loop.clock.settle();
  CHECK(done + refused == 20);
  CHECK(refused > 0);
}

TEST_CASE("the past of a collection can be rebuilt as far as the history reaches", "[store]") {
  Loop loop;
  Store store(loop.runtime, openMemoryJournal(std::make_shared<MemoryDisk>()), inLine());
  put(loop, store, "a", "1");
  put(loop, store, "b", "1");
  const Revision then = store.revision();
  put(loop, store, "a", "2");
  put(loop, store, "c", "1");
  (void)loop.run(store.erase(things, thing("b"), store.find(things, thing("b")), building(thing("b"), "1")));
  const auto past = loop.run(store.objectsAt(things, then));
  REQUIRE(past.size() == 2);
  CHECK(contentOf(past.at(thing("a"))) == "1");
  CHECK(contentOf(past.at(thing("b"))) == "1");
}

TEST_CASE("what is young stays in the history, what is old only while there is room", "[store]") {
  const auto random = base::seededRandom(1);
  History history({.keep = std::chrono::seconds(60), .bytes = 20'000, .mostBytes = 2'000'000});
  history.begin(0, 0);
  const auto at = [](int second) { return base::MonoTime{} + std::chrono::seconds(second); };
  const auto add = [&](Revision revision, int second, std::size_t bytes) {
    auto object = std::make_shared<Object>();
    object->body = base::PackedText(random->bytes(bytes));  // which cannot be packed
    history.add("hosts", Event{revision, object, object, nullptr}, at(second));
  };
  Revision revision = 0;
  for (int second = 0; second < 60; ++second)
    for (int i = 0; i < 10; ++i) add(++revision, second, 1000);
  CHECK(history.reaches("hosts", 0));  // a minute of them, 600 kB
  add(++revision, 90, 1000);
  CHECK_FALSE(history.reaches("hosts", 300));
  CHECK(history.reaches("hosts", 310));  // second 30 and younger
  add(++revision, 1000, 1000);
  CHECK_FALSE(history.reaches("hosts", revision - 20));
  CHECK(history.reaches("hosts", revision - 10));  // no write for long: the last few stay
  for (int i = 0; i < 4; ++i) add(++revision, 1000, 900'000);
  CHECK_FALSE(history.reaches("hosts", revision - 4));  // past all that may be held even the young go
}

TEST_CASE("a follower of one namespace is given its events only, and does not lag behind the others'", "[store]") {
  History history({});
  history.begin(0, 0);
  for (Revision r = 1; r <= 100; ++r) {
    auto object = std::make_shared<Object>();
    object->key = {r % 10 == 0 ? "mine" : "other", "x"};
    object->body = base::PackedText(std::string(100, 'x'));
    history.add("hosts", Event{r, nullptr, object, nullptr}, {});
  }
  const auto mine = history.after("hosts", {.after = 5, .space = "mine"});
  CHECK(mine.events.size() == 10);
  CHECK(mine.through == 100);
  const auto some = history.after("hosts", {.after = 5, .events = 2, .space = "mine"});
  CHECK(some.through == 20);
  CHECK(history.after("hosts", {.after = 5, .bytes = 250, .space = "mine"}).events.size() == 3);
  CHECK(history.after("hosts", {.after = 5, .bytes = 1}).events.size() == 1);  // one is always given
  CHECK(history.after("hosts", {.after = 100}).through == 100);
}

TEST_CASE("writes that wait are bounded by their bytes, and so is a transaction", "[store]") {
  Loop loop;
  auto options = inLine();
  options.queuedBytes = 10'000;
  options.batchBytes = 3'000;
  auto disk = std::make_shared<MemoryDisk>();
  std::size_t largest = 0;
  disk->beforeCommit = [&](std::span<const Change> batch) { largest = std::max(largest, batch.size()); };
  Store store(loop.runtime, openMemoryJournal(disk), options);
  int done = 0, refused = 0;
  for (int i = 0; i < 20; ++i) {
    const auto key = thing(std::to_string(i));
    boost::asio::co_spawn(loop.io, store.put(things, key, nullptr, building(key, std::string(1000, 'x'))),
                          [&](const std::exception_ptr& e, const ObjectPtr&) { ++(e ? refused : done); });
  }
  loop.clock.settle();
  CHECK(done + refused == 20);
  CHECK(refused > 0);
  CHECK(done >= 9);
  CHECK(largest <= 3);
}

TEST_CASE("who knows a version of after the backup that a folder was restored from is told to start over", "[store]") {
  Loop loop;
  auto disk = std::make_shared<MemoryDisk>();
  auto backup = std::make_shared<MemoryDisk>();
  Revision kept = 0, lost = 0;
  {
    Store store(loop.runtime, openMemoryJournal(disk), inLine());
    put(loop, store, "a", "1");
    kept = store.revision();
    backup->bodies = disk->bodies;
    backup->revision = disk->revision;
    backup->term = disk->term;
    for (int i = 0; i < 10; ++i) put(loop, store, "a", "lost");
    lost = store.revision();
  }
  loop.clock.advance(std::chrono::seconds(1));
  Store store(loop.runtime, openMemoryJournal(backup), inLine());
  CHECK(store.revision() == kept);
  CHECK(store.eventsAfter(things, {.after = kept}).events.empty());  // saw nothing that was lost
  CHECK(storeRefusal([&] { (void)store.eventsAfter(things, {.after = lost}); }) == StoreError::Code::expired);
  CHECK(storeRefusal([&] { (void)loop.run(store.objectsAt(things, lost)); }) == StoreError::Code::expired);
  for (int i = 0; i < 20; ++i) put(loop, store, "a", "2");
  CHECK(store.revision() > lost);
  CHECK(storeRefusal([&] { (void)store.eventsAfter(things, {.after = lost}); }) == StoreError::Code::expired);
  CHECK(store.eventsAfter(things, {.after = kept}).events.size() == 20);
}

TEST_CASE("a busy kind does not push a quiet kind out of the history", "[store]") {
  History history({.keep = base::Duration::zero(), .bytes = 20'000});
  const auto event = [](Revision revision, std::size_t bytes) {
    auto object = std::make_shared<Object>();
    object->body = base::PackedText(std::string(bytes, 'x'));
    return Event{revision, object, object, nullptr};
  };
  history.begin(10, 10);
  history.add("quiet", event(11, 100), {});
  for (Revision r = 12; r < 100; ++r) history.add("busy", event(r, 1000), {});
  CHECK(history.reaches("quiet", 10));
  CHECK_FALSE(history.reaches("quiet", 9));
  CHECK_FALSE(history.reaches("busy", 12));
  CHECK(history.reaches("busy", 98));
  CHECK(history.after("busy", {.after = 97}).events.size() == 2);
  CHECK(history.after("busy", {.after = 97, .events = 1}).events.front().revision == 98);
}

TEST_CASE("the term of a restored backup is none that the lost life had", "[store]") {
  Loop loop;
  const auto disk = std::make_shared<MemoryDisk>();
  const auto termOf = [&](const std::shared_ptr<MemoryDisk>& on) {
    loop.clock.advance(std::chrono::seconds(1));
    return Store(loop.runtime, openMemoryJournal(on), inLine()).term();
  };
  CHECK(termOf(disk) == 1);
  const auto fifth = termOf(disk);
  const auto backup = std::make_shared<MemoryDisk>();
  backup->term = disk->term;
  const auto sixth = termOf(disk), seventh = termOf(disk);
  CHECK(fifth < sixth);
  CHECK(sixth < seventh);
  CHECK(termOf(backup) > seventh);
}

TEST_CASE("the term grows, whatever the clock says", "[store]") {
  CHECK(termAfter(0, 1'700'000'000) == 1);
  CHECK(termAfter(1, 1'700'000'000) == 1'700'000'000);
  CHECK(termAfter(1'700'000'000, 1'700'000'000) == 1'700'000'001);
  CHECK(termAfter(1'800'000'000, 1'700'000'000) == 1'800'000'001);
}

}  // namespace ingot::apiserver::tests
