// Secrets, logs, metrics, randomness, back-off, files: the small things.
#include "base/backoff.hpp"
#include "base/file.hpp"
#include "base/log.hpp"
#include "base/metrics.hpp"
#include "base/process_limits.hpp"
#include "base/random.hpp"
#include "base/secret.hpp"
#include "base/text.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

using namespace ingot;
using namespace std::chrono_literals;
using base::Secret;

namespace {

struct Folder {
  std::string path = "/tmp/ingot-base-test.XXXXXX";
  Folder() { REQUIRE(::mkdtemp(path.data())); }
  ~Folder() { std::filesystem::remove_all(path); }
};

unsigned modeOf(const std::string& path) {
  struct stat found{};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 0777;
}

}  // namespace

TEST_CASE("a secret prints as stars and compares by content", "[secret]") {
  const Secret password("hunter2");
  CHECK(fmt::format("{}", password) == "***");
  CHECK(password == Secret("hunter2"));
  CHECK_FALSE(password == Secret("hunter3"));
  CHECK_FALSE(password == Secret("hunter22"));
  STATIC_REQUIRE_FALSE(std::is_constructible_v<base::LogField, std::string_view, Secret>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<Secret, std::string>);
}

TEST_CASE("a secret that was moved or assigned over leaves nothing behind", "[secret]") {
  Secret a("short");
  Secret b = std::move(a);
  CHECK(a.empty());  // NOLINT(bugprone-use-after-move): the moved-from state is the point
  CHECK(b.reveal() == "short");
  b = Secret("another");
  CHECK(b.reveal() == "another");
  std::string text = "wipe me";
  const char* bytes = text.data();
  base::wipe(text);
  CHECK(bytes[0] == '\0');
}

TEST_CASE("a log line has level, component, message and fields, context first", "[log]") {
  const auto sink = std::make_shared<base::MemorySink>();
  const auto log = base::Log(sink, "coordinator").with("host", "metal3/a");
  log.info("registered", {{"node", "17"}, {"seconds", 3}, {"ok", true}, {"ratio", 0.5}});
  CHECK(sink->lines().front() == "INFO  coordinator registered host=metal3/a node=17 seconds=3 ok=true ratio=0.5");
}

TEST_CASE("what comes from outside cannot break a log line apart", "[log]") {
  const auto sink = std::make_shared<base::MemorySink>();
  base::Log(sink, "agent").warn("refused", {{"by", "line one\nINFO  fake"}, {"empty", ""}, {"quote", "a \"b\""}});
  CHECK(sink->lines().front() == R"(WARN  agent refused by="line one\nINFO  fake" empty="" quote="a \"b\"")");
}

TEST_CASE("metrics are exposed in Prometheus' text form, in a stable order", "[metrics]") {
  base::Metrics metrics;
  metrics.counter("writes_total", "Writes.", {{"verb", "patch"}}).add();
  metrics.counter("writes_total", "Writes.", {{"verb", "patch"}}).add(2);
  metrics.gauge("hosts", "Hosts \\ and\nmore.", {{"state", "a\"b"}}).set(4);
  auto& seconds = metrics.histogram("seconds", "Time.", {0.1, 1});
  seconds.observe(0.05);
  seconds.observe(0.1);
  seconds.observe(3);
  CHECK(metrics.expose() ==
        "# HELP hosts Hosts \\\\ and\\nmore.\n# TYPE hosts gauge\nhosts{state=\"a\\\"b\"} 4\n"
        "# HELP seconds Time.\n# TYPE seconds histogram\n"
        "seconds_bucket{le=\"0.1\"} 2\nseconds_bucket{le=\"1\"} 2\nseconds_bucket{le=\"+Inf\"} 3\n"
        "seconds_sum 3.15\nseconds_count 3\n"
        "# HELP writes_total Writes.\n# TYPE writes_total counter\nwrites_total{verb=\"patch\"} 3\n");
}

