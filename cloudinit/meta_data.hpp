// The metaData of a machine (spec/capm3.md §17.1).
#pragma once

#include "api/capm3/v1beta2/meta_data.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit {

// A flat mapping of texts as YAML. Of a key that several lists give, the last in the order of the spec wins;
// `providerid` is always ours. Throws RenderError.
[[nodiscard]] std::string renderMetaData(const api::capm3::v1beta2::MetaData& wanted, const Snapshot& snapshot);

}  // namespace ingot::cloudinit
