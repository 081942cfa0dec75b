// The journal on disk: what is read back, whatever has become of the file, and how many syncs it takes.
#include "agent/disk_journal.hpp"
#include "agent/journal_file.hpp"
#include "base/file.hpp"
#include "base/sync.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <deque>
#include <filesystem>
#include <fstream>

using namespace ingot;
using namespace ingot::tests;
using agent::HostJournal;
using agent::Journal;
using agent::JournalFile;
using agent::JournalStore;

namespace {

// A disk that works when it is told to.
class SlowDisk final : public base::Offload {
 public:
  void start(Work work, Done done) override { jobs.push_back({std::move(work), std::move(done)}); }
  // The work at hand, and what comes of it.
  void doOne(std::exception_ptr failure = nullptr) {
    auto [work, done] = std::move(jobs.front());
    jobs.pop_front();
    if (failure == nullptr) work();
    ++syncs;
    done(failure);
  }
  struct Job {
    Work work;
    Done done;
  };
  std::deque<Job> jobs;
  int syncs = 0;
};

struct DiskBench : Loop {
  DiskBench() { std::filesystem::create_directories(folder); }
  [[nodiscard]] std::unique_ptr<JournalStore> open() { return agent::diskJournal(io.get_executor(), folder); }
  [[nodiscard]] std::unique_ptr<JournalStore> openSlowly() {
    auto slow = std::make_unique<SlowDisk>();
    disk = slow.get();
    return agent::diskJournal(io.get_executor(), folder, std::move(slow));
  }
  [[nodiscard]] std::string file() const { return folder + "/journal"; }

  TemporaryFolder scratch;
  std::string folder = scratch.path() + "/journal-folder";
  SlowDisk* disk = nullptr;
};

HostJournal withToken(const wire::Token& token) { return {.highest = token}; }

}  // namespace

TEST_CASE("the journal on disk is read back") {
  DiskBench bench;
  {
    const auto store = bench.open();
    Journal journal(*store);
    CHECK(journal.begin("u1", {1, 2, 3}, "on"));
    journal.finish({.host = "u1", .token = {1, 2, 3}, .outcome = "done", .error = "cut \xe9\x9b", .power = "On"});
    bench.run(journal.synced());
  }
  const auto store = bench.open();
  const Journal journal(*store);
  CHECK(journal.damaged().empty());
  REQUIRE(journal.unacknowledged().size() == 1);
  CHECK(journal.unacknowledged()[0].outcome == "done");
  CHECK(journal.unacknowledged()[0].error == "cut \ufffd\ufffd");  // bytes that are no text
  CHECK_THROWS_AS(store->save("../escape", {}), base::InvalidInput);
}

TEST_CASE("commands for a whole rack cost a few syncs, and each is durable before it is carried out") {
  DiskBench bench;
  const auto store = bench.openSlowly();
  Journal journal(*store);
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  int durable = 0;
  const auto wait = [](Journal& of, int& count) -> base::Task<void> {
    co_await of.synced();
    ++count;
  };
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(journal.begin(fmt::format("u{}", i), {1, i, 1}, "on"));
    tasks.spawn("wait", wait(journal, durable));
  }
  bench.clock.settle();
  CHECK(durable == 0);
  while (!bench.disk->jobs.empty()) {
    bench.disk->doOne();
    bench.clock.settle();
  }
  CHECK(durable == 1000);
  CHECK(bench.disk->syncs <= 2);
  CHECK(JournalFile(bench.file()).read().records.size() == 1000);
  bench.run(tasks.close());
}

