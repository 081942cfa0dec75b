// Which kinds a server serves, and what people call them (spec/kubernetes-api.md §1.3). For tools that take any kind.
#pragma once

#include "kube/client/api.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ingot::kube {

struct ServedKind {
  Resource resource;
  std::string singular;
  std::vector<std::string> shortNames, categories, verbs;
  bool hasStatus = false;
};

class Discovery {
 public:
  // Two requests. Throws kube::Error.
  [[nodiscard]] static base::Task<Discovery> load(Api& api);
  // From the two answers.
  Discovery(const json::Value& core, const json::Value& groups);

  // "bmh", "baremetalhost", "baremetalhosts", "BareMetalHost", each also with ".metal3.io" or ".v1alpha1.metal3.io".
  // The preferred version of the first group that has it; nullptr when none does.
  [[nodiscard]] const ServedKind* find(std::string_view word) const;
  // As a manifest names it: "metal3.io/v1alpha1", "BareMetalHost".
  [[nodiscard]] const ServedKind* find(std::string_view apiVersion, std::string_view kind) const;
  [[nodiscard]] const std::vector<ServedKind>& all() const { return kinds_; }

 private:
  std::vector<ServedKind> kinds_;  // groups and versions in the server's order of preference
};

}  // namespace ingot::kube
