#include "cli/bundle/redaction.hpp"

#include "base/base64.hpp"
#include "base/text.hpp"
#include "base/url_redaction.hpp"
#include "cli/apply/three_way.hpp"
#include "cli/bundle/assignment_redaction.hpp"
#include "cli/bundle/key_redaction.hpp"
#include "cli/bundle/telltale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

namespace ingot::cli::bundle {
namespace {

constexpr std::string_view kStars = "***";

bool hasAny(std::string_view text, auto&& words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Rancher and kapp pack what they have applied into annotations of these names.
bool isOfApplying(std::string_view annotation) {
  constexpr std::array words = {"last-applied", "objectset.rio.cattle.io/applied", "kapp.k14s.io/original"};
  return annotation == kLastApplied || hasAny(annotation, words);
}

bool isOurs(std::string_view annotation) {
  const auto domain = annotation.substr(0, annotation.find('/'));
  constexpr std::array owners = {"metal3.io", "x-k8s.io", "kubernetes.io", "ingot.dev", "k8s.io"};
  return std::ranges::any_of(owners, [domain](std::string_view owner) {
    return domain == owner || (domain.ends_with(owner) && domain[domain.size() - owner.size() - 1] == '.');
  });
}

// Settings of the coordinator and of Metal3's managers that are no secrets; the rest may be anything.
bool isHarmless(std::string_view variable) {
  constexpr std::array known = {"IRONIC_ENDPOINT",        "DEPLOY_KERNEL_URL",
                                "DEPLOY_RAMDISK_URL",     "DEPLOY_ISO_URL",
                                "PROVISIONING_LIMIT",     "IRONIC_INSECURE",
                                "IRONIC_CACERT_FILE",     "IRONIC_CLIENT_CERT_FILE",
                                "METAL3_AUTH_ROOT_DIR",   "CAPM3_FAST_TRACK",
                                "WATCH_NAMESPACE",        "BMO_CONCURRENCY",
                                "LEASE_DURATION_SECONDS", "RENEW_DEADLINE_SECONDS",
                                "RETRY_PERIOD_SECONDS",   "POD_NAME",
                                "POD_NAMESPACE",          "POD_UID",
                                "INGOT_PROVISIONER"};
  return std::ranges::find(known, variable) != known.end();
}

std::string sized(std::size_t bytes) { return fmt::format("{} ({} bytes)", kStars, bytes); }

// The names of its keys, and how long each value is.
json::Object sizesOf(const json::Object& data, bool isBase64) {
  json::Object sizes;
  for (const auto& [key, value] : data) {
    const std::string text = value.is_string() ? std::string(value.get_string()) : json::serialize(value);
    const auto decoded = isBase64 ? base::fromBase64(text) : std::nullopt;
    sizes[key] = sized(decoded ? decoded->size() : text.size());
  }
  return sizes;
}

// Takes a member with data off the object: what may be told of it.
std::optional<json::Value> takeSizes(json::Object& object, std::string_view member, bool isBase64) {
  const auto* data = object.if_contains(member);
  if (data == nullptr) return std::nullopt;
  json::Value sizes = data->is_object() ? json::Value(sizesOf(data->get_object(), isBase64)) : json::Value(kStars);
  object.erase(member);
  return sizes;
}

// A Secret is read by nobody but its owner: of what may stand on it only this is kept.
void keepOutline(json::Object& object) {
  auto* metadata = object.if_contains("metadata");
  if (metadata == nullptr || !metadata->is_object()) return;
  constexpr std::array kept = {"name",   "namespace",       "uid",        "creationTimestamp", "deletionTimestamp",
                               "labels", "ownerReferences", "finalizers", "resourceVersion"};
  json::Object outline;
  for (const auto& [key, value] : metadata->get_object())
    if (std::ranges::find(kept, std::string_view(key)) != kept.end()) outline[key] = value;
  *metadata = std::move(outline);
}

// Whatever it is written as. An object has members of its own, which are looked at.
void maskValues(json::Value& value) {
  if (value.is_array())
    for (json::Value& item : value.get_array()) maskValues(item);
  else if (!value.is_object() && !value.is_null() && value != json::Value(""))
    value = kStars;
}

// "name" with "value": an environment variable, a variable of a topology.
json::Value* valueOf(json::Value& item) {
  if (!item.is_object() || !item.get_object().contains("name")) return nullptr;
  return item.get_object().if_contains("value");
}

std::string_view textOf(const json::Value& item) {
  return item.is_string() ? std::string_view(item.get_string()) : std::string_view();
}

// Of a list: what stands behind a flag, or beside a name, that tells.
void maskNamed(json::Array& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (auto* value = valueOf(items[i]); value != nullptr && isTelltale(json::textAt(items[i], {"name"})))
      maskValues(*value);
    if (i + 1 < items.size() && isTelltaleFlag(textOf(items[i]))) maskValues(items[i + 1]);
  }
}

void maskEnvironment(json::Value& list) {
  if (!list.is_array()) return;
  for (json::Value& item : list.get_array())
    if (auto* value = valueOf(item); value != nullptr && !isHarmless(json::textAt(item, {"name"}))) *value = kStars;
}

// spec.metaData.strings of a Metal3DataTemplate: key and value.
void maskStrings(json::Value& object) {
  json::Value* spec = object.as_object().if_contains("spec");
  const auto* strings = spec ? json::arrayAt(*spec, {"metaData", "strings"}) : nullptr;
  if (strings == nullptr) return;
  for (json::Value& item : spec->at("metaData").at("strings").get_array())
    if (item.is_object() && item.get_object().contains("value")) item.get_object()["value"] = kStars;
}

}  // namespace

Redaction Redaction::without(Rule rule) const {
  Redaction fewer = *this;
  fewer.leftOut_.insert(rule);
  return fewer;
}

std::string Redaction::text(std::string_view text) const {
  std::string out(text);
  if (has(Rule::privateKeys)) out = withoutPrivateKeys(std::move(out));
  if (has(Rule::userInfo)) out = base::withoutUserInfo(out);
  if (has(Rule::queries)) out = base::withoutQueries(out);
  if (has(Rule::assignments)) out = withoutAssigned(std::move(out));
  return out;
}

void Redaction::annotations(json::Object& annotations) const {
  std::vector<std::string> gone;
  for (auto& [name, value] : annotations) {
    if (isOfApplying(name)) {
      if (has(Rule::lastApplied)) gone.emplace_back(name);
    } else if (has(Rule::foreignAnnotations) && !isOurs(name) && value.is_string()) {
      value = sized(value.get_string().size());
    }
  }
  for (const auto& name : gone) annotations.erase(name);
}

void Redaction::metadata(json::Object& metadata) const {
  metadata.erase("managedFields");
  auto* all = metadata.if_contains("annotations");
  if (all != nullptr && all->is_object()) annotations(all->get_object());
}

void Redaction::members(json::Object& object, bool insideTopology) const {
  for (auto& [key, value] : object) {
    const std::string_view name = key;
    if (name == "metadata" && value.is_object()) metadata(value.get_object());
    if (name == "env" && has(Rule::environment)) maskEnvironment(value);
    if (has(Rule::telltaleNames) && isTelltale(name)) maskValues(value);
    if (has(Rule::userInfo) && name == "address" && value.is_string())
      value = base::addressWithoutUserInfo(value.get_string());
    walk(value, insideTopology || name == "topology");
  }
}

void Redaction::walk(json::Value& value, bool insideTopology) const {
  if (value.is_string()) {
    value = text(value.get_string());
  } else if (value.is_array()) {
    if (has(Rule::telltaleNames)) maskNamed(value.get_array());
    for (json::Value& item : value.get_array()) {
      if (auto* free = insideTopology && has(Rule::freeValues) ? valueOf(item) : nullptr) *free = kStars;
      walk(item, insideTopology);
    }
  } else if (value.is_object()) {
    members(value.get_object(), insideTopology);
  }
}

json::Value Redaction::object(json::Value object) const {
  if (!object.is_object()) return {};
  const std::string kind = json::textAt(object, {"kind"});
  const bool isSecret = kind == "Secret" && has(Rule::secrets);
  const bool isConfigMap = kind == "ConfigMap" && has(Rule::configMaps);
  if (isSecret) keepOutline(object.get_object());
  if (kind == "Metal3DataTemplate" && has(Rule::freeValues)) maskStrings(object);
  std::map<std::string, json::Value> sizes;
  if (isSecret || isConfigMap)
    for (const auto* member : {"data", "binaryData", "stringData"}) {
      const bool isBase64 = member == std::string_view("data") ? isSecret : member == std::string_view("binaryData");
      if (auto of = takeSizes(object.get_object(), member, isBase64)) sizes.emplace(member, std::move(*of));
    }
  walk(object, false);
  for (auto& [member, of] : sizes) object.get_object()[member] = std::move(of);
  return object;
}

}  // namespace ingot::cli::bundle