TEST_CASE("nobody is told that a batch is durable which the disk did not take, and the next one has all of it") {
  DiskBench bench;
  const auto store = bench.openSlowly();
  const auto failure = std::make_exception_ptr(base::Error("no space left on device"));
  const auto isDurable = [&] {
    std::string why;
    base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
    const auto wait = [](JournalStore& of, std::string& told) -> base::Task<void> {
      try {
        co_await of.synced();
      } catch (const base::Error& error) {
        told = error.what();
      }
    };
    tasks.spawn("wait", wait(*store, why));
    bench.clock.settle();
    while (!bench.disk->jobs.empty()) {
      bench.disk->doOne(bench.disk->syncs == 1 ? failure : nullptr);
      bench.clock.settle();
    }
    bench.run(tasks.close());
    return why;
  };
  store->save("u1", withToken({1, 1, 1}));
  CHECK(isDurable().empty());
  store->save("u2", withToken({1, 1, 2}));
  CHECK(isDurable() == "no space left on device");
  store->save("u3", withToken({1, 1, 3}));
  CHECK(isDurable().empty());
  CHECK(JournalFile(bench.file()).read().records.size() == 3);
}

TEST_CASE("what waits behind a batch that failed is written all the same, and a later wait tries again by itself") {
  DiskBench bench;
  const auto store = bench.openSlowly();
  const auto failure = std::make_exception_ptr(base::Error("no space left on device"));
  const auto wait = [](JournalStore& of, std::string& told) -> base::Task<void> {
    try {
      co_await of.synced();
      told = "durable";
    } catch (const base::Error& error) {
      told = error.what();
    }
  };
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  std::string first, second, third;
  store->save("u1", withToken({1, 1, 1}));
  tasks.spawn("first", wait(*store, first));
  bench.clock.settle();
  store->save("u2", withToken({1, 1, 1}));  // the disk is at work: it is in the next batch
  tasks.spawn("second", wait(*store, second));
  bench.clock.settle();
  REQUIRE(bench.disk->jobs.size() == 1);
  bench.disk->doOne(failure);
  bench.clock.settle();
  CHECK(first == "no space left on device");
  CHECK(second.empty());
  REQUIRE(bench.disk->jobs.size() == 1);
  bench.disk->doOne(failure);
  bench.clock.settle();
  CHECK(second == "no space left on device");
  CHECK(bench.disk->jobs.empty());  // until somebody asks again
  tasks.spawn("third", wait(*store, third));
  bench.clock.settle();
  REQUIRE(bench.disk->jobs.size() == 1);
  bench.disk->doOne();
  bench.clock.settle();
  CHECK(third == "durable");
  CHECK(JournalFile(bench.file()).read().records.size() == 2);
  bench.run(tasks.close());
}

TEST_CASE("what was not waited for is written at the end, beside what the disk was at") {
  DiskBench bench;
  {
    const auto store = bench.open();
    store->save("u1", withToken({1, 1, 1}));
    bench.run(store->synced());
    store->save("u1", withToken({1, 1, 2}));
    store->save("u2", withToken({1, 1, 1}));
  }
  CHECK(bench.open()->load().at("u1").highest == wire::Token{1, 1, 2});
  CHECK(bench.open()->load().contains("u2"));
}

TEST_CASE("a machine that dies at any byte of a batch has the batches before, whole, and no damage") {
  DiskBench bench;
  JournalFile file(bench.file());
  file.rewrite({{"u1", R"({"a":1})"}, {"u2", R"({"a":2})"}});
  const auto before = base::readFile(bench.file());
  file.append({{"u1", R"({"a":3})"}, {"u2", std::nullopt}, {"u3", R"({"a":4})"}});
  const auto after = base::readFile(bench.file());
  REQUIRE(after.starts_with(before));
  for (auto size = before.size(); size < after.size(); ++size) {
    INFO(size);
    for (const std::string& rest : {std::string(), std::string(after.size() - size, '\0')}) {
      const auto content = agent::readJournalText(after.substr(0, size) + rest);
      REQUIRE_FALSE(content.isDamaged);
      REQUIRE(content.records == JournalFile::Records{{"u1", R"({"a":1})"}, {"u2", R"({"a":2})"}});
    }
  }
  const auto whole = agent::readJournalText(after);
  CHECK(whole.records == JournalFile::Records{{"u1", R"({"a":3})"}, {"u3", R"({"a":4})"}});
}

