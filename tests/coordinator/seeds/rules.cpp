#include "tests/coordinator/seeds/rules.hpp"

#include "api/capm3/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ingot::tests::seeds {

namespace {

constexpr std::array kRendered = {"metaData", "networkData"};

// What was decided before a host had to be kept may be written a while later.
constexpr base::Duration kOnItsWay = std::chrono::seconds(25);

int hostsOf(const Ledger& ledger, const std::string& machine) {
  return static_cast<int>(std::ranges::count_if(ledger.all("baremetalhosts"),
                                                [&](const auto& host) { return consumerOf(&host.second) == machine; }));
}

const json::Value* hostOf(const Ledger& ledger, const std::string& machine) {
  for (const auto& [name, host] : ledger.all("baremetalhosts"))
    if (consumerOf(&host) == machine) return &host;
  return nullptr;
}

// The host of the machine whose claim has these data: of those that were made twice the others are nobody's.
const json::Value* hostWith(const Ledger& ledger, const std::string& data) {
  for (const auto& [machine, claim] : ledger.all("metal3dataclaims"))
    if (!data.empty() && textAt(&claim, {"status", "renderedData", "name"}) == data) return hostOf(ledger, machine);
  return nullptr;
}

// Under which name hosts are kept for it.
std::string ownerOfMachine(const Ledger& ledger, const std::string& machine) {
  const auto* object = ledger.find("machines", machine);
  if (!object) return "";
  for (const auto* kind : {"KubeadmControlPlane", "RKE2ControlPlane"})
    if (const std::string plane = ownerOf(*object, kind); !plane.empty()) return "cp-" + plane;
  const auto* set = ledger.find("machinesets", ownerOf(*object, "MachineSet"));
  return set == nullptr ? "" : "md-" + ownerOf(*set, "MachineDeployment");
}

// That a machine of this owner is made of: "cp-PLANE", or of a MachineSet.
std::string templateOfMachine(const Ledger& ledger, const std::string& machine) {
  const auto* object = ledger.find("machines", machine);
  if (!object) return "";
  const auto nameIn = [](const json::Value* owner, std::string_view part) {
    return owner && !isLeaving(*owner) ? textAt(owner, {"spec", part, "spec", "infrastructureRef", "name"}) : "";
  };
  for (const auto& [kind, resource] :
       {std::pair("KubeadmControlPlane", "kubeadmcontrolplanes"), std::pair("RKE2ControlPlane", "rke2controlplanes")})
    if (const std::string plane = ownerOf(*object, kind); !plane.empty())
      return nameIn(ledger.find(resource, plane), "machineTemplate");
  return nameIn(ledger.find("machinesets", ownerOf(*object, "MachineSet")), "template");
}

bool isOfLivingCluster(const Ledger& ledger, const std::string& machine) {
  const auto* object = ledger.find("machines", machine);
  const auto* cluster = object ? ledger.find("clusters", textAt(object, {"spec", "clusterName"})) : nullptr;
  return cluster && !isLeaving(*cluster);
}

// The same for the IPAM providers' kinds and Cluster API's.
std::string poolOf(const json::Value* address) {
  const std::string pool = textAt(address, {"spec", "pool", "name"});
  return pool.empty() ? textAt(address, {"spec", "poolRef", "name"}) : pool;
}

std::string dataOf(const Ledger& ledger, const json::Value* address) {
  const auto* claim = ledger.find("ipclaims", textAt(address, {"spec", "claim", "name"}));
  if (!claim) claim = ledger.find("ipaddressclaims", textAt(address, {"spec", "claimRef", "name"}));
  return claim ? ownerOf(*claim, "Metal3Data") : "";
}

std::string_view nodeOwner(std::string_view node) { return node.substr(std::string_view("node-").size()); }

std::string secretOf(const json::Value* host, std::string_view what) { return textAt(host, {"spec", what, "name"}); }

}  // namespace

bool isInUse(const json::Value& host) {
  constexpr std::array idle = {"", "available", "ready", "inspecting", "registering"};
  return std::ranges::find(idle, json::textAt(host, {"status", "provisioning", "state"})) == idle.end();
}

bool isDeployed(const json::Value* host) { return has(host, {"spec", "image"}) || has(host, {"spec", "customDeploy"}); }

bool isMoveBlocked(const json::Value* host) {
  return has(host, {"metadata", "annotations", api::capm3::annotation::blockMove});
}

template <class... Parts>
void Rules::broken(const Change& change, Parts... what) {
  std::string text = fmt::format("{} {}: ", change.resource, change.name);
  ((text += what), ...);
  breaches_.push_back(std::move(text));
}

bool Rules::lacks(const Ledger& ledger, const std::string& secret) const {
  return !secret.empty() && !ledger.find("secrets", secret) && !excused_.contains(secret);
}

