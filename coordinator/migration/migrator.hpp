// Brings what is stored of kinds with several versions to the present one, while this process leads: objects, their
// managed fields, and what the CustomResourceDefinition says of it (spec/cluster-api.md §1.17).
#pragma once

#include "base/runtime.hpp"
#include "coordinator/migration/plan.hpp"
#include "kube/client/client.hpp"

#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::migration {

struct MigratorOptions {
  std::vector<std::string> definitions;  // by name: "metal3machines.infrastructure.cluster.x-k8s.io"
  Phases phases;
  base::Duration look = std::chrono::hours(1);     // for definitions that were changed
  base::Duration again = std::chrono::minutes(2);  // for those that failed, or are not there yet
};

class Migrator {
 public:
  // `client` outlives it.
  Migrator(base::Runtime runtime, kube::Client& client, MigratorOptions options);

  // Until cancelled. What fails is told and tried again.
  [[nodiscard]] base::Task<void> run();

  // One look at all definitions. True: all of them are there and at their end.
  [[nodiscard]] base::Task<bool> pass();

 private:
  [[nodiscard]] base::Task<bool> migrate(std::string name);
  [[nodiscard]] base::Task<void> migrateObjects(const Definition& definition, Phases phases);
  [[nodiscard]] base::Task<json::Value> page(const Definition& definition, std::string continueToken);
  [[nodiscard]] base::Task<void> storeAnew(const Definition& definition, const json::Value& object);
  [[nodiscard]] base::Task<void> cleanFields(const Definition& definition, json::Value object);
  [[nodiscard]] base::Task<void> finish(std::string name, Definition definition, Phases phases);

  base::Runtime runtime_;
  kube::Client& client_;
  MigratorOptions options_;
  std::set<std::string> trouble_;  // that was told
};

}  // namespace ingot::coordinator::migration
