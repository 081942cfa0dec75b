#include "cli/parse/parse.hpp"
#include "base/file.hpp"
#include "cli/parse/completion.hpp"
#include "tests/support/guide_commands.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>
#include <filesystem>

using namespace ingot;
using namespace ingot::cli;
using namespace std::chrono_literals;

namespace {

Invocation parsed(std::vector<std::string> words) {
  auto result = parseCommandLine(std::move(words));
  INFO(result.text);
  REQUIRE(result.invocation);
  return std::move(*result.invocation);
}

template <class C>
C commandOf(std::vector<std::string> words) {
  return std::get<C>(parsed(std::move(words)).command);
}

}  // namespace

TEST_CASE("options of the cluster may stand anywhere", "[cli][parse]") {
  for (const auto& words : std::vector<std::vector<std::string>>{{"-n", "metal3", "--context", "prod", "get", "hosts"},
                                                                 {"get", "hosts", "-n", "metal3", "--context=prod"}}) {
    const auto invocation = parsed(words);
    CHECK(invocation.cluster.namespace_ == "metal3");
    CHECK(invocation.cluster.context == "prod");
  }
}

TEST_CASE("get takes kinds by all their names, and ranges of hosts", "[cli][parse]") {
  for (const char* kind : {"hosts", "host", "bmh", "baremetalhosts"})
    CHECK(commandOf<GetCommand>({"get", kind}).subject == Subject::hosts);
  for (const char* kind : {"agents", "agent", "pagent"})
    CHECK(commandOf<GetCommand>({"get", kind}).subject == Subject::agents);
  for (const char* kind : {"machines", "m3m", "metal3machine"})
    CHECK(commandOf<GetCommand>({"get", kind}).subject == Subject::machines);
  for (const char* kind : {"clusters", "m3c", "metal3clusters"})
    CHECK(commandOf<GetCommand>({"get", kind}).subject == Subject::clusters);
  for (const char* kind : {"addresses", "ipaddress"})
    CHECK(commandOf<GetCommand>({"get", kind}).subject == Subject::addresses);
  const auto get =
      commandOf<GetCommand>({"get", "hosts", "n[1-2]", "x", "-o", "wide", "-w", "--no-headers", "-l", "rack=7"});
  CHECK(get.names == std::vector<std::string>{"n1", "n2", "x"});
  CHECK(get.format == Format::wide);
  CHECK(get.watch);
  CHECK_FALSE(get.heads);
  CHECK(get.selector == "rack=7");
  CHECK_FALSE(get.allNamespaces);
}

TEST_CASE("power has its verbs", "[cli][parse]") {
  const auto off = commandOf<PowerCommand>({"power", "off", "n[1-2]", "--hard", "--wait", "--timeout", "90s"});
  CHECK(off.verb == PowerVerb::off);
  CHECK(off.hosts.size() == 2);
  CHECK(off.hard);
  CHECK(off.wait);
  CHECK(off.timeout == 90s);
  CHECK(commandOf<PowerCommand>({"power", "on", "a"}).verb == PowerVerb::on);
  CHECK(commandOf<PowerCommand>({"power", "on", "a"}).waves.atOnce == 0);
  const auto waves =
      commandOf<PowerCommand>({"power", "on", "a", "--at-once", "20", "--pause", "5s", "--max-failed", "3"}).waves;
  CHECK(waves.atOnce == 20);
  CHECK(waves.pause == 5s);
  CHECK(waves.mostFailedPercent == 3);
  for (const auto& bad : std::vector<std::vector<std::string>>{
           {"--pause", "5s"}, {"--max-failed", "3"}, {"--at-once", "0"}, {"--at-once", "2", "--max-failed", "101"}}) {
    std::vector<std::string> words{"power", "on", "a"};
    words.insert(words.end(), bad.begin(), bad.end());
    CHECK_FALSE(parseCommandLine(words).invocation);
  }
  CHECK(commandOf<PowerCommand>({"power", "reboot", "a"}).verb == PowerVerb::reboot);
  CHECK(commandOf<PowerCommand>({"power", "nmi", "a"}).verb == PowerVerb::nmi);
  CHECK(commandOf<PowerCommand>({"power", "ac-cycle", "a"}).verb == PowerVerb::acCycle);
  CHECK(commandOf<PowerCommand>({"power", "nmi", "a", "--wait"}).wait);
  CHECK(commandOf<PowerCommand>({"power", "ac-cycle", "a", "--at-once", "2"}).waves.atOnce == 2);
  CHECK(commandOf<PowerCommand>({"power", "ac-cycle", "a"}).timeout == 20min);
  CHECK(commandOf<PowerCommand>({"power", "ac-cycle", "a", "--timeout", "5m"}).timeout == 5min);
  CHECK(commandOf<PowerCommand>({"power", "status", "a", "-o", "json"}).format == Format::json);
  const auto inspect = commandOf<InspectCommand>({"inspect", "a", "--wait", "--timeout", "5m"});
  CHECK(inspect.wait);
  CHECK(inspect.timeout == 5min);
}