void Rules::judge(const Ledger& ledger, const Change& change) {
  if (change.resource == "baremetalhosts") judgeHost(ledger, change);
  if (change.resource == "metal3machines") judgeMachine(ledger, change);
  if (change.resource == "metal3dataclaims") judgeDataClaim(ledger, change);
  if (change.resource == "metal3datas") judgeData(ledger, change);
  if (change.resource.ends_with("ipaddresses")) judgeAddress(ledger, change);
  if (change.resource == "metal3machinetemplates") judgeTemplate(change);
  if (change.resource == "secrets") judgeSecret(ledger, change);
}

void Rules::judgeHost(const Ledger& ledger, const Change& change) {
  if (!change.after) return;
  const auto specOf = [](const json::Value* host) { return json::find(*host, {"spec"}); };
  const bool isRivals = consumerOf(change.before) == kRival && consumerOf(change.after) == kRival;
  if (isRivals && *specOf(change.before) != *specOf(change.after)) broken(change, "is changed while it is the rival's");
  judgeClaim(ledger, change);
  judgeDeployment(ledger, change);
  judgeMove(ledger, change);
}

void Rules::judgeClaim(const Ledger& ledger, const Change& change) {
  const std::string from = consumerOf(change.before), to = consumerOf(change.after);
  if (from == to || to == kRival) return;
  if (!from.empty() && !to.empty()) broken(change, "goes from ", from, " to ", to, " without being free in between");
  if (!from.empty() && isInUse(*change.after)) broken(change, "is let go by ", from, " while it is in use");
  if (to.empty()) return judgeRelease(ledger, change, from);
  if (isInUse(*change.after)) broken(change, "is claimed by ", to, " while it is in use");
  if (const std::string kept = keptFor(change.before); !kept.empty() && kept != ownerOfMachine(ledger, to))
    broken(change, "is claimed by ", to, " while it is kept for ", kept);
  if (hostsOf(ledger, to) > 1) broken(change, "is the second host of ", to);
  const auto* machine = ledger.find("metal3machines", to);
  if (!machine || !hasFinalizer(*machine, api::capm3::finalizer::machine))
    broken(change, "is claimed by ", to, ", which may go without letting it go");
}

void Rules::judgeRelease(const Ledger& ledger, const Change& change, const std::string& machine) {
  if (!isOfLivingCluster(ledger, machine) || !keptFor(change.after).empty()) return;
  const auto since = keepsSince_.find(templateOfMachine(ledger, machine));
  if (since == keepsSince_.end() || now() - since->second < kOnItsWay) return;
  broken(change, "is let go for anybody by ", machine, ", whose next one is to have it");
}

void Rules::judgeTemplate(const Change& change) {
  if (!isTrue(change.after, {"spec", "nodeReuse"}))
    keepsSince_.erase(std::string(change.name));
  else
    keepsSince_.try_emplace(std::string(change.name), now());
}

void Rules::judgeDeployment(const Ledger& ledger, const Change& change) {
  if (!isDeployed(change.after)) return;
  const std::string machine = consumerOf(change.after);
  const bool begins = !isDeployed(change.before);
  if (begins && machine.empty()) broken(change, "is told what to run without a machine");
  for (const auto* what : {"userData", "metaData", "networkData"}) {
    const std::string name = secretOf(change.after, what);
    if (!begins && name != secretOf(change.before, what)) broken(change, "has other ", what, " while it runs");
    if (begins && lacks(ledger, name)) broken(change, "boots with a Secret that is not there");
  }
  const auto* owner = ledger.find("metal3machines", machine);
  if (!begins || !has(owner, {"spec", "dataTemplate"})) return;
  for (const auto* what : kRendered) {
    if (excused_.contains(secretOf(change.after, what))) continue;
    const auto* secret = ledger.find("secrets", secretOf(change.after, what));
    const auto* data = secret ? ledger.find("metal3datas", ownerOf(*secret, "Metal3Data")) : nullptr;
    if (!data || machineOf(data) != machine) broken(change, "boots with ", what, " that are not its machine's");
  }
}

// Whoever moves hosts looks for the block alone. One that is let go gets it again.
void Rules::judgeMove(const Ledger& ledger, const Change& change) {
  if (!isMoveBlocked(change.before) || isMoveBlocked(change.after) || ledger.all("clusters").empty()) return;
  const auto consumer = [](const json::Value* host) { return textAt(host, {"spec", "consumerRef", "name"}); };
  if (consumer(change.before) != consumer(change.after)) return;
  const auto carries = [&](std::string_view name) { return has(change.after, {"metadata", "annotations", name}); };
  if (!carries("baremetalhost.metal3.io/paused")) broken(change, "may be moved while it is not paused");
  const bool hasStatus = has(change.after, {"status", "lastUpdated"});
  if (hasStatus && !carries("baremetalhost.metal3.io/status")) broken(change, "may be moved without its status");
  const std::string state = textAt(change.after, {"status", "provisioning", "state"});
  if (!state.empty() && state != "available" && state != "provisioned")
    broken(change, "may be moved while it is ", state);
}

