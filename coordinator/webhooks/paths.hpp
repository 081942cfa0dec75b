// Where which webhook is served: upstream's paths (spec/capm3.md §5, spec/ipam.md §7, spec/baremetalhost.md §4).
#pragma once

#include "api/kinds/kinds.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ingot::coordinator::webhooks {

enum class Type { mutating, validating };

inline constexpr std::string_view convertPath = "/convert";

// Ours. Cluster API's own kinds have its webhooks, wherever a kube-apiserver serves them.
[[nodiscard]] bool isServed(const api::KindRow& kind);

// Names of the CustomResourceDefinitions whose versions are converted here.
[[nodiscard]] std::vector<std::string> convertedDefinitions();

// "/validate-infrastructure-cluster-x-k8s-io-v1beta2-metal3machine", "/mutate-ipam-metal3-io-v1alpha1-ippool".
[[nodiscard]] std::string pathOf(const kube::KindInfo& kind, Type type);

struct AdmissionPath {
  std::string path;
  Type type = Type::validating;
  api::KindRow kind;
};

// Two for each kind of ours that has rules. Upstream mutates fewer kinds: where it has no defaults, neither have we,
// and the answer changes nothing.
[[nodiscard]] const std::vector<AdmissionPath>& admissionPaths();
[[nodiscard]] const AdmissionPath* findPath(std::string_view path);  // nullptr: nothing is served there

// Whether an installation has it asked: kinds without defaults have nothing mutated.
[[nodiscard]] bool isRegistered(const AdmissionPath& path);
// The configuration that has it asked, by Metal3's name: "capm3-validating-webhook-configuration".
[[nodiscard]] std::string configurationOf(const AdmissionPath& path);

}  // namespace ingot::coordinator::webhooks