TEST_CASE("the other commands keep what they were given", "[cli][parse]") {
  CHECK(commandOf<ApplyCommand>({"apply", "-f", "a.yaml", "-f", "dir", "-R"}).files ==
        std::vector<std::string>{"a.yaml", "dir"});
  CHECK(commandOf<DescribeCommand>({"describe", "host", "a"}).names == std::vector<std::string>{"a"});
  CHECK(commandOf<WaitCommand>({"wait", "a", "--for", "power=off"}).goal == "power=off");
  const auto watch = commandOf<WatchCommand>({"watch", "n[1-2]", "-l", "rack=7", "-o", "json", "--timeout", "1m"});
  CHECK(watch.hosts == std::vector<std::string>{"n1", "n2"});
  CHECK(watch.selector == "rack=7");
  CHECK(watch.format == Format::json);
  CHECK(watch.timeout == std::chrono::minutes(1));
  CHECK(commandOf<WatchCommand>({"watch"}).timeout == base::Duration{});
  const auto approve = commandOf<ApproveCommand>({"agents", "approve", "r7", "--fingerprint", "ab:cd", "--network",
                                                  "10.0.0.0/8", "--label", "rack=7", "--label", "row=2", "--wait"});
  CHECK(approve.name == "r7");
  CHECK(approve.fingerprint == "ab:cd");
  CHECK(approve.networks == std::vector<std::string>{"10.0.0.0/8"});
  CHECK(approve.labels == std::map<std::string, std::string>{{"rack", "7"}, {"row", "2"}});
  CHECK_FALSE(approve.all);
  CHECK(commandOf<ApproveCommand>({"agents", "approve", "r7", "--all"}).all);
  CHECK(commandOf<RevokeCommand>({"agents", "revoke", "a", "b"}).names.size() == 2);
  const auto bundle = commandOf<SupportBundleCommand>(
      {"support-bundle", "--output", "b.tar.gz", "-A", "--logs", "a.log", "--logs", "b.log", "--metrics-url",
       "http://127.0.0.1:1", "--coordinator-namespace", "x", "--max-log-size", "8"});
  CHECK(bundle.output == "b.tar.gz");
  CHECK(bundle.allNamespaces);
  CHECK(bundle.logFiles == std::vector<std::string>{"a.log", "b.log"});
  CHECK(bundle.metricsUrls == std::vector<std::string>{"http://127.0.0.1:1"});
  CHECK(bundle.coordinatorNamespace == "x");
  CHECK(bundle.logMebibytes == 8);
  CHECK(commandOf<VersionCommand>({"version", "--client"}).clientOnly);
  CHECK(commandOf<CompletionCommand>({"completion", "fish"}).shell == Shell::fish);
}

