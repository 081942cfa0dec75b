#include "tests/coordinator/agents/site.hpp"

#include "api/kinds/kinds.hpp"
#include "base/base64.hpp"
#include "coordinator/admission.hpp"
#include "coordinator/wiring.hpp"
#include "kube/core/error.hpp"
#include "kube/core/namespace.hpp"
#include "kube/core/secret.hpp"
#include "tests/support/ironic/owner.hpp"

#include <catch2/catch.hpp>

namespace ingot::tests {

namespace {

constexpr auto apiOrigin = "https://api.test";
constexpr auto ironicOrigin = "http://ironic:6385";

std::optional<std::string> environment(std::string_view name) {
  if (name == "IRONIC_ENDPOINT") return std::string(ironicOrigin) + "/v1";
  if (name == "DEPLOY_KERNEL_URL") return "http://images/kernel";
  if (name == "DEPLOY_RAMDISK_URL") return "http://images/ramdisk";
  return std::nullopt;
}

// The machine behind a BMC, as Ironic drives it.
class Board final : public FakeMachine {
 public:
  explicit Board(FakeRedfish& bmc) : bmc_(bmc) {}
  bool poweredOn() const override { return bmc_.powerState == "On"; }
  void setPower(bool on) override {
    if (on != poweredOn() && bmc_.onSwitched) bmc_.onSwitched();
    bmc_.powerState = on ? "On" : "Off";
  }
  void ejectMedia() override { bmc_.media.clear(); }

 private:
  FakeRedfish& bmc_;
};

std::string keyOf(const std::string& name) {
  std::string key = name + std::string(40, 'k');
  key.resize(40);
  return key;
}

// INGOT_TEST_LOG=1 shows what all the processes say.
class SiteSink final : public base::LogSink {
 public:
  explicit SiteSink(std::shared_ptr<base::MemorySink> kept) : kept_(std::move(kept)) {
    if (std::getenv("INGOT_TEST_LOG") != nullptr) shown_ = base::stderrSink(base::Level::debug);
  }
  void write(const base::LogEntry& entry) override {
    kept_->write(entry);
    if (shown_) shown_->write(entry);
  }
  [[nodiscard]] bool enabled(base::Level) const override { return true; }