void Rules::judgeMachine(const Ledger& ledger, const Change& change) {
  const std::string name(change.name);
  if (!change.after) {
    if (hostOf(ledger, name) != nullptr) broken(change, "is gone and has a host");
    return;
  }
  const std::string was = textAt(change.before, {"spec", "providerID"}),
                    is = textAt(change.after, {"spec", "providerID"});
  if (!was.empty() && was != is) broken(change, "was ", was, " and is ", is);
  const auto isSame = [&](const auto& machine) {
    return machine.first != change.name && textAt(&machine.second, {"spec", "providerID"}) == is;
  };
  if (!is.empty() && std::ranges::any_of(ledger.all("metal3machines"), isSame)) broken(change, "shares ", is);
}

void Rules::judgeDataClaim(const Ledger& ledger, const Change& change) {
  if (!change.after && isDeployed(hostOf(ledger, std::string(change.name))))
    broken(change, "goes while its machine runs with its data");
}

void Rules::judgeData(const Ledger& ledger, const Change& change) {
  if (!change.after) {
    const auto* host = hostWith(ledger, std::string(change.name));
    if (isDeployed(host)) broken(change, "goes while its machine runs with it");
    return;
  }
  const auto slotOf = [](const json::Value* data) {
    const auto index = data ? json::intAt(*data, {"spec", "index"}) : std::nullopt;
    return std::pair(textAt(data, {"spec", "template", "name"}), index.value_or(-1));
  };
  if (change.before && slotOf(change.before) != slotOf(change.after)) broken(change, "has another index");
  const auto isSame = [&](const auto& other) {
    return other.first != change.name && slotOf(&other.second) == slotOf(change.after);
  };
  if (std::ranges::any_of(ledger.all("metal3datas"), isSame)) broken(change, "has the index of another");
  const bool becomesReady = isTrue(change.after, {"status", "ready"}) && !isTrue(change.before, {"status", "ready"});
  if (!becomesReady) return;
  for (const auto* what : kRendered) {
    const std::string secret = secretOf(change.after, what);
    if (lacks(ledger, secret)) broken(change, "is ready without its Secret ", secret);
  }
}

void Rules::judgeAddress(const Ledger& ledger, const Change& change) {
  const std::string name = fmt::format("{} {}", change.resource, change.name);
  if (!change.after) {
    const auto* host = hostWith(ledger, dataOfAddress_[name]);
    if (host && (isDeployed(host) || isInUse(*host))) broken(change, "is free while its machine may use it");
    return;
  }
  const std::string pool = poolOf(change.after), ip = textAt(change.after, {"spec", "address"});
  if (!change.before) dataOfAddress_[name] = dataOf(ledger, change.after);
  if (change.before && textAt(change.before, {"spec", "address"}) != ip) broken(change, "is another address");
  for (const auto* resource : {"ipaddresses", "capi ipaddresses"})
    for (const auto& [other, object] : ledger.all(resource))
      if ((other != change.name || resource != change.resource) && poolOf(&object) == pool &&
          textAt(&object, {"spec", "address"}) == ip)
        broken(change, "is ", ip, ", as ", other);
}

// What runs on it may start elsewhere: it must not run here any more.
void Rules::judgeNode(const Ledger& ledger, const Change& change) {
  const auto isOut = [](const json::Value* node) {
    const auto* taints = node ? json::arrayAt(*node, {"spec", "taints"}) : nullptr;
    return taints != nullptr && std::ranges::any_of(*taints, [](const json::Value& taint) {
             return json::textAt(taint, {"key"}) == "node.kubernetes.io/out-of-service";
           });
  };
  if (change.after && (!isOut(change.after) || isOut(change.before))) return;
  const auto* host = ledger.find("baremetalhosts", nodeOwner(change.name));
  const bool runs = textAt(host, {"status", "provisioning", "state"}) == "provisioned";
  if (runs && isTrue(host, {"status", "poweredOn"})) broken(change, "is out of service, or gone, while its host is on");
}

void Rules::judgeSecret(const Ledger&, const Change& change) {
  if (!change.after || ownerOf(*change.after, "Metal3Data").empty()) return;
  const auto* now = json::objectAt(*change.after, {"data"});
  if (now == nullptr || now->empty()) return broken(change, "holds nothing");
  const auto* before = change.before ? json::objectAt(*change.before, {"data"}) : nullptr;
  if (before != nullptr && *before != *now) broken(change, "is written a second time");
  for (const auto& [key, value] : *now)
    if (!value.is_string() || value.get_string().empty()) broken(change, "has no ", std::string_view(key));
}

}  // namespace ingot::tests::seeds
