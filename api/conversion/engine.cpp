#include "api/conversion/engine.hpp"

#include "api/capm3/names.hpp"
#include "api/go_json.hpp"
#include "json/shape.hpp"

namespace ingot::api::conversion {

namespace {

constexpr std::string_view kOld = "v1beta1", kNew = "v1beta2";

std::string apiVersion(std::string_view group, std::string_view version) {
  return fmt::format("{}/{}", group, version);
}

// As the struct of a version writes it, with the document's own metadata.
json::Object inForm(json::Value (*form)(const json::Value&), const json::Value& object, const std::string& apiVersion) {
  json::Object out = form(object).get_object();
  out["apiVersion"] = apiVersion;
  out["kind"] = json::textAt(object, {"kind"});
  if (const json::Value* metadata = json::find(object, {"metadata"})) out["metadata"] = *metadata;
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
std::string conversionData(const json::Value& newer) {
  json::Object content = newer.get_object();
  content.erase("metadata");
  return escapedAsGo(json::serializeSorted(content));
}

// Takes the annotation out of the metadata; annotations that become empty go with it.
std::optional<std::string> takeConversionData(json::Object& object) {
  json::Value* metadata = object.if_contains("metadata");
  json::Value* annotations =
      metadata && metadata->is_object() ? metadata->get_object().if_contains("annotations") : nullptr;
  if (!annotations || !annotations->is_object()) return std::nullopt;
  json::Object& all = annotations->get_object();
  const json::Value* data = all.if_contains(capm3::annotation::conversionData);
  if (!data || !data->is_string()) return std::nullopt;
  std::string out(data->get_string());
  all.erase(capm3::annotation::conversionData);
  if (all.empty()) metadata->get_object().erase("annotations");
  return out;
}

void putConversionData(json::Object& object, std::string data) {
  json::Value whole = std::move(object);
  json::makeObjectAt(whole, {"metadata", "annotations"})[capm3::annotation::conversionData] = std::move(data);
  object = std::move(whole.get_object());
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
void putNamespace(json::Value& object, std::span<const std::string_view> references) {
  const std::string space = json::textAt(object, {"metadata", "namespace"});
  if (space.empty()) return;
  for (const auto path : references)
    visitObjects(object, path, [&](json::Object& reference) { reference["namespace"] = space; });
}

json::Value up(const KindTable& table, std::string_view group, const json::Value& object) {
  json::Object source = object.get_object();
  const auto data = table.keepsData ? takeConversionData(source) : std::nullopt;
  json::Value v = inForm(table.asV1beta1, source, apiVersion(group, kOld));
  for (const auto& part : table.parts)
    visitRoots(v, part, [&](json::Value& root) { moveUp(root, part.root, part.moves); });
  if (data)
    for (const auto& kept = keptData(table, *data); const auto& line : table.restored) restore(v, line, kept);
  return inForm(table.asV1beta2, v, apiVersion(group, kNew));
}

json::Value down(const KindTable& table, std::string_view group, const json::Value& object) {
  json::Value v = inForm(table.asV1beta2, object, apiVersion(group, kNew));
  const std::string data = table.keepsData ? conversionData(v) : "";
  for (auto part = table.parts.rbegin(); part != table.parts.rend(); ++part) {
    if (part->alwaysInV1beta1 && !json::findPath(v, part->root)) putMember(v.get_object(), part->root, json::Object());
    visitRoots(v, *part, [&](json::Value& root) { moveDown(root, part->moves); });
  }
  putNamespace(v, table.besideIt);
  json::Object out = inForm(table.asV1beta1, v, apiVersion(group, kOld));
  if (table.keepsData) putConversionData(out, data);
  return out;
}

}  // namespace

json::Value convert(const GroupTables& tables, const json::Value& object, std::string_view version) {
  const std::string kind = json::textAt(object, {"kind"}), from = json::textAt(object, {"apiVersion"});
  const auto table = std::ranges::find(tables.kinds, kind, &KindTable::kind);
  if (table == tables.kinds.end())
    throw ConversionError("kind: \"" + kind + "\" is none of " + std::string(tables.group));
  if (version != kOld && version != kNew) throw ConversionError(fmt::format("there is no version {}", version));
  if (from != apiVersion(tables.group, kOld) && from != apiVersion(tables.group, kNew))
    throw ConversionError("apiVersion: \"" + from + "\" is not known");
  if (from == apiVersion(tables.group, version)) return object;
  try {
    return version == kNew ? up(*table, tables.group, object) : down(*table, tables.group, object);
  } catch (const json::DecodeError& e) {
    throw ConversionError(e.what());
  }
}

}  // namespace ingot::api::conversion