TEST_CASE("a wrong command line is told in one line that names the help", "[cli][parse]") {
  struct Row {
    std::vector<std::string> words;
    std::string says;
  };
  const Row rows[] = {
      {{},
       "say what: apply, get, describe, why, tree, retry, power, inspect, inventory, sensors, logs, wait, watch, "
       "agents, "
       "render, convert, validate, "
       "shadow, support-bundle, version, completion; "
       "see "
       "ingotctl --help"},
      {{"frobnicate"}, "\"frobnicate\" is not one of apply, get"},
      {{"aply", "-f", "a"}, "did you mean apply?"},
      {{"get"}, "KIND is missing, as in: ingotctl get KIND; see ingotctl get --help"},
      {{"get", "pods"}, "\"pods\" is not one of hosts, agents"},
      {{"get", "hosts", "-o", "xml"}, "\"xml\" is not one of table, wide, json, yaml, name"},
      {{"power"}, "say what: on, off, reboot, nmi, ac-cycle, status; see ingotctl power --help"},
      {{"power", "of", "a"}, "\"of\" is not one of on, off, reboot, nmi, ac-cycle, status; did you mean off?"},
      {{"power", "off"}, "HOST is missing, as in: ingotctl power off HOST; see ingotctl power off --help"},
      {{"power", "on", "a", "--hard"}, "\"--hard\" is not understood here"},
      {{"apply", "-f", "a", "-o", "json"}, "\"-o\" is not understood here"},
      {{"describe", "a"}, "\"a\" is not one of host, machine"},
      {{"tree", "cluster"}, "CLUSTER is missing"},
      {{"power", "off", "a", "--timeout", "10"}, "write it like 90s, 10m or 1h30m"},
      {{"power", "off", "n[3-1]"}, "runs backwards"},
      {{"wait", "a"}, "--for GOAL is missing"},
      {{"apply"}, "-f FILE is missing, as in: ingotctl apply -f FILE"},
      {{"apply", "a.yaml"}, "-f FILE is missing before \"a.yaml\""},
      {{"completion", "tcsh"}, "bash, zsh, fish"},
      {{"agents", "approve", "a", "--network", "10.0.0.0/33"},
       "\"10.0.0.0/33\" is no network; write it like 10.0.0.0/8"},
      {{"agents", "approve", "a", "--label", "rack"}, "\"rack\" is no label; write it like rack=7"},
      {{"agents", "approve", "a", "--label", "=7"}, "\"=7\" is no label; write it like rack=7"},
  };
  for (const Row& row : rows) {
    const auto result = parseCommandLine(row.words);
    CHECK_FALSE(result.invocation);
    CHECK(result.isError);
    CHECK_THAT(result.text, Catch::Contains(row.says));
    CHECK(result.text.find('\n') == std::string::npos);
  }
}

TEST_CASE("help is no error", "[cli][parse]") {
  const auto result = parseCommandLine({"power", "off", "--help"});
  CHECK_FALSE(result.invocation);
  CHECK_FALSE(result.isError);
  CHECK_THAT(result.text, Catch::Contains("--hard"));
}

