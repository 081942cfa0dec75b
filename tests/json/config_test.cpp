#include "json/config.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

struct Poll {
  int power = 5;
  static void describe(auto& v) { v.field("power", &Poll::power); }
};

struct Settings {
  std::string endpoint = "tcp://127.0.0.1:7460";
  Poll poll;
  std::vector<std::string> networks;
  static void describe(auto& v) {
    v.field("endpoint", &Settings::endpoint);
    v.field("poll", &Settings::poll);
    v.field("networks", &Settings::networks);
  }
};

std::string configFailure(std::string_view text, const std::vector<json::Override>& overrides = {}) {
  try {
    (void)json::loadConfig<Settings>(text, "agent.yaml", overrides);
  } catch (const base::InvalidInput& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("configuration is a file over the defaults, and overrides over the file", "[config]") {
  const auto settings =
      json::loadConfig<Settings>("poll:\n  power: 7\nnetworks: [10.0.0.0/8]\n", "agent.yaml", {{"poll.power", "9"}});
  CHECK(settings.poll.power == 9);
  CHECK(settings.endpoint == "tcp://127.0.0.1:7460");
  CHECK(settings.networks == std::vector<std::string>{"10.0.0.0/8"});
  CHECK(json::loadConfig<Settings>("", "empty.yaml").poll.power == 5);
}

TEST_CASE("configuration errors name file and line, or the flag", "[config]") {
  CHECK(configFailure("poll:\n  pwoer: 7\n") == "agent.yaml:2: unknown key \"poll.pwoer\"");
  CHECK(configFailure("endpoint: x\npoll:\n  power: fast\n") ==
        "agent.yaml:3: poll.power: expected integer, got string");
  CHECK(configFailure("networks:\n- a\n- 5\n") == "agent.yaml:3: networks[1]: expected string, got number");
  CHECK(configFailure("", {{"poll.power", "fast"}}) == "--set poll.power: poll.power: expected integer, got string");
  CHECK(configFailure("", {{"poll.x", "1"}}) == "--set poll.x: unknown key \"poll.x\"");
  CHECK(configFailure("- a\n") == "agent.yaml:1: expected a map, got array");
  CHECK(configFailure("a: [\n").starts_with("agent.yaml:"));
  CHECK(configFailure("poll: {power: 5}\n", {{"poll.power.x", "1"}}) == "--set poll.power.x: not a map");
}
