// The real program over TLS: kubeconfig, client certificate, exit codes, streams.
#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "base/run.hpp"
#include "base/subprocess.hpp"
#include "tests/cli/world.hpp"

#include <boost/asio/ip/tcp.hpp>

using namespace ingot;
using namespace ingot::cli::tests;
using namespace std::chrono_literals;
using Catch::Contains;

namespace {

// A shell that is nobody's has SIGINT ignored by what it starts with `&`.
constexpr const char* kHeedsInterrupt = "env --default-signal=INT";

struct Served {
  boost::asio::io_context loop{1};
  base::SystemClock clock;
  std::unique_ptr<base::Random> random = base::systemRandom();
  base::Runtime runtime{loop.get_executor(), clock, *random, base::Log::silent()};
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("ingotctl-binary-" + std::to_string(getpid()));
  std::unique_ptr<apiserver::EmbeddedApi> api;
  std::unique_ptr<base::ProcessRunner> processes = base::systemProcessRunner(loop.get_executor(), clock);

  Served() {
    std::filesystem::remove_all(folder);
    base::makeFolder(folder.string());
    apiserver::EmbeddedOptions options{.dataDir = (folder / "data").string(),
                                       .listen = "127.0.0.1:0",
                                       .definitions = api::crdsOf(api::KindSet::hosts),
                                       .admission = coordinator::admissionRules};
    api = base::run(loop, apiserver::EmbeddedApi::start(runtime, std::move(options)));
  }
  ~Served() {
    base::run(loop, api->stop(0s));
    std::filesystem::remove_all(folder);
  }

  base::ProcessResult ingotctl(std::vector<std::string> words, std::string input = {}, std::string kubeconfig = {}) {
    words.insert(words.begin(), INGOTCTL);
    if (kubeconfig.empty()) kubeconfig = api->kubeconfigPath();
    return base::run(loop, processes->run({.argv = std::move(words),
                                           .environment = {{"KUBECONFIG", kubeconfig}},
                                           .standardInput = std::move(input),
                                           .deadline = 300s}));
  }
};

}  // namespace

TEST_CASE("the real ingotctl works over TLS with the kubeconfig that the API wrote", "[cli][binary]") {
  Served s;
  const auto version = s.ingotctl({"version"});
  CHECK(version.exitCode == 0);
  CHECK_THAT(version.standardOutput, Contains("server   v1.36") && Contains("https://127.0.0.1:"));

  const auto applied = s.ingotctl({"apply", "-f", "-"},
                                  "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: a, namespace: "
                                  "default}\nspec: {online: false}\n");
  CHECK(applied.exitCode == 0);
  CHECK(applied.standardOutput == "baremetalhost.metal3.io/a created\n");
  CHECK(s.ingotctl({"power", "on", "a"}).exitCode == 0);
  const auto got = s.ingotctl({"get", "hosts", "a", "-o", "json"});
  CHECK(json::boolAt(json::parse(got.standardOutput), {"spec", "online"}) == true);

  const auto late = s.ingotctl({"wait", "a", "--for", "provisioned", "--timeout", "5s"});
  CHECK(late.exitCode == 4);
  CHECK_THAT(late.standardError, Catch::StartsWith("error: host a is not provisioned after 5s"));
  CHECK(late.standardOutput.empty());
  CHECK(s.ingotctl({"get", "hosts", "nope"}).exitCode == 3);
  CHECK(s.ingotctl({"get", "pods"}).exitCode == 2);
}

TEST_CASE("kubectl finds ingotctl as its plug-in", "[cli][binary]") {
  const auto plugIn = std::filesystem::path(INGOTCTL).parent_path() / "kubectl-ingot";
  REQUIRE(std::filesystem::is_symlink(plugIn));
  CHECK(std::filesystem::equivalent(plugIn, INGOTCTL));
}

TEST_CASE("a kubeconfig whose CA is none ends with 5 and says so", "[cli][binary]") {
  Served s;
  const auto kubeconfig = (s.folder / "other").string();
  base::writeFileAtomically(kubeconfig,
                            "current-context: c\ncontexts: [{name: c, context: {cluster: k}}]\nclusters: [{name: k, "
                            "cluster: {server: 'https://127.0.0.1:1', certificate-authority-data: aGVsbG8=}}]\n");
  const auto result = s.ingotctl({"get", "hosts"}, {}, kubeconfig);
  CHECK(result.exitCode == 5);
  CHECK(result.standardError == "error: kubeconfig: the CA given for TLS holds no PEM certificate\n");
}

