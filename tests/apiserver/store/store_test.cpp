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
  const auto past = store.objectsAt(things, then);
  REQUIRE(past.size() == 2);
  CHECK(contentOf(past.at(thing("a"))) == "1");
  CHECK(contentOf(past.at(thing("b"))) == "1");
}

TEST_CASE("a busy kind does not push a quiet kind out of the history", "[store]") {
  History history(20'000, 1000);
  const auto event = [](Revision revision, std::size_t bytes) {
    auto object = std::make_shared<Object>();
    object->body = std::string(bytes, 'x');
    return Event{revision, object, object, nullptr};
  };
  history.begin(10);
  history.add("quiet", event(11, 100));
  for (Revision r = 12; r < 100; ++r) history.add("busy", event(r, 1000));
  CHECK(history.reaches("quiet", 10));
  CHECK_FALSE(history.reaches("quiet", 9));
  CHECK_FALSE(history.reaches("busy", 12));
  CHECK(history.reaches("busy", 98));
  CHECK(history.after("busy", 97, 100).size() == 2);
  CHECK(history.after("busy", 97, 1).front().revision == 98);
}

}  // namespace ingot::apiserver::tests
