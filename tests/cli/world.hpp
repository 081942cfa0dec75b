// ingotctl against the embedded API, all in this process and under virtual time.
#pragma once

#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/kinds/kinds.hpp"
#include "apiserver/embedded.hpp"
#include "base/file.hpp"
#include "cli/parse/parse.hpp"
#include "cli/run/program.hpp"
#include "coordinator/admission.hpp"
#include "kube/core/secret.hpp"
#include "net/loopback.hpp"
#include "tests/support/loop.hpp"

#include <catch2/catch.hpp>

#include <filesystem>

namespace ingot::cli::tests {

struct MemoryTerminal final : Terminal {
  std::string printed, notes, errors, input;
  void out(std::string_view text) override { printed += text; }
  std::string readInput() override { return input; }

 private:
  void writeNote(const std::string& line) override { notes += line + "\n"; }
  void writeError(const std::string& line) override { errors += line + "\n"; }
};

// What a command without a cluster has shown.
struct Shown {
  ExitCode code;
  std::string printed, notes, errors;
};

// In front of the API: `instead` answers in its place where it has something to say; `before` takes its time.
struct Door final : net::HttpHandler {
  std::function<base::Task<void>(const net::ServerRequest&)> before;
  std::function<std::optional<net::HttpResponse>(const net::ServerRequest&)> instead;
  net::HttpHandler* api = nullptr;

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (before) co_await before(request);
    if (auto answer = instead ? instead(request) : std::nullopt) co_return co_await out.send(std::move(*answer));
    co_await api->handle(std::move(request), out);
  }
};

struct World {
  static constexpr const char* origin = "https://api.example:6443";
  static constexpr const char* back = "https://api.example:6444";  // past the door

  ingot::tests::Loop loop;
  std::unique_ptr<apiserver::EmbeddedApi> api;
  net::Loopback loopback{loop.runtime};
  Door door;
  MemoryTerminal terminal;
  std::map<std::string, std::string, std::less<>> environment;
  std::filesystem::path folder;

  enum class Kinds { ofHosts, all };

  explicit World(Kinds kinds = Kinds::ofHosts) {
    apiserver::EmbeddedOptions options{.definitions = definitions(kinds),
                                       .admission = coordinator::admissionRules,
                                       .converters = coordinator::kindConverters()};
    options.store.commit = apiserver::StoreOptions::Commit::inLine;
    api = loop.run(apiserver::EmbeddedApi::start(loop.runtime, std::move(options)));
    door.api = &api->handler();
    open();
    loopback.serve(back, api->handler(), apiserver::EmbeddedApi::localAdmin());
    folder = std::filesystem::temp_directory_path() / ("ingotctl-test-" + std::to_string(getpid()));
    std::filesystem::remove_all(folder);
    file("kubeconfig", fmt::format("current-context: c\nclusters: [{{name: k, cluster: {{server: \"{}\"}}}}]\n"
                                   "contexts: [{{name: c, context: {{cluster: k, namespace: metal3}}}}]\n",
                                   origin));
  }
  ~World() {
    loopback.remove(origin);
    loopback.remove(back);
    loop.run(api->stop(std::chrono::seconds(0)));
    std::filesystem::remove_all(folder);
  }

  void open() { loopback.serve(origin, door, apiserver::EmbeddedApi::localAdmin()); }
  // Connections break, and watches with them.
  void breakConnections() { loopback.remove(origin), open(); }
  // Requests whose target holds `part` are answered so from now on.
  void refuse(const std::string& part, int status) {
    door.instead = [part, status](const net::ServerRequest& request) -> std::optional<net::HttpResponse> {
      if (request.target.find(part) == std::string::npos) return std::nullopt;
      return net::HttpResponse{.status = status, .headers = {}, .body = "not today"};
    };
  }

  static std::vector<json::Object> definitions(Kinds kinds) {
    auto all = api::crdsOf(api::KindSet::hosts);
    if (kinds == Kinds::all)
      for (const auto set : {api::KindSet::clusterApi, api::KindSet::clusterApiCore, api::KindSet::ipam})
        std::ranges::move(api::crdsOf(set), std::back_inserter(all));
    return all;
  }

  std::string file(const std::string& name, const std::string& text) {
    base::makeFolder(folder.string());
    base::writeFileAtomically((folder / name).string(), text);
    return (folder / name).string();
  }

  // The exit code; what was said by this one command is in `terminal`.
  int run(std::vector<std::string> words) {
    terminal.printed.clear();
    terminal.notes.clear();
    terminal.errors.clear();
    return loop.run(start(std::move(words)));
  }

  base::Task<int> start(std::vector<std::string> words) {
    auto parsed = parseCommandLine(std::move(words));
    if (!parsed.invocation) {
      terminal.error(parsed.text);
      co_return static_cast<int>(ExitCode::usage);
    }
    if (parsed.invocation->cluster.kubeconfig.empty())
      parsed.invocation->cluster.kubeconfig = (folder / "kubeconfig").string();
    const Surroundings around{loop.runtime, loopback,
                              [this](std::string_view name) -> std::optional<std::string> {
                                const auto found = environment.find(name);
                                return found == environment.end() ? std::nullopt : std::optional(found->second);
                              },
                              terminal};
    co_return static_cast<int>(co_await execute(around, std::move(*parsed.invocation)));
  }

  // As another client of the same API.
  kube::Client& client() {
    if (!client_) client_ = kube::connect(loop.runtime, loopback, {.server = back});
    return *client_;
  }
  api::BareMetalHost host(const std::string& name) {
    return *loop.run(client().get<api::BareMetalHost>({"metal3", name}));
  }
  void hostStatus(const std::string& name, const char* status) {
    static_cast<void>(loop.run(
        client().patchStatus<api::BareMetalHost>({"metal3", name}, json::Object{{"status", json::parse(status)}})));
  }

  void hosts(std::initializer_list<std::string> names) {
    std::string text = "apiVersion: v1\nkind: Namespace\nmetadata: {name: metal3}\n";
    for (const auto& name : names)
      text += fmt::format(
          "---\napiVersion: metal3.io/v1alpha1\nkind: BareMetalHost\nmetadata: {{name: {0}}}\nspec:\n  online: true\n"
          "  bmc: {{address: \"redfish://192.0.2.1/redfish/v1/Systems/{0}\", credentialsName: s}}\n"
          "  bootMACAddress: \"52:54:00:00:00:01\"\n",
          name);
    REQUIRE(run({"apply", "-f", file("hosts.yaml", text)}) == 0);
    for (const auto& name : names)
      hostStatus(
          name,
          R"({"operationalStatus":"OK","errorMessage":"","errorCount":0,"poweredOn":true,"provisioningFailCount":0,"provisioning":{"ID":"","state":"provisioned"}})");
  }

 private:
  std::unique_ptr<kube::Client> client_;
};

}  // namespace ingot::cli::tests
