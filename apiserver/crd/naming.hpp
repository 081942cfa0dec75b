// Which of the names that a CustomResourceDefinition asks for it may have: within a group no two kinds share one.
#pragma once

#include "apiserver/registry/resource_info.hpp"
#include "json/value.hpp"

#include <set>
#include <string>

namespace ingot::apiserver {

// The names that other definitions of the group use.
struct TakenNames {
  std::set<std::string> resources;  // plural, singular and short names
  std::set<std::string> kinds;      // kinds and list kinds

  void add(const json::Value& names);  // as in status.acceptedNames
};

struct Naming {
  json::Object accepted;        // status.acceptedNames: what it has now
  std::string reason, message;  // of a name that it may not have: "PluralConflict"; "" when it has all

  [[nodiscard]] bool complete() const { return reason.empty(); }
};

// `wanted`: spec.names; `had`: the names that it was given before (null: none), which it keeps. A name that another
// definition uses is refused, and the earlier one is kept.
[[nodiscard]] Naming judgeNames(const json::Value& wanted, const json::Value& had, const TakenNames& taken);

// True when the kind or its resource is built into this server: a definition would take its place.
[[nodiscard]] bool isBuiltIn(const GroupResource& id, const std::string& kind);

}  // namespace ingot::apiserver
