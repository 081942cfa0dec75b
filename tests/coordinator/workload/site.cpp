#include "tests/coordinator/workload/site.hpp"

#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"

namespace ingot::tests {
namespace {

constexpr auto userOrigin = "https://user.test";
constexpr auto managementOrigin = "https://management.test";

std::unique_ptr<apiserver::EmbeddedApi> startApi(Loop& loop, const base::Runtime& runtime) {
  apiserver::EmbeddedOptions options;
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  return loop.run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
}

net::HttpResponse refusal(int status, const std::string& reason, const std::string& message) {
  return {.status = status,
          .body = json::serialize(json::Object{{"kind", "Status"},
                                               {"apiVersion", "v1"},
                                               {"status", "Failure"},
                                               {"reason", reason},
                                               {"message", message},
                                               {"code", status}})};
}

}  // namespace

// Lets nothing through while the server hangs, also what is under way.
class SilentWhenHanging final : public net::Responder {
 public:
  SilentWhenHanging(WorkloadServer& server, net::Responder& out) : server_(server), out_(out) {}

  base::Task<void> send(net::HttpResponse response) override {
    co_await hang();
    co_await out_.send(std::move(response));
  }
  base::Task<void> begin(int status, net::Headers headers) override {
    co_await hang();
    co_await out_.begin(status, std::move(headers));
  }
  base::Task<void> write(std::string chunk) override {
    co_await hang();
    co_await out_.write(std::move(chunk));
  }
  base::Task<void> end() override {
    co_await hang();
    co_await out_.end();
  }
  void abort() override { out_.abort(); }

 private:
  base::Task<void> hang() {
    while (server_.hangs) co_await server_.never_.wait();
  }
  WorkloadServer& server_;
  net::Responder& out_;
};

WorkloadServer::WorkloadServer(base::Runtime runtime, net::Loopback& network, std::string address)
    : origin(std::move(address)), network_(network), clock_(runtime.clock), never_(runtime.executor) {
  network_.serve(origin, *this, apiserver::EmbeddedApi::localAdmin());
}

WorkloadServer::~WorkloadServer() = default;

std::size_t WorkloadServer::count(std::string_view request) const {
  return static_cast<std::size_t>(std::ranges::count(requests, request));
}

base::Task<void> WorkloadServer::handle(net::ServerRequest request, net::Responder& out) {
  const bool isWatch = request.query().find("watch=true") != std::string_view::npos;
  requests.push_back(fmt::format("{} {}", isWatch ? "WATCH" : request.method, request.path()));
  SilentWhenHanging door(*this, out);
  if (hangs || request.path() == hangsAt) co_await never_.wait();
  if (thinks > base::Duration{} && (thinksAt.empty() || thinksAt == request.path())) co_await clock_.sleepFor(thinks);
  const std::string shown = request.headers.get("Authorization");
  if (!shown.starts_with("Bearer ") || !tokens.contains(shown.substr(7)))
    co_return co_await door.send(refusal(401, "Unauthorized", "I do not know " + shown));
  if (answer)
    if (auto other = answer(request)) co_return co_await door.send(std::move(*other));
  if (isWatch && !stutters.empty()) {
    co_await door.begin(200, {{"Content-Type", "application/json"}});
    co_await door.write(stutters);
    co_await never_.wait();
  }
  struct Counted {
    int* count;
    ~Counted() { *count -= 1; }
  };
  int others = 0;
  const Counted counted{isWatch ? &watches : &others};
  ++*counted.count;
  request.headers.remove("Authorization");
  co_await api->handler().handle(std::move(request), door);
}

// The management API, which the process reaches by another name than the user.
class WorkloadSite::Management final : public net::HttpHandler {
 public:
  explicit Management(WorkloadSite& site) : api(startApi(site.loop, site.runtime)), site_(site) {}

