// Passwords that BMCs have refused, and for how long they are not tried again.
#include "bmc/refused_logins.hpp"

#include "base/file.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

using namespace ingot;
using namespace std::chrono_literals;

TEST_CASE("refused passwords are remembered over a restart, and are not written down") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("refused.json");
  const auto key = [](const bmc::RefusedLogins& logins, const char* password) {
    return logins.keyOf("https://bmc.example", "admin", base::Secret(password));
  };
  {
    bmc::RefusedLogins logins(loop.runtime, {}, file);
    logins.refused(key(logins, "s3cret-password"));
    logins.refused(key(logins, "s3cret-password"));
  }
  CHECK(base::readFile(file).find("s3cret-password") == std::string::npos);
  loop.clock.advance(100s);
  bmc::RefusedLogins logins(loop.runtime, {}, file);
  CHECK(logins.holds(key(logins, "s3cret-password")));
  CHECK_FALSE(logins.holds(key(logins, "another")));
  loop.clock.advance(201s);
  CHECK_FALSE(logins.holds(key(logins, "s3cret-password")));  // five minutes after the second refusal
  logins.refused(key(logins, "s3cret-password"));
  loop.clock.advance(899s);
  CHECK(logins.holds(key(logins, "s3cret-password")));  // the third
  logins.accepted(key(logins, "s3cret-password"));
  loop.clock.advance(6s);  // written soon, many at a time
  bmc::RefusedLogins later(loop.runtime, {}, file);
  CHECK_FALSE(later.holds(key(later, "s3cret-password")));
}

TEST_CASE("a list of refused passwords that is damaged, or cannot be written, is no reason to stop") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto* content = GENERATE("", "{", "[]", R"({"salt":1})", "none");
  const bool isWritable = std::string_view(content) != "none";
  const auto file = isWritable ? folder.path("refused.json") : "/proc/nowhere/refused.json";
  if (isWritable) base::writeFileAtomically(file, content);
  bmc::RefusedLogins logins(loop.runtime, {}, file);
  const auto key = logins.keyOf("bmc", "admin", base::Secret("x"));
  CHECK_FALSE(logins.holds(key));
  logins.refused(key);
  CHECK(logins.holds(key));
}

TEST_CASE("refusals are counted anew after half an hour without one") {
  tests::Loop loop;
  bmc::RefusedLogins logins(loop.runtime);
  const auto key = logins.keyOf("bmc", "admin", base::Secret("x"));
  for (int i = 0; i < 3; ++i) logins.refused(key);
  loop.clock.advance(29min);
  logins.refused(key);
  loop.clock.advance(61s);
  CHECK(logins.holds(key));
  loop.clock.advance(31min);
  logins.refused(key);
  loop.clock.advance(61s);
  CHECK_FALSE(logins.holds(key));
}

TEST_CASE("more refusals than are kept give up none that holds for long") {
  tests::Loop loop;
  bmc::RefusedLogins logins(loop.runtime);
  for (int i = 0; i < 2; ++i) logins.refused("a");  // for five minutes; it sorts first
  for (int i = 0; i < 20'000; ++i) logins.refused(fmt::format("b{}", i));
  CHECK(logins.holds("a"));
}

TEST_CASE("what is kept of a password tells it from another one, and is another thing elsewhere") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  bmc::RefusedLogins one(loop.runtime, {}, folder.path("one.json")), two(loop.runtime);
  const auto key = one.keyOf("bmc", "admin", base::Secret("s3cret"));
  CHECK(key.substr(0, 10) == "bmc\nadmin\n");
  CHECK(key.size() == 14);  // two bytes of a digest
  CHECK(key != two.keyOf("bmc", "admin", base::Secret("s3cret")));
  CHECK(key != one.keyOf("bmc", "admin", base::Secret("s3creT")));
  one.refused(key);
  loop.clock.advance(6s);
  const auto mode = std::filesystem::status(folder.path("one.json")).permissions();
  CHECK((mode & std::filesystem::perms::mask) ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
}

TEST_CASE("a clock that is set back by a year keeps no password out for a year") {
  tests::Loop loop;
  const tests::TemporaryFolder folder;
  const auto file = folder.path("refused.json");
  base::writeFileAtomically(file, fmt::format(R"({{"salt":"s","refused":[{{"key":"k","times":1,"untilMs":{}}}]}})",
                                              std::numeric_limits<std::int64_t>::max()));
  const bmc::RefusedLogins logins(loop.runtime, {}, file);
  CHECK(logins.holds("k"));
  loop.clock.advance(901s);
  CHECK_FALSE(logins.holds("k"));
}
