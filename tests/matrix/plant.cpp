#include "tests/matrix/plant.hpp"

#include "api/kinds/kinds.hpp"
#include "base/base64.hpp"
#include "coordinator/admission.hpp"
#include "kube/core/namespace.hpp"
#include "tests/matrix/board.hpp"
#include "tests/matrix/ipmitool.hpp"
#include "tests/matrix/processes.hpp"

namespace ingot::tests::matrix {

namespace {

using namespace std::chrono_literals;

constexpr base::Duration deadFor = 2s;

// INGOT_TEST_LOG=1 shows what all the processes say.
std::shared_ptr<base::LogSink> sinkOf() {
  if (std::getenv("INGOT_TEST_LOG") != nullptr) return base::stderrSink(base::Level::debug);
  return std::make_shared<base::MemorySink>();
}

std::string addressOf(std::size_t number) { return fmt::format("10.0.{}.{}", number / 250, 1 + number % 250); }

}  // namespace

Plant::Plant(Agents agents, Protocol protocol)
    : runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(sinkOf(), "plant")},
      network(runtime),
      ironic(runtime, {.shortWork = 500ms, .ramdiskWork = 2s, .powerWork = 1s}),  // thousands of lives pass here
      wires(runtime),
      tape(runtime),
      agents_(agents),
      protocol_(protocol),
      programs_(std::make_unique<Ipmitool>(loop.clock, [this](const std::string& address) -> Server* {
        const auto found = std::ranges::find(servers_, address, [](const auto& one) { return one.second->address; });
        return found == servers_.end() ? nullptr : found->second.get();
      })) {
  serveApi();
  network.serve(ironicOrigin, ironic);
  ironic.machineFor = [this](const json::Object& driverInfo) -> std::shared_ptr<FakeMachine> {
    for (auto& [name, server] : servers_) {
      const std::string prefix = protocol_ == Protocol::redfish ? "https://" : "";
      if (json::textAt(driverInfo, {driverKey("address")}) != prefix + server->address) continue;
      ++server->nodesMade;
      return std::make_shared<Board>(*server);
    }
    return nullptr;
  };
  ironic.onWorkBegun = [this](const std::string& node, const std::string& what) { ironicBegan(node, what); };
  tape.stateOf = [this](const std::string& name) {
    const auto* it = host(name);
    return it == nullptr ? std::string("gone") : it->status.provisioning.state;
  };
  tape.hostOfNode = [this](const std::string& uuid) { return hostOfNode(uuid); };
  tape.hostOfUid = [this](const std::string& uid) { return hostOfUid_[uid]; };
  tape.sweepsFail = [this] { return sweepsFail_ > 0; };
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
  apiserver::EmbeddedOptions options{.definitions = api::crdsOf(api::KindSet::hosts),
                                     .admission = coordinator::admissionRules};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
  network.serve(apiOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  user_ = kube::connect(runtime, network, {.server = apiOrigin});
  api_->registry().observe([this](const apiserver::GroupResource& id, const auto& before, const auto& next) {
    if (id.resource != "baremetalhosts") return;
    const auto& object = next ? next : before;
    auto decoded = json::decode<api::BareMetalHost>(json::parse(object->body.text()));
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
  const bool redfish = protocol_ == Protocol::redfish;
  host.spec.bmc = {.address = redfish ? "redfish://" + address + "/redfish/v1/Systems/1" : "ipmi://" + address,
                   .credentialsName = name + "-bmc"};
  host.spec.bootMACAddress = fmt::format("52:54:00:00:{:02x}:{:02x}", number / 256, number % 256);
  host.spec.online = false;
  run(user_->create(std::move(host)));
}

void Plant::patchHost(const std::string& name, const std::string& mergePatch) {
  run(user_->patch<api::BareMetalHost>({space, name}, json::parse(mergePatch)));
}

void Plant::rotatePassword(const std::string& name, const std::string& password) {
  Server& server = *servers_.at(name);
  server.password = password;
  server.bmc.password = password;
  server.bmc.expireSessions();
  const json::Object data{{"password", base::toBase64(password)}};
  run(user_->patch<kube::Secret>({space, name + "-bmc"}, json::Object{{"data", data}}));
}

void Plant::removeHost(const std::string& name) { run(user_->remove<api::BareMetalHost>({space, name})); }

const api::BareMetalHost* Plant::host(const std::string& name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : &found->second;
}

std::string Plant::driverKey(std::string_view what) const {
  return fmt::format("{}_{}", protocol_ == Protocol::redfish ? "redfish" : "ipmi", what);
}

std::optional<kube::Secret> Plant::secretOf(const std::string& name) {
  return run(user_->get<kube::Secret>({space, name + "-bmc"}));
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

}  // namespace ingot::tests::matrix