TEST_CASE("a server whose certificate the kubeconfig does not vouch for is not spoken to", "[cli][binary]") {
  Served s;
  const auto kubeconfig = (s.folder / "other").string();
  base::writeFileAtomically(kubeconfig, fmt::format("current-context: c\nclusters: [{{name: k, cluster: {{server: "
                                                    "\"{}\"}}}}]\ncontexts: [{{name: c, context: {{cluster: k}}}}]\n",
                                                    s.api->url()));
  const auto result = s.ingotctl({"get", "hosts"}, {}, kubeconfig);
  CHECK(result.exitCode == 5);
  CHECK_THAT(result.standardError, Contains("does not vouch for https://127.0.0.1:"));
}

TEST_CASE("a support bundle that is stopped by a signal leaves no file", "[cli][binary]") {
  Served s;
  // Nobody answers there: whoever asks has begun the file, and waits.
  boost::asio::ip::tcp::acceptor silent(s.loop, {boost::asio::ip::address_v4::loopback(), 0});
  const auto out = s.folder / "out";
  base::makeFolder(out.string());
  const std::string script = fmt::format(
      "cd {}; {} {} support-bundle --metrics-url http://127.0.0.1:{} & until [ \"$(ls -A)\" ]; do :; done; "
      "kill -INT $!; wait $!",
      out.string(), kHeedsInterrupt, INGOTCTL, silent.local_endpoint().port());
  const auto stopped = base::run(s.loop, s.processes->run({.argv = {"/bin/sh", "-c", script},
                                                           .environment = {{"KUBECONFIG", s.api->kubeconfigPath()}},
                                                           .deadline = 60s}));
  CHECK(stopped.exitCode == 130);
  CHECK_THAT(stopped.standardError, Contains("stopped; nothing is left behind"));
  CHECK(std::filesystem::is_empty(out));
}

TEST_CASE("a fleet order that is stopped by a signal says who was not asked", "[cli][binary]") {
  const std::string signal = GENERATE("INT", "TERM", "HUP");
  CAPTURE(signal);
  Served s;
  for (const char* name : {"n1", "n2", "n3"})
    REQUIRE(
        s.ingotctl({"apply", "-f", "-"}, fmt::format("apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: "
                                                     "{{name: {}, namespace: default}}\nspec: {{online: false}}\n",
                                                     name))
            .exitCode == 0);
  // Nobody switches the first one on.
  const auto said = (s.folder / "said").string();
  const std::string script =
      fmt::format("{} {} power on 'n[1-3]' --at-once 1 > {} & until [ -s {} ]; do :; done; kill -{} $!; wait $!",
                  kHeedsInterrupt, INGOTCTL, said, said, signal);
  const auto stopped = base::run(s.loop, s.processes->run({.argv = {"/bin/sh", "-c", script},
                                                           .environment = {{"KUBECONFIG", s.api->kubeconfigPath()}},
                                                           .deadline = 60s}));
  CHECK(stopped.exitCode == 130);
  CHECK_THAT(stopped.standardError, Contains("not tried: n[2-3]\n"));
  CHECK_THAT(stopped.standardError, Contains("error: stopped; what was asked for goes on"));
  CHECK_THAT(base::readFile(said), Catch::StartsWith("host n1: "));
}

TEST_CASE("a fleet order goes on at a SIGINT that its caller has ignored", "[cli][binary]") {
  Served s;
  REQUIRE(s.ingotctl({"apply", "-f", "-"},
                     "apiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {name: n1, "
                     "namespace: default}\nspec: {online: false}\n")
              .exitCode == 0);
  const auto said = (s.folder / "said").string();
  const std::string script = fmt::format(
      "trap '' INT; {} power on n1 --at-once 1 --timeout 5s > {} & until [ -s {} ]; do :; done; kill -INT $!; "
      "wait $!",
      INGOTCTL, said, said);
  const auto ended = base::run(s.loop, s.processes->run({.argv = {"/bin/sh", "-c", script},
                                                         .environment = {{"KUBECONFIG", s.api->kubeconfigPath()}},
                                                         .deadline = 60s}));
  CHECK(ended.exitCode == 4);  // nobody switches it on
  CHECK_THAT(ended.standardError, !Contains("stopped"));
}
