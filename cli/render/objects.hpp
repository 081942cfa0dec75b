// The manifests that a template is rendered with, found by their kinds.
#pragma once

#include "api/capi/machine.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "cli/apply/manifest.hpp"
#include "cloudinit/snapshot.hpp"
#include "kube/core/secret.hpp"

namespace ingot::cli {

struct RenderObjects {
  Manifest templateManifest;  // for places
  api::capm3::v1beta2::Metal3DataTemplateSpec wanted;
  api::capm3::v1beta2::Metal3Data data;
  api::capm3::v1beta2::Metal3Machine metal3Machine;
  std::optional<api::capi::Machine> machine;
  api::BareMetalHost host;
  std::vector<kube::Secret> secrets;
};

// Kinds of infrastructure.cluster.x-k8s.io may be v1beta1 or v1beta2. Without a Metal3Data there is one with `index`.
// Throws Failure for what is missing, there twice, or not readable, with file and line.
[[nodiscard]] RenderObjects findRenderObjects(const std::vector<Manifest>& manifests, int index);

}  // namespace ingot::cli
