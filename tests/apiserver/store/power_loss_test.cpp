// The promise of the store, tried against a disk that loses power at a random moment: every acknowledged write is
// there afterwards, and nobody had seen anything that is not.
#include "apiserver/store/sqlite.hpp"
#include "tests/apiserver/store/fixture.hpp"
#include "tests/apiserver/store/power_loss_vfs.hpp"

namespace ingot::apiserver::tests {
namespace {

using ingot::tests::Loop;

constexpr const char* removed = "(none)";

// What clients know of one key: the newest state that was acknowledged or watched, and what was tried since with an
// outcome that nobody was told.
struct Known {
  Revision revision = 0;
  std::string content = removed;
  std::set<std::string> tried;
};

class Ledger {
 public:
  void attempt(const std::string& name, const std::string& content) { keys_[name].tried.insert(content); }
  void learn(const std::string& name, Revision revision, const std::string& content) {
    newest_ = std::max(newest_, revision);
    auto& known = keys_[name];
    if (revision < known.revision) return;
    known.revision = revision;
    known.content = content;
  }

  // After the power came back: everything known is there, or was replaced by something that had been tried.
  void compareAndStartAnew(const Store& store) {
    CHECK(store.revision() >= newest_);
    for (auto& [name, known] : keys_) {
      const std::string stored = contentOf(store.find(things, thing(name)));
      if (stored != known.content) {
        INFO("key " << name << " of revision " << known.revision);
        CHECK(known.tried.contains(stored));
        CHECK(store.revision() > known.revision);
      }
      known = {store.revision(), stored, {}};
    }
    for (const auto& [key, object] : store.objects(things)) CHECK(keys_.contains(key.name));
  }

 private:
  std::map<std::string, Known> keys_;
  Revision newest_ = 0;
};

void writeSomething(Loop& loop, Store& store, base::Random& random, Ledger& ledger) {
  const std::string name = std::to_string(random.below(20));
  const auto key = thing(name);
  const auto seen = store.find(things, key);
  const bool removal = seen && random.below(4) == 0;
  const std::string content =
      removal ? removed : fmt::format("{}-{}", random.next(), std::string(random.below(9000), 'x'));
  ledger.attempt(name, content);
  auto write = removal ? store.erase(things, key, seen, building(key, "last"))
                       : store.put(things, key, seen, building(key, content));
  boost::asio::co_spawn(loop.io, std::move(write),
                        [&ledger, name, content](const std::exception_ptr& error, const ObjectPtr& object) {
                          if (!error) ledger.learn(name, object->revision, content);
                        });
}

// The answers of the commit thread too.
void awaitAll(Loop& loop) {
  loop.io.restart();
  loop.io.run();
}

// `how` as it ships, on a thread of its own, or on the loop, where a seed always means the same.
void runUntilPowerFails(base::Random& randomness, PowerLossDisk& disk, const std::string& folder, Ledger& ledger,
                        StoreOptions::Commit how, int checkpointPages = SqliteOptions{}.checkpointPages) {
  auto* random = &randomness;
  Loop loop;
  try {
    Store store(loop.runtime, openSqliteJournal(folder, {.vfs = disk.vfsName(), .checkpointPages = checkpointPages}),
                {.commit = how});
    store.observe([&](const std::string&, const Event& event) {
      const auto& object = event.next ? event.next : event.last;
      ledger.learn(object->key.name, event.revision, event.next ? contentOf(event.next) : removed);
    });
    while (!disk.dead()) {
      for (auto n = 1 + random->below(8); n > 0; --n) writeSomething(loop, store, *random, ledger);
      loop.clock.settle();
      if (random->below(3) == 0) awaitAll(loop);  // else the next writes come while a batch is being committed
    }
  } catch (const base::Error&) {
    CHECK(disk.dead());  // the power went while the store was being opened
  }
  disk.restore(*random);
}

void compareAfterRestart(PowerLossDisk& disk, const std::string& folder, Ledger& ledger) {
  Loop loop;
  const Store store(loop.runtime, openSqliteJournal(folder, {.vfs = disk.vfsName()}), inLine());
  ledger.compareAndStartAnew(store);
}

}  // namespace

TEST_CASE("the disk of these tests really loses what was not synced", "[store][crash]") {
  int lost = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    PowerLossDisk disk;
    {
      sqlite::Database database("/careless.db", disk.vfsName());
      database.execute(
          "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;"
          "CREATE TABLE t (x); INSERT INTO t VALUES (1);");
      disk.cutAfter(0);
    }
    disk.restore(*base::seededRandom(seed));
    try {
      sqlite::Database database("/careless.db", disk.vfsName());
      database.execute("PRAGMA locking_mode = EXCLUSIVE;");
      lost += database.value("SELECT x FROM t") == "1" ? 0 : 1;
    } catch (const sqlite::Error&) {
      ++lost;
    }
  }
  CHECK(lost > 0);
}

TEST_CASE("what was acknowledged or watched survives power loss at any moment", "[store][crash]") {
  const auto how = GENERATE(StoreOptions::Commit::inLine, StoreOptions::Commit::worker);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    PowerLossDisk disk;
    const TemporaryFolder folder;
    Ledger ledger;
    for (std::uint64_t life = 0; life < 4; ++life) {
      const auto random = base::seededRandom(seed * 100 + life);
      disk.cutAfter(random->below(400));
      runUntilPowerFails(*random, disk, folder.path(), ledger, how);
      compareAfterRestart(disk, folder.path(), ledger);
    }
  }
}

// A checkpoint copies the log into the database, page by page: the only writes that the database file itself sees.
TEST_CASE("what was acknowledged or watched survives power loss in the middle of a checkpoint", "[store][crash]") {
  const auto how = GENERATE(StoreOptions::Commit::inLine, StoreOptions::Commit::worker);
  constexpr int pages = 20;
  int inTheMiddle = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    const auto random = base::seededRandom(seed);
    PowerLossDisk disk;
    const TemporaryFolder folder;
    Ledger ledger;
    for (int life = 0; life < 4; ++life) {
      disk.cutAfter(4 + random->below(std::uint64_t{3} * pages), "/ingot.db");  // the first ones make the file
      runUntilPowerFails(*random, disk, folder.path(), ledger, how, pages);
      inTheMiddle += disk.diedAt().ends_with("/ingot.db") ? 1 : 0;
      compareAfterRestart(disk, folder.path(), ledger);
    }
  }
  CHECK(inTheMiddle == 240);
}

TEST_CASE("power loss at any step of the first start leaves a folder that opens, with all that was acknowledged",
          "[store][crash]") {
  int namesLost = 0;
  std::uint64_t steps = 0;
  for (bool reached = true; reached; ++steps) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      INFO("step " << steps << ", seed " << seed);
      PowerLossDisk disk;
      const TemporaryFolder folder;
      bool acknowledged = false;
      disk.cutAfter(steps);
      try {
        Loop loop;
        Store store(loop.runtime, openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}), inLine());
        put(loop, store, "a", "1");
        acknowledged = true;
      } catch (const base::Error&) {
        CHECK(disk.dead());
      }
      reached = disk.dead();
      disk.restore(*base::seededRandom(seed));
      namesLost += disk.namesLost();
      Loop loop;
      Store store(loop.runtime, openSqliteJournal(folder.path(), {.vfs = disk.vfsName()}), inLine());
      CHECK((contentOf(store.find(things, thing("a"))) == "1" || !acknowledged));
      CHECK(put(loop, store, "b", "2")->revision > 0);
    }
  }
  CHECK(steps > 10);
  CHECK(namesLost > 0);
}

}  // namespace ingot::apiserver::tests
