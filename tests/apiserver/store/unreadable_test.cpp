// A row that nobody can read costs that object, not the start.
#include "tests/apiserver/store/fixture.hpp"
#include "tests/apiserver/store/power_loss_vfs.hpp"

#include <sqlite3.h>

namespace ingot::apiserver::tests {

using Catch::Matchers::Contains;
using ingot::tests::Loop;

namespace {

const std::string kDeep = R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"deep","namespace":"default"},"a":)" +
                          std::string(200, '[') + std::string(200, ']') + "}";
const std::string kNoText = "{\"metadata\":{\"name\":\"no-text\",\"namespace\":\"default\"},\"a\":\"hidden \xff\"}";
const std::string kOther = R"({"metadata":{"name":"another","namespace":"default"}})";

// As a writer without checks would have stored it.
void putRaw(Loop& loop, Store& store, const std::string& name, const std::string& body) {
  (void)loop.run(store.put(things, thing(name), nullptr, [&](Revision revision) {
    auto object = std::make_shared<Object>();
    object->key = thing(name);
    object->revision = revision;
    object->body = base::PackedText(body);
    return object;
  }));
}

void storeUnreadable(Loop& loop, std::unique_ptr<Journal> journal) {
  Store store(loop.runtime, std::move(journal), inLine());
  put(loop, store, "good", "1");
  putRaw(loop, store, "deep", kDeep);
  putRaw(loop, store, "no-text", kNoText);
  putRaw(loop, store, "other", kOther);
}

int countOf(const std::string& file, const std::string& query) {
  sqlite3* database = nullptr;
  int count = -1;
  if (sqlite3_open(file.c_str(), &database) == SQLITE_OK) {
    const auto take = [](void* out, int, char** values, char**) {
      return *static_cast<int*>(out) = std::stoi(values[0]), 0;
    };
    sqlite3_exec(database, query.c_str(), take, &count, nullptr);
  }
  sqlite3_close(database);
  return count;
}

}  // namespace

TEST_CASE("an object that cannot be read is set aside by name at the start, and its content stays out of the log",
          "[store]") {
  Loop loop;
  const auto disk = std::make_shared<MemoryDisk>();
  storeUnreadable(loop, openMemoryJournal(disk));
  const auto sink = std::make_shared<base::MemorySink>();
  loop.runtime.log = base::Log(sink, "test");
  Store store(loop.runtime, openMemoryJournal(disk), inLine());
  CHECK(store.objects(things).size() == 1);
  CHECK(contentOf(store.find(things, thing("good"))) == "1");
  CHECK(disk->unreadable.size() == 3);
  const std::string log = fmt::format("{}", fmt::join(sink->lines(), "\n"));
  CHECK_THAT(log, Contains("a stored object cannot be read and was set aside"));
  for (const std::string name : {"name=deep", "name=no-text", "name=other"}) CHECK_THAT(log, Contains(name));
  CHECK_THAT(log, !Contains("hidden"));
}

TEST_CASE("what was set aside is kept in the database, and its name is free", "[store]") {
  TemporaryFolder folder;
  Loop loop;
  storeUnreadable(loop, openSqliteJournal(folder.path()));
  {
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    CHECK(store.objects(things).size() == 1);
    put(loop, store, "no-text", "2");
  }
  {
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    CHECK(contentOf(store.find(things, thing("no-text"))) == "2");
  }
  const std::string file = folder.path("data/ingot.db");
  CHECK(countOf(file, "SELECT count(*) FROM objects") == 2);
  CHECK(countOf(file, "SELECT count(*) FROM unreadable WHERE resource = 'things' AND name = 'no-text'") == 1);
}

TEST_CASE("what was set aside is known at every start, until an object of its name was made and deleted", "[store]") {
  TemporaryFolder folder;
  Loop loop;
  storeUnreadable(loop, openSqliteJournal(folder.path()));
  const auto isUnreadable = [](const Store& store, const std::string& name) {
    return store.unreadable().contains({things, thing(name)});
  };
  {
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    CHECK(store.unreadable().size() == 3);
    put(loop, store, "deep", "2");
    CHECK(isUnreadable(store, "deep"));
  }
  {
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    CHECK(store.unreadable().size() == 3);
    (void)loop.run(store.erase(things, thing("deep"), store.find(things, thing("deep")), building(thing("deep"), "")));
    CHECK_FALSE(isUnreadable(store, "deep"));
  }
  Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
  CHECK(store.unreadable().size() == 2);
  CHECK_FALSE(isUnreadable(store, "deep"));
}

TEST_CASE("what was set aside comes back with a start that can read it", "[store]") {
  const bool onDisk = GENERATE(true, false);
  TemporaryFolder folder;
  Loop loop;
  const auto memory = std::make_shared<MemoryDisk>();
  const auto open = [&] { return onDisk ? openSqliteJournal(folder.path()) : openMemoryJournal(memory); };
  storeUnreadable(loop, open());
  CHECK(Store(loop.runtime, open(), inLine()).objects(things).size() == 1);
  const std::string healed = R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"no-text","namespace":"default"},)"
                             R"("content":"3"})";
  memory->unreadable[{things, thing("no-text")}] = healed;
  if (onDisk)
    countOf(folder.path("data/ingot.db"), "UPDATE unreadable SET body = '" + healed + "' WHERE name = 'no-text'");
  {
    Store store(loop.runtime, open(), inLine());
    CHECK(contentOf(store.find(things, thing("no-text"))) == "3");
    CHECK(store.unreadable().size() == 2);
  }
  CHECK(contentOf(Store(loop.runtime, open(), inLine()).find(things, thing("no-text"))) == "3");
}

TEST_CASE("without room to set it aside a start leaves out what it cannot read, and says so", "[store]") {
  PowerLossDisk disk;
  TemporaryFolder folder;
  Loop loop;
  const auto open = [&] { return openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}); };
  {
    Store store(loop.runtime, open(), inLine());
    put(loop, store, "good", "1");
    putRaw(loop, store, "deep", kDeep + std::string(200'000, ' '));
  }
  disk.limit(disk.size() + 20'000);
  const auto sink = std::make_shared<base::MemorySink>();
  loop.runtime.log = base::Log(sink, "test");
  {
    const Store store(loop.runtime, open(), inLine());
    CHECK(contentOf(store.find(things, thing("good"))) == "1");
    CHECK(store.unreadable().size() == 1);
  }
  CHECK_THAT(
      fmt::format("{}", fmt::join(sink->lines(), "\n")),
      Contains(
          "no space left on the disk of the data folder: what cannot be read stays where it is until the next start"));
  disk.limit(std::nullopt);
  CHECK(Store(loop.runtime, open(), inLine()).unreadable().size() == 1);
}

}  // namespace ingot::apiserver::tests
