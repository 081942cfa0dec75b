#include "tools/manifestgen/registrations.hpp"

#include "base/text.hpp"
#include "coordinator/webhooks/paths.hpp"

#include <fmt/format.h>

namespace ingot::tools {
namespace {

namespace webhooks = coordinator::webhooks;
using webhooks::AdmissionPath;
using webhooks::Type;

const std::pair<std::string, std::vector<api::KindSet>> sets[] = {
    {"hosts", {api::KindSet::hosts, api::KindSet::companions}},
    {"cluster-api", {api::KindSet::clusterApi}},
    {"ipam", {api::KindSet::ipam}},
};

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

// nullopt: nothing is asked.
std::optional<json::Object> configurationOf(const std::vector<api::KindSet>& kinds, Type type) {
  json::Array asked;
  std::string name;
  for (const auto& path : webhooks::admissionPaths()) {
    const bool isMeant = path.type == type && std::ranges::find(kinds, path.kind.set) != kinds.end();
    if (!isMeant || !webhooks::isRegistered(path)) continue;
    asked.push_back(webhookOf(path));
    name = webhooks::configurationOf(path);
  }
  if (asked.empty()) return std::nullopt;
  return json::Object{
      {"apiVersion", "admissionregistration.k8s.io/v1"},
      {"kind", type == Type::mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration"},
      {"metadata", json::Object{{"name", name}}},
      {"webhooks", std::move(asked)}};
}

}  // namespace

std::vector<std::pair<std::string, std::vector<json::Object>>> registrations() {
  std::vector<std::pair<std::string, std::vector<json::Object>>> files;
  for (const auto& [file, kinds] : sets) {
    auto& documents = files.emplace_back(file, std::vector<json::Object>()).second;
    for (const auto type : {Type::mutating, Type::validating})
      if (auto one = configurationOf(kinds, type)) documents.push_back(std::move(*one));
  }
  return files;
}

}  // namespace ingot::tools
