// What is wrong with a template although it renders: for people who write templates.
#pragma once

#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "cloudinit/snapshot.hpp"

namespace ingot::cloudinit {

// In the order of the template: a bond without members or with members that are no link, a VLAN or network on a link
// that is not there, labels and annotations that the object does not have, keys given twice, keys that render nothing.
// Rendering lets them pass, as Metal3 does. What rendering refuses is not repeated here.
[[nodiscard]] std::vector<RenderError> findingsIn(const api::capm3::v1beta2::Metal3DataTemplateSpec& wanted,
                                                  const Snapshot& snapshot);

}  // namespace ingot::cloudinit
