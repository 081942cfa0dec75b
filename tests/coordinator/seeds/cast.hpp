// Who else is there: Cluster API's own controllers, the controller of hosts with the machines behind them, kubelets.
// They act on what the API has stored, a step each time they are asked.
#pragma once

#include "tests/coordinator/seeds/plot.hpp"
#include "tests/coordinator/seeds/world.hpp"

#include <set>

namespace ingot::tests::seeds {

class ClusterApi {
 public:
  ClusterApi(World& world, const Plot& plot) : world_(world), plot_(plot) {}

  void addCluster(const std::string& name);
  enum class Role : std::uint8_t { worker, controlPlane };
  void addMachine(const std::string& name, const std::string& cluster, Role role = Role::worker);
  void removeMachine(const std::string& name);
  // A health check of this machine has failed.
  void fallIll(const std::string& machine);
  [[nodiscard]] bool isIll() const { return !ill_.empty(); }
  void act();

 private:
  void lookAfterCluster(const std::string& name, const json::Value& cluster);
  void endCluster(const std::string& name);
  void lookAfterMachine(const std::string& name, const json::Value& machine);
  void endMachine(const std::string& name);
  void bootstrap(const std::string& name, const json::Value& machine);
  void lookAfterHealth();
  [[nodiscard]] bool isPaused(const std::string& cluster) const;
  [[nodiscard]] std::string ownerOfMachines(const std::string& cluster, Role role) const;
  [[nodiscard]] bool isRestarted() const;
  [[nodiscard]] bool isHandedOver(const json::Value& machine) const;
  void reportHealth(const std::string& machine, bool succeeded);
  [[nodiscard]] std::string nodeWith(const std::string& providerId) const;
  [[nodiscard]] bool soon() { return world_.loop.random->below(2) == 0; }

  World& world_;
  const Plot& plot_;
  std::string ill_;
  std::map<std::string, std::string> planes_;  // uid by name
};

// Who looks after pool "theirs": an address for each claim, which is taken back at once.
class ForeignProvider {
 public:
  explicit ForeignProvider(World& world) : world_(world) {}
  void act();

 private:
  void answer(const std::string& claim, const std::string& uid);

  World& world_;
  int given_ = 0;
};

class Hardware {
 public:
  Hardware(World& world, const Plot& plot) : world_(world), plot_(plot) {}

  void addHost(const std::string& name);
  void removeHost(const std::string& name);
  void act();

 private:
  void free(const std::string& name, const json::Value& host);
  void provision(const std::string& name, const json::Value& host);
  void power(const std::string& name, const json::Value& host);
  void join(const std::string& name, const json::Value& host);
  [[nodiscard]] bool mayObey(const json::Value& host) const;

  World& world_;
  const Plot& plot_;
  std::set<std::string> joined_;  // machines whose Node was there
};

}  // namespace ingot::tests::seeds
