// The rules of metadata that hold for every kind, with upstream's texts (spec/kubernetes-api.md §4.6).
#pragma once

#include "kube/core/names.hpp"
#include "kube/core/status.hpp"

namespace ingot::kube {

[[nodiscard]] std::vector<StatusCause> validateMetadata(const json::Object& metadata, NameRule rule,
                                                        std::vector<std::string>& warnings);
// What may not change. `metadata` is what the client sent, before the server's own members are put back.
[[nodiscard]] std::vector<StatusCause> validateMetadataUpdate(const json::Object& metadata, const json::Object& old);

[[nodiscard]] std::vector<std::string> finalizersOf(const json::Object& metadata);

}  // namespace ingot::kube