TEST_CASE("a page of the last batch that never reached the disk is a tear; one of a batch before is damage") {
  DiskBench bench;
  JournalFile file(bench.file());
  file.rewrite({{"u1", R"({"a":1})"}});
  const auto first = base::readFile(bench.file()).size();
  file.append({{"u1", R"({"a":2})"}, {"u2", R"({"a":3})"}, {"u3", R"({"a":4})"}});
  auto text = base::readFile(bench.file());
  for (std::size_t at = first + 5; at < first + 30; ++at) text[at] = '\0';
  const auto torn = agent::readJournalText(text);
  CHECK_FALSE(torn.isDamaged);
  CHECK(torn.records == JournalFile::Records{{"u1", R"({"a":1})"}});
  file.append({{"u4", R"({"a":5})"}});
  auto later = base::readFile(bench.file());
  for (std::size_t at = first + 5; at < first + 30; ++at) later[at] = '\0';
  CHECK(agent::readJournalText(later).isDamaged);
}

TEST_CASE("a byte that has changed in what was on the disk is noticed, wherever it is") {
  DiskBench bench;
  JournalFile file(bench.file());
  file.rewrite({{"u1", R"({"a":1})"}});
  const auto first = base::readFile(bench.file()).size();
  file.append({{"u2", R"({"a":2})"}});
  const auto text = base::readFile(bench.file());
  for (std::size_t at = 0; at < first; ++at) {
    auto changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    INFO(at);
    REQUIRE(agent::readJournalText(changed).isDamaged);
  }
}

TEST_CASE("a damaged journal costs all hosts the commands of this term, and the agent starts") {
  DiskBench bench;
  {
    const auto store = bench.open();
    Journal journal(*store);
    bench.run(journal.raiseTerm(3));
    REQUIRE(journal.begin("u1", {3, 2, 3}, "on"));
    bench.run(journal.synced());
    REQUIRE(journal.begin("u2", {3, 1, 1}, "on"));
    bench.run(journal.synced());
  }
  auto text = base::readFile(bench.file());
  text[20] = '!';
  std::ofstream(bench.file()) << text;
  for (int start = 0; start < 2; ++start) {  // the second reads what the first has written
    const auto store = bench.open();
    Journal journal(*store);
    CHECK(std::ranges::count(journal.damaged(), agent::everyHost) == 1);
    for (const auto* host : {"u1", "u2", "never-heard-of"}) {
      CHECK_THROWS_WITH(
          journal.begin(host, {3, 9, 9}, "on"),
          "the agent's journal of this host was damaged: it obeys again once the coordinator was restarted");
      CHECK(journal.resolve(host, {3, 9, 9})->outcome == "unknown");
    }
  }
  CHECK(base::readFile(bench.file() + ".damaged") == text);
  const auto store = bench.open();
  Journal journal(*store);
  CHECK(journal.begin("u1", {4, 1, 1}, "on"));
  CHECK(journal.begin("never-heard-of", {4, 1, 1}, "on"));
  bench.run(journal.synced());
  const auto later = bench.open();
  CHECK(Journal(*later).damaged().empty());
}

