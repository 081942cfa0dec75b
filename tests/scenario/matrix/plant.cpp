#include "tests/scenario/matrix/plant.hpp"

#include "api/agent/provisioning_agent.hpp"
#include "api/crd/crd.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/host/ironic/ownership.hpp"
#include "coordinator/wiring.hpp"
#include "kube/core/namespace.hpp"

namespace ingot::tests::matrix {

namespace {

using namespace std::chrono_literals;

constexpr auto apiOrigin = "https://api.test";
constexpr auto ironicOrigin = "http://ironic:6385";
constexpr auto space = "metal";
constexpr auto sharedAgent = "near";
constexpr base::Duration troubleLasts = 45s;
constexpr base::Duration deadFor = 2s;

std::vector<std::string> crdTexts() {
  std::vector<std::string> texts;
  for (const auto& crd : api::allCrds()) texts.push_back(boost::json::serialize(crd));
  return texts;
}

std::optional<std::string> environment(std::string_view name) {
  if (name == "IRONIC_ENDPOINT") return std::string(ironicOrigin) + "/v1";
  if (name == "DEPLOY_KERNEL_URL") return "http://images/kernel";
  if (name == "DEPLOY_RAMDISK_URL") return "http://images/ramdisk";
  if (name == "PROVISIONING_LIMIT") return "1000";
  return std::nullopt;
}

class NoProcesses final : public base::ProcessRunner {
 public:
  base::Task<base::ProcessResult> run(base::ProcessSpec) override { throw base::Error("no process is expected here"); }
};

// The server as Ironic drives it. It fails as real ones do: with a text in last_error.
class Board final : public FakeMachine {
 public:
  explicit Board(Server& server) : server_(server) {}
  bool poweredOn() const override { return server_.bmc.powerState == "On"; }
  void setPower(bool on) override {
    server_.bmc.powerState = on ? "On" : "Off";
    server_.onPower(on);
  }
  std::string unreachable() const override {
    if (server_.trouble == Fault::passwordRefused) return "the BMC refused the user name or password";
    if (server_.trouble == Fault::bmcAnswers500) return "HTTP 500: internal error of the BMC";
    if (server_.trouble == Fault::bmcHangs) return "request to the BMC timed out";
    return "";
  }
  std::string disobedience() const override {
    if (server_.trouble == Fault::bmcIgnoresResets) return "the machine is still in its old power state";
    return unreachable();
  }

 private:
  Server& server_;
};

std::string keyOf(const std::string& name) {
  std::string key = name + std::string(40, 'k');
  key.resize(40);
  return key;
}

// INGOT_TEST_LOG=1 shows what all the processes say.
std::shared_ptr<base::LogSink> sinkOf() {
  if (std::getenv("INGOT_TEST_LOG") != nullptr) return base::stderrSink(base::Level::debug);
  return std::make_shared<base::MemorySink>();
}

std::string addressOf(std::size_t number) { return fmt::format("10.0.{}.{}", number / 250, 1 + number % 250); }

}  // namespace

struct AgentLife {
  AgentLife(base::Runtime runtime, std::unique_ptr<wire::AgentLink> inner, net::HttpTransport& network,
            WatchedJournal& journal, const std::string& name, const std::string& boot)
      : http(network, alive),
        link(std::make_unique<MortalAgentLink>(std::move(inner), alive)),
        agent(runtime.named(name), *link, {http, processes}, (journal.alive = alive, journal),
              {.name = name, .boot = boot}),
        tasks(runtime.executor, runtime.log) {
    tasks.spawn("agent", agent.run());
  }
  Alive alive = std::make_shared<bool>(true);
  MortalTransport http;
  NoProcesses processes;
  std::unique_ptr<wire::AgentLink> link;
  agent::Agent agent;
  base::TaskGroup tasks;
};

struct Plant::Box {
  WatchedJournal journal;
  std::unique_ptr<AgentLife> life;
};

CoordinatorLife::CoordinatorLife(base::Runtime runtime, net::HttpTransport& network, Tape& tape)
    : mortal(network, alive),
      http(mortal, tape, ironicOrigin),
      client(kube::connect(runtime, http, {.server = apiOrigin})),
      environment(matrix::environment),
      tasks(runtime.executor, runtime.log) {}

Plant::Plant(Agents agents)
    : runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(sinkOf(), "plant")},
      network(runtime),
      ironic(runtime, {.shortWork = 500ms, .ramdiskWork = 2s, .powerWork = 1s}),  // thousands of lives pass here
      wires(runtime),
      tape(runtime),
      agents_(agents) {
  serveApi();
  network.serve(ironicOrigin, ironic);
  ironic.machineFor = [this](const json::Object& driverInfo) -> std::shared_ptr<FakeMachine> {
    for (auto& [name, server] : servers_) {
      if (json::textAt(driverInfo, {"redfish_address"}) != "https://" + server->address) continue;
      ++server->nodesMade;
      return std::make_shared<Board>(*server);
    }
    return nullptr;
  };
  tape.stateOf = [this](const std::string& name) {
    const auto* it = host(name);
    return it == nullptr ? std::string("gone") : it->status.provisioning.state;
  };
  tape.hostOfNode = [this](const std::string& uuid) { return hostOfNode(uuid); };
  tape.hostOfUid = [this](const std::string& uid) { return hostOfUid_[uid]; };
  tape.die = [this] { *coordinator_->alive = false; };
  tape.strike = [this](const std::string& name, Fault fault) { strike(name, fault); };
  startCoordinator();
  if (agents_ == Agents::oneForAll) startAgent(sharedAgent);
}

