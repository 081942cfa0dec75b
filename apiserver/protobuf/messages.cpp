#include "apiserver/protobuf/messages.hpp"

namespace ingot::apiserver {

namespace {

namespace messages {

using enum FieldType;

constexpr MessageField kObjectMeta[] = {{1, "name", text},
                                        {2, "generateName", text},
                                        {3, "namespace", text},
                                        {4, "selfLink", text},
                                        {5, "uid", text},
                                        {6, "resourceVersion", text},
                                        {7, "generation", integer},
                                        {8, "creationTimestamp", time},
                                        {9, "deletionTimestamp", time},
                                        {10, "deletionGracePeriodSeconds", integer},
                                        {11, "labels", textMap},
                                        {12, "annotations", textMap},
                                        {13, "ownerReferences", message, "OwnerReference", true},
                                        {14, "finalizers", text, {}, true},
                                        {17, "managedFields", message, "ManagedFieldsEntry", true}};
constexpr MessageField kOwnerReference[] = {
    {1, "kind", text, {}, false, true},          {3, "name", text, {}, false, true},
    {4, "uid", text, {}, false, true},           {5, "apiVersion", text, {}, false, true},
    {6, "controller", boolean, {}, false, true}, {7, "blockOwnerDeletion", boolean, {}, false, true}};
constexpr MessageField kManagedFields[] = {{1, "manager", text},    {2, "operation", text},  {3, "apiVersion", text},
                                           {4, "time", time},       {6, "fieldsType", text}, {7, "fieldsV1", rawJson},
                                           {8, "subresource", text}};
constexpr MessageField kSecret[] = {{1, "metadata", message, "ObjectMeta"},
                                    {2, "data", bytesMap},
                                    {3, "type", text},
                                    {4, "stringData", textMap},
                                    {5, "immutable", boolean, {}, false, true}};
constexpr MessageField kConfigMap[] = {{1, "metadata", message, "ObjectMeta"},
                                       {2, "data", textMap},
                                       {3, "binaryData", bytesMap},
                                       {4, "immutable", boolean, {}, false, true}};
constexpr MessageField kNamespace[] = {{1, "metadata", message, "ObjectMeta"},
                                       {2, "spec", message, "NamespaceSpec"},
                                       {3, "status", message, "NamespaceStatus"}};
constexpr MessageField kNamespaceSpec[] = {{1, "finalizers", text, {}, true}};
constexpr MessageField kNamespaceStatus[] = {{1, "phase", text},
                                             {2, "conditions", message, "NamespaceCondition", true}};
constexpr MessageField kNamespaceCondition[] = {
    {1, "type", text}, {2, "status", text}, {4, "lastTransitionTime", time}, {5, "reason", text}, {6, "message", text}};
constexpr MessageField kServiceAccount[] = {{1, "metadata", message, "ObjectMeta"},
                                            {2, "secrets", message, "ObjectReference", true},
                                            {3, "imagePullSecrets", message, "LocalObjectReference", true},
                                            {4, "automountServiceAccountToken", boolean, {}, false, true}};
constexpr MessageField kLocalObjectReference[] = {{1, "name", text}};
constexpr MessageField kObjectReference[] = {
    {1, "kind", text},       {2, "namespace", text},       {3, "name", text},     {4, "uid", text},
    {5, "apiVersion", text}, {6, "resourceVersion", text}, {7, "fieldPath", text}};
constexpr MessageField kEvent[] = {{1, "metadata", message, "ObjectMeta"},
                                   {2, "involvedObject", message, "ObjectReference"},
                                   {3, "reason", text},
                                   {4, "message", text},
                                   {5, "source", message, "EventSource"},
                                   {6, "firstTimestamp", time},
                                   {7, "lastTimestamp", time},
                                   {8, "count", integer},
                                   {9, "type", text},
                                   {10, "eventTime", microTime},
                                   {11, "series", message, "EventSeries"},
                                   {12, "action", text},
                                   {13, "related", message, "ObjectReference"},
                                   {14, "reportingComponent", text},
                                   {15, "reportingInstance", text}};
constexpr MessageField kEventSource[] = {{1, "component", text}, {2, "host", text}};
constexpr MessageField kEventSeries[] = {{1, "count", integer}, {2, "lastObservedTime", microTime}};
constexpr MessageField kEventV1[] = {{1, "metadata", message, "ObjectMeta"},
                                     {2, "eventTime", microTime},
                                     {3, "series", message, "EventSeries"},
                                     {4, "reportingController", text},
                                     {5, "reportingInstance", text},
                                     {6, "action", text},
                                     {7, "reason", text},
                                     {8, "regarding", message, "ObjectReference"},
                                     {9, "related", message, "ObjectReference"},
                                     {10, "note", text},
                                     {11, "type", text},
                                     {12, "deprecatedSource", message, "EventSource"},
                                     {13, "deprecatedFirstTimestamp", time},
                                     {14, "deprecatedLastTimestamp", time},
                                     {15, "deprecatedCount", integer}};
constexpr MessageField kLease[] = {{1, "metadata", message, "ObjectMeta"}, {2, "spec", message, "LeaseSpec"}};
constexpr MessageField kLeaseSpec[] = {{1, "holderIdentity", text, {}, false, true},
                                       {2, "leaseDurationSeconds", integer, {}, false, true},
                                       {3, "acquireTime", microTime},
                                       {4, "renewTime", microTime},
                                       {5, "leaseTransitions", integer, {}, false, true},
                                       {6, "strategy", text},
                                       {7, "preferredHolder", text}};
constexpr MessageField kDeleteOptions[] = {{1, "gracePeriodSeconds", integer, {}, false, true},
                                           {2, "preconditions", message, "Preconditions"},
                                           {3, "orphanDependents", boolean, {}, false, true},
                                           {4, "propagationPolicy", text},
                                           {5, "dryRun", text, {}, true}};
constexpr MessageField kPreconditions[] = {{1, "uid", text}, {2, "resourceVersion", text}};
constexpr MessageField kAccessReview[] = {{1, "metadata", message, "ObjectMeta"},
                                          {2, "spec", message, "AccessReviewSpec"}};
constexpr MessageField kAccessReviewSpec[] = {{1, "resourceAttributes", message, "ResourceAttributes"},
                                              {2, "nonResourceAttributes", message, "NonResourceAttributes"},
                                              {3, "user", text},
                                              {4, "groups", text, {}, true},
                                              {6, "uid", text}};
constexpr MessageField kResourceAttributes[] = {{1, "namespace", text}, {2, "verb", text},     {3, "group", text},
                                                {4, "version", text},   {5, "resource", text}, {6, "subresource", text},
                                                {7, "name", text}};
constexpr MessageField kNonResourceAttributes[] = {{1, "path", text}, {2, "verb", text}};
constexpr MessageField kRulesReview[] = {{1, "metadata", message, "ObjectMeta"},
                                         {2, "spec", message, "RulesReviewSpec"}};
constexpr MessageField kRulesReviewSpec[] = {{1, "namespace", text}};
constexpr MessageField kSelfSubjectReview[] = {{1, "metadata", message, "ObjectMeta"}};
constexpr MessageField kTokenReview[] = {{1, "metadata", message, "ObjectMeta"},
                                         {2, "spec", message, "TokenReviewSpec"}};
constexpr MessageField kTokenReviewSpec[] = {{1, "token", text}, {2, "audiences", text, {}, true}};

constexpr Message kMessages[] = {
    {"ObjectMeta", kObjectMeta},
    {"OwnerReference", kOwnerReference},
    {"ManagedFieldsEntry", kManagedFields},
    {"Secret", kSecret},
    {"ConfigMap", kConfigMap},
    {"Namespace", kNamespace},
    {"NamespaceSpec", kNamespaceSpec},
    {"NamespaceStatus", kNamespaceStatus},
    {"NamespaceCondition", kNamespaceCondition},
    {"ServiceAccount", kServiceAccount},
    {"LocalObjectReference", kLocalObjectReference},
    {"ObjectReference", kObjectReference},
    {"Event", kEvent},
    {"EventSource", kEventSource},
    {"EventSeries", kEventSeries},
    {"EventV1", kEventV1},
    {"Lease", kLease},
    {"LeaseSpec", kLeaseSpec},
    {"DeleteOptions", kDeleteOptions},
    {"Preconditions", kPreconditions},
    {"AccessReview", kAccessReview},
    {"AccessReviewSpec", kAccessReviewSpec},
    {"ResourceAttributes", kResourceAttributes},
    {"NonResourceAttributes", kNonResourceAttributes},
    {"RulesReview", kRulesReview},
    {"RulesReviewSpec", kRulesReviewSpec},
    {"SelfSubjectReview", kSelfSubjectReview},
    {"TokenReview", kTokenReview},
    {"TokenReviewSpec", kTokenReviewSpec},
};

}  // namespace messages

struct KindRow {
  std::string_view apiVersion, kind, message;
};
constexpr KindRow kKinds[] = {
    {"v1", "Secret", "Secret"},
    {"v1", "ConfigMap", "ConfigMap"},
    {"v1", "Namespace", "Namespace"},
    {"v1", "ServiceAccount", "ServiceAccount"},
    {"v1", "Event", "Event"},
    {"events.k8s.io/v1", "Event", "EventV1"},
    {"coordination.k8s.io/v1", "Lease", "Lease"},
    {"authorization.k8s.io/v1", "SelfSubjectAccessReview", "AccessReview"},
    {"authorization.k8s.io/v1", "SubjectAccessReview", "AccessReview"},
    {"authorization.k8s.io/v1", "LocalSubjectAccessReview", "AccessReview"},
    {"authorization.k8s.io/v1", "SelfSubjectRulesReview", "RulesReview"},
    {"authentication.k8s.io/v1", "SelfSubjectReview", "SelfSubjectReview"},
    {"authentication.k8s.io/v1", "TokenReview", "TokenReview"},
};

}  // namespace

const Message* findMessage(std::string_view name) {
  for (const auto& message : messages::kMessages)
    if (message.name == name) return &message;
  return nullptr;
}

const Message* messageOf(std::string_view apiVersion, std::string_view kind) {
  if (kind == "DeleteOptions") return findMessage("DeleteOptions");  // of any group
  for (const auto& row : kKinds)
    if (row.apiVersion == apiVersion && row.kind == kind) return findMessage(row.message);
  return nullptr;
}

}  // namespace ingot::apiserver
