// ingotctl convert: manifests in, the same in the other version out, or nothing at all.
#include "tests/cli/world.hpp"

#include "cli/run/offline.hpp"
#include "json/yaml.hpp"

using namespace ingot;
using namespace ingot::cli;
using namespace ingot::cli::tests;
using Catch::Contains;

namespace {

const std::string kConvertExample = std::string(INGOT_SOURCE_DIR) + "/docs/examples/convert";

constexpr const char* kTemplate =
    "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: Metal3RemediationTemplate\nmetadata:\n  name: r\n"
    "spec:\n  template:\n    spec:\n      strategy:\n        type: Reboot\n        timeout: 5m0s\n";

Shown converted(const ConvertCommand& command, const std::string& input = "") {
  MemoryTerminal terminal;
  terminal.input = input;
  const ExitCode code = convert(terminal, command);
  return {code, terminal.printed, terminal.notes, terminal.errors};
}

Shown fromInput(const std::string& input, const std::string& version = "v1beta2") {
  return converted({.files = {"-"}, .version = version}, input);
}

std::vector<json::Value> documents(const std::string& yaml) {
  std::vector<json::Value> out;
  for (auto& one : json::parseYaml(yaml)) out.push_back(std::move(one.value));
  return out;
}

}  // namespace

TEST_CASE("the example's documents are shown in the newer version, what needs none as it is", "[cli][convert]") {
  const Shown shown = converted({.files = {kConvertExample}, .version = "v1beta2"});
  CHECK(shown.code == ExitCode::done);
  CHECK((shown.errors + shown.notes).empty());
  const auto all = documents(shown.printed);
  REQUIRE(all.size() == 4);
  for (int i = 0; i < 3; ++i) CHECK(json::textAt(all[i], {"apiVersion"}) == "infrastructure.cluster.x-k8s.io/v1beta2");
  CHECK(json::intAt(all[2], {"spec", "template", "spec", "strategy", "timeoutSeconds"}) == 300);
  CHECK(json::textAt(all[3], {"kind"}) == "Secret");
  CHECK(json::textAt(all[3], {"stringData", "key"}) == "value");
}

TEST_CASE("there and back again is the same manifest", "[cli][convert]") {
  const Shown there = fromInput(kTemplate);
  const Shown back = fromInput(there.printed, "v1beta1");
  CHECK(json::textAt(documents(back.printed).at(0), {"spec", "template", "spec", "strategy", "timeout"}) == "5m0s");
  CHECK(fromInput(back.printed, "v1beta1").printed == back.printed);
}

TEST_CASE("Clusters and Machines are converted, what else Cluster API has passes through", "[cli][convert]") {
  const std::string machine = "kind: Machine\nmetadata: {name: m}\nspec: {clusterName: c, nodeDrainTimeout: 1m0s}\n";
  const std::string head = "apiVersion: cluster.x-k8s.io/v1beta1\n";
  const auto all =
      documents(fromInput(head + machine + "---\n" + head + "kind: MachineSet\nmetadata: {name: s}\n").printed);
  REQUIRE(all.size() == 2);
  CHECK(json::textAt(all[0], {"apiVersion"}) == "cluster.x-k8s.io/v1beta2");
  CHECK(json::intAt(all[0], {"spec", "deletion", "nodeDrainTimeoutSeconds"}) == 60);
  CHECK(json::textAt(all[1], {"apiVersion"}) == "cluster.x-k8s.io/v1beta1");
  CHECK_THAT(fromInput("apiVersion: cluster.x-k8s.io/v1alpha4\n" + machine).errors,
             Contains("cluster.x-k8s.io/v1alpha4 has no Machine; write cluster.x-k8s.io/v1beta1 or "
                      "cluster.x-k8s.io/v1beta2"));
}

