// The objects that more than one controller reads: one watch each, however many share it. A cache is started by whoever
// names it in kube::Managed; one that nobody names sends nothing.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capi/machine.hpp"
#include "api/capi/owners.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "api/hardwaredata/hardware_data.hpp"
#include "kube/client/client.hpp"
#include "kube/core/metadata_of.hpp"
#include "kube/core/secret.hpp"
#include "kube/runtime/cache.hpp"
#include "kube/runtime/unreadable.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator {

struct CachesOptions {
  std::vector<std::string> namespaces = {};  // empty: all
  kube::Unreadable unreadable = {};
};

struct Caches {
  Caches(base::Runtime runtime, kube::Client& client, CachesOptions options = {});

  // Kinds of the baremetal-operator, and the Secrets that it has labelled.
  kube::Cache<api::BareMetalHost> hosts;
  kube::Cache<kube::Secret> secrets;
  kube::Cache<kube::MetadataOf<api::HardwareData>> hardware;

  // Kinds of Cluster API and of its provider. Where they are not installed there is nothing to do for them.
  kube::Cache<api::capi::Cluster> clusters;
  kube::Cache<api::capi::Machine> machines;
  kube::Cache<api::capi::MachineSet> machineSets;
  kube::Cache<api::capm3::v1beta2::Metal3Cluster> metalClusters;
  kube::Cache<api::capm3::v1beta2::Metal3Machine> metalMachines;
  kube::Cache<api::capm3::v1beta2::Metal3MachineTemplate> machineTemplates;
  kube::Cache<api::capm3::v1beta2::Metal3DataTemplate> dataTemplates;
  kube::Cache<api::capm3::v1beta2::Metal3DataClaim> dataClaims;
  kube::Cache<api::capm3::v1beta2::Metal3Data> data;
};

}  // namespace ingot::coordinator