TEST_CASE("a series can be forgotten, a collector fills gauges late, a name has one type", "[metrics]") {
  base::Metrics metrics;
  metrics.gauge("power", "Power.", {{"host", "a"}}).set(1);
  metrics.remove("power", {{"host", "a"}});
  metrics.beforeExpose([&] { metrics.gauge("size", "Size.").set(7); });
  CHECK(metrics.expose() == "# HELP size Size.\n# TYPE size gauge\nsize 7\n");
  CHECK_THROWS_AS(metrics.counter("size", "Size."), std::logic_error);
}

TEST_CASE("white space around a text is dropped, inside it stays", "[text]") {
  CHECK(base::trimmed(" \t\r\n a b\v\f\n") == "a b");
  CHECK(base::trimmed("ab") == "ab");
  CHECK(base::trimmed(" \n ").empty());
  CHECK(base::trimmed("").empty());
}

TEST_CASE("one seed replays one sequence", "[random]") {
  const auto a = base::seededRandom(7), b = base::seededRandom(7), c = base::seededRandom(8);
  CHECK(a->uuid() == b->uuid());
  CHECK(a->next() != c->next());
  for (int i = 0; i < 1000; ++i) {
    REQUIRE(a->below(3) < 3);
    const double u = a->unit();
    REQUIRE((u >= 0 && u < 1));
  }
}

TEST_CASE("uuids and generated names have their forms", "[random]") {
  const auto random = base::systemRandom();
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto uuid = random->uuid();
    REQUIRE(uuid.size() == 36);
    REQUIRE(uuid[14] == '4');
    REQUIRE(std::string("89ab").find(uuid[19]) != std::string::npos);
    seen.insert(uuid);
  }
  CHECK(seen.size() == 100);
  CHECK(random->bytes(13).size() == 13);
  CHECK(random->alphanumeric(40).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos);
}

TEST_CASE("back-off grows to its cap and jitters downwards only", "[backoff]") {
  const auto random = base::seededRandom(3);
  const base::Backoff backoff{.first = 1s, .cap = 10s, .factor = 2, .jitter = 0.5};
  for (unsigned attempt = 0; attempt < 2000; ++attempt) {
    const auto whole = attempt < 4 ? 1s * (1 << attempt) : 10s;
    const auto delay = backoff.delay(attempt, *random);
    REQUIRE(delay <= whole);
    REQUIRE(delay >= whole / 2);
  }
}

TEST_CASE("a file is replaced as a whole, with its mode, and leaves no temporary behind", "[file]") {
  const Folder folder;
  const auto path = folder.path + "/key";
  CHECK_FALSE(base::readFileIfExists(path));
  base::writeFileAtomically(path, "one");
  base::writeFileAtomically(path, "two", 0640);
  CHECK(base::readFile(path) == "two");
  CHECK(modeOf(path) == 0640);
  const std::filesystem::directory_iterator files(folder.path);
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("file errors name the path and the reason", "[file]") {
  const Folder folder;
  CHECK_THROWS_WITH(base::readFile(folder.path + "/none"),
                    folder.path + "/none: cannot open: No such file or directory");
  CHECK_THROWS_WITH(base::writeFileAtomically(folder.path + "/no/where", ""), Catch::Contains("No such file"));
  base::writeFileAtomically(folder.path + "/big", std::string(100, 'x'));
  CHECK_THROWS_WITH(base::readFile(folder.path + "/big", 10), Catch::Contains("larger than 10 bytes"));
}

TEST_CASE("folders are made with all their parents", "[file]") {
  const Folder folder;
  base::makeFolder(folder.path + "/a/b/c");
  base::makeFolder(folder.path + "/a/b/c");
  CHECK(modeOf(folder.path + "/a/b") == 0700);
  base::writeFileAtomically(folder.path + "/file", "");
  CHECK_THROWS_AS(base::makeFolder(folder.path + "/file"), base::Error);
}

TEST_CASE("a file lock has one holder at a time", "[file]") {
  const Folder folder;
  auto first = base::FileLock::tryLock(folder.path + "/lock");
  REQUIRE(first);
  CHECK_FALSE(base::FileLock::tryLock(folder.path + "/lock"));
  first.reset();
  CHECK(base::FileLock::tryLock(folder.path + "/lock"));
}
