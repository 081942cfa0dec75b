// Brings what is stored of kinds with several versions to the present one, while this process leads: objects, their
// managed fields, and what the CustomResourceDefinition says of it (spec/cluster-api.md §1.17).
#pragma once

#include "base/runtime.hpp"
#include "coordinator/migration/plan.hpp"
#include "kube/client/client.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace ingot::coordinator::migration {

struct MigratorOptions {
  std::vector<std::string> definitions;  // by name: "metal3machines.infrastructure.cluster.x-k8s.io"
  Phases phases;
  base::Duration look = std::chrono::hours(1);  // for definitions that were changed
  // For those that failed, or are not there yet: later and later, up to `look`, while no object gets further.
  base::Duration again = std::chrono::minutes(2);
};

class Migrator {
 public:
  // `client` outlives it.
  Migrator(base::Runtime runtime, kube::Client& client, MigratorOptions options);

  // Until cancelled. What fails is told and tried again.
  [[nodiscard]] base::Task<void> run();

  // One look at all definitions. True: all of them are there and at their end. What one look has stored anew the next
  // one leaves alone.
  [[nodiscard]] base::Task<bool> pass();

 private:
  struct Done {
    std::int64_t generation = 0;
    std::set<std::string> uids;
  };
  [[nodiscard]] base::Task<bool> migrate(std::string name);
  [[nodiscard]] base::Task<void> migrateObjects(const Definition& definition, Phases phases, Done& done);
  [[nodiscard]] base::Task<void> migrateOne(const Definition& definition, Phases phases, json::Value object);
  [[nodiscard]] base::Task<json::Value> page(const Definition& definition, std::string continueToken);
  [[nodiscard]] base::Task<void> storeAnew(const Definition& definition, const json::Value& object);
  [[nodiscard]] base::Task<void> cleanFields(const Definition& definition, json::Value object);
  [[nodiscard]] base::Task<void> finish(std::string name, Definition definition, Phases phases);

  base::Runtime runtime_;
  kube::Client& client_;
  MigratorOptions options_;
  std::map<std::string, std::string> trouble_;  // that was told, by definition
  std::map<std::string, Done> done_;            // of definitions that are not at their end, by name
  bool isFurther_ = false;                      // an object was stored anew in this look
};

}  // namespace ingot::coordinator::migration
