#include "tests/coordinator/seeds/story.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capi_ipam/ip_address.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "api/ipam/ip_pool.hpp"
#include "tests/coordinator/seeds/rest.hpp"

#include <algorithm>
#include <utility>

namespace ingot::tests::seeds {

namespace {

using namespace std::chrono_literals;
using api::capi::Cluster;
using api::capi_ipam::IPAddressClaim;
using api::capm3::v1beta2::Metal3DataTemplate;
using api::capm3::v1beta2::Metal3Machine;
using api::capm3::v1beta2::Metal3MachineTemplate;
using api::ipam::IPPool;

constexpr base::Duration kLongest = 2h;  // until something has come to rest
constexpr base::Duration kShortestStep = 200ms, kLongestStep = 15s;

std::string workers(bool reusesHosts) {
  return fmt::format(
      R"({{"metadata":{{"name":"workers","namespace":"metal"}},"spec":{{"nodeReuse":{},"template":{{"spec":{{)"
      R"("automatedCleaningMode":"metadata","image":{{"url":"http://images/os.raw","checksum":)"
      R"("http://images/sums"}}}}}}}}}})",
      reusesHosts);
}

constexpr const char* kSharer = R"({"metadata":{"name":"shared","namespace":"metal"},"spec":{
  "poolRef":{"name":"prov","kind":"IPPool","apiGroup":"ipam.metal3.io"}}})";

constexpr const char* kPool = R"({"metadata":{"name":"prov","namespace":"metal"},"spec":{
  "pools":[{"start":"10.0.0.10","end":"10.0.0.14"}],"prefix":24,"gateway":"10.0.0.1","namePrefix":"prov"}})";

constexpr const char* kForeign = R"(,
    {"id":"q","link":"eth0","fromPoolRef":{"name":"theirs","apiGroup":"ipam.example.com","kind":"ExamplePool"}})";

constexpr const char* kTemplate = R"({"metadata":{"name":"dt","namespace":"metal"},"spec":{
  "metaData":{"indexes":[{"key":"idx","step":1}],"objectNames":[{"key":"name","object":"machine"}],
    "ipAddressesFromPool":[{"key":"ip","name":"prov","apiGroup":"ipam.metal3.io","kind":"IPPool"}]},
  "networkData":{
    "links":{"ethernets":[{"id":"eth0","type":"phy","mtu":1500,"macAddress":{"fromHostInterface":"nic0"}}]},
    "networks":{"ipv4":[{"id":"p","link":"eth0","ipAddressFromIPPool":"prov",
      "routes":[{"network":"0.0.0.0","prefix":0,"gateway":{"fromIPPool":"prov"}}]}@]}}}})";

std::string dataTemplate(bool hasForeign) {
  std::string text = kTemplate;
  return text.replace(text.find('@'), 1, hasForeign ? kForeign : "");
}

const std::string kMore = "more is planned";

std::string numbered(const char* what, int number) { return fmt::format("{}{}", what, number); }

}  // namespace

std::string Story::tell() {
  world_.minorVersion = plot_.forgetsTaint ? "27" : "28";
  setUp();
  world_.start();
  for (const auto part : {&Story::growUp, &Story::fallIll, &Story::end})
    if (std::string problem = (this->*part)(); !problem.empty()) return problem;
  return "";
}

std::string Story::clusterFor(int machine) const { return numbered("c", machine % plot_.clusters); }

void Story::setUp() {
  if (!plot_.hostsComeLate)
    for (int i = 0; i < plot_.hosts; ++i) hardware_.addHost(numbered("h", i));
  world_.make<Metal3MachineTemplate>(workers(plot_.reusesHosts && !plot_.reusesLater));
  if (plot_.hasData) {
    bring(plot_.pool, "ipclaims", [this] { world_.make<IPPool>(kPool); });
    bring(plot_.dataTemplate, "metal3dataclaims",
          [this] { world_.make<Metal3DataTemplate>(dataTemplate(plot_.foreignPool)); });
  }
  for (int i = 0; i < plot_.clusters; ++i) clusterApi_.addCluster(numbered("c", i));
}

std::string Story::growUp() {
  if (plot_.hostsComeLate) plan(0, [this] { addHosts(); });
  for (int i = 0; i < plot_.machines; ++i)
    plan(static_cast<int>(below(6)), [this, i] { addMachine(numbered("m", i), clusterFor(i), i == 0); });
  if (plot_.sharesPool) plan(static_cast<int>(below(30)), [this] { world_.make<IPAddressClaim>(kSharer); });
  if (plot_.reusesLater) plan(5 + static_cast<int>(below(40)), [this] { keepHostsFromNowOn(); });
  planPause(static_cast<int>(below(30)));
  planLoss(5 + static_cast<int>(below(60)));
  if (plot_.hasRival) plan(20 + static_cast<int>(below(80)), [this] { rival_.retire(); });
  if (plot_.replaced == Replaced::someTime) plan(6 + static_cast<int>(below(60)), [this] { replace(); });
  return until([this] {
    if (rival_.hasHost()) return std::string("the rival has a host");
    return isAnythingPlanned() ? kMore : unrest(world_, plot_);
  });
}

