// The command line of the real program, against a fleet in this process.
#include "base/run.hpp"
#include "base/subprocess.hpp"
#include "tests/sim/running_fleet.hpp"

#include <catch2/catch.hpp>

using namespace ingot;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

struct Cli : tests::RunningFleet {
  Cli() : RunningFleet(sim::uniformFleet(2, true)) {}

  base::ProcessResult run(std::vector<std::string> words, std::string control) {
    words.insert(words.begin(), INGOT_SIM);
    return base::run(
        loop, runner->run({.argv = std::move(words),
                           .environment = {{"INGOT_SIM_CONTROL", control.empty() ? fleet.url() : std::move(control)}},
                           .deadline = 300s}));
  }
  std::string out(std::vector<std::string> words) {
    const auto result = run(std::move(words), "");
    INFO(result.standardError);
    CHECK(result.exitCode == 0);
    return result.standardOutput;
  }
};

}  // namespace

TEST_CASE("every fault is switched on and off from the command line") {
  Cli cli;
  for (const auto& [fault, name] : namesOf(sim::Fault())) {
    cli.out({"fault", "machine-1", std::string(name), "on"});
    CHECK(json::serialize(cli.machine(1).at("faults")) == fmt::format(R"(["{}"])", name));
    cli.out({"fault", "machine-1", std::string(name), "off"});
    CHECK(json::serialize(cli.machine(1).at("faults")) == "[]");
  }
  CHECK_THAT(cli.out({"journal", "--machine", "machine-1"}), Contains("cord-out on") && Contains("cord-out off"));
  cli.out({"fault", "machine-0", "slow", "on", "--seconds", "7"});
  CHECK_THAT(cli.out({"machines"}), Contains("machine-0            redfish") && Contains(" slow\n"));
}

TEST_CASE("the command line says in one line what is wrong") {
  Cli cli;
  struct Row {
    std::vector<std::string> words;
    int code;
    std::string says;
  };
  const Row rows[] = {
      {{"fault", "machine-1", "rust", "on"}, 1, "ingot-sim: no fault is called 'rust'\n"},
      {{"fault", "machine-7", "slow", "on"}, 1, "ingot-sim: no machine is called 'machine-7'\n"},
      {{"fault", "machine-1", "slow", "maybe"}, 2, "maybe not in {on,off}; see ingot-sim --help\n"},
      {{"run", "--data-dir", cli.folder.path},
       2,
       "ingot-sim: run: which machines? give --config FILE or --machines N\n"},
      {{"nodes"}, 2, "--kubeconfig is required; see ingot-sim --help\n"},
      {{"nodes", "--kubeconfig", cli.folder.path + "/ca.pem"}, 2, "ca.pem: "},
      {{"machines", "--control", "http://127.0.0.1:1"}, 1, "is it running"},  // wins over the environment
  };
  for (const Row& row : rows) {
    const auto result = cli.run(row.words, "");
    CHECK(result.exitCode == row.code);
    CHECK_THAT(result.standardError, Contains(row.says));
    CHECK(std::ranges::count(result.standardError, '\n') == 1);
  }
}
