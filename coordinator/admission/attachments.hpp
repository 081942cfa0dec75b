// Admission of HostNetworkAttachments, which hosts may be using (spec/baremetalhost.md §4.3).
#pragma once

#include "apiserver/registry/kind_rules.hpp"
#include "apiserver/registry/registry.hpp"

namespace ingot::coordinator {

// `registry` is where the hosts are; lent.
[[nodiscard]] std::shared_ptr<const apiserver::KindRules> attachmentRules(const apiserver::Registry& registry);

}  // namespace ingot::coordinator