  base::Task<void> handle(net::ServerRequest request, net::Responder& out) override {
    if (request.path().ends_with("-kubeconfig")) site_.looks.push_back(site_.loop.clock.now());
    if (site_.managementRefuses) co_return co_await out.send(refusal(403, "Forbidden", "no"));
    if (site_.managementFails) co_return co_await out.send(refusal(500, "InternalError", "etcd is away"));
    co_await api->handler().handle(std::move(request), out);
  }

  std::unique_ptr<apiserver::EmbeddedApi> api;

 private:
  WorkloadSite& site_;
};

WorkloadSite::WorkloadSite() {
  options.environment = [](std::string_view) { return std::nullopt; };
  management_ = std::make_unique<Management>(*this);
  network.serve(userOrigin, management_->api->handler(), apiserver::EmbeddedApi::localAdmin());
  network.serve(managementOrigin, *management_, apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(runtime, network, {.server = userOrigin});
  client_ = kube::connect(runtime, network, {.server = managementOrigin});
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
  start();
}

WorkloadSite::~WorkloadSite() {
  kill();
  run(network.close());
  for (auto& [name, server] : servers_) run(server->api->stop(1s));
  run(management_->api->stop(1s));
}

void WorkloadSite::start() {
  cache = std::make_unique<ClusterCache>(runtime, client_->api(), network, options);
  subscription_ = cache->onChange([this](const kube::ObjectKey& cluster, const kube::Node* node) {
    told.push_back(node ? cluster.name + ": " + node->metadata.name : cluster.name);
  });
  tasks_ = std::make_unique<base::TaskGroup>(runtime.executor, runtime.log);
  tasks_->spawn("cluster cache", cache->run());
}

void WorkloadSite::kill() {
  if (!cache) return;
  run(tasks_->close());
  cache.reset();
}

WorkloadServer& WorkloadSite::add(const std::string& name) {
  const std::string origin = "https://" + name + ".test:6443";
  auto server = std::make_unique<WorkloadServer>(runtime, network, origin);
  server->api = startApi(loop, runtime);
  const std::string adminOrigin = "https://admin-of-" + name + ".test";
  network.serve(adminOrigin, server->api->handler(), apiserver::EmbeddedApi::localAdmin());
  server->admin = kube::connect(runtime, network, {.server = adminOrigin});
  setKubeconfig(name, withToken(origin, "open-sesame"));
  return *(servers_[name] = std::move(server));
}

void WorkloadSite::setKubeconfig(const std::string& cluster, const std::string& text) {
  const kube::ObjectKey at{"metal", cluster + "-kubeconfig"};
  if (run(user_->get<kube::Secret>(at))) {
    run(user_->patch<kube::Secret>(at, json::Object{{"data", json::Object{{"value", base::toBase64(text)}}}}));
    return;
  }
  kube::Secret secret;
  secret.metadata.namespace_ = at.namespace_;
  secret.metadata.name = at.name;
  secret.data["value"] = base::Secret(text);
  run(user_->create(std::move(secret)));
}

void WorkloadSite::removeKubeconfig(const std::string& cluster) {
  run(user_->remove<kube::Secret>({"metal", cluster + "-kubeconfig"}));
}

void WorkloadSite::labelKubeconfig(const std::string& cluster, const std::string& value) {
  run(user_->patch<kube::Secret>({"metal", cluster + "-kubeconfig"},
                                 json::Object{{"metadata", json::Object{{"labels", json::Object{{"l", value}}}}}}));
}

std::string WorkloadSite::see(const std::string& cluster) {
  const auto found = cache->nodes(key(cluster));
  if (!found) return std::string(json::textOf(found.error().reason));
  std::string out;
  for (const auto& node : (*found)->all()) out += (out.empty() ? "" : " ") + node->metadata.name;
  return out;
}

std::string WorkloadSite::why(const std::string& cluster) {
  const auto found = cache->nodes(key(cluster));
  return found ? "" : found.error().text;
}

const NodeView& WorkloadSite::nodes(const std::string& cluster) { return *cache->nodes(key(cluster)).value(); }

bool WorkloadSite::hasLogged(std::string_view text) const { return sink->contains(text); }

}  // namespace ingot::tests
