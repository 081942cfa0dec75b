// The objects that a request leaves in the store. An object that nobody could read there is refused with an error for
// the client.
#pragma once

#include "apiserver/store/store.hpp"
#include "json/value.hpp"

namespace ingot::apiserver {

// The limits of an object that takes the place of `before`. An object that is past the limits already may not grow, but
// whoever holds it with a finalizer must be able to release it.
[[nodiscard]] ObjectLimits limitsAfter(const Object& before);
// The same for a deletion, which adds its marks to whatever is there.
[[nodiscard]] ObjectLimits limitsOfDeletion(const Object& before);

// As makeObject(). Throws ApiError: 413 for an object that is too large, 400 for one that is nested too deeply.
[[nodiscard]] ObjectPtr storable(json::Value& document, Revision revision, ObjectLimits limits = {});

// Runs later, inside the store: the document is shared with the coroutine that waits.
[[nodiscard]] Store::Build storing(json::Value document, ObjectLimits limits = {});

}  // namespace ingot::apiserver