namespace {

constexpr const char* kAsked = "ingotctl() { echo \"host/asked:$(printf %s \"$*\" | tr ' ' _)\"; }\n";

// What bash offers at the end of a command line, with the real script; `ingotctl` prints its arguments as a name,
// unless `before` makes it another one.
std::string offered(const std::string& line, const std::string& before = "") {
  const std::string script = completionScript(Shell::bash, commandTree()) + kAsked + before +
                             "\nCOMP_WORDS=(ingotctl " + line +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _ingotctl; echo \"${COMPREPLY[*]}\"\n";
  const auto file = std::filesystem::temp_directory_path() / ("ingotctl-completion-" + std::to_string(getpid()));
  base::writeFileAtomically(file.string(), script);
  FILE* pipe = popen(("bash " + file.string() + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  std::string said;
  for (int c = 0; (c = fgetc(pipe)) != EOF;) said += static_cast<char>(c);
  CHECK(pclose(pipe) == 0);
  std::filesystem::remove(file);
  return said;
}

}  // namespace

TEST_CASE("bash completes commands, options, their values and names", "[cli][completion]") {
  struct Row {
    std::string line, offer;
  };
  const Row rows[] = {
      {"power o", "on off\n"},
      {"agents ''", "approve revoke -h"},
      {"completion ''", "bash zsh fish\n"},
      {"--context c power o", "on off\n"},
      {"convert -f a --to v1", "v1beta1 v1beta2\n"},
      {"get hosts -o j", "json\n"},
      {"get hosts -o = j", "json\n"},
      {"power off --h", "--help --hard\n"},
      {"power off a", "asked:get_hosts_-o_name\n"},
      {"get agents a", "asked:get_agents_-o_name\n"},
      {"get machines a", "asked:get_machines_-o_name\n"},
      {"why machine a", "asked:get_machines_-o_name\n"},
      {"describe machine a", "asked:get_machines_-o_name\n"},
      {"retry host a", "asked:get_hosts_-o_name\n"},
      {"-n metal3 describe host --kubeconfig = k a", "asked:-n_metal3_--kubeconfig_k_get_hosts_-o_name\n"},
      {"get hosts --kub", "--kubeconfig\n"},
      {"supp", "support-bundle\n"},
      {"support-bundle --ou", "--output\n"},
      {"support-bundle --output /etc/passw", "/etc/passwd\n"},
      {"support-bundle --logs /etc/passw", "/etc/passwd\n"},
  };
  for (const Row& row : rows) {
    INFO(row.line);
    CHECK_THAT(offered(row.line), Catch::Contains(row.offer));
  }
  // The Metal3Clusters have names of their own; the tree's is that of the Cluster.
  CHECK(offered("tree cluster e", "ingotctl() { printf 'edge-x7k2p edge - true -\\nlone - - false -\\n'; }\n") ==
        "edge\n");
}

TEST_CASE("completion quotes what a folder or a server has named, and runs none of it", "[cli][completion]") {
  const auto folder = std::filesystem::temp_directory_path() / ("ingotctl-names-" + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  for (const char* name : {"$(touch owned)", "`touch owned`", "a b.yaml"})
    base::writeFileAtomically((folder / name).string(), "");
  const std::string inFolder = fmt::format("cd '{}'\n", folder.string());
  for (const char* line : {"apply -f ''", "convert -f ''", "get hosts --kubeconfig ''"}) {
    INFO(line);
    CHECK_THAT(offered(line, inFolder), Catch::Contains(R"(\$\(touch\ owned\))") && Catch::Contains(R"(a\ b.yaml)") &&
                                            Catch::Contains(R"(\`touch\ owned\`)"));
  }
  CHECK(offered("apply -f a", inFolder) == "a\\ b.yaml\n");
  const std::string named = inFolder + "ingotctl() { printf 'host/%s\\n' '$(touch owned)' 'n1; ls' $'n2\\a'; }\n";
  CHECK_THAT(offered("power off ''", named), Catch::Contains(R"(\$\(touch\ owned\))"));
  CHECK(offered("power off n", named) == "n1\\;\\ ls\n");
  CHECK_FALSE(std::filesystem::exists(folder / "owned"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("fish and zsh get scripts of their own", "[cli][completion]") {
  const std::string forZsh = completionScript(Shell::zsh, commandTree());
  CHECK_THAT(forZsh, Catch::StartsWith("#compdef ingotctl"));
  // Variables of its own, and what it reads as a modifier; tests/package/packages.py presses Tab.
  CHECK_THAT(forZsh, !Catch::Contains("$path") && !Catch::Contains("${words") && !Catch::Contains(":1:C"));
  CHECK_THAT(completionScript(Shell::fish, commandTree()), Catch::Contains("-a power -d"));
}

TEST_CASE("ingotctl understands what the guides have it called with", "[cli][parse][docs]") {
  const auto commands = ingot::tests::guideCommands("ingotctl");
  CHECK(commands.size() >= 15);
  for (const auto& command : commands) {
    if (!command.isWhole()) continue;
    INFO(command.page << ": " << command.line);
    const auto result = parseCommandLine(command.words);
    INFO(result.text);
    CHECK_FALSE(result.isError);
  }
}