std::string Story::fallIll() {
  if (!plot_.remediates) return "";
  const auto& machines = world_.ledger.all("machines");
  if (machines.empty()) return "";
  clusterApi_.fallIll(machines.begin()->first);
  return until([this] {
    if (clusterApi_.isIll()) return std::string("a machine is ill");
    return isAnythingPlanned() ? kMore : unrest(world_, plot_);
  });
}

// A while after a machine has all else that it needs.
void Story::addHosts() {
  const auto& machines = world_.ledger.all("machines");
  const bool isAnyWaiting = std::ranges::any_of(
      machines, [](const auto& machine) { return has(&machine.second, {"spec", "bootstrap", "dataSecretName"}); });
  if (!isAnyWaiting) return plan(0, [this] { addHosts(); });
  for (int i = 0; i < plot_.hosts; ++i)
    plan(15 + static_cast<int>(below(10)), [this, i] { hardware_.addHost(numbered("h", i)); });
}

void Story::addMachine(const std::string& name, const std::string& cluster, bool isFirst) {
  using Role = ClusterApi::Role;
  clusterApi_.addMachine(name, cluster, isFirst && plot_.hasPlane ? Role::controlPlane : Role::worker);
}

// Who goes soon after does so before every watch has told of it.
void Story::keepHostsFromNowOn() {
  world_.traffic.tell("hosts are kept from now on");
  if (below(4) > 0) world_.traffic.holdBack("metal3machinetemplates");
  world_.change<Metal3MachineTemplate>("workers", R"({"spec":{"nodeReuse":true}})");
  if (below(2) == 0) replace();
}

// Of a machine, or of its Cluster: of the first one that has a host, when there has to be one.
void Story::planPause(int steps) {
  if (plot_.pause == Pause::nobody) return;
  plan(steps, [this] {
    std::string machine;
    for (const auto& [name, host] : world_.ledger.all("baremetalhosts"))
      if (machine.empty() && isDeployed(&host)) machine = consumerOf(&host);
    if (machine.empty() && plot_.pausesInService && !isEnding_) return planPause(2);
    const auto* metal = world_.ledger.find("metal3machines", machine);
    const std::string cluster = metal ? label(*metal, "cluster.x-k8s.io/cluster-name") : clusterFor(0);
    if (plot_.pause == Pause::cluster) machine.clear();
    pause(cluster, machine, true);
    plan(static_cast<int>(below(40)), [this, cluster, machine] { pause(cluster, machine, false); });
  });
}

void Story::planLoss(int steps) {
  if (plot_.lost == Lost::nothing) return;
  plan(steps, [this] {
    if (!loss_.strike()) return planLoss(2);
    if (plot_.lost == Lost::host) plan(static_cast<int>(below(20)), [this] { makeUpForHost(); });
  });
}

// A machine that had told its host what to run takes no other one.
void Story::makeUpForHost() {
  loss_.replaceHost();
  plan(40, [this] {
    if (!loss_.isMachineLost()) return;
    const std::string cluster =
        label(*world_.ledger.find("machines", loss_.machine()), "cluster.x-k8s.io/cluster-name");
    clusterApi_.removeMachine(loss_.machine());
    plan(static_cast<int>(below(20)), [this, cluster] { addMachine("again", cluster, false); });
  });
}

void Story::pause(const std::string& cluster, const std::string& machine, bool paused) {
  world_.traffic.tell(fmt::format("{} {}", machine.empty() ? cluster : machine, paused ? "is paused" : "goes on"));
  if (machine.empty())
    world_.change<Cluster>(cluster, fmt::format(R"({{"spec":{{"paused":{}}}}})", paused));
  else
    world_.change<Metal3Machine>(
        machine,
        fmt::format(R"({{"metadata":{{"annotations":{{"cluster.x-k8s.io/paused":{}}}}}}})", paused ? R"("")" : "null"));
}

std::string Story::end() {
  isReplaced_ = isEnding_ = true;
  planPause(static_cast<int>(below(20)));
  if (plot_.sharesPool) plan(static_cast<int>(below(30)), [this] { world_.remove<IPAddressClaim>("shared"); });
  for (int i = 0; i < plot_.clusters; ++i)
    plan(static_cast<int>(below(20)), [this, i] { world_.remove<Cluster>(numbered("c", i)); });
  plan(static_cast<int>(below(30)), [this] { world_.remove<Metal3MachineTemplate>("workers"); });
  if (plot_.hasData) {
    plan(static_cast<int>(below(30)), [this] { world_.remove<IPPool>("prov"); });
    plan(static_cast<int>(below(30)), [this] { world_.remove<Metal3DataTemplate>("dt"); });
  }
  std::string problem = until([this]() -> std::string {
    if (!planned_.empty()) return kMore;
    if (world_.traffic.hasLate()) return "something is to be done late";
    if (world_.traffic.isSilent()) return "an answer is waited for";
    if (world_.traffic.isHoldingBack()) return "watches stand still";
    return leftovers(world_);
  });
  if (!problem.empty()) return problem;
  for (int i = 0; i < plot_.hosts; ++i) hardware_.removeHost(numbered("h", i));
  world_.pass(1s);
  world_.kill();
  const std::string left = world_.ledger.contents();
  return left.empty() ? breach() : "left at the end: " + left;
}

