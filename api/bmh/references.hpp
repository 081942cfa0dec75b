// References from a host to other objects.
#pragma once

#include "json/describe.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api {

// core/v1 SecretReference; an empty namespace means the host's own.
struct SecretReference {
  std::string name, namespace_;

  static void describe(auto& v) {
    v.mapType("atomic");
    v.field("name", &SecretReference::name).doc("Name of the Secret.");
    v.field("namespace", &SecretReference::namespace_)
        .doc("Namespace of the Secret; empty means that of the referrer.");
  }
  friend bool operator==(const SecretReference&, const SecretReference&) = default;
};

using kube::ObjectReference;

// core/v1 Taint.
struct Taint {
  std::string effect, key, value;
  std::optional<base::WallTime> timeAdded;

  static void describe(auto& v) {
    v.field("effect", &Taint::effect).required().doc("NoSchedule, PreferNoSchedule or NoExecute.");
    v.field("key", &Taint::key).required().doc("Key of the taint.");
    v.field("timeAdded", &Taint::timeAdded).doc("Time at which a NoExecute taint was added.");
    v.field("value", &Taint::value).doc("Value that belongs to the key.");
  }
  friend bool operator==(const Taint&, const Taint&) = default;
};

}  // namespace ingot::api
