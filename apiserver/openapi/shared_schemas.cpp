#include "apiserver/openapi/shared_schemas.hpp"

#include <fmt/format.h>

namespace ingot::apiserver {

namespace {

// "@X" stands for a reference to the shared component X.
constexpr std::string_view kShared = R"({
"ObjectMeta":{"type":"object","description":"Metadata that all persisted resources have.","properties":{
 "annotations":{"type":"object","description":"Unstructured values of clients and people.","additionalProperties":{"type":"string","default":""}},
 "creationTimestamp":{"description":"When the server created the object. Read-only.","allOf":["@Time"]},
 "deletionGracePeriodSeconds":{"type":"integer","format":"int64","description":"Seconds until removal. Read-only."},
 "deletionTimestamp":{"description":"When the object is to be removed. Read-only.","allOf":["@Time"]},
 "finalizers":{"type":"array","description":"Must be empty before the object is removed.","items":{"type":"string","default":""},"x-kubernetes-list-type":"set","x-kubernetes-patch-strategy":"merge"},
 "generateName":{"type":"string","description":"Prefix of a name that the server makes when none is given."},
 "generation":{"type":"integer","format":"int64","description":"Grows with each change of the desired state. Read-only."},
 "labels":{"type":"object","description":"Keys and values to select objects by.","additionalProperties":{"type":"string","default":""}},
 "managedFields":{"type":"array","description":"Who manages which fields.","items":{"allOf":["@ManagedFieldsEntry"],"default":{}},"x-kubernetes-list-type":"atomic"},
 "name":{"type":"string","description":"Unique within a namespace. Cannot be updated."},
 "namespace":{"type":"string","description":"The space within which the name is unique."},
 "ownerReferences":{"type":"array","description":"Objects this one depends on.","items":{"allOf":["@OwnerReference"],"default":{}},"x-kubernetes-list-map-keys":["uid"],"x-kubernetes-list-type":"map","x-kubernetes-patch-merge-key":"uid","x-kubernetes-patch-strategy":"merge"},
 "resourceVersion":{"type":"string","description":"Changes with each write. Opaque. Read-only."},
 "selfLink":{"type":"string","description":"No longer filled in."},
 "uid":{"type":"string","description":"Unique in time and space. Read-only."}}},
"ListMeta":{"type":"object","description":"Metadata of lists.","properties":{
 "continue":{"type":"string","description":"Asks for the next page."},"remainingItemCount":{"type":"integer","format":"int64"},
 "resourceVersion":{"type":"string"},"selfLink":{"type":"string"}}},
"OwnerReference":{"type":"object","description":"An object that owns this one.","required":["apiVersion","kind","name","uid"],"properties":{
 "apiVersion":{"type":"string","default":""},"blockOwnerDeletion":{"type":"boolean"},"controller":{"type":"boolean"},
 "kind":{"type":"string","default":""},"name":{"type":"string","default":""},"uid":{"type":"string","default":""}},"x-kubernetes-map-type":"atomic"},
"ManagedFieldsEntry":{"type":"object","properties":{"apiVersion":{"type":"string"},"fieldsType":{"type":"string"},"fieldsV1":{"allOf":["@FieldsV1"]},
 "manager":{"type":"string"},"operation":{"type":"string"},"subresource":{"type":"string"},"time":{"allOf":["@Time"]}}},
"FieldsV1":{"type":"object"},
"Time":{"type":"string","format":"date-time"},
"Patch":{"type":"object","description":"A patch in the format that the Content-Type names."},
"Status":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"allOf":["@ListMeta"],"default":{}},
 "status":{"type":"string"},"message":{"type":"string"},"reason":{"type":"string"},"details":{"type":"object"},"code":{"type":"integer","format":"int32"}}},
"DeleteOptions":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"dryRun":{"type":"array","items":{"type":"string"}},
 "gracePeriodSeconds":{"type":"integer","format":"int64"},"orphanDependents":{"type":"boolean"},"propagationPolicy":{"type":"string"},
 "preconditions":{"type":"object","properties":{"uid":{"type":"string"},"resourceVersion":{"type":"string"}}}}}})";

void resolve(json::Value& v) {
  if (json::Object* members = v.if_object()) {
    for (auto& member : *members) resolve(member.value());
  } else if (json::Array* items = v.if_array()) {
    for (auto& item : *items) resolve(item);
  } else if (v.is_string() && v.get_string().starts_with('@')) {
    v = schemaRef(std::string(kMetaPrefix) + std::string(v.get_string().subview(1)));
  }
}

std::string reversed(std::string_view group) {
  std::string out;
  while (!group.empty()) {
    const auto dot = group.rfind('.');
    const std::string_view part = dot == std::string_view::npos ? group : group.substr(dot + 1);
    out += (out.empty() ? "" : ".") + std::string(part);
    group = dot == std::string_view::npos ? std::string_view() : group.substr(0, dot);
  }
  return out;
}

}  // namespace

json::Object sharedSchemas() {
  json::Value all = json::parse(kShared);
  resolve(all);
  json::Object out;
  for (auto& [name, schema] : all.get_object()) out[std::string(kMetaPrefix) + std::string(name)] = schema;
  return out;
}

json::Object schemaRef(std::string_view name) { return {{"$ref", "#/components/schemas/" + std::string(name)}}; }

std::string schemaName(std::string_view group, std::string_view version, std::string_view kind) {
  const std::string prefix = group.empty() ? "io.k8s.api.core" : reversed(group);
  return fmt::format("{}.{}.{}", prefix, version, kind);
}

}  // namespace ingot::apiserver
