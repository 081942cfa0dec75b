// The kinds of ours with the schema that their CRDs give them: what a server with these CRDs knows, known without one.
#pragma once

#include "cli/apply/complaint.hpp"
#include "kube/schema/schema.hpp"

#include <optional>

namespace ingot::cli {

struct OurKind {
  std::string group, version, kind;
  bool namespaced = true;
  bool groupIsOurs = true;  // false: its group has kinds that only others know
  kube::SchemaPtr schema;

  [[nodiscard]] std::string apiVersion() const { return group + "/" + version; }
};

class OurKinds {
 public:
  OurKinds();
  OurKinds(const OurKinds&) = delete;
  OurKinds& operator=(const OurKinds&) = delete;

  // nullptr: not ours, or nobody's.
  [[nodiscard]] const OurKind* find(const Manifest& manifest) const;
  // A group of ours has no such kind, or the kind not that version. nullopt for all that is known or somebody else's.
  [[nodiscard]] std::optional<Complaint> unknown(const Manifest& manifest) const;

 private:
  std::vector<OurKind> all_;
};

}  // namespace ingot::cli
