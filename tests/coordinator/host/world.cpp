#include "tests/coordinator/host/world.hpp"

#include "api/kinds/kinds.hpp"
#include "base/base64.hpp"
#include "coordinator/admission.hpp"
#include "kube/client/config.hpp"
#include "kube/core/namespace.hpp"

namespace ingot::tests {
namespace {

constexpr auto userOrigin = "https://user.test";
constexpr auto controllerOrigin = "https://controller.test";

bool mutates(const net::HttpRequest& request) { return request.method != "GET"; }
bool isEvent(const net::HttpRequest& request) { return request.target.find("/events") != std::string::npos; }

}  // namespace

base::Task<void> FailingApi::handle(net::ServerRequest request, net::Responder& out) {
  if (!failing_ || !failing_(request)) co_return co_await api_.handle(std::move(request), out);
  const json::Object status{{"kind", "Status"}, {"message", "the webhook is down"}, {"reason", "InternalError"}};
  net::HttpResponse answer{.status = 500, .body = json::serialize(status)};
  answer.headers.set("Content-Type", "application/json");
  co_await out.send(std::move(answer));
}

Life::Life(base::Runtime runtime, net::HttpTransport& network, host::ProvisionerFactory& backends,
           std::set<kube::ObjectKey> unreadableHosts)
    : tasks_(runtime.executor, runtime.log),
      client_(kube::connect(runtime, network, {.server = controllerOrigin})),
      hosts_(runtime, client_->api(), {.unreadable = std::move(unreadableHosts)}),
      secrets_(runtime, client_->api(), {.labelSelector = "environment.metal3.io=baremetal"}),
      hardware_(runtime, client_->api()),
      events_(runtime, *client_,
              {.component = "metal3-baremetal-controller", .reportingComponent = "metal3.io/baremetal-controller"}),
      metrics_(page),
      controller_(runtime,
                  {*client_, hosts_, secrets_, hardware_, secretUsers_, backends, power_, events_, metrics_, {}}) {
  hosts_.start(tasks_);
  secrets_.start(tasks_);
  hardware_.start(tasks_);
  tasks_.spawn("events", events_.run());
  tasks_.spawn("controller", controller_.run());
}

Life::~Life() = default;

World::World(Admission admission) {
  apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::hosts)};
  if (admission == Admission::asShipped) options.admission = coordinator::admissionRules;
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(loop.runtime, std::move(options)));
  network_.serve(userOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  failingApi_.emplace(api_->handler(), failing);
  network_.serve(controllerOrigin, *failingApi_, apiserver::EmbeddedApi::localAdmin());
  network_.beforeRequest = [this](const net::ClientOptions& client, const net::HttpRequest& request) {
    if (client.baseUrl == controllerOrigin) onControllerRequest(request);
  };
  user_ = kube::connect(loop.runtime, network_, {.server = userOrigin});
  api_->registry().observe([this](const apiserver::GroupResource& id, const auto&, const apiserver::ObjectPtr& next) {
    if (id.resource != "baremetalhosts" || !next) return;
    const auto seen = json::decode<api::BareMetalHost>(json::parse(next->body.text()));
    if (states_.empty() || states_.back() != seen.status.provisioning.state)
      states_.push_back(seen.status.provisioning.state);
  });
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
  createSecret("bmc", {{"username", "admin"}, {"password", "secret"}});
  start();
}

World::~World() {
  kill();
  user_.reset();
  run(network_.close());
  run(api_->stop(std::chrono::seconds(1)));
}

void World::start() {
  dead = false;
  dieAtWrite.reset();
  life = std::make_unique<Life>(loop.runtime, network_, backends, unreadableHosts);
}

void World::kill() {
  if (!life) return;
  run(life->tasks_.close());
  life.reset();
}

void World::onControllerRequest(const net::HttpRequest& request) {
  if (mutates(request) && !isEvent(request) && !dead) {
    if (dieAtWrite == writes) dead = true;
    ++writes;
  }
  if (dead) throw net::HttpError(net::HttpError::Code::reset, "the process is dead");
  for (auto& [text, times] : failNext) {
    if (times > 0 && request.target.find(text) != std::string::npos && mutates(request)) {
      --times;
      throw net::HttpError(net::HttpError::Code::reset, "connection lost");
    }
  }
}

void World::createSecret(const std::string& name, std::map<std::string, std::string> data, bool labelled,
                         const std::vector<kube::OwnerReference>& owners) {
  kube::Secret secret;
  secret.metadata.name = name;
  secret.metadata.namespace_ = "metal";
  if (labelled) secret.metadata.labels["environment.metal3.io"] = "baremetal";
  secret.metadata.ownerReferences = owners;
  for (auto& [key, value] : data) secret.data.emplace(key, kube::SecretBytes(value));
  run(user_->create(std::move(secret)));
}

void World::editSecret(const std::string& name, const std::string& key, const std::string& value) {
  json::Object data;
  data[key] = base::toBase64(value);
  run(user_->patch<kube::Secret>({"metal", name}, json::Object{{"data", data}}));
}

void World::labelSecret(const std::string& name, const std::string& label) {
  const json::Object labels{{label, "x"}};
  run(user_->patch<kube::Secret>({"metal", name}, json::Object{{"metadata", json::Object{{"labels", labels}}}}));
}

void World::create(api::BareMetalHost host) {
  host.metadata.finalizers.clear();
  host.metadata.uid.clear();
  host.metadata.generation = 0;
  host.status = {};
  run(user_->create(std::move(host)));
}

void World::patch(const std::string& mergePatch, const std::string& host) {
  run(user_->patch<api::BareMetalHost>({"metal", host}, json::parse(mergePatch)));
}

void World::remove() { run(user_->remove<api::BareMetalHost>({"metal", "a"})); }

std::optional<api::BareMetalHost> World::find() { return run(user_->get<api::BareMetalHost>({"metal", "a"})); }

std::string World::state() {
  const auto host = find();
  return host ? host->status.provisioning.state : "gone";
}

std::optional<kube::Secret> World::secret(const std::string& name) {
  return run(user_->get<kube::Secret>({"metal", name}));
}

std::optional<api::HardwareData> World::hardware() { return run(user_->get<api::HardwareData>({"metal", "a"})); }

std::vector<kube::Event> World::events() { return run(user_->list<kube::Event>({.namespace_ = "metal"})); }

std::vector<std::string> World::eventReasons() {
  std::vector<std::string> reasons;
  for (const auto& event : events()) reasons.push_back(event.reason);
  return reasons;
}

std::vector<std::string> World::statesSeen() { return states_; }

bool World::reaches(const std::string& state, base::Duration limit) {
  return loop.clock.advanceUntil([&] { return dead || (!states_.empty() && states_.back() == state); }, limit) && !dead;
}

bool World::vanishes(base::Duration limit) {
  const base::MonoTime end = loop.clock.now() + limit;
  while (loop.clock.now() < end && !dead) {
    if (!find()) return true;
    settle();
  }
  return false;
}

}  // namespace ingot::tests
