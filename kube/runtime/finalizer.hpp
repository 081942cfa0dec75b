// Finalizers: "do not let this object go before I have cleaned up". The three steps of who holds one:
//  1. not in deletion, no finalizer: add it and save before doing anything that needs cleaning up;
//  2. in deletion, finalizer there: clean up (any step may run twice), then remove it and save;
//  3. in deletion, no finalizer: nothing to do any more.
#pragma once

#include "kube/core/object_meta.hpp"

#include <string_view>

namespace ingot::kube {

[[nodiscard]] bool hasFinalizer(const ObjectMeta& meta, std::string_view finalizer);
// True when it was not there. An object in deletion gets none: the server refuses it.
bool addFinalizer(ObjectMeta& meta, std::string_view finalizer);
// True when it was there.
bool removeFinalizer(ObjectMeta& meta, std::string_view finalizer);

}  // namespace ingot::kube
