#include "tests/coordinator/seeds/cast.hpp"

#include "api/bmh/baremetalhost.hpp"
#include "kube/core/secret.hpp"

#include <algorithm>

namespace ingot::tests::seeds {

namespace {

using api::BareMetalHost;

bool isHeldOff(const json::Value& host) {
  const auto* all = json::objectAt(host, {"metadata", "annotations"});
  return all != nullptr && std::ranges::any_of(*all, [](const auto& entry) {
           return std::string_view(entry.key()).starts_with("reboot.metal3.io/");
         });
}

std::string stateOf(const json::Value& host) { return json::textAt(host, {"status", "provisioning", "state"}); }

bool isOn(const json::Value& host) { return isTrue(&host, {"status", "poweredOn"}); }

std::string nodeOf(const std::string& host) { return "node-" + host; }

}  // namespace

void Hardware::addHost(const std::string& name) {
  world_.make<kube::Secret>(fmt::format(
      R"({{"metadata":{{"name":"{}-bmc","namespace":"metal","labels":{{"environment.metal3.io":"baremetal"}}}}}})",
      name));
  world_.make<BareMetalHost>(fmt::format(
      R"({{"metadata":{{"name":"{0}","namespace":"metal","labels":{{"rack.example.com/row":"7"}}}},"spec":{{)"
      R"("bmc":{{"address":"redfish://10.0.0.1/redfish/v1/Systems/{0}","credentialsName":"{0}-bmc"}},)"
      R"("bootMACAddress":"02:00:00:00:00:01","online":true}}}})",
      name));
  world_.report<BareMetalHost>(
      name,
      fmt::format(
          R"({{"provisioning":{{"state":"available","ID":"id","image":{{"url":""}}}},"operationalStatus":"OK",)"
          R"("poweredOn":false,"errorMessage":"","errorCount":0,"lastUpdated":"2026-01-01T00:00:00Z","hardware":{{"hostname":"{}",)"
          R"("nics":[{{"name":"nic0","ip":"10.1.0.1","mac":"00:11:22:33:44:66"}}]}},"conditions":[{{)"
          R"("type":"PowerStateKnown","status":"True","reason":"Read","message":"",)"
          R"("lastTransitionTime":"2026-01-01T00:00:00Z"}}]}})",
          nodeOf(name)));
}

void Hardware::removeHost(const std::string& name) {
  joined_.erase(consumerOf(world_.ledger.find("baremetalhosts", name)));  // that of its next host is another Node
  world_.remove<BareMetalHost>(name);
  world_.remove<kube::Secret>(name + "-bmc");
  leave(name);
}

void Hardware::act() {
  for (const auto& name : namesOf(world_.ledger.all("baremetalhosts"))) {
    const json::Value& host = *world_.ledger.find("baremetalhosts", name);  // follows what is written
    free(name, host);
    if (!annotation(host, "baremetalhost.metal3.io/paused").empty()) continue;
    provision(name, host);
    power(name, host);
    join(name, host);
  }
}

// An operator gives a host back that was kept for machines of a Cluster that is gone. Its controller, at work again,
// has no use for the status of before the pause.
void Hardware::free(const std::string& name, const json::Value& host) {
  const bool isKept = json::textAt(host, {"spec", "consumerRef", "kind"}) == "Cluster";
  if (isKept && !world_.ledger.find("clusters", json::textAt(host, {"spec", "consumerRef", "name"})))
    world_.change<BareMetalHost>(
        name,
        R"({"metadata":{"labels":{"infrastructure.cluster.x-k8s.io/node-reuse":null}},"spec":{"consumerRef":null}})");
  const bool isPaused = !annotation(host, "baremetalhost.metal3.io/paused").empty();
  if (!isPaused && !annotation(host, "baremetalhost.metal3.io/status").empty())
    world_.change<BareMetalHost>(name, R"({"metadata":{"annotations":{"baremetalhost.metal3.io/status":null}}})");
}

void Hardware::provision(const std::string& name, const json::Value& host) {
  if (world_.loop.random->below(2) == 0) return;
  const std::string state = stateOf(host);
  const auto become = [&](const char* next, const char* more) {
    world_.report<BareMetalHost>(name, fmt::format(R"({{"provisioning":{{"state":"{}"}}{}}})", next, more));
  };
  const bool isWanted = isDeployed(&host);
  if (state == "available" && isWanted) become("provisioning", "");
  if (state == "provisioning" && isWanted) become("provisioned", R"(,"poweredOn":true)");
  if ((state == "provisioning" || state == "provisioned") && !isWanted) {
    become("deprovisioning", "");
    leave(name);
  }
  if (state == "deprovisioning") become("available", R"(,"poweredOn":false)");
}

// One that does not obey stays on until its machine is given up.
bool Hardware::mayObey(const json::Value& host) const {
  return plot_.obeys || !annotation(host, "capm3.metal3.io/unhealthy").empty() || !isHeldOff(host);
}

void Hardware::power(const std::string& name, const json::Value& host) {
  if (stateOf(host) != "provisioned") return;
  const bool wanted = isTrue(&host, {"spec", "online"}) && !isHeldOff(host);
  if (wanted != isOn(host) && mayObey(host))
    world_.report<BareMetalHost>(name, fmt::format(R"({{"poweredOn":{}}})", wanted));
}

// The kubelet makes a Node that is not there; what else was on it nobody brings back but a remediation.
void Hardware::join(const std::string& name, const json::Value& host) {
  const std::string machine = consumerOf(&host);
  const auto* metal = world_.ledger.find("metal3machines", machine);
  if (stateOf(host) != "provisioned" || !isOn(host) || !metal || isLeaving(*metal)) return;
  if (world_.nodes.find("nodes", nodeOf(name))) return;
  kube::Node node;
  node.metadata.name = nodeOf(name);
  node.metadata.labels["metal3.io/uuid"] = json::textAt(host, {"metadata", "uid"});
  node.metadata.labels["kubernetes.io/hostname"] = nodeOf(name);
  if (joined_.insert(machine).second) node.metadata.labels["role"] = "db";
  world_.workload.create(std::move(node));
}

void Hardware::leave(const std::string& host) {
  if (world_.nodes.find("nodes", nodeOf(host))) world_.workload.remove<kube::Node>({"", nodeOf(host)});
}

}  // namespace ingot::tests::seeds
