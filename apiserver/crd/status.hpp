// What is said in a CustomResourceDefinition's status.
#pragma once

#include "apiserver/crd/naming.hpp"
#include "base/clock.hpp"
#include "json/value.hpp"

namespace ingot::apiserver {

[[nodiscard]] bool isEstablished(const json::Value& crd);

// With conditions NamesAccepted and Established; others stay. Once established it stays so.
[[nodiscard]] json::Object acceptedStatus(const json::Value& crd, const Naming& naming, base::WallTime now);
// With condition Terminating, while objects of it are left.
[[nodiscard]] json::Object terminatingStatus(const json::Value& crd, base::WallTime now);

// status.storedVersions: the versions in which objects may be stored: those of before, and the present one.
[[nodiscard]] json::Array storedVersionsOf(const json::Value& crd);

}  // namespace ingot::apiserver
