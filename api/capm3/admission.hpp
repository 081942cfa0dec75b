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
#include "api/verdict.hpp"

namespace ingot::api::capm3 {

void setDefaults(v1beta2::Metal3Cluster& cluster);
void setDefaults(v1beta2::Metal3RemediationTemplate& remediation);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3Cluster& cluster);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3Cluster& before, const v1beta2::Metal3Cluster& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3ClusterTemplate& cluster);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3ClusterTemplate& before,
                                  const v1beta2::Metal3ClusterTemplate& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3Machine& machine);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3Machine& before, const v1beta2::Metal3Machine& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3MachineTemplate& machine);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3MachineTemplate& before,
                                  const v1beta2::Metal3MachineTemplate& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3DataTemplate& data);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3DataTemplate& before, const v1beta2::Metal3DataTemplate& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3Data& data);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3Data& before, const v1beta2::Metal3Data& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3DataClaim& claim);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3DataClaim& before, const v1beta2::Metal3DataClaim& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3Remediation& remediation);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3Remediation& before, const v1beta2::Metal3Remediation& after);

[[nodiscard]] Verdict admitCreate(const v1beta2::Metal3RemediationTemplate& remediation);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Metal3RemediationTemplate& before,
                                  const v1beta2::Metal3RemediationTemplate& after);

// Makes the functions visible beside the kinds that they judge, where a row of api/kinds looks for them.
namespace v1beta2 {
using capm3::admitCreate, capm3::admitUpdate, capm3::setDefaults;
}

}  // namespace ingot::api::capm3
