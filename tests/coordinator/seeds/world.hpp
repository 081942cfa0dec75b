// All controllers of the Cluster API provider as one process that can die, each behind a door of its own, in front of a
// whole API and that of a workload cluster, in memory, under virtual time. It outlives a seed.
#pragma once

#include "tests/coordinator/seeds/door.hpp"
#include "tests/coordinator/seeds/rules.hpp"
#include "tests/support/api_site.hpp"
#include "tests/support/workload_cluster.hpp"

namespace ingot::tests::seeds {

class World : public ApiSite {
 public:
  World();
  ~World();

  // Nothing of before tells what follows: the same seed gives the same life.
  void begin(std::uint64_t seed, Fates fates);

  void start();
  void kill();
  // Time passes, until the process dies at most.
  void pass(base::Duration time);

  // Kinds that no struct of ours has: what there is of control planes.
  json::Value makePlane(bool rke2, const std::string& text);
  void removePlane(bool rke2, const std::string& name);

  template <class T>
  T make(const std::string& text) {
    return create(kube::decodeObject<T>(json::parse(text)));
  }
  // Objects that are gone meanwhile are nobody's loss.
  template <class T>
  void change(const std::string& name, const std::string& mergePatch) {
    ignoringAbsence([&] { patch<T>(name, mergePatch); });
  }
  template <class T>
  void report(const std::string& name, const std::string& status) {
    ignoringAbsence([&] { patchStatus<T>(name, R"({"status":)" + status + "}"); });
  }

  Traffic traffic;
  WorkloadCluster workload;
  Rules rules;
  Ledger ledger;                    // of namespace "metal"
  Ledger nodes;                     // of the workload cluster
  std::string minorVersion = "28";  // of the workload cluster

 private:
  struct Life;

  void serve(const std::string& author);
  static void ignoringAbsence(const std::function<void()>& write);

  std::vector<std::unique_ptr<Door>> doors_;
  std::unique_ptr<Life> life_;
};

}  // namespace ingot::tests::seeds
