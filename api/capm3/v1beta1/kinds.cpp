// How the API knows the kinds of infrastructure.cluster.x-k8s.io/v1beta1 (spec/capm3.md §1).
#include "api/capm3/kind_words.hpp"
#include "api/capm3/v1beta1/metal3_cluster.hpp"
#include "api/capm3/v1beta1/metal3_data.hpp"
#include "api/capm3/v1beta1/metal3_data_claim.hpp"
#include "api/capm3/v1beta1/metal3_data_template.hpp"
#include "api/capm3/v1beta1/metal3_machine.hpp"
#include "api/capm3/v1beta1/remediation.hpp"
#include "api/capm3/v1beta1/templates.hpp"

namespace ingot::api::capm3::v1beta1 {

namespace {

constexpr std::string_view kVersion = "v1beta1";

constexpr kube::Column kClusterColumns[] = {
    column::age,
    column::ready,
    {.name = "Error", .type = "string", .jsonPath = ".status.failureReason", .description = "What went wrong"},
    column::cluster,
    column::endpoint,
};
constexpr kube::Column kMachineColumns[] = {
    column::age,
    column::providerID,
    column::ready,
    column::cluster,
    {.name = "Phase", .type = "string", .jsonPath = ".status.phase", .description = "Never written"},
};

}  // namespace

const kube::KindInfo Metal3Cluster::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3Cluster",
    .plural = "metal3clusters",
    .statusSubresource = true,
    .shortNames = kClusterNames,
    .categories = kCategories,
    .columns = kClusterColumns,
    .doc = "The infrastructure of a Cluster API Cluster on bare metal.",
};

const kube::KindInfo Metal3ClusterTemplate::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3ClusterTemplate",
    .plural = "metal3clustertemplates",
    .shortNames = kClusterTemplateNames,
    .categories = kCategories,
    .doc = "A template for Metal3Clusters.",
};

const kube::KindInfo Metal3Machine::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3Machine",
    .plural = "metal3machines",
    .statusSubresource = true,
    .shortNames = kMachineNames,
    .categories = kCategories,
    .columns = kMachineColumns,
    .doc = "The machine of a Cluster API Machine: a BareMetalHost taken into service.",
};

const kube::KindInfo Metal3MachineTemplate::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3MachineTemplate",
    .plural = "metal3machinetemplates",
    .shortNames = kMachineTemplateNames,
    .categories = kCategories,
    .columns = kAgeOnly,
    .doc = "A template for Metal3Machines.",
};

const kube::KindInfo Metal3DataTemplate::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3DataTemplate",
    .plural = "metal3datatemplates",
    .statusSubresource = true,
    .shortNames = kDataTemplateNames,
    .categories = kCategories,
    .columns = kDataTemplateColumns,
    .doc = "A template for the meta data and network data of machines.",
};

const kube::KindInfo Metal3Data::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3Data",
    .plural = "metal3datas",
    .statusSubresource = true,
    .shortNames = kDataNames,
    .categories = kCategories,
    .columns = kAgeOnly,
    .doc = "The meta data and network data of one machine.",
};

const kube::KindInfo Metal3DataClaim::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3DataClaim",
    .plural = "metal3dataclaims",
    .statusSubresource = true,
    .shortNames = kDataClaimNames,
    .categories = kCategories,
    .columns = kAgeOnly,
    .doc = "Asks for a Metal3Data made from a Metal3DataTemplate.",
};

const kube::KindInfo Metal3Remediation::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3Remediation",
    .plural = "metal3remediations",
    .statusSubresource = true,
    .shortNames = kRemediationNames,
    .categories = kCategories,
    .columns = kRemediationColumns,
    .doc = "Heals the machine that it is named after.",
};

const kube::KindInfo Metal3RemediationTemplate::info{
    .group = kGroup,
    .version = kVersion,
    .kind = "Metal3RemediationTemplate",
    .plural = "metal3remediationtemplates",
    .statusSubresource = true,
    .shortNames = kRemediationTemplateNames,
    .categories = kCategories,
    .doc = "A template for Metal3Remediations.",
};

}  // namespace ingot::api::capm3::v1beta1
