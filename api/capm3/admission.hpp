// Admission and defaults of infrastructure.cluster.x-k8s.io (spec/capm3.md §5): pure functions on the storage version,
// run in process by the embedded API and behind the webhooks. Every violation is reported, in upstream's order.
#pragma once

#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "api/field_errors.hpp"

namespace ingot::api::capm3 {

struct Decision {
  FieldErrors errors;
  std::string refusal;  // says no without naming fields
  std::vector<std::string> warnings;

  [[nodiscard]] bool allowed() const { return errors.empty() && refusal.empty(); }
};

void setDefaults(v1beta2::Metal3Cluster& cluster);
void setDefaults(v1beta2::Metal3RemediationTemplate& remediation);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3Cluster& cluster);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3Cluster& before, const v1beta2::Metal3Cluster& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3ClusterTemplate& cluster);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3ClusterTemplate& before,
                                   const v1beta2::Metal3ClusterTemplate& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3Machine& machine);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3Machine& before, const v1beta2::Metal3Machine& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3MachineTemplate& machine);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3MachineTemplate& before,
                                   const v1beta2::Metal3MachineTemplate& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3DataTemplate& data);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3DataTemplate& before, const v1beta2::Metal3DataTemplate& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3Data& data);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3Data& before, const v1beta2::Metal3Data& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3DataClaim& claim);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3DataClaim& before, const v1beta2::Metal3DataClaim& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3Remediation& remediation);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3Remediation& before, const v1beta2::Metal3Remediation& after);

[[nodiscard]] Decision admitCreate(const v1beta2::Metal3RemediationTemplate& remediation);
[[nodiscard]] Decision admitUpdate(const v1beta2::Metal3RemediationTemplate& before,
                                   const v1beta2::Metal3RemediationTemplate& after);

}  // namespace ingot::api::capm3
