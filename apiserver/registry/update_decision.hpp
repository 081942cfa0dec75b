// What an update turns an object into: pure, so that every rule of spec/kubernetes-api.md §4.2 and §4.4 is one test
// row.
#pragma once

#include "apiserver/registry/kinds.hpp"
#include "apiserver/registry/writer.hpp"

#include <optional>

namespace ingot::apiserver {

struct UpdateDecision {
  enum class Outcome {
    keep,   // nothing changes: no new revision, no event
    store,  // `document` becomes the object, be it only in the storage version of now (storage migration relies on it)
    erase,  // the last finalizer of a deleted object went: `document` is its last state
  };
  Outcome outcome = Outcome::keep;
  std::optional<json::Value> document;  // (assigning a value would copy it out of its own memory; emplacing does not)
  bool conditional = false;             // the client named the version it had seen: losing a race is its conflict
  Warnings warnings;
};

// `edit` turns the current object (in the request's version) into what the client wants. Throws ApiError.
[[nodiscard]] UpdateDecision decideUpdate(const Kind& kind, const Object& current, const Writer::Edit& edit,
                                          const WriteContext& context, const ObjectKey& asked);

}  // namespace ingot::apiserver