Plant::~Plant() {
  for (auto& [name, box] : boxes_) endAgent(name);
  endCoordinator();
  user_.reset();
  run(network.close());
  run(api_->stop(1s));
}

void Plant::serveApi() {
  apiserver::EmbeddedOptions options{.crds = crdTexts(), .admission = coordinator::admissionRules()};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
  network.serve(apiOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(runtime, network, {.server = apiOrigin});
  api_->registry().observe([this](const apiserver::GroupResource& id, const auto& before, const auto& next) {
    if (id.resource != "baremetalhosts") return;
    const auto& object = next ? next : before;
    auto decoded = json::decode<api::BareMetalHost>(json::parse(object->body));
    if (next)
      stored(std::move(decoded));
    else
      hosts_.erase(decoded.metadata.name);
  });
  kube::Namespace metal;
  metal.metadata.name = space;
  run(user_->create(std::move(metal)));
}

void Plant::stored(api::BareMetalHost host) {
  const std::string name = host.metadata.name;
  hostOfUid_[host.metadata.uid] = name;
  auto& messages = messages_[name];
  const auto& message = host.status.errorMessage;
  if (!message.empty() && std::ranges::find(messages, message) == messages.end()) messages.push_back(message);
  hosts_[name] = std::move(host);
}

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
                                                                        .term = ++term_}));
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
    agent.spec.approved = true;
    run(user_->create(std::move(agent)));
  }
  box->life = std::make_unique<AgentLife>(runtime, wires.agent(keyOf(name)), network, box->journal, name,
                                          fmt::format("boot-{}", ++boots_));
}

void Plant::endAgent(const std::string& name) {
  Box& box = *boxes_.at(name);
  if (!box.life) return;
  *box.life->alive = false;
  run(box.life->tasks.close());
  box.life.reset();
}

void Plant::addHost(const std::string& name) {
  const std::string address = addressOf(servers_.size());
  const std::size_t number = servers_.size();
  auto& server = servers_[name] = std::make_unique<Server>();
  server->address = address;
  server->onPower = [this, name](bool on) { switched(name, "Ironic", on); };
  server->bmc.onReset = [this, name] { switched(name, "an agent", servers_.at(name)->bmc.powerState != "On"); };
  network.serve("https://" + address + ":443", server->bmc);
  if (agents_ == Agents::oneEach) startAgent(agentOf(name));

  kube::Secret secret;
  secret.metadata.name = name + "-bmc";
  secret.metadata.namespace_ = space;
  secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes("s3cret")}};
  run(user_->create(std::move(secret)));

  api::BareMetalHost host;
  host.metadata.name = name;
  host.metadata.namespace_ = space;
  if (agents_ != Agents::none) host.metadata.annotations["ingot.dev/agent"] = agentOf(name);
  host.spec.bmc = {.address = "redfish://" + address + "/redfish/v1/Systems/1", .credentialsName = name + "-bmc"};
  host.spec.bootMACAddress = fmt::format("52:54:00:00:{:02x}:{:02x}", number / 256, number % 256);
  host.spec.online = false;
  run(user_->create(std::move(host)));
}

