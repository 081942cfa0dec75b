#include "tests/apiserver/store/fixture.hpp"
#include "tests/apiserver/store/power_loss_vfs.hpp"

#include <sys/stat.h>

#include <fstream>

namespace ingot::apiserver::tests {

using Catch::Matchers::Contains;
using ingot::tests::Loop;

TEST_CASE("objects, revision and term survive a restart", "[store]") {
  TemporaryFolder folder;
  Loop loop;
  Revision revision = 0;
  {
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    CHECK(store.term() == 1);
    put(loop, store, "a", "1");
    put(loop, store, "b", "1");
    (void)loop.run(store.erase(things, thing("a"), store.find(things, thing("a")), building(thing("a"), "1")));
    revision = store.revision();
  }
  Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
  CHECK(store.term() > 1);
  CHECK(store.revision() == revision);
  CHECK(contentOf(store.find(things, thing("b"))) == "1");
  CHECK_FALSE(store.find(things, thing("a")));
  CHECK(put(loop, store, "b", "2")->revision > revision);
}

TEST_CASE("folder and files are private", "[store]") {
  TemporaryFolder folder;
  Loop loop;
  Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
  put(loop, store, "a", "1");
  const auto mode = [&](const std::string& name) {
    struct stat info{};
    return ::stat(folder.path(name).c_str(), &info) == 0 ? info.st_mode & 0777 : 0;
  };
  CHECK(mode("data") == 0700);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    CHECK(mode("data/" + entry.path().filename().string()) == 0600);
  }
}

TEST_CASE("a second process on the folder is refused in plain words", "[store]") {
  TemporaryFolder folder;
  const auto first = openSqliteJournal(folder.path());
  CHECK_THROWS_WITH(openSqliteJournal(folder.path()),
                    Contains("is in use by another process: stop it, or choose another folder with --data-dir"));
}

TEST_CASE("a damaged database is refused", "[store]") {
  TemporaryFolder folder;
  {
    Loop loop;
    Store store(loop.runtime, openSqliteJournal(folder.path()), inLine());
    for (int i = 0; i < 50; ++i) put(loop, store, std::to_string(i), std::string(2000, 'x'));
  }
  {
    std::fstream file(folder.path("data/ingot.db"), std::ios::in | std::ios::out | std::ios::binary);
    constexpr std::size_t page = 4096;
    file.seekp(5 * page);
    file << std::string(10 * page, '\x5a');
  }
  CHECK_THROWS_WITH(openSqliteJournal(folder.path()),
                    Contains(" is damaged: ") || Contains("cannot open the database"));
}

TEST_CASE("a file that is no database is refused", "[store]") {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder.path());
  std::ofstream(folder.path("data/ingot.db")) << std::string(10'000, 'x');
  CHECK_THROWS_WITH(openSqliteJournal(folder.path()), Contains("file is not a database"));
}

TEST_CASE("a full disk refuses the write, keeps the rest and heals", "[store]") {
  PowerLossDisk disk;
  TemporaryFolder folder;
  Loop loop;
  {
    Store store(loop.runtime, openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}), inLine());
    put(loop, store, "a", "1");
    disk.limit(disk.size() + 10'000);
    const auto tooMuch = [&] { put(loop, store, "b", std::string(100'000, 'x')); };
    CHECK(storeRefusal(tooMuch) == StoreError::Code::full);
    CHECK_THROWS_WITH(tooMuch(), Contains("no space left on the disk of the data folder"));
    CHECK_FALSE(store.find(things, thing("b")));
    disk.limit(std::nullopt);
    put(loop, store, "c", "1");
  }
  Store store(loop.runtime, openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}), inLine());
  CHECK(store.objects(things).size() == 2);
}

TEST_CASE("a start on a full disk says so, and succeeds once there is space", "[store]") {
  PowerLossDisk disk;
  TemporaryFolder folder;
  Loop loop;
  const auto open = [&] {
    return std::make_unique<Store>(loop.runtime, openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}), inLine());
  };
  put(loop, *open(), "a", "1");
  disk.limit(disk.size());
  CHECK_THROWS_WITH(open(), Contains("no space left on the disk of the data folder"));
  disk.limit(std::nullopt);
  CHECK(contentOf(open()->find(things, thing("a"))) == "1");
}

TEST_CASE("the commit thread and the loop share the work", "[store]") {
  TemporaryFolder folder;
  Loop loop;
  Store store(loop.runtime, openSqliteJournal(folder.path()));
  int done = 0;
  for (int i = 0; i < 300; ++i) {
    const auto key = thing(std::to_string(i));
    boost::asio::co_spawn(loop.io, store.put(things, key, nullptr, building(key, "x")),
                          [&](const std::exception_ptr& e, const ObjectPtr&) { done += e ? 0 : 1; });
  }
  loop.io.restart();
  loop.io.run();  // until nothing is left to do, the thread's answers included
  CHECK(done == 300);
  CHECK(store.objects(things).size() == 300);
}

}  // namespace ingot::apiserver::tests