std::string Story::until(const Problem& problem) {
  const auto limit = world_.loop.clock.now() + kLongest;
  std::string last = problem();
  for (; !last.empty(); last = problem()) {
    if (world_.loop.clock.now() > limit) return "this does not end: " + last;
    step();
    if (!breach().empty()) return breach();
  }
  return "";
}

std::string Story::breach() const {
  const auto& all = world_.rules.breaches();
  return all.empty() ? "" : all.front();
}

// The less happens, the longer the steps.
void Story::step() {
  const auto before = world_.ledger.changes() + world_.nodes.changes();
  world_.traffic.isDead() ? beDead() : live();
  const bool isQuiet = before == world_.ledger.changes() + world_.nodes.changes();
  pace_ = isQuiet ? std::min(pace_ * 2, kLongestStep) : kShortestStep;
}

void Story::live() {
  world_.pass(pace_ + std::chrono::milliseconds(below(2000)));
  act();
}

void Story::beDead() {
  world_.kill();
  world_.traffic.tell("the process is dead");
  for (auto moments = world_.traffic.hasLate() ? 0 : below(6); moments > 0; --moments) {
    world_.pass(std::chrono::seconds(1 + below(20)));
    act();
  }
  while (world_.traffic.hasLate(kNewAddress)) world_.pass(1s);
  world_.start();
}

// One that is there; which is not looked at again.
void Story::replace() {
  const auto& machines = world_.ledger.all("machines");
  if (machines.empty() || std::exchange(isReplaced_, true)) return;
  replaced_ = machines.begin()->first;
  const bool isFirst = replaced_ == numbered("m", 0);
  const std::string itsCluster = label(machines.begin()->second, "cluster.x-k8s.io/cluster-name");
  clusterApi_.removeMachine(replaced_);
  const std::string cluster = plot_.reusesHosts || isFirst ? itsCluster : clusterFor(0);
  plan(static_cast<int>(below(60)), [this, cluster, isFirst] { addMachine("new", cluster, isFirst); });
}

// It is well again a while later.
void Story::hurtChosenHost() {
  const auto& machines = world_.ledger.all("metal3machines");
  if (machines.empty() || std::exchange(isHurt_, true)) return;
  const std::string chosen = textAt(&machines.begin()->second, {"metadata", "annotations", "metal3.io/BareMetalHost"});
  const std::string host = chosen.substr(chosen.find('/') + 1);
  world_.change<api::BareMetalHost>(host, R"({"metadata":{"annotations":{"capi.metal3.io/unhealthy":""}}})");
  plan(40, [this, host] {
    world_.change<api::BareMetalHost>(host, R"({"metadata":{"annotations":{"capi.metal3.io/unhealthy":null}}})");
  });
}

void Story::bring(Arrival when, const char* asked, std::function<void()> come) {
  if (when == Arrival::first) return come();
  awaited_.push_back({when, asked, std::move(come)});
}

// Who goes has asked by then, whichever machine it is.
void Story::bringWhatIsAwaited() {
  for (auto& one : std::exchange(awaited_, {})) {
    const std::size_t asking = world_.ledger.all(one.asked).size();
    const bool isLate = one.when == Arrival::late;
    if (!isLate && asking == static_cast<std::size_t>(plot_.machines)) replace();
    const bool isGone = isReplaced_ && !world_.ledger.find("metal3machines", replaced_);
    if (isLate ? asking > 0 : isGone)
      plan(static_cast<int>(below(10)), std::move(one.come));
    else
      awaited_.push_back(std::move(one));
  }
}

void Story::act() {
  bringWhatIsAwaited();
  if (plot_.replaced == Replaced::atFirstFault && world_.traffic.hasStruck()) replace();
  if (plot_.hostFallsIll && world_.traffic.hasStruck()) hurtChosenHost();
  for (auto& one : std::exchange(planned_, {})) {
    if (--one.steps >= 0)
      planned_.push_back(std::move(one));
    else
      one.what();
  }
  clusterApi_.act();
  foreign_.act();
  rival_.act();
  hardware_.act();
}

void Story::plan(int steps, std::function<void()> what) { planned_.push_back({steps, std::move(what)}); }

}  // namespace ingot::tests::seeds
