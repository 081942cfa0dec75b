// What this server serves, in both of Kubernetes' discovery forms (spec/kubernetes-api.md §1.2, §1.3).
#pragma once

#include "apiserver/registry/registry.hpp"
#include "json/value.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ingot::apiserver {

class Discovery {
 public:
  explicit Discovery(const Registry& registry) : registry_(registry) {}

  // The plain documents, JSON text. nullopt: no such group or version.
  [[nodiscard]] std::string coreVersions(std::string_view serverAddress) const;  // /api
  [[nodiscard]] std::string groups();                                            // /apis
  [[nodiscard]] std::optional<std::string> group(std::string_view name);         // /apis/{g}
  [[nodiscard]] std::optional<std::string> resources(std::string_view group, std::string_view version);

  struct Aggregated {
    std::string body;
    std::string etag;  // quoted
  };
  [[nodiscard]] const Aggregated& aggregated(bool core);  // /api or /apis as APIGroupDiscoveryList

  // "metal3.io/v1alpha1", "v1": every served group version.
  [[nodiscard]] std::vector<GroupVersion> groupVersions();

 private:
  struct Entry {  // one resource of one version
    std::string plural, singular, kind;
    bool namespaced = true, status = false, finalize = false;
    std::vector<std::string> verbs, shortNames, categories;
  };
  struct Version {
    std::string name;
    std::vector<Entry> entries;
  };
  using Group = std::vector<Version>;  // in order of preference
  void refresh();

  const Registry& registry_;
  std::optional<std::uint64_t> built_;
  std::map<std::string, Group, std::less<>> groups_;
  Aggregated core_, others_;
};

}  // namespace ingot::apiserver
