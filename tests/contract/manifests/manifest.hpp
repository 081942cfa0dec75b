// Our kinds as manifests that servers judge: for each version of a kind in tests/data/manifests a valid document with
// every field once (KIND.VERSION.yaml) and a table of what breaks it (KIND.VERSION.tsv).
#pragma once

#include "tests/contract/manifests/case.hpp"

#include <string>
#include <vector>

namespace ingot::contract {

struct Manifest {
  std::string name;        // "Metal3Cluster.v1beta2"
  json::Value definition;  // a CRD of this version alone, in a group of its own: schemas are compared, not conversions
                           // nor what a server may know of our kinds
  json::Value document;    // as tests/data has it, but for the group
  std::vector<Case> cases;

  [[nodiscard]] const json::Value& schema() const;
  [[nodiscard]] bool servesStatus() const;
  // Below it: objects of `space`, or of the cluster.
  [[nodiscard]] std::string collection(const std::string& space) const;
  [[nodiscard]] std::string objectName() const { return json::textAt(document, {"metadata", "name"}); }
};

// One for each version of each file below crds/.
[[nodiscard]] std::vector<Manifest> manifests();

}  // namespace ingot::contract
