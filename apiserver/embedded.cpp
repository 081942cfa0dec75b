#include "apiserver/embedded.hpp"

#include "apiserver/crd/crd_rules.hpp"
#include "apiserver/http/handler.hpp"
#include "apiserver/registry/worker_pool.hpp"
#include "apiserver/schema/core_schemas.hpp"
#include "apiserver/schema/schema_rules.hpp"
#include "apiserver/tls/identity.hpp"
#include "base/file.hpp"
#include "base/sync.hpp"
#include "base/text.hpp"
#include "base/vital.hpp"
#include "json/yaml.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::size_t kBodyLimit = 4u << 20;   // past Kubernetes' own, so that a Status can say so
constexpr std::size_t kUnauthenticated = 256;  // of 1024 connections: the health checks of others, and who comes to try
constexpr std::size_t kUnauthenticatedPerNetwork = 64;
constexpr base::Duration kEstablishing = std::chrono::seconds(30);

struct Address {
  std::string host;
  std::uint16_t port = 0;
};

// "127.0.0.1:6443", "[::1]:0".
Address parseListen(const std::string& text) {
  const auto colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  unsigned port = 0;
  const std::string tail = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto [end, bad] = std::from_chars(tail.data(), tail.data() + tail.size(), port);
  if (tail.empty() || bad != std::errc{} || end != tail.data() + tail.size() || port > 65535 || host.empty())
    throw base::InvalidInput("listen", "\"" + text + "\" is not ADDRESS:PORT");
  return {std::move(host), static_cast<std::uint16_t>(port)};
}

