#include "tests/coordinator/seeds/cast.hpp"

#include "kube/core/secret.hpp"

namespace ingot::tests::seeds {

namespace {

// Of a machine that stays, as things stand.
bool isUsed(const World& world, const std::string& machine) {
  const auto* metal = world.ledger.find("metal3machines", machine);
  const auto* owner = world.ledger.find("machines", machine);
  return metal && owner && !isLeaving(*metal) && !isLeaving(*owner);
}

}  // namespace

bool Loss::strike() {
  const std::string name = find();
  if (name.empty()) return false;
  world_.traffic.tell(name + " is deleted under a machine");
  if (plot_.lost == Lost::host) {
    machine_ = consumerOf(world_.ledger.find("baremetalhosts", name));
    host_ = name;
    hardware_.removeHost(name);
    return true;
  }
  world_.rules.excuse(name);
  world_.remove<kube::Secret>(name);
  return true;
}

std::string Loss::find() const {
  std::vector<std::string> all;
  const bool isHost = plot_.lost == Lost::host;
  for (const auto& [name, object] : world_.ledger.all(isHost ? "baremetalhosts" : "secrets"))
    if (isUsed(world_, isHost ? consumerOf(&object) : userOf(name, object))) all.push_back(name);
  return all.empty() ? "" : all[world_.loop.random->below(all.size())];
}

// The machine that such a Secret is for; "": none.
std::string Loss::userOf(const std::string& name, const json::Value& secret) const {
  switch (plot_.lost) {
    case Lost::nothing:
    case Lost::host: return "";
    case Lost::bootstrapSecret: return name.ends_with("-boot") ? ownerOf(secret, "Machine") : "";
    case Lost::renderedSecret: return machineOf(world_.ledger.find("metal3datas", ownerOf(secret, "Metal3Data")));
    case Lost::kubeconfig: break;
  }
  if (!name.ends_with("-kubeconfig")) return "";
  for (const auto& [machine, object] : world_.ledger.all("machines"))
    if (label(object, "cluster.x-k8s.io/cluster-name") + "-kubeconfig" == name && isUsed(world_, machine))
      return machine;
  return "";
}

bool Loss::isMachineLost() const {
  if (!isUsed(world_, machine_)) return false;
  return std::ranges::none_of(world_.ledger.all("baremetalhosts"),
                              [this](const auto& host) { return consumerOf(&host.second) == machine_; });
}

}  // namespace ingot::tests::seeds
