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

constinit const kube::KindInfo Metal3Cluster::info = infoOf(kCluster, kVersion, kClusterColumns);
constinit const kube::KindInfo Metal3ClusterTemplate::info = infoOf(kClusterTemplate, kVersion);
constinit const kube::KindInfo Metal3Machine::info = infoOf(kMachine, kVersion, kMachineColumns);
constinit const kube::KindInfo Metal3MachineTemplate::info = infoOf(kMachineTemplate, kVersion, kAgeOnly);
constinit const kube::KindInfo Metal3DataTemplate::info = infoOf(kDataTemplate, kVersion, kDataTemplateColumns);
constinit const kube::KindInfo Metal3Data::info = infoOf(kData, kVersion, kAgeOnly);
constinit const kube::KindInfo Metal3DataClaim::info = infoOf(kDataClaim, kVersion, kAgeOnly);
constinit const kube::KindInfo Metal3Remediation::info = infoOf(kRemediation, kVersion, kRemediationColumns);
constinit const kube::KindInfo Metal3RemediationTemplate::info = infoOf(kRemediationTemplate, kVersion);

}  // namespace ingot::api::capm3::v1beta1

template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Cluster>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Data>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3DataClaim>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3DataTemplate>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Machine>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3Remediation>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3RemediationTemplate>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3ClusterTemplate>();
template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::capm3::v1beta1::Metal3MachineTemplate>();
