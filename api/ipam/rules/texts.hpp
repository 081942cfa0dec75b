// Checks of single texts that the kinds share.
#pragma once

#include "api/field_errors.hpp"
#include "api/ipam/names.hpp"
#include "kube/core/object_reference.hpp"

namespace ingot::api::ipam::rules {

// "" is a valid address: the member is absent.
void requireAddress(FieldErrors& errors, std::string field, const std::string& text);
void requireAddresses(FieldErrors& errors, const std::string& field, const std::vector<std::string>& texts);
void requireText(FieldErrors& errors, std::string field, const std::string& text);
void requireRequestedAddress(FieldErrors& errors, const kube::ObjectMeta& metadata);
// Name, namespace and kind count; the whole reference is shown.
void requireSame(FieldErrors& errors, std::string field, const kube::ObjectReference& before,
                 const kube::ObjectReference& after);

}  // namespace ingot::api::ipam::rules
