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
  void restoreSecrets(const std::string& cluster);
  void makeBootstrapSecret(const std::string& machine, const std::string& uid);
  void makeKubeconfig(const std::string& cluster, const std::string& uid);
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
  void leave(const std::string& host);
  [[nodiscard]] bool mayObey(const json::Value& host) const;

  World& world_;
  const Plot& plot_;
  std::set<std::string> joined_;  // machines whose Node was there
};

// A provider that minds no version: it takes hosts that are free, or were a moment ago, and lets them go later.
class Rival {
 public:
  Rival(World& world, const Plot& plot);
  ~Rival();
  Rival(const Rival&) = delete;
  Rival& operator=(const Rival&) = delete;

  void act();
  // It takes no more, and lets go of what it has.
  void retire() { isAtWork_ = false; }
  [[nodiscard]] bool hasHost() const;

 private:
  [[nodiscard]] base::Task<void> meddle(Moment moment, const std::string& write, const std::string& host);
  static base::Task<void> take(World& world, std::string host);
  [[nodiscard]] std::uint64_t below(std::uint64_t n) { return world_.loop.random->below(n); }

  World& world_;
  bool isAtWork_;
};

// Somebody deletes what a machine uses. Secrets come back by themselves.
class Loss {
 public:
  Loss(World& world, const Plot& plot, Hardware& hardware) : world_(world), plot_(plot), hardware_(hardware) {}

  // False: there is nothing yet that could be lost.
  [[nodiscard]] bool strike();
  // Of a host: another one comes by its name …
  void replaceHost() { hardware_.addHost(host_); }
  // … and the machine may take it, or not.
  [[nodiscard]] bool isMachineLost() const;
  [[nodiscard]] const std::string& machine() const { return machine_; }

 private:
  [[nodiscard]] std::string find() const;
  [[nodiscard]] std::string userOf(const std::string& name, const json::Value& secret) const;

  World& world_;
  const Plot& plot_;
  Hardware& hardware_;
  std::string machine_, host_;
};

}  // namespace ingot::tests::seeds
