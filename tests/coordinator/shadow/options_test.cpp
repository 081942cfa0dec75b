// What goes with --shadow, and what does not.
#include "coordinator/options.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

coordinator::Parsed parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "ingot-coordinator");
  return coordinator::parseOptions(static_cast<int>(words.size()), words.data());
}

}  // namespace

TEST_CASE("what makes no sense in shadow is refused by the name of its flag", "[shadow][options]") {
  struct Row {
    std::vector<const char*> words;
    const char* names;
  };
  const Row rows[] = {{{"--embedded", "--data-dir", "d"}, "--embedded"},
                      {{"--beside-metal3", "--namespace", "n"}, "--beside-metal3"},
                      {{"--webhook-certs", "self"}, "--webhook-certs"},
                      {{"--webhook-port", "9443"}, "--webhook-port"},
                      {{"--agents-endpoint", "tcp://*:7460"}, "--agents-endpoint"},
                      {{"--provisioner", "agent"}, "--provisioner agent"},
                      {{"--shadow-grace", "10ms"}, "--shadow-grace"},
                      {{"check"}, "check"}};
  for (Row row : rows) {
    CAPTURE(row.names);
    row.words.insert(row.words.begin(), "--shadow");
    const auto found = parsed(row.words);
    CHECK_FALSE(found.options);
    CHECK(found.leave.code == 2);
    CHECK(found.leave.text.find(row.names) != std::string::npos);
  }
  CHECK(parsed({"--shadow-grace", "10s"}).leave.text == "--shadow-grace needs --shadow\n");
}

TEST_CASE("a shadow serves no webhooks and migrates nothing", "[shadow][options]") {
  const auto found = parsed({"--shadow", "--shadow-grace", "90s", "--provisioner", "fixture", "--webhook-port", "0"});
  REQUIRE(found.options);
  CHECK(found.options->shadowGrace == base::Duration(90s));
  CHECK(coordinator::webhookPortOf(*found.options) == 0);
  CHECK_FALSE(coordinator::migratesKinds(*found.options));
  CHECK(coordinator::webhookPortOf(*parsed({"--shadow"}).options) == 0);
  CHECK_FALSE(parsed({}).options->shadow);
}