TEST_CASE("JSON is one object alone, a List of several, and is read as well", "[cli][convert]") {
  ConvertCommand command{.files = {"-"}, .version = "v1beta2", .format = Format::json};
  const std::string one = converted(command, kTemplate).printed;
  CHECK(json::textAt(json::parse(one), {"apiVersion"}) == "infrastructure.cluster.x-k8s.io/v1beta2");
  const std::string two = converted(command, std::string(kTemplate) + "---\n" + kTemplate).printed;
  CHECK(json::arrayAt(json::parse(two), {"items"})->size() == 2);
  CHECK(converted(command, two).printed == two);
}

TEST_CASE("one bad object: every problem is told, nothing is shown", "[cli][convert]") {
  struct Row {
    std::string input, error;
  };
  const std::string head = "apiVersion: infrastructure.cluster.x-k8s.io/";
  const Row rows[] = {
      {head + "v1beta1\nkind: Metal3Clustr\nmetadata: {name: c}\n",
       "standard input:14: kind: infrastructure.cluster.x-k8s.io has no kind Metal3Clustr; did you mean "
       "Metal3Cluster?\n"},
      {head + "v1alpha5\nkind: Metal3Cluster\nmetadata: {name: c}\n",
       "standard input:13: apiVersion: infrastructure.cluster.x-k8s.io/v1alpha5 has no Metal3Cluster; write "
       "infrastructure.cluster.x-k8s.io/v1beta1 or infrastructure.cluster.x-k8s.io/v1beta2\n"},
      {head + "v1beta1\nkind: Metal3Machine\nmetadata: {name: m}\nspec:\n  image: 7\n",
       "standard input:17: spec.image: expected object, got number\n"},
      {head + "v1beta1\nkind: Metal3RemediationTemplate\nmetadata: {name: m}\nspec:\n  template:\n    spec:\n"
              "      strategy: {timeout: soon}\n",
       "standard input:"},
      {head + "v1beta1\nkind: Metal3Cluster\nmetadata:\n  name: c\n  annotations:\n"
              "    cluster.x-k8s.io/conversion-data: '{'\n",
       "standard input:18: metadata.annotations.cluster.x-k8s.io/conversion-data: "},
      {"a: [\n", "not YAML"},
      {"apiVersion: v1\nkind: Secret\n", "metadata.name is missing"},
  };
  for (const Row& row : rows) {
    const Shown shown = fromInput(std::string(kTemplate) + "\n---\n" + row.input);
    INFO(shown.errors);
    CHECK(shown.code == ExitCode::failed);
    CHECK(shown.printed.empty());
    CHECK_THAT(shown.errors, Contains(row.error));
    CHECK(std::ranges::count(shown.errors, '\n') == 1);
  }
}

TEST_CASE("problems of several objects and files are told together", "[cli][convert]") {
  const std::string bad = "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: X\nmetadata: {name: c}\n";
  const Shown shown = fromInput(bad + "---\n" + bad + "---\n" + kTemplate);
  CHECK(std::ranges::count(shown.errors, '\n') == 2);
  CHECK(shown.printed.empty());
}

TEST_CASE("a field that nobody knows is left out with a warning", "[cli][convert]") {
  const Shown shown = fromInput(std::string(kTemplate) + "        retrylimit: 3\n");
  CHECK(shown.code == ExitCode::done);
  CHECK(shown.notes ==
        "warning: standard input:11: spec.template.spec.strategy.retrylimit: unknown field; did you mean retryLimit? "
        "(left out)\n");
  CHECK(shown.printed.find("retrylimit") == std::string::npos);
}

TEST_CASE("convert says what is wrong with its command line", "[cli][convert][parse]") {
  CHECK_THAT(parseCommandLine({"convert", "-f", "a"}).text, Contains("--to VERSION is missing"));
  CHECK_THAT(parseCommandLine({"convert", "-f", "a", "--to", "v1alpha1"}).text,
             Contains("\"v1alpha1\" is not one of v1beta1, v1beta2"));
  CHECK_THAT(parseCommandLine({"convert", "-f", "a", "--to", "v1beta2", "-o", "table"}).text,
             Contains("\"table\" is not one of yaml, json"));
  CHECK_THROWS_AS(converted({.files = {"/there/is/no/such.yaml"}, .version = "v1beta2"}), Failure);
}
