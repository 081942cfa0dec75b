#include "coordinator/remediation/node_record.hpp"

#include "json/describe.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace ingot::coordinator::remediation {
namespace {

using Map = std::map<std::string, std::string>;

const std::string kLabels = "remediation.metal3.io/node-labels-backup",
                  kAnnotations = "remediation.metal3.io/node-annotations-backup";
const std::string kOutOfService = "ingot.dev/node-out-of-service";
constexpr std::string_view kTaint = "node.kubernetes.io/out-of-service", kNoExecute = "NoExecute";
constexpr std::size_t kMostKept = 128u << 10;  // bytes of both
constexpr workload::ServerVersion kSince{.major = 1, .minor = 28};

bool isOurs(const kube::Taint& taint) { return taint.key == kTaint && taint.effect == kNoExecute; }

// Metal3 writes "" for a map that is not there. Who has put something else here has nothing put back.
Map recordIn(const Metal3Remediation& remediation, const std::string& name) {
  const std::string* text = remediation.metadata.annotation(name);
  if (text == nullptr || text->empty()) return {};
  Map out;
  try {
    const json::Value document = json::parse(*text);
    if (!document.is_object()) return {};
    for (const auto& [key, value] : document.get_object())
      if (value.is_string()) out.emplace(key, std::string(value.get_string()));
  } catch (const json::ParseError&) {
    return {};
  }
  return out;
}

json::Object objectOf(const Map& map) {
  json::Object out;
  for (const auto& [key, value] : map) out.emplace(key, value);
  return out;
}

// As JSON, with what stands between two.
std::size_t sizeOf(const Map::value_type& entry) {
  return json::serialize(json::Value(entry.first)).size() + json::serialize(json::Value(entry.second)).size() + 2;
}

// The smallest of them that `room` has place for, which they take up.
Map fitting(const Map& all, std::size_t& room) {
  std::set<std::pair<std::size_t, std::string_view>> bySize;
  for (const auto& entry : all) bySize.emplace(sizeOf(entry), entry.first);
  Map out;
  for (const auto& [size, key] : bySize) {
    if (size > room) break;
    room -= size;
    out.insert(*all.find(std::string(key)));
  }
  return out;
}

// How many are left out.
std::size_t keep(Metal3Remediation& remediation, const std::string& name, Map now, std::size_t& room) {
  now.merge(recordIn(remediation, name));  // what the Node says wins
  const Map kept = fitting(now, room);
  remediation.metadata.annotations.insert_or_assign(name, kept.empty() ? "" : json::serialize(objectOf(kept)));
  return now.size() - kept.size();
}

Map missing(const Map& record, const Map& present) {
  Map out;
  for (const auto& [key, value] : record)
    if (!present.contains(key)) out.emplace(key, value);
  return out;
}

// Guarded by the version of the Node that it was made from.
json::Value patchOf(const kube::Node& node, json::Object metadata, json::Object spec) {
  metadata["resourceVersion"] = node.metadata.resourceVersion;
  json::Object patch{{"metadata", std::move(metadata)}};
  if (!spec.empty()) patch["spec"] = std::move(spec);
  return patch;
}

json::Value listOf(const std::vector<kube::Taint>& taints) {
  json::Array out;
  for (const auto& taint : taints) out.push_back(json::encode(taint));
  return out;
}

}  // namespace

bool knowsOutOfService(const std::optional<workload::ServerVersion>& version) { return version && *version >= kSince; }

bool isOutOfService(const kube::Node& node) { return std::ranges::any_of(node.spec.taints, isOurs); }

json::Value outOfServicePatch(const kube::Node& node, base::WallTime now) {
  auto taints = node.spec.taints;
  if (!isOutOfService(node))
    taints.push_back({.key = std::string(kTaint),
                      .value = "nodeshutdown",
                      .effect = std::string(kNoExecute),
                      .timeAdded = std::chrono::floor<std::chrono::seconds>(now)});
  return patchOf(node, {}, {{"taints", listOf(taints)}});
}

std::size_t keepRecord(Metal3Remediation& remediation, const kube::Node& node) {
  std::size_t room = kMostKept;
  const std::size_t labels = keep(remediation, kLabels, node.metadata.labels, room);
  return labels + keep(remediation, kAnnotations, node.metadata.annotations, room);
}

bool hasRecord(const Metal3Remediation& remediation) {
  return remediation.metadata.annotation(kLabels) != nullptr ||
         remediation.metadata.annotation(kAnnotations) != nullptr;
}

bool markOutOfService(Metal3Remediation& remediation) {
  return remediation.metadata.annotations.emplace(kOutOfService, "").second;
}

bool owesNode(const Metal3Remediation& remediation) {
  return hasRecord(remediation) || remediation.metadata.annotation(kOutOfService) != nullptr;
}

void dropRecord(Metal3Remediation& remediation) {
  remediation.metadata.annotations.erase(kOutOfService);
  remediation.metadata.annotations.erase(kLabels);
  remediation.metadata.annotations.erase(kAnnotations);
}

std::optional<json::Value> restoringPatch(const kube::Node& node, const Metal3Remediation& remediation,
                                          const std::string& providerId) {
  const bool recorded = hasRecord(remediation);
  if (!owesNode(remediation) && !isOutOfService(node)) return std::nullopt;
  json::Object metadata, spec;
  if (const Map labels = missing(recordIn(remediation, kLabels), node.metadata.labels); !labels.empty())
    metadata["labels"] = objectOf(labels);
  if (const Map notes = missing(recordIn(remediation, kAnnotations), node.metadata.annotations); !notes.empty())
    metadata["annotations"] = objectOf(notes);
  if (recorded && node.spec.providerId.empty() && !providerId.empty()) spec["providerID"] = providerId;
  if (isOutOfService(node)) {
    auto taints = node.spec.taints;
    std::erase_if(taints, isOurs);
    spec["taints"] = listOf(taints);
  }
  return patchOf(node, std::move(metadata), std::move(spec));
}

}  // namespace ingot::coordinator::remediation
