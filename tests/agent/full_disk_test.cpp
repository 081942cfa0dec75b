// The disk of the agent's data folder is full at any of its writes: what was acknowledged is kept, no request goes out
// that is not on record, the log and the metrics say so, hosts are watched all the same, and free space is enough.
#include "tests/support/full_disk.hpp"
#include "agent/agent_metrics.hpp"
#include "agent/boots.hpp"
#include "agent/disk_journal.hpp"
#include "agent/journal_file.hpp"
#include "base/file.hpp"
#include "tests/agent/fixture.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

using namespace ingot;
using namespace ingot::tests;
using namespace std::chrono_literals;
using agent::JournalFile;

namespace {

constexpr auto cannotWrite = "the journal cannot be written: no host is commanded until it can";

// Works on the loop, and is full from its write number `fullFrom` on, until it is freed.
class FillingDisk final : public base::Offload {
 public:
  struct Room {
    int writes = 0;
    int fullFrom = 0;  // 0: never
    std::optional<FullDisk> full;
    [[nodiscard]] bool isFull() const { return full.has_value(); }
    void fill() { full.emplace(); }
    void free() { fullFrom = 0, full.reset(); }
  };
  FillingDisk(base::Executor executor, std::shared_ptr<Room> room)
      : inner_(base::inLineOffload(std::move(executor))), room_(std::move(room)) {}
  void start(Work work, Done done) override {
    inner_->start(
        [room = room_, work = std::move(work)] {
          if (++room->writes == room->fullFrom) room->fill();
          work();
        },
        std::move(done));
  }

 private:
  std::unique_ptr<base::Offload> inner_;
  std::shared_ptr<Room> room_;
};

struct DataFolder {
  DataFolder() { std::filesystem::create_directories(data.path()); }
  TemporaryFolder data;
  [[nodiscard]] std::string file(const std::string& name) const { return data.path() + "/" + name; }
};

// Serves two hosts, with all its files.
struct OnDisk : DataFolder, AgentBench {
  OnDisk() : AgentBench("", file("refused-logins.json"), file("logs.json")) {
    network.serve("https://other.example:443", other);
    bmc.onReset = [this] { judgeReset(); };
    restart();
  }
  ~OnDisk() {
    room->free();
    stop();  // before its journal
  }
  // As the same agent after its process has ended, wherever it was.
  void restart(std::int64_t lease = 1) {
    stop();
    store =
        agent::diskJournal(io.get_executor(), file("journal"), std::make_unique<FillingDisk>(io.get_executor(), room));
    disk.use(*store);
    heard.clear();
    start();
    greet();
    serve(lease);
  }
  void serve(std::int64_t lease) {
    say(grant({5, lease, 0}));
    auto others = grant({5, lease, 0});
    others.host = "u2";
    others.name = "metal/b";
    others.address = "redfish://other.example";
    say(others);
    clock.advance(1s);
  }
  // What a process that starts now would find.
  [[nodiscard]] agent::HostJournal onDisk() {
    const auto reader = agent::diskJournal(io.get_executor(), file("journal"));
    const auto hosts = reader->load();
    const auto found = hosts.find("u1");
    return found == hosts.end() ? agent::HostJournal{} : found->second;
  }
  void judgeReset() {
    const auto found = onDisk();
    if (found.running.empty() || found.unsent || found.highest != asked) ++unrecorded;
  }
  wire::CommandResult order(std::int64_t lease, std::int64_t seq, const std::string& action) {
    asked = {5, lease, seq};
    return command(asked, action);
  }
  [[nodiscard]] bool isTold(std::string_view text) const { return said->contains(text); }

  FakeRedfish other;
  std::shared_ptr<FillingDisk::Room> room = std::make_shared<FillingDisk::Room>();
  std::unique_ptr<agent::JournalStore> store;
  wire::Token asked;
  int unrecorded = 0;  // resets that were not on the disk when they came
};

}  // namespace

TEST_CASE("a disk that is full at any write of any power command keeps every promise, and heals by itself") {
  const std::string action = GENERATE("on", "hard-off", "hard-reboot");
  for (int write = 1;; ++write) {
    INFO(action << ", full from write " << write);
    OnDisk bench;
    bench.bmc.powerState = action == "on" ? "Off" : "On";
    bench.room->writes = 0;
    bench.room->fullFrom = write;
    const auto first = bench.order(1, 1, action);
    const bool wasFull = bench.room->isFull();
    CHECK(bench.unrecorded == 0);
    CHECK(first.outcome == (bench.resets() > 0 ? "done" : "refused"));
    if (!wasFull) {
      CHECK(write > 3);  // that it begins, that the BMC is asked, how it ended
      break;
    }
    CHECK(bench.isTold(cannotWrite));
    if (first.outcome == "refused") CHECK(first.errorCode == "journal");
    const auto facts = bench.all<wire::Facts>().size();
    bench.other.powerState = "On";
    bench.clock.advance(10s);
    CHECK(bench.all<wire::Facts>().size() > facts);  // other hosts are watched
    bench.room->free();
    bench.clock.advance(15s);
    CHECK(bench.isTold("the journal can be written again"));
    CHECK(bench.onDisk().highest == wire::Token{5, 1, 1});  // what it holds by now, nobody having asked for it
    bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
    bench.serve(2);
    CHECK(bench.order(2, 1, "hard-reboot").outcome == "done");
    CHECK(bench.unrecorded == 0);
  }
}

