// Defaults and rules of Cluster and Machine, as the webhooks of Cluster API have them: pure functions on the storage
// version, run in process by the embedded API. Left out are the rules of a managed topology, which ask for its
// ClusterClass.
#pragma once

#include "api/capi/v1beta2/cluster.hpp"
#include "api/capi/v1beta2/machine.hpp"
#include "api/verdict.hpp"

namespace ingot::api::capi {

[[nodiscard]] Verdict admitCreate(const v1beta2::Cluster& cluster);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Cluster& before, const v1beta2::Cluster& after);

void setDefaults(v1beta2::Machine& machine);
[[nodiscard]] Verdict admitCreate(const v1beta2::Machine& machine);
[[nodiscard]] Verdict admitUpdate(const v1beta2::Machine& before, const v1beta2::Machine& after);

// Makes the functions visible beside the kinds that they judge, where a row of api/kinds looks for them.
namespace v1beta2 {
using capi::admitCreate, capi::admitUpdate, capi::setDefaults;
}

}  // namespace ingot::api::capi