 private:
  std::shared_ptr<base::MemorySink> kept_;
  std::shared_ptr<base::LogSink> shown_;
};

}  // namespace

CoordinatorLife::CoordinatorLife(base::Runtime runtime, net::HttpTransport& network)
    : http(network, alive),
      client(kube::connect(runtime, http, {.server = apiOrigin})),
      environment(tests::environment),
      tasks(runtime.executor, runtime.log) {}

Site::Site(With backend, Kinds kinds)
    : runtime{loop.io.get_executor(), loop.clock, *loop.random, base::Log(std::make_shared<SiteSink>(said), "site")},
      network(runtime),
      ironic(runtime),
      wires(runtime),
      backend_(backend) {
  apiserver::EmbeddedOptions options{
      .definitions = kinds == Kinds::all ? api::everyCrd() : api::crdsOf(api::KindSet::hosts),
      .admission = coordinator::admissionRules,
      .converters = coordinator::kindConverters()};
  options.store.commit = apiserver::StoreOptions::Commit::inLine;
  api_ = run(apiserver::EmbeddedApi::start(runtime, std::move(options)));
  network.serve(apiOrigin, api_->handler(), apiserver::EmbeddedApi::localAdmin());
  network.serve(ironicOrigin, ironic);
  user_ = kube::connect(runtime, network, {.server = apiOrigin});
  api_->registry().observe([this](const apiserver::GroupResource& id, const auto&, const apiserver::ObjectPtr& next) {
    if (id.resource != "baremetalhosts" || !next) return;
    auto seen = json::decode<api::BareMetalHost>(json::parse(next->body.text()));
    if (onHostStored) onHostStored(seen);
    hosts_[seen.metadata.name] = std::move(seen);
  });
  ironic.machineFor = [this](const json::Object& driverInfo) -> std::shared_ptr<FakeMachine> {
    for (const auto& [address, bmc] : bmcs_)
      if (json::textAt(driverInfo, {"redfish_address"}) + json::textAt(driverInfo, {"redfish_system_id"}) ==
          "https://" + systemOf(address))
        return std::make_shared<Board>(*bmc);
    return nullptr;
  };
  ironic.onWorkBegun = [this](const std::string& node, const std::string& what) { ironicBegan(node, what); };
  kube::Namespace space;
  space.metadata.name = "metal";
  run(user_->create(std::move(space)));
  startCoordinator();
}

Site::~Site() {
  CHECK(broken.empty());
  for (auto& [name, box] : boxes_) killAgent(name);
  killCoordinator();
  user_.reset();
  run(network.close());
  run(api_->stop(std::chrono::seconds(1)));
}

void Site::startCoordinator() {
  CoordinatorWorld world{&runtime.clock, &network};
  if (aroundCoordinator) aroundCoordinator(world);
  const base::Runtime its{runtime.executor, *world.clock, runtime.random, runtime.log};
  coordinator_ = std::make_unique<CoordinatorLife>(its.named("coordinator"), *world.network);
  coordinator_->options.provisioner = backend_ == With::ironic  ? coordinator::Backend::ironic
                                      : backend_ == With::agent ? coordinator::Backend::agent
                                                                : coordinator::Backend::fixture;
  const auto bind = [this, alive = coordinator_->alive, around = world.link](base::Runtime, wire::CoordinatorSocket) {
    auto link = wires.coordinator();
    if (around) link = around(std::move(link));
    return std::make_unique<MortalCoordinatorLink>(std::move(link), alive, onCoordinatorSending);
  };
  coordinator_->tasks.spawn("controllers", coordinator::runControllers({.runtime = its,
                                                                        .options = coordinator_->options,
                                                                        .transport = coordinator_->http,
                                                                        .environment = coordinator_->environment,
                                                                        .client = *coordinator_->client,
                                                                        .metrics = coordinator_->metrics,
                                                                        .bindLink = bind,
                                                                        .term = ++term,
                                                                        .lease = lease,
                                                                        .kinds = coordinator_->kinds,
                                                                        .unreadable = unreadable}));
}

std::int64_t Site::leastTerm() {
  const coordinator::Options options;
  return run(coordinator::leastTerm(*user_, {.options = options, .lease = lease, .now = loop.clock.wall()}));
}

void Site::killCoordinator() {
  if (!coordinator_) return;
  *coordinator_->alive = false;
  run(coordinator_->tasks.close());
  coordinator_.reset();
}

AgentBox& Site::box(const std::string& name) {
  AgentBox& box = boxes_[name];
  box.name = name;
  box.key = keyOf(name);
  return box;
}

void Site::startAgent(const std::string& name) {
  AgentBox& it = box(name);
  AgentWorld world{&runtime.clock, wires.agent(it.key), &network};
  if (aroundAgent) aroundAgent(it, world);
  it.life = std::make_unique<AgentLife>(base::Runtime{runtime.executor, *world.clock, runtime.random, runtime.log},
                                        std::move(world.link), *world.network, it.journal, name,
                                        fmt::format("boot-{}", ++boots_), world.programs);
}

void Site::killAgent(const std::string& name) {
  AgentBox& it = box(name);
  if (!it.life) return;
  *it.life->alive = false;
  stopAgent(name);
}

void Site::stopAgent(const std::string& name) {
  AgentBox& it = box(name);
  if (!it.life) return;
  run(it.life->tasks.close());
  it.life.reset();
}

void Site::approve(const std::string& name, const std::string& specPatch) {
  if (!until([&] { return agentObject(name).has_value(); })) throw std::runtime_error("the agent never showed up");
  changeAgent(name, specPatch);
}

void Site::changeAgent(const std::string& name, const std::string& specPatch) {
  json::Object spec = json::parse(specPatch).get_object();
  spec.emplace("approved", true);
  const auto agent = agentObject(name).value();
  spec.emplace("fingerprint", wire::fingerprint(agent.spec.publicKey));
  const auto* networks = spec.if_contains("networks");
  const bool isNarrow = networks != nullptr ? !networks->as_array().empty() : !agent.spec.networks.empty();
  if (!isNarrow && !spec.contains("hostLabels")) spec.emplace("allHosts", true);
  run(user_->patch<api::ProvisioningAgent>({"", name}, json::Object{{"spec", spec}}));
}

void Site::serveAll(const std::string& name) {
  startAgent(name);
  for (int i = 0; i < 60 && !agentObject(name); ++i) pass(std::chrono::seconds(1));
  changeAgent(name, "{}");
  if (!until([&] { return box(name).life->agent.approved(); })) throw std::runtime_error("the agent was not approved");
}

FakeRedfish& Site::addBmc(const std::string& address) {
  auto& bmc = bmcs_[address];
  bmc = std::make_unique<FakeRedfish>();
  bmc->onReset = [this, address] { agentWrote(address); };
  network.serve("https://" + address + ":443", *bmc);
  return *bmc;
}

std::string Site::systemOf(const std::string& address) const {
  const auto other = systemAt.find(address);
  return other == systemAt.end() ? address + "/redfish/v1/Systems/1" : other->second;
}

void Site::addHost(const std::string& name, const std::string& address, bool online, const std::string& password,
                   const std::string& bootMac) {
  if (!bmcs_.contains(address)) addBmc(address);
  hostAt_[address] = name;
  kube::Secret secret;
  secret.metadata.name = name + "-bmc";
  secret.metadata.namespace_ = "metal";
  secret.data = {{"username", kube::SecretBytes("admin")}, {"password", kube::SecretBytes(password)}};
  run(user_->create(std::move(secret)));

  api::BareMetalHost host;
  host.metadata.name = name;
  host.metadata.namespace_ = "metal";
  host.metadata.annotations["inspect.metal3.io"] = "disabled";
  host.spec.bmc = {.address = bmcScheme + "://" + systemOf(address), .credentialsName = name + "-bmc"};
  host.spec.bootMACAddress =
      bootMac.empty() ? fmt::format("52:54:00:00:{:02x}:{:02x}", hostAt_.size() / 256, hostAt_.size() % 256) : bootMac;
  host.spec.automatedCleaningMode = "disabled";
  host.spec.online = online;
  run(user_->create(std::move(host)));
}

void Site::patchHost(const std::string& name, const std::string& mergePatch) {
  run(user_->patch<api::BareMetalHost>({"metal", name}, json::parse(mergePatch)));
}

void Site::setOnline(const std::string& name, bool on) {
  patchHost(name, fmt::format(R"({{"spec":{{"online":{}}}}})", on));
}

void Site::setPassword(const std::string& name, const std::string& password) {
  json::Object data;
  data["password"] = base::toBase64(password);
  run(user_->patch<kube::Secret>({"metal", name + "-bmc"}, json::Object{{"data", data}}));
}

void Site::removeHost(const std::string& name) { run(user_->remove<api::BareMetalHost>({"metal", name})); }

const api::BareMetalHost* Site::host(const std::string& name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : &found->second;
}

std::string Site::state(const std::string& name) const {
  const auto* it = host(name);
  return it == nullptr ? "" : it->status.provisioning.state;
}

std::string Site::powerKnown(const std::string& name) const {
  const auto* it = host(name);
  if (it == nullptr) return "";
  for (const auto& condition : it->status.conditions)
    if (condition.type == "PowerStateKnown") return condition.status;
  return "";
}

std::optional<api::ProvisioningAgent> Site::agentObject(const std::string& name) {
  return run(user_->get<api::ProvisioningAgent>({"", name}));
}

std::vector<kube::Event> Site::events(const std::string& namespace_) {
  return run(user_->list<kube::Event>({.namespace_ = namespace_}));
}

std::vector<std::string> Site::eventMessages(const std::string& namespace_, const std::string& reason) {
  std::vector<std::string> messages;
  for (const auto& event : events(namespace_))
    if (event.reason == reason) messages.push_back(event.message);
  return messages;
}

std::vector<std::string> Site::eventReasons(const std::string& namespace_) {
  std::vector<std::string> reasons;
  for (const auto& event : run(user_->list<kube::Event>({.namespace_ = namespace_}))) reasons.push_back(event.reason);
  return reasons;
}

int Site::holders(const std::string& name) {
  const auto* it = host(name);
  if (it == nullptr) return 0;
  return static_cast<int>(std::ranges::count_if(boxes_, [&](const auto& entry) {
    const auto& life = entry.second.life;
    return life && *life->alive && life->agent.actsOn(it->metadata.uid);
  }));
}

void Site::removeAgent(const std::string& name) {
  try {
    run(user_->remove<api::ProvisioningAgent>({"", name}));
  } catch (const kube::Error& error) {
    if (error.code() != kube::Error::Code::notFound) throw;
  }
}

bool Site::settled(const std::string& name) const {
  const auto* it = host(name);
  return it != nullptr && state(name) == "available" && it->status.poweredOn == it->spec.online &&
         powerKnown(name) == "True" && it->status.operationalStatus != "error";
}

void Site::agentWrote(const std::string& address) {
  const auto& name = hostAt_[address];
  ++resets_[address];
  if (const std::string why = whyIronicOwns(ironic, "metal~" + name); !why.empty())
    broken.push_back(fmt::format("an agent changed {} while Ironic owned it: {}", name, why));
  if (onAgentWrite) onAgentWrite(name);
}

void Site::ironicBegan(const std::string& node, const std::string& what) {
  const std::string name = json::textAt(ironic.record(node), {"name"});
  const std::string host = name.substr(name.find('~') + 1);
  if (hosts_.contains(host)) ++workBegun;
  if (const int holding = holders(host); holding > 0)
    broken.push_back(fmt::format("Ironic began \"{}\" on {} while {} agents might act on it", what, host, holding));
}

}  // namespace ingot::tests
