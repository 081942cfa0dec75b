#include "api/conversion/engine.hpp"

#include "api/capm3/names.hpp"
#include "api/go_json.hpp"
#include "json/codec.hpp"
#include "kube/core/object_meta.hpp"

namespace ingot::api::conversion {

namespace {

constexpr std::string_view kOld = "v1beta1", kNew = "v1beta2";

std::string apiVersion(std::string_view group, std::string_view version) {
  return fmt::format("{}/{}", group, version);
}

// An object in two parts: metadata are the same in both versions, but for one annotation, and often the larger part.
struct Parts {
  std::optional<json::Value> metadata;
  json::Value rest;
};

constexpr std::string_view kMetadata = "metadata";

// Throws json::DecodeError for metadata that no object of Kubernetes has.
void checkMetadata(const json::Value& metadata) {
  kube::ObjectMeta read;
  const json::Decoding whole;
  json::Decoding below = whole.member(kMetadata);
  json::Codec<kube::ObjectMeta>::decode(metadata, read, below);
}

Parts split(json::Value object) {
  Parts out;
  if (json::Value* metadata = object.get_object().if_contains(kMetadata)) {
    checkMetadata(out.metadata.emplace(std::move(*metadata)));
    object.get_object().erase(kMetadata);
  }
  out.rest = std::move(object);
  return out;
}

// As the struct of a version writes it.
json::Object inForm(json::Value (*form)(const json::Value&), const json::Value& rest, const std::string& apiVersion) {
  json::Object out = form(rest).get_object();
  out["apiVersion"] = apiVersion;
  out["kind"] = json::textAt(rest, {"kind"});
  return out;
}

template <class Fn>
void visitRoots(json::Value& object, const Part& part, Fn&& fn) {
  visitObjects(object, part.root, [&](json::Object& root) {
    json::Value v = std::move(root);
    fn(v);
    root = std::move(v.get_object());
  });
}

// The annotation cluster.x-k8s.io/conversion-data: the v1beta2 object `newer` without metadata, kept in its v1beta1
// view, byte for byte as Cluster API's tools write it.
std::string conversionData(const json::Value& newer) { return escapedAsGo(json::serializeSorted(newer)); }

// Takes the annotation out of the metadata; annotations that become empty go with it.
std::optional<std::string> takeConversionData(std::optional<json::Value>& metadata) {
  if (!metadata || !metadata->is_object()) return std::nullopt;
  json::Value* annotations = metadata->get_object().if_contains("annotations");
  if (!annotations || !annotations->is_object()) return std::nullopt;
  json::Object& all = annotations->get_object();
  const json::Value* data = all.if_contains(capm3::annotation::conversionData);
  if (!data || !data->is_string()) return std::nullopt;
  std::string out(data->get_string());
  all.erase(capm3::annotation::conversionData);
  if (all.empty()) metadata->get_object().erase("annotations");
  return out;
}

json::Value keptData(const KindTable& table, const std::string& text) {
  try {
    return table.asV1beta2(json::parse(text));
  } catch (const json::ParseError& e) {
    throw ConversionError(fmt::format("annotation {}: {}", capm3::annotation::conversionData, e.what()));
  } catch (const json::DecodeError& e) {
    throw ConversionError(fmt::format("annotation {}: {}", capm3::annotation::conversionData, e.what()));
  }
}

void removeMember(json::Value& object, std::string_view path) {
  const auto dot = path.rfind('.');
  visitObjects(object, path.substr(0, dot), [&](json::Object& holder) { holder.erase(path.substr(dot + 1)); });
}

void restore(json::Value& object, const Restored& line, const json::Value& kept) {
  const json::Value* was = json::findPath(kept, line.path);
  switch (line.when) {
    case Restored::When::kept:
      if (was) putMember(object.get_object(), line.path, *was);
      return;
    case Restored::When::wasFalse:
      if (was && *was == json::Value(false) && !json::findPath(object, line.path))
        putMember(object.get_object(), line.path, false);
      return;
    case Restored::When::wasAbsent:
      if (!was) removeMember(object, line.path);
      return;
  }
}

// The members that v1beta1 gives every reference to an object of the same namespace.
void putNamespace(json::Value& object, const std::string& space, std::span<const std::string_view> references) {
  if (space.empty()) return;
  for (const auto path : references)
    visitObjects(object, path, [&](json::Object& reference) { reference["namespace"] = space; });
}

json::Object up(const KindTable& table, std::string_view group, Parts& object) {
  const auto data = table.keepsData ? takeConversionData(object.metadata) : std::nullopt;
  json::Value v = inForm(table.asV1beta1, object.rest, apiVersion(group, kOld));
  for (const auto& part : table.parts)
    visitRoots(v, part, [&](json::Value& root) { moveUp(root, part.root, part.moves); });
  if (data)
    for (const auto& kept = keptData(table, *data); const auto& line : table.restored) restore(v, line, kept);
  return inForm(table.asV1beta2, v, apiVersion(group, kNew));
}

json::Object down(const KindTable& table, std::string_view group, Parts& object) {
  json::Value v = inForm(table.asV1beta2, object.rest, apiVersion(group, kNew));
  std::string data = table.keepsData ? conversionData(v) : "";
  for (auto part = table.parts.rbegin(); part != table.parts.rend(); ++part) {
    if (part->alwaysInV1beta1 && !json::findPath(v, part->root)) putMember(v.get_object(), part->root, json::Object());
    visitRoots(v, *part, [&](json::Value& root) { moveDown(root, part->moves); });
  }
  if (object.metadata) putNamespace(v, json::textAt(*object.metadata, {"namespace"}), table.besideIt);
  if (table.keepsData) {
    if (!object.metadata) object.metadata.emplace();
    json::makeObjectAt(*object.metadata, {"annotations"})[capm3::annotation::conversionData] = std::move(data);
  }
  return inForm(table.asV1beta1, v, apiVersion(group, kOld));
}

}  // namespace

json::Value convert(const GroupTables& tables, json::Value object, std::string_view version) {
  const std::string kind = json::textAt(object, {"kind"}), from = json::textAt(object, {"apiVersion"});
  const auto table = std::ranges::find(tables.kinds, kind, &KindTable::kind);
  if (table == tables.kinds.end())
    throw ConversionError("kind: \"" + kind + "\" is none of " + std::string(tables.group));
  if (version != kOld && version != kNew) throw ConversionError(fmt::format("there is no version {}", version));
  if (from != apiVersion(tables.group, kOld) && from != apiVersion(tables.group, kNew))
    throw ConversionError("apiVersion: \"" + from + "\" is not known");
  if (from == apiVersion(tables.group, version)) return object;
  try {
    Parts parts = split(std::move(object));
    json::Object out = version == kNew ? up(*table, tables.group, parts) : down(*table, tables.group, parts);
    if (parts.metadata) out[kMetadata] = std::move(*parts.metadata);
    return out;
  } catch (const json::DecodeError& e) {
    throw ConversionError(e.what());
  }
}

}  // namespace ingot::api::conversion
