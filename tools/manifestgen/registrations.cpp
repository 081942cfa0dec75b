#include "tools/manifestgen/registrations.hpp"

#include "base/text.hpp"
#include "coordinator/webhooks/paths.hpp"

#include <fmt/format.h>

namespace ingot::tools {
namespace {

using coordinator::webhooks::AdmissionPath;
using coordinator::webhooks::Type;

struct Set {
  std::string_view file, prefix;
  std::vector<api::KindSet> kinds;
};

const Set sets[] = {
    {"hosts", "baremetal-operator", {api::KindSet::hosts, api::KindSet::companions}},
    {"cluster-api", "capm3", {api::KindSet::clusterApi}},
    {"ipam", "ipam", {api::KindSet::ipam}},
};

// Elsewhere there are no defaults (spec/capm3.md §5, spec/ipam.md §7, spec/baremetalhost.md §4).
bool isRegistered(const AdmissionPath& path) {
  constexpr std::string_view withDefaults[] = {"Metal3Cluster", "Metal3RemediationTemplate", "IPPool", "IPClaim",
                                               "IPAddress"};
  return path.type == Type::validating ||
         std::ranges::find(withDefaults, path.kind.stored->kind) != std::ranges::end(withDefaults);
}

std::string nameOf(const AdmissionPath& path) {
  const auto& kind = *path.kind.stored;
  auto name = fmt::format("{}.{}", base::lower(kind.kind), kind.group);
  if (kind.group == "metal3.io") return name;
  return (path.type == Type::mutating ? "default." : "validation.") + name;
}

json::Array operationsOf(const kube::KindInfo& kind) {
  json::Array operations{"CREATE", "UPDATE"};
  if (kind.kind == "HostNetworkAttachment") operations.emplace_back("DELETE");
  return operations;
}

json::Object webhookOf(const AdmissionPath& path) {
  const auto& kind = *path.kind.stored;
  return {{"name", nameOf(path)},
          {"admissionReviewVersions", json::Array{"v1", "v1beta1"}},
          {"clientConfig", json::Object{{"service", json::Object{{"name", "ingot-webhook-service"},
                                                                 {"namespace", "ingot-system"},
                                                                 {"path", path.path}}}}},
          {"failurePolicy", "Fail"},
          {"matchPolicy", "Equivalent"},
          {"rules", json::Array{json::Object{{"apiGroups", json::Array{kind.group}},
                                             {"apiVersions", json::Array{kind.version}},
                                             {"operations", operationsOf(kind)},
                                             {"resources", json::Array{kind.plural}}}}},
          {"sideEffects", "None"},
          {"timeoutSeconds", 10}};
}

json::Object configurationOf(const Set& set, Type type) {
  const bool mutates = type == Type::mutating;
  json::Array webhooks;
  for (const auto& path : coordinator::webhooks::admissionPaths())
    if (path.type == type && isRegistered(path) && std::ranges::find(set.kinds, path.kind.set) != set.kinds.end())
      webhooks.push_back(webhookOf(path));
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", mutates ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration"},
          {"metadata", json::Object{{"name", fmt::format("{}-{}-webhook-configuration", set.prefix,
                                                         mutates ? "mutating" : "validating")}}},
          {"webhooks", std::move(webhooks)}};
}

}  // namespace

std::vector<std::pair<std::string, std::vector<json::Object>>> registrations() {
  std::vector<std::pair<std::string, std::vector<json::Object>>> files;
  for (const auto& set : sets) {
    auto& documents = files.emplace_back(std::string(set.file), std::vector<json::Object>()).second;
    for (const auto type : {Type::mutating, Type::validating}) {
      auto one = configurationOf(set, type);
      if (!one["webhooks"].as_array().empty()) documents.push_back(std::move(one));
    }
  }
  return files;
}

}  // namespace ingot::tools
