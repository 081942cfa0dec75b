#include "apiserver/schema/core_schemas.hpp"

namespace ingot::apiserver {

namespace {

constexpr std::string_view kNamespaceSchema =
    R"({"type":"object","description":"Namespace provides a scope for names.","properties":{
 "spec":{"type":"object","description":"Behaviour of the Namespace.","properties":{
  "finalizers":{"type":"array","description":"Values that must be empty before the namespace is removed.","items":{"type":"string"}}}},
 "status":{"type":"object","description":"What was observed of the Namespace.","properties":{
  "phase":{"type":"string","description":"Active or Terminating."},
  "conditions":{"type":"array","items":{"type":"object","properties":{"type":{"type":"string"},"status":{"type":"string"},
   "lastTransitionTime":{"type":"string","format":"date-time"},"reason":{"type":"string"},"message":{"type":"string"}}}}}}}})";

constexpr std::string_view kSecretSchema =
    R"({"type":"object","description":"Secret holds secret data of a certain type.","properties":{
 "data":{"type":"object","description":"Secret data, base64 encoded.","additionalProperties":{"type":"string","format":"byte"}},
 "stringData":{"type":"object","description":"Plain text that is merged into data on write; never returned.","additionalProperties":{"type":"string"}},
 "type":{"type":"string","description":"Says how the data is to be understood."},
 "immutable":{"type":"boolean","description":"Once true, data cannot change."}}})";

constexpr std::string_view kConfigMapSchema =
    R"({"type":"object","description":"ConfigMap holds configuration data.","properties":{
 "data":{"type":"object","description":"Texts by key.","additionalProperties":{"type":"string"}},
 "binaryData":{"type":"object","description":"Bytes by key, base64 encoded.","additionalProperties":{"type":"string","format":"byte"}},
 "immutable":{"type":"boolean","description":"Once true, data cannot change."}}})";

constexpr std::string_view kServiceAccountSchema =
    R"({"type":"object","description":"ServiceAccount is an identity of processes.","properties":{
 "secrets":{"type":"array","items":{"type":"object","properties":{"kind":{"type":"string"},"namespace":{"type":"string"},
  "name":{"type":"string"},"uid":{"type":"string"},"apiVersion":{"type":"string"},"resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}}},
 "imagePullSecrets":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}},
 "automountServiceAccountToken":{"type":"boolean"}}})";

constexpr std::string_view kEventSchema =
    R"({"type":"object","description":"Event reports something that happened to an object.","properties":{
 "involvedObject":{"type":"object","description":"The object this event is about.","properties":{"kind":{"type":"string"},"namespace":{"type":"string"},
  "name":{"type":"string"},"uid":{"type":"string"},"apiVersion":{"type":"string"},"resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}},
 "reason":{"type":"string","description":"Short machine-readable reason."},"message":{"type":"string","description":"What happened, for people."},
 "source":{"type":"object","description":"Who reported it.","properties":{"component":{"type":"string"},"host":{"type":"string"}}},
 "firstTimestamp":{"type":"string","format":"date-time"},"lastTimestamp":{"type":"string","format":"date-time"},
 "count":{"type":"integer","format":"int32","description":"How often this has happened."},
 "type":{"type":"string","description":"Normal or Warning."},"eventTime":{"type":"string","format":"date-time","nullable":true},
 "series":{"type":"object","properties":{"count":{"type":"integer","format":"int32"},"lastObservedTime":{"type":"string","format":"date-time"}}},
 "action":{"type":"string"},"related":{"type":"object","properties":{"kind":{"type":"string"},"namespace":{"type":"string"},
  "name":{"type":"string"},"uid":{"type":"string"},"apiVersion":{"type":"string"},"resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}},
 "reportingComponent":{"type":"string"},"reportingInstance":{"type":"string"}}})";

constexpr std::string_view kEventV1Schema =
    R"({"type":"object","description":"Event reports something that happened to an object.","properties":{
 "eventTime":{"type":"string","format":"date-time","nullable":true},
 "series":{"type":"object","properties":{"count":{"type":"integer","format":"int32"},"lastObservedTime":{"type":"string","format":"date-time"}}},
 "reportingController":{"type":"string"},"reportingInstance":{"type":"string"},"action":{"type":"string"},"reason":{"type":"string"},
 "regarding":{"type":"object","properties":{"kind":{"type":"string"},"namespace":{"type":"string"},"name":{"type":"string"},
  "uid":{"type":"string"},"apiVersion":{"type":"string"},"resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}},
 "related":{"type":"object","properties":{"kind":{"type":"string"},"namespace":{"type":"string"},"name":{"type":"string"},
  "uid":{"type":"string"},"apiVersion":{"type":"string"},"resourceVersion":{"type":"string"},"fieldPath":{"type":"string"}}},
 "note":{"type":"string"},"type":{"type":"string"},
 "deprecatedSource":{"type":"object","properties":{"component":{"type":"string"},"host":{"type":"string"}}},
 "deprecatedFirstTimestamp":{"type":"string","format":"date-time"},"deprecatedLastTimestamp":{"type":"string","format":"date-time"},
 "deprecatedCount":{"type":"integer","format":"int32"}}})";

constexpr std::string_view kLeaseSchema =
    R"({"type":"object","description":"Lease defines who holds a lock, and since when.","properties":{
 "spec":{"type":"object","properties":{"holderIdentity":{"type":"string"},"leaseDurationSeconds":{"type":"integer","format":"int32"},
  "acquireTime":{"type":"string","format":"date-time"},"renewTime":{"type":"string","format":"date-time"},
  "leaseTransitions":{"type":"integer","format":"int32"},"strategy":{"type":"string"},"preferredHolder":{"type":"string"}}}}})";

constexpr std::string_view kOpen = R"({"type":"object","properties":{
 "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
 "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}})";

PrinterColumn ageColumn() { return {"Age", "date", "", "Time since creation.", ".metadata.creationTimestamp"}; }

struct Row {
  std::string_view group, plural, version, kind, schema;
  bool strict;
};

constexpr Row kRows[] = {
    {"", "namespaces", "v1", "Namespace", kNamespaceSchema, true},
    {"", "secrets", "v1", "Secret", kSecretSchema, true},
    {"", "configmaps", "v1", "ConfigMap", kConfigMapSchema, true},
    {"", "serviceaccounts", "v1", "ServiceAccount", kServiceAccountSchema, true},
    {"", "events", "v1", "Event", kEventSchema, true},
    {"events.k8s.io", "events", "v1", "Event", kEventV1Schema, false},
    {"coordination.k8s.io", "leases", "v1", "Lease", kLeaseSchema, true},
    {"", "nodes", "v1", "Node", kOpen, false},
    {"", "pods", "v1", "Pod", kOpen, false},
    {"", "services", "v1", "Service", kOpen, false},
    {"", "resourcequotas", "v1", "ResourceQuota", kOpen, false},
    {"", "limitranges", "v1", "LimitRange", kOpen, false},
    {"apiextensions.k8s.io", "customresourcedefinitions", "v1", "CustomResourceDefinition", kOpen, false},
};

}  // namespace

std::vector<CoreSchema> coreSchemas() {
  std::vector<CoreSchema> out;
  for (const Row& row : kRows)
    out.push_back({{std::string(row.group), std::string(row.plural)},
                   std::string(row.version),
                   std::string(row.kind),
                   std::make_shared<const KindSchema>([text = row.schema] { return json::parse(text); },
                                                      std::vector<PrinterColumn>{ageColumn()}),
                   row.strict});
  return out;
}

}  // namespace ingot::apiserver