TEST_CASE("the file is written anew before it grows without end") {
  DiskBench bench;
  const auto store = bench.open();
  HostJournal journal;
  journal.unacknowledged.push_back({.host = "u1", .outcome = "done", .error = std::string(50'000, 'e')});
  for (int i = 1; i <= 200; ++i) {
    journal.highest = {1, 1, i};
    store->save("u1", journal);
    bench.run(store->synced());
  }
  CHECK(std::filesystem::file_size(bench.file()) < (2u << 20));
  CHECK(bench.open()->load().at("u1").highest == wire::Token{1, 1, 200});
}

TEST_CASE("journals of an earlier version are read, and one that is damaged costs its host alone") {
  DiskBench bench;
  std::ofstream(bench.folder + "/u1.json") << R"({"highest":{"term":3,"lease":1,"seq":4}})";
  std::ofstream(bench.folder + "/u2.json") << "{ torn";
  std::ofstream(bench.folder + "/u2 copy.json") << "{ torn";
  std::ofstream(bench.folder + "/term") << "3";
  std::filesystem::create_directory(bench.folder + "/x.json");
  {
    const auto store = bench.open();
    Journal journal(*store);
    CHECK(journal.damaged() == std::vector<std::string>{"u2"});
    CHECK_FALSE(journal.begin("u1", {3, 1, 4}, "on"));
    CHECK_THROWS_AS(journal.begin("u2", {3, 9, 9}, "on"), base::Error);
  }
  CHECK_FALSE(std::filesystem::exists(bench.folder + "/u1.json"));
  CHECK(base::readFile(bench.folder + "/u2.json.damaged") == "{ torn");
  const auto store = bench.open();
  Journal journal(*store);
  CHECK(journal.damaged() == std::vector<std::string>{"u2"});
  CHECK(journal.begin("u1", {3, 1, 5}, "on"));
  CHECK(journal.begin("u2", {4, 1, 1}, "on"));
}

TEST_CASE("a journal that an earlier version has written since is no older for it") {
  DiskBench bench;
  {
    const auto store = bench.open();
    store->save("u1", withToken({5, 1, 10}));
    store->save("u2", withToken({5, 1, 10}));
    bench.run(store->synced());
  }
  std::ofstream(bench.folder + "/u1.json") << R"({"highest":{"term":5,"lease":1,"seq":20}})";
  std::ofstream(bench.folder + "/u2.json") << R"({"highest":{"term":5,"lease":1,"seq":2}})";
  const auto hosts = bench.open()->load();
  CHECK(hosts.at("u1").highest == wire::Token{5, 1, 20});
  CHECK(hosts.at("u2").highest == wire::Token{5, 1, 10});
}

TEST_CASE("the term on disk is read back, and a broken one is refused by name") {
  DiskBench bench;
  const auto store = bench.open();
  CHECK(store->loadTerm() == 0);
  bench.run(store->saveTerm(12));
  CHECK(bench.open()->loadTerm() == 12);
  CHECK(bench.open()->load().empty());
  std::ofstream(bench.folder + "/term") << "12x";
  CHECK_THROWS_WITH(store->loadTerm(), Catch::Contains("/term"));
}

TEST_CASE("a term that a disk takes its time for holds nobody up, and counts once it is there") {
  DiskBench bench;
  const auto store = bench.openSlowly();
  Journal journal(*store);
  base::TaskGroup tasks(bench.runtime.executor, bench.runtime.log);
  tasks.spawn("write down the term", journal.raiseTerm(12));
  bench.clock.settle();
  CHECK(journal.term() == 0);
  CHECK(bench.open()->loadTerm() == 0);
  bench.disk->doOne();
  bench.clock.settle();
  CHECK(journal.term() == 12);
  CHECK(bench.open()->loadTerm() == 12);
}

TEST_CASE("journals of earlier terms go at the next start, unless they hold something untold") {
  DiskBench bench;
  {
    const auto store = bench.open();
    Journal journal(*store);
    for (const auto& [host, token] :
         {std::pair{"old", wire::Token{3, 1, 1}}, {"untold", {3, 2, 1}}, {"present", {5, 1, 1}}}) {
      REQUIRE(journal.begin(host, token, "on"));
      journal.finish({.host = host, .token = token, .outcome = "done"});
      if (std::string_view(host) != "untold") journal.acknowledge(host, token);
    }
  }
  {
    const auto store = bench.open();
    const Journal again(*store);
    CHECK(again.highestTerm() == 5);
    CHECK(again.highest("old") == wire::Token{});
    CHECK(again.highest("untold") == wire::Token{3, 2, 1});
    CHECK(again.highest("present") == wire::Token{5, 1, 1});
  }
  CHECK_FALSE(JournalFile(bench.file()).read().records.contains("old"));
}
