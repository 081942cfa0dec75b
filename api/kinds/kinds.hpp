// Every kind of ours, one row each: what it is, how its CRD is made, who judges its objects, with what it is installed.
// The embedded API, crdgen and the command line's checks read this list; no other one exists.
#pragma once

#include "api/verdict.hpp"
#include "json/value.hpp"
#include "kube/core/kind.hpp"

#include <optional>
#include <span>
#include <vector>

namespace ingot::api {

// Kinds that are installed together: a folder of crds/.
enum class KindSet { hosts, companions, ipam, clusterApi };

// Admission of one kind, on documents in the version that is stored. Each throws json::DecodeError for a document that
// does not fit the kind.
struct KindRules {
  void (*setDefaults)(json::Value& object);  // what is set already stays
  Verdict (*create)(const json::Value& object);
  Verdict (*update)(const json::Value& before, const json::Value& after);  // nullptr: needs to know more than these
};

struct KindRow {
  const kube::KindInfo* stored = nullptr;
  KindSet set = KindSet::hosts;
  json::Object (*crd)() = nullptr;
  std::optional<KindRules> rules;  // nullopt: its schema is all
};

// In order of their sets.
[[nodiscard]] const std::vector<KindRow>& everyKind();

// The CRDs of one set; of all: what crds/ holds and the embedded API serves from the start.
[[nodiscard]] std::vector<json::Object> crdsOf(KindSet set);
[[nodiscard]] std::vector<json::Object> everyCrd();

}  // namespace ingot::api