void Plant::patchHost(const std::string& name, const std::string& mergePatch) {
  run(user_->patch<api::BareMetalHost>({space, name}, json::parse(mergePatch)));
}

void Plant::removeHost(const std::string& name) { run(user_->remove<api::BareMetalHost>({space, name})); }

const api::BareMetalHost* Plant::host(const std::string& name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : &found->second;
}

std::optional<kube::Secret> Plant::secretOf(const std::string& name) {
  return run(user_->get<kube::Secret>({space, name + "-bmc"}));
}

bool Plant::commandRepeated() const {
  return std::ranges::any_of(boxes_, [](const auto& box) { return box.second->journal.repeated > 0; });
}

std::string Plant::hostOfNode(const std::string& uuid) {
  std::string& known = hostOfNode_[uuid];
  if (known.empty() && ironic.has(uuid)) {
    const std::string name = json::textAt(json::Value(ironic.record(uuid)), {"name"});
    known = name.substr(name.find('~') + 1);
  }
  return known;
}

void Plant::tick() {
  loop.clock.advance(1s);
  if (!coordinatorAlive()) {
    endCoordinator();
    loop.clock.advance(deadFor);
    startCoordinator();
  }
  const auto now = loop.clock.now();
  for (const auto& due : heal_)
    if (due.at <= now) heal(due.host, due.fault);
  std::erase_if(heal_, [now](const Healing& due) { return due.at <= now; });
}

bool Plant::quiet(const std::string& host) const {
  return coordinatorAlive() && std::ranges::find(heal_, host, &Healing::host) == heal_.end();
}

void Plant::strike(const std::string& name, Fault fault) {
  heal_.push_back({runtime.clock.now() + troubleLasts, name, fault});
  Server& server = *servers_.at(name);
  server.trouble = fault;
  switch (fault) {
    case Fault::agentLost: *boxes_.at(agentOf(name))->life->alive = false; return;
    case Fault::passwordRefused:
      server.bmc.password = "another";
      server.bmc.expireSessions();
      return;
    case Fault::bmcAnswers500:
      server.bmc.instead = [](const auto&) { return net::HttpResponse{.status = 500}; };
      return;
    case Fault::bmcIgnoresResets: server.bmc.obeys = false; return;
    case Fault::bmcHangs: server.bmc.before = [this](const auto&) { return runtime.clock.sleepFor(10min); }; return;
    default: return;
  }
}

void Plant::heal(const std::string& name, Fault fault) {
  Server& server = *servers_.at(name);
  server.trouble.reset();
  server.bmc.password = "s3cret";
  server.bmc.instead = nullptr;
  server.bmc.before = nullptr;
  server.bmc.obeys = true;
  if (fault != Fault::agentLost) return;
  endAgent(agentOf(name));
  startAgent(agentOf(name));
}

// A provisioned host that is to be on is switched off by nobody; an agent keeps its hands off what Ironic owns.
void Plant::switched(const std::string& name, const std::string& who, bool on) {
  const auto* it = host(name);
  if (it == nullptr) return;
  const bool inUse = it->status.provisioning.state == "provisioned" && it->spec.online;
  if (inUse && !on && it->status.poweredOn) breaches_[name].push_back(who + " switched a provisioned host off");
  if (who == "Ironic" || !ironic.has(nodeOf(name))) return;
  const auto node = json::decode<ironic::Node>(json::Value(ironic.record(nodeOf(name))));
  if (coordinator::host::ironic_backend::ironicOwns(node))
    breaches_[name].push_back(
        fmt::format("an agent switched it while Ironic owned it ({})", node.provisionState.text()));
}

}  // namespace ingot::tests::matrix