bool isEveryAddress(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

std::vector<std::string> certificateNames(const EmbeddedOptions& options) {
  std::vector<std::string> out{"localhost", "kubernetes.default.svc", "127.0.0.1", "::1"};
  const auto add = [&out](const std::string& name) {
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  const std::string host = parseListen(options.listen).host;
  if (!isEveryAddress(host)) add(host);
  for (const auto& name : isEveryAddress(host) ? options.machineNames() : std::vector<std::string>{}) add(name);
  for (const auto& name : options.extraNames) add(name);
  return out;
}

std::unique_ptr<Journal> openJournal(const std::string& folder) {
  return folder.empty() ? openMemoryJournal(std::make_shared<MemoryDisk>()) : openSqliteJournal(folder);
}

std::string urlOf(std::string host, std::uint16_t port) {
  if (host == "0.0.0.0") host = "127.0.0.1";
  if (host == "::") host = "::1";
  return "https://" + base::hostAndPort(host, port);
}

}  // namespace

struct EmbeddedApi::State {
  State(base::Runtime given, EmbeddedOptions wanted)
      : runtime(std::move(given)),
        options(std::move(wanted)),
        store(runtime, openJournal(options.dataDir), options.store),
        registry(runtime, store, options.registry),
        crds(runtime, registry, catalog, options.admission ? options.admission(registry) : CrdController::Admission(),
             options.converters),
        handler(runtime, registry, catalog, options.tokens, options.extensions),
        vital(runtime.executor, runtime.log.named("api")) {}

  void defineCore() {
    for (auto& core : coreSchemas()) {
      catalog.set(core.id, {{core.version, core.schema}});
      if (core.strict) registry.addRules(core.id, std::make_shared<const TypedRules>(core.kind, core.schema));
    }
    registry.addRules(kCrds, crdRules(CrdController::kindsOf(options.converters)));
  }

  // Side by side, so that they share commits.
  base::Task<void> installCrds() {
    std::vector<json::Value> all = givenCrds();
    std::vector<std::string> names;
    std::vector<Job> jobs;
    for (auto& crd : all) {
      names.push_back(json::textAt(crd, {"metadata", "name"}));
      jobs.push_back([this, &crd] { return crds.install(std::move(crd)); });
    }
    co_await base::shielded(runAll(background, runtime.executor, std::move(jobs)));
    for (const auto& name : names) co_await crds.established(name, kEstablishing);
  }

  // Taken out of the options: they are not needed again, and large.
  std::vector<json::Value> givenCrds() {
    std::vector<json::Value> out;
    for (const auto& text : std::exchange(options.crds, {}))
      for (auto& document : json::parseYaml(text)) out.push_back(std::move(document.value));
    for (auto& definition : std::exchange(options.definitions, {})) out.emplace_back(std::move(definition));
    return out;
  }

  void listen() {
    if (options.listen.empty()) return;
    const Address at = parseListen(options.listen);
    identity = freshIdentity();
    net::ServerOptions how{.address = at.host, .port = at.port};
    how.bodyLimit = kBodyLimit;
    how.maxUnauthenticated = kUnauthenticated;
    how.maxUnauthenticatedPerNetwork = kUnauthenticatedPerNetwork;
    how.tls = serverTls();
    server = net::listen(runtime, std::move(how), handler);
    url = urlOf(at.host, server->port());
    writeKubeconfig();
    if (!options.dataDir.empty()) vital.spawn("certificates", keepCertificates());
  }

  [[nodiscard]] Identity freshIdentity() const {
    const std::string keys = options.dataDir.empty() ? "" : options.dataDir + "/tls";
    return openIdentity(keys, certificateNames(options), runtime.clock.wall());
  }

  [[nodiscard]] net::ServerTls serverTls() const {
    return {identity.server.certificatePem, identity.server.privateKeyPem, identity.caPem};
  }

  base::Task<void> keepCertificates() {
    while (true) {
      co_await runtime.clock.sleepFor(options.certificateCheck);
      try {
        renewCertificates();
      } catch (const std::exception& problem) {
        runtime.log.error("certificates could not be checked", {{"error", problem.what()}});
      }
    }
  }

  void renewCertificates() {
    Identity fresh = freshIdentity();
    const bool newServer = fresh.server.certificatePem != identity.server.certificatePem;
    const bool newAdmin = fresh.admin.certificatePem != identity.admin.certificatePem;
    identity = std::move(fresh);
    if (newServer) {
      server->renew(serverTls());
      runtime.log.info("renewed the server's certificate");
    }
    if (newAdmin) {
      writeKubeconfig();
      runtime.log.warn(
          "renewed the administrator's certificate: the old one runs out within 30 days, copy the kubeconfig",
          {{"kubeconfig", kubeconfigPath}});
    }
  }

  void writeKubeconfig() {
    kubeconfig = kubeconfigText(url, identity);
    kubeconfigPath = options.kubeconfigOut;
    if (kubeconfigPath.empty() && !options.dataDir.empty()) kubeconfigPath = options.dataDir + "/kubeconfig";
    if (!kubeconfigPath.empty()) base::writeFileAtomically(kubeconfigPath, kubeconfig, 0600);
  }

  base::Runtime runtime;
  EmbeddedOptions options;
  Store store;
  Registry registry;
  Catalog catalog;
  CrdController crds;
  ApiHandler handler;
  base::VitalTasks vital;
  base::TaskGroup& background = vital.group();
  Identity identity;
  std::unique_ptr<net::Server> server;
  std::string url, kubeconfig, kubeconfigPath;
};

EmbeddedApi::EmbeddedApi(std::unique_ptr<State> state) : state_(std::move(state)) {}
EmbeddedApi::~EmbeddedApi() = default;

base::Task<std::unique_ptr<EmbeddedApi>> EmbeddedApi::start(base::Runtime runtime, EmbeddedOptions options) {
  std::unique_ptr<EmbeddedApi> api(new EmbeddedApi(std::make_unique<State>(std::move(runtime), std::move(options))));
  State& state = *api->state_;
  std::exception_ptr problem;
  try {
    state.defineCore();
    state.crds.defineStored();
    co_await state.registry.start();
    state.vital.spawn("crds", state.crds.run(state.background));
    state.vital.spawn("registry", state.registry.untilFailed());
    co_await state.installCrds();
    state.listen();
  } catch (...) {
    problem = std::current_exception();
  }
  if (!problem) co_return api;
  co_await api->stop(base::Duration::zero());
  std::rethrow_exception(problem);
}

base::Task<void> EmbeddedApi::untilFailed() { return state_->vital.failed(); }
bool EmbeddedApi::healthy() const { return !state_->store.failure(); }

base::Task<void> EmbeddedApi::stop(base::Duration grace) {
  if (state_->server) co_await state_->server->stop(grace);
  co_await state_->vital.close();
  co_await state_->registry.stop();
}

net::HttpHandler& EmbeddedApi::handler() { return state_->handler; }
net::PeerIdentity EmbeddedApi::localAdmin() { return {"system:ingot", {"system:masters"}}; }
std::string EmbeddedApi::url() const { return state_->url; }
const std::string& EmbeddedApi::kubeconfig() const { return state_->kubeconfig; }
const std::string& EmbeddedApi::kubeconfigPath() const { return state_->kubeconfigPath; }
std::uint64_t EmbeddedApi::term() const { return state_->store.term(); }
Registry& EmbeddedApi::registry() { return state_->registry; }

}  // namespace ingot::apiserver
