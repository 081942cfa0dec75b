// References from a host to other objects.
#pragma once

#include "json/describe.hpp"

namespace ingot::api {

// core/v1 SecretReference; an empty namespace means the host's own.
struct SecretReference {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("name", &SecretReference::name).doc("Name of the Secret.");
    v.field("namespace", &SecretReference::namespace_).doc("Namespace of the Secret; empty means that of the referrer.");
  }
  friend bool operator==(const SecretReference&, const SecretReference&) = default;
};

// core/v1 ObjectReference.
struct ObjectReference {
  std::string apiVersion, fieldPath, kind, name, namespace_, resourceVersion, uid;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("apiVersion", &ObjectReference::apiVersion).doc("API version of the referent.");
    v.field("fieldPath", &ObjectReference::fieldPath).doc("Part of the referent, as a JSON path.");
    v.field("kind", &ObjectReference::kind).doc("Kind of the referent.");
    v.field("name", &ObjectReference::name).doc("Name of the referent.");
    v.field("namespace", &ObjectReference::namespace_).doc("Namespace of the referent.");
    v.field("resourceVersion", &ObjectReference::resourceVersion).doc("Version of the referent that is meant, if one.");
    v.field("uid", &ObjectReference::uid).doc("UID of the referent.");
  }
  friend bool operator==(const ObjectReference&, const ObjectReference&) = default;
};

// core/v1 Taint.
struct Taint {
  std::string effect, key, value;
  std::optional<base::WallTime> timeAdded;

  static void describe(auto& v) {
    v.field("effect", &Taint::effect).required().doc("NoSchedule, PreferNoSchedule or NoExecute.");
    v.field("key", &Taint::key).required().doc("Key of the taint.");
    v.field("timeAdded", &Taint::timeAdded).doc("When a NoExecute taint was added.");
    v.field("value", &Taint::value).doc("Value that belongs to the key.");
  }
  friend bool operator==(const Taint&, const Taint&) = default;
};

}  // namespace ingot::api
