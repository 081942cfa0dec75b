// What the data of a machine are rendered with (spec/capm3.md §15.6): template, claim, machines and host, as the caches
// have them. Each question throws Hindrance when something is missing.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "coordinator/data/hindrance.hpp"
#include "coordinator/data/references.hpp"
#include "kube/runtime/cache.hpp"

namespace ingot::coordinator::data {

struct SubjectCaches {
  kube::Cache<Metal3DataTemplate>& templates;
  kube::Cache<Metal3DataClaim>& claims;
  kube::Cache<Metal3Machine>& metalMachines;
  kube::Cache<Machine>& machines;
  kube::Cache<api::BareMetalHost>& hosts;
};

class Subjects {
 public:
  using Template = std::shared_ptr<const Metal3DataTemplate>;
  using MetalMachine = std::shared_ptr<const Metal3Machine>;
  using OwnerMachine = std::shared_ptr<const Machine>;
  using Host = std::shared_ptr<const api::BareMetalHost>;

  explicit Subjects(SubjectCaches caches) : caches_(caches) {}

  [[nodiscard]] Template templateFor(const Metal3Data& data) const;
  // The owner of the claim, which must use this template.
  [[nodiscard]] MetalMachine metalMachineFor(const Metal3Data& data) const;
  [[nodiscard]] OwnerMachine machineFor(const Metal3Machine& metal) const;
  [[nodiscard]] Host hostFor(const Metal3Machine& metal) const;
  // Whether the owner of the claim runs with these data; one that cannot be read may.
  [[nodiscard]] bool isTaken(const Metal3Data& data, const Metal3DataClaim& claim) const;

 private:
  SubjectCaches caches_;
};

// Whether the host says that this machine has it.
[[nodiscard]] bool isConsumedBy(const api::BareMetalHost& host, const Metal3Machine& metal);
// Throws Hindrance when it does not.
void requireConsumedBy(const api::BareMetalHost& host, const Metal3Machine& metal);

}  // namespace ingot::coordinator::data
