// Every kind that we serve, one row each: what it is, how its CRD is made, who judges its objects, with what it is
// installed. The embedded API, crdgen and the command line's checks read this list; no other one exists.
#pragma once

#include "api/verdict.hpp"
#include "json/value.hpp"
#include "kube/core/kind.hpp"

#include <optional>
#include <span>
#include <vector>

namespace ingot::api {

// Kinds that are installed together: a folder of crds/. But for clusterApiCore, Cluster API's own: on a cluster they
// come with Cluster API and no manifest of ours holds them; only the embedded API serves them, where it is not there.
enum class KindSet { hosts, companions, ipam, clusterApi, clusterApiCore };

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
  // `object` in "v1beta1" or "v1beta2"; nullptr: it has one version. Throws ConversionError.
  json::Value (*convert)(json::Value object, std::string_view version) = nullptr;
};

// In order of their sets.
[[nodiscard]] const std::vector<KindRow>& everyKind();

// By the document's kind and group, in whatever version; nullptr: none of these.
[[nodiscard]] const KindRow* rowOf(const json::Value& object);

// The CRDs of one set; of all: what the embedded API serves from the start.
[[nodiscard]] std::vector<json::Object> crdsOf(KindSet set);
[[nodiscard]] std::vector<json::Object> everyCrd();

}  // namespace ingot::api
