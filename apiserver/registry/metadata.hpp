// What only the server writes into metadata; what may be written there at all is kube/core/metadata_rules.hpp.
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/resource_info.hpp"
#include "base/clock.hpp"
#include "base/random.hpp"
#include "json/value.hpp"
#include "kube/core/metadata_rules.hpp"

#include <string>
#include <vector>

namespace ingot::apiserver {

using kube::finalizersOf;

// document.metadata, made when missing. Throws ApiError 400 when it is something else than an object.
[[nodiscard]] json::Object& metadataOf(json::Value& document);
[[nodiscard]] std::string textIn(const json::Object& object, std::string_view member);   // "" when missing
void setFinalizers(json::Object& metadata, const std::vector<std::string>& finalizers);  // empty: no member

// A new object: drops what clients may not set, gives uid, creationTimestamp, generation and (from generateName) a
// name.
void beginLife(json::Value& document, const ResourceInfo& info, base::WallTime now, base::Random& random);
// base cut to 58 characters + 5 random ones of upstream's alphabet.
[[nodiscard]] std::string generatedName(std::string_view base, base::Random& random);

// An update: server-owned members are those of `old`, whatever the client sent.
void keepServerMembers(json::Object& metadata, const json::Object& old);

// Marks the object as being deleted since `now`; its generation grows where the kind has one.
void beginDeletion(json::Value& document, const ResourceInfo& info, base::WallTime now);
void growGeneration(json::Object& metadata);

}  // namespace ingot::apiserver
