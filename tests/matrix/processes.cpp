#include "tests/matrix/processes.hpp"

#include "api/agent/provisioning_agent.hpp"
#include "coordinator/wiring.hpp"

namespace ingot::tests::matrix {

namespace {

std::optional<std::string> environment(std::string_view name) {
  if (name == "IRONIC_ENDPOINT") return std::string(ironicOrigin) + "/v1";
  if (name == "DEPLOY_KERNEL_URL") return "http://images/kernel";
  if (name == "DEPLOY_RAMDISK_URL") return "http://images/ramdisk";
  if (name == "PROVISIONING_LIMIT") return "1000";
  return std::nullopt;
}

std::string keyOf(const std::string& name) {
  std::string key = name + std::string(40, 'k');
  key.resize(40);
  return key;
}

}  // namespace

CoordinatorLife::CoordinatorLife(base::Runtime runtime, net::HttpTransport& network, Tape& tape)
    : mortal(network, alive),
      http(mortal, tape, ironicOrigin),
      client(kube::connect(runtime, http, {.server = apiOrigin})),
      environment(matrix::environment),
      tasks(runtime.executor, runtime.log) {}

void Plant::startCoordinator() {
  coordinator_ = std::make_unique<CoordinatorLife>(runtime.named("coordinator"), network, tape);
  coordinator::BindLink bind;
  if (agents_ != Agents::none) {
    bind = [this, alive = coordinator_->alive](base::Runtime, wire::CoordinatorSocket) {
      return std::make_unique<TapedLink>(std::make_unique<MortalCoordinatorLink>(wires.coordinator(), alive), tape);
    };
  }
  coordinator_->tasks.spawn("controllers", coordinator::runControllers({.runtime = runtime,
                                                                        .options = coordinator_->options,
                                                                        .transport = coordinator_->http,
                                                                        .environment = coordinator_->environment,
                                                                        .client = *coordinator_->client,
                                                                        .metrics = coordinator_->metrics,
                                                                        .bindLink = bind,
                                                                        .term = ++term_,
                                                                        .kinds = coordinator_->kinds}));
}

void Plant::endCoordinator() {
  *coordinator_->alive = false;
  run(coordinator_->tasks.close());
  coordinator_.reset();
}

std::string Plant::agentOf(const std::string& host) const {
  if (agents_ == Agents::none) return "";
  return agents_ == Agents::oneEach ? "agent-" + host : sharedAgent;
}

void Plant::startAgent(const std::string& name) {
  auto& box = boxes_[name];
  if (!box) {
    box = std::make_unique<Box>();
    api::ProvisioningAgent agent;
    agent.metadata.name = name;
    agent.spec.publicKey = keyOf(name);
    agent.spec.approved = agent.spec.allHosts = true;
    agent.spec.fingerprint = wire::fingerprint(agent.spec.publicKey);
    run(user_->create(std::move(agent)));
  }
  box->life = std::make_unique<AgentLife>(runtime, wires.agent(keyOf(name)), network, box->journal, name,
                                          fmt::format("boot-{}", ++boots_), programs_.get());
}

void Plant::endAgent(const std::string& name) {
  Box& box = *boxes_.at(name);
  if (!box.life) return;
  *box.life->alive = false;
  run(box.life->tasks.close());
  box.life.reset();
}

bool Plant::commandRepeated() const {
  return std::ranges::any_of(boxes_, [](const auto& box) { return box.second->journal.repeated > 0; });
}

}  // namespace ingot::tests::matrix
