#include "agent/options.hpp"

#include "base/file.hpp"
#include "base/random.hpp"
#include "tests/support/guide_commands.hpp"

#include <catch2/catch.hpp>

#include <filesystem>
#include <regex>
#include <set>

using namespace ingot;
using namespace std::chrono_literals;

namespace {

agent::Parsed parse(std::vector<std::string> words) {
  std::vector<const char*> arguments{"ingot-agent"};
  for (const auto& word : words) arguments.push_back(word.c_str());
  return agent::parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

struct File {
  explicit File(std::string_view text)
      : path((std::filesystem::temp_directory_path() / ("ingot-options-" + base::systemRandom()->uuid())).string()) {
    base::writeFileAtomically(path, text);
  }
  ~File() { std::filesystem::remove(path); }
  std::string path;
};

}  // namespace

TEST_CASE("an agent needs the coordinator's key, and has a name and a folder") {
  CHECK(parse({}).exit.code == 2);
  const auto options = parse({"--server-key", "/etc/ingot/coordinator.pub"}).options.value();
  CHECK(options.serverKey == "/etc/ingot/coordinator.pub");
  CHECK(options.dataDir == "/var/lib/ingot-agent");
  CHECK_FALSE(options.name.empty());
  CHECK(options.followsEvents);
  CHECK_FALSE(parse({"--server-key", "/k", "--no-events"}).options.value().followsEvents);
  CHECK(options.leastInterval() == 0s);
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "2"}).options.value().leastInterval() == 500ms);
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "0.2"}).options.value().leastInterval() == 5s);
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "0.05"}).options.value().leastInterval() == 20s);
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "0.0167"}).options);
  for (const auto* wrong : {"0.016", "0.001", "1e-9", "nan", "inf", "1001", "fast", "1/5"})
    CHECK(parse({"--server-key", "/k", "--bmc-max-rate", wrong}).exit.text.contains("--bmc-max-rate"));
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "0"}).options.value().leastInterval() == 0s);
  CHECK(parse({"--server-key", "/k", "--bmc-max-rate", "-1"}).exit.text.contains("--bmc-max-rate"));
  CHECK(options.keepConnections == 16384);
  CHECK(parse({"--server-key", "/k", "--keep-connections", "100"}).options.value().keepConnections == 100);
  CHECK(parse({"--server-key", "/k", "--keep-connections", "0"}).exit.text.contains("--keep-connections"));
}

TEST_CASE("BMCs are spoken to through libcurl unless told otherwise, and through libredfish where it is built in") {
  using agent::RedfishTransport;
  CHECK(parse({"--server-key", "/k"}).options.value().redfishTransport == RedfishTransport::curl);
  const auto told = parse({"--server-key", "/k", "--redfish-transport", "libredfish"});
  if (agent::isBuiltIn(RedfishTransport::libredfish)) {
    CHECK(told.options.value().redfishTransport == RedfishTransport::libredfish);
    const auto trusting = parse({"--server-key", "/k", "--redfish-transport", "libredfish", "--bmc-ca-file", "/ca"});
    CHECK_THAT(trusting.exit.text, Catch::Contains("--bmc-ca-file: not with --redfish-transport libredfish"));
  } else {
    CHECK(told.exit.code == 2);
    CHECK_THAT(told.exit.text, Catch::Contains("--redfish-transport: this ingot-agent was built without libredfish"));
  }
  CHECK(parse({"--server-key", "/k", "--redfish-transport", "wget"}).exit.code == 2);
}