TEST_CASE("a disk that has room again is noticed though nobody orders or asks anything") {
  OnDisk bench;
  bench.bmc.powerState = "Off";
  bench.room->fill();
  bench.say(wire::Command{"u1", {5, 1, 1}, "on"});
  bench.clock.advance(25s);
  REQUIRE(bench.isTold(cannotWrite));
  CHECK_FALSE(bench.isTold("the journal can be written again"));
  bench.room->free();
  bench.clock.advance(15s);
  CHECK(bench.isTold("the journal can be written again"));
}

TEST_CASE("an agent that dies on a full disk starts on it, repeats no command, and tells what it had not told") {
  for (int write = 1; write <= 3; ++write) {
    INFO("full from write " << write);
    OnDisk bench;
    bench.room->writes = 0;
    bench.room->fullFrom = write;
    const auto first = bench.order(1, 1, "on");
    const int resets = bench.resets();
    bench.restart(2);
    const auto told = bench.all<wire::CommandResult>();
    if (first.outcome == "done") {  // nobody knows that any more, only that the BMC was asked
      REQUIRE_FALSE(told.empty());
      CHECK(told.front().outcome == "unknown");
    }
    for (const auto& result : told) CHECK(result.outcome != "done");
    static_cast<void>(bench.order(2, 2, "on"));
    for (const auto& result : bench.all<wire::CommandResult>())
      if (result.token == bench.asked) CHECK(result.outcome == "refused");
    CHECK(bench.resets() == resets);
    bench.room->free();
    bench.clock.advance(15s);
    bench.say(wire::Acknowledge{"u1", {5, 1, 1}});
    bench.say(wire::Acknowledge{"u1", {5, 2, 2}});
    bench.serve(3);
    CHECK(bench.order(3, 3, "on").outcome == "done");
    CHECK(bench.unrecorded == 0);
  }
}

TEST_CASE("an acknowledged result and a later term are not lost on a full disk, which the metrics tell of") {
  OnDisk bench;
  base::Metrics metrics;
  const agent::AgentMetrics counts(metrics, *bench.agent);
  const auto has = [&](const std::string& line) { return metrics.expose().find(line + "\n") != std::string::npos; };
  CHECK(bench.order(1, 1, "on").outcome == "done");
  CHECK(has("ingot_agent_journal_writable 1"));
  bench.room->fill();
  bench.say(wire::Welcome{.state = "approved", .term = 6});
  bench.clock.advance(5s);
  CHECK(has("ingot_agent_journal_writable 0"));
  CHECK(bench.all<wire::Heartbeat>().back().term == 5);  // not told before it is on the disk
  bench.room->free();
  bench.clock.advance(15s);
  CHECK(has("ingot_agent_journal_writable 1"));
  CHECK(bench.all<wire::Heartbeat>().back().term == 6);
  CHECK(bench.onDisk().unacknowledged.size() == 1);
}

TEST_CASE("a batch that the disk takes in part is not there, whatever part it is, and the next one is whole") {
  const DataFolder folder;
  const JournalFile::Records before{{"u1", R"({"a":1})"}};
  const JournalFile::Batch batch{{"u1", R"({"a":2})"}, {"u2", R"({"a":3})"}};
  for (rlim_t room = 0;; ++room) {
    INFO(room << " bytes");
    JournalFile file(folder.file("journal"));
    file.rewrite(before);
    bool isTaken = true;
    try {
      const FullDisk full(file.size() + room);
      file.append(batch);
    } catch (const base::Error&) {
      isTaken = false;
    }
    const auto found = JournalFile(folder.file("journal")).read();
    REQUIRE_FALSE(found.isDamaged);
    if (isTaken) {
      CHECK(room > 40);
      break;
    }
    REQUIRE(found.records == before);
    file.rewrite({{"u3", "{}"}});
    REQUIRE(file.read().records == JournalFile::Records{{"u3", "{}"}});
  }
}

TEST_CASE("an agent starts on a full disk, and so does the one after it") {
  const DataFolder folder;
  std::ofstream(folder.file("lock")) << "";
  const auto said = std::make_shared<base::MemorySink>();
  const base::Log log(said, "agent");
  const auto begin = [&](const std::string& boot) {
    return agent::beginBoot(log, folder.data.path(), folder.file("lock"), "m1", boot);
  };
  CHECK(begin("one").empty());
  {
    const FullDisk full;
    CHECK(begin("two") == std::vector<std::string>{"one"});
  }
  CHECK(said->contains("this start cannot be noted"));
  CHECK(begin("three") == std::vector<std::string>{"one"});  // of the second nobody can prove that it is over
}