TEST_CASE("where BMCs push their events is told whole, or refused by name") {
  const std::vector<std::string> usual{"--server-key", "/k"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), usual.begin(), usual.end());
    return parse(more);
  };
  CHECK(with({"--events-url", "https://10.0.0.9:7463"}).options.value().eventsUrl == "https://10.0.0.9:7463");
  const auto [words, complaint] = GENERATE(table<std::vector<std::string>, std::string>({
      {{"--events-url", "http://10.0.0.9"}, "is not https://HOST[:PORT]"},
      {{"--events-url", "https://10.0.0.9/x"}, "is not https://HOST[:PORT]"},
      {{"--events-url", "10.0.0.9:7463"}, "is not https://HOST[:PORT]"},
      {{"--events-url", "https://a", "--no-events"}, "--no-events"},
      {{"--events-listen", ":7463"}, "--events-url"},
      {{"--events-url", "https://a", "--events-listen", "here"}, "--events-listen"},
      {{"--events-url", "https://a", "--events-cert-file", "/c"}, "--events-key-file"},
  }));
  const auto parsed = with(words);
  CHECK(parsed.exit.code == 2);
  CHECK_THAT(parsed.exit.text, Catch::Contains(complaint));
}

TEST_CASE("a file stands for flags, and flags win") {
  const File file("server: tcp://10.0.0.1:7460\nserver-key: /k\nname: rack-a\nlog-level: debug\n");
  const auto options = parse({"--config", file.path, "--name", "rack-b"}).options.value();
  CHECK(options.server == "tcp://10.0.0.1:7460");
  CHECK(options.serverKey == "/k");
  CHECK(options.name == "rack-b");
  CHECK(options.logLevel == base::Level::debug);
}

TEST_CASE("what a file says wrong is refused with its line") {
  const auto [text, complaint] = GENERATE(table<std::string, std::string>({
      {"server-key: /k\nserver_key: /k\n", ":2: unknown key \"server_key\""},
      {"server-key: /k\nname: [a, b]\n", ":2: name: expected one value, got array"},
      {"server-key: /k\n name: a\n", ":2: "},
      {"- server-key\n", ":1: expected a map, got array"},
  }));
  const File file(text);
  const auto parsed = parse({"--config=" + file.path});
  CHECK(parsed.exit.code == 2);
  CHECK_THAT(parsed.exit.text, Catch::Contains(file.path + complaint));
}

TEST_CASE("a file that is not there may come yet: that is no wrong command line") {
  CHECK_THROWS_WITH(parse({"--config", "/nowhere/agent.yaml"}), Catch::Contains("/nowhere/agent.yaml"));
}

TEST_CASE("metrics are served where the agent is told, and a wrong address is said at once") {
  CHECK(parse({"--server-key", "/k"}).options->metricsAddress.empty());
  CHECK(parse({"--server-key", "/k", "--metrics-addr", "127.0.0.1:9470"}).options->metricsAddress == "127.0.0.1:9470");
  const auto parsed = parse({"--server-key", "/k", "--metrics-addr", "9470"});
  CHECK(parsed.exit.code == 2);
  CHECK_THAT(parsed.exit.text, Catch::Contains("--metrics-addr") && Catch::Contains("is not host:port"));
}

TEST_CASE("the guide lists every flag of the agent, and no other", "[docs]") {
  const auto flagsOf = [](const std::string& text, const std::regex& flag) {
    std::set<std::string> names;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), flag); at != std::sregex_iterator(); ++at)
      names.insert((*at)[1]);
    return names;
  };
  const auto known = flagsOf(parse({"--help"}).exit.text, std::regex(R"(\n  (?:-\w,)?(--[a-z-]+))"));
  CHECK(known.size() > 15);
  CHECK(known ==
        flagsOf(base::readFile(INGOT_SOURCE_DIR "/docs/guide/agent-flags.md"), std::regex(R"(\n\| `(--[a-z-]+)` \|)")));
}

TEST_CASE("an agent understands what the guides have it called with", "[docs]") {
  const auto commands = tests::guideCommands("ingot-agent");
  CHECK(commands.size() >= 3);
  for (const auto& command : commands) {
    if (!command.isWhole()) continue;
    INFO(command.page << ": " << command.line);
    const auto out = parse(command.words);
    INFO(out.exit.text);
    CHECK((out.options || out.exit.code == 0));
  }
}
