// Members that are the same in both versions are not listed. What one version does not have is dropped by its struct.
#include "api/capm3/conversion/convert.hpp"

#include "api/capm3/names.hpp"
#include "api/capm3/v1beta1/metal3_cluster.hpp"
#include "api/capm3/v1beta1/metal3_data.hpp"
#include "api/capm3/v1beta1/metal3_data_claim.hpp"
#include "api/capm3/v1beta1/metal3_data_template.hpp"
#include "api/capm3/v1beta1/metal3_machine.hpp"
#include "api/capm3/v1beta1/remediation.hpp"
#include "api/capm3/v1beta1/templates.hpp"
#include "api/capm3/v1beta2/metal3_cluster.hpp"
#include "api/capm3/v1beta2/metal3_data.hpp"
#include "api/capm3/v1beta2/metal3_data_claim.hpp"
#include "api/capm3/v1beta2/metal3_data_template.hpp"
#include "api/capm3/v1beta2/metal3_machine.hpp"
#include "api/capm3/v1beta2/remediation.hpp"
#include "api/capm3/v1beta2/templates.hpp"
#include "api/conversion/engine.hpp"

namespace ingot::api::capm3 {

namespace {

using namespace conversion;

constexpr Move kClusterSpec[] = {
    {"", "noCloudProvider", "cloudProviderEnabled", Form::opposite},
    {"", "failureDomains", "failureDomains", Form::namedObjects},
};

constexpr Move kConditions[] = {
    {"", "conditions", "deprecated.v1beta1.conditions"},
    {"", "v1beta2.conditions", "conditions"},
    {"", "failureReason", "deprecated.v1beta1.failureReason"},
    {"", "failureMessage", "deprecated.v1beta1.failureMessage"},
    {"", "ready", "initialization.provisioned", Form::onlyTrue},
};

constexpr Move kClusterStatus[] = {
    {"", "failureDomains", "failureDomains", Form::namedObjects},
};

constexpr Move kMachineSpec[] = {
    {.v1beta1 = "image.checksum", .v1beta2 = "image.checksum", .upDefault = R"("")"},
    {"", "image.format", "image.diskFormat"},
    {"", "hostSelector", "hostSelector", Form::absentWhenEmpty},
};

constexpr Move kMachineTemplateMoves[] = {
    {"", "nodeReuse", "nodeReuse", Form::onlyTrue},
};

constexpr Move kDataMoves[] = {
    {.scope = "spec", .v1beta1 = "index", .v1beta2 = "index", .upDefault = "0"},
    {"spec", "claim", "claim", Form::nameAndNamespace},
    {"spec", "template", "template", Form::nameAndNamespace},
};

constexpr Move kDataClaimMoves[] = {
    {"spec", "template", "template", Form::nameAndNamespace},
};

constexpr Move kMetaData[] = {
    {"", "ipAddressesFromIPPool", "ipAddressesFromPool"},
    {"", "prefixesFromIPPool", "prefixesFromPool"},
    {"", "gatewaysFromIPPool", "gatewaysFromPool"},
    {"", "dnsServersFromIPPool", "dnsServersFromPool"},
    {.scope = "fromHostInterfaces[]", .v1beta1 = "fromBootMAC", .v1beta2 = "fromBootMAC", .upDefault = "false"},
};

constexpr Move kNetworkData[] = {
    {"links.bonds[]", "parameters", "parameters", Form::namedValues},
    {"networks.*[].routes[]", "services", "services", Form::absentWhenEmpty},
    {"", "links", "links", Form::absentWhenEmpty},
    {"", "networks", "networks", Form::absentWhenEmpty},
    {"", "services", "services", Form::absentWhenEmpty},
};

constexpr Move kDataTemplateStatus[] = {
    {"", "indexes", "indexes", Form::namedIndexes},
};

constexpr Move kRemediationMoves[] = {
    {"strategy", "timeout", "timeoutSeconds", Form::seconds},
};

constexpr Part kClusterParts[] = {{"spec", kClusterSpec}, {"status", kConditions}, {"status", kClusterStatus}};
constexpr Part kClusterTemplateParts[] = {{"spec.template.spec", kClusterSpec}};
constexpr Part kMachineParts[] = {{"spec", kMachineSpec}, {"status", kConditions}};
constexpr Part kMachineTemplateParts[] = {{"spec.template.spec", kMachineSpec, true}, {"spec", kMachineTemplateMoves}};
constexpr Part kDataParts[] = {{"", kDataMoves}};
constexpr Part kDataClaimParts[] = {{"", kDataClaimMoves}};
constexpr Part kDataTemplateParts[] = {
    {"spec.metaData", kMetaData}, {"spec.networkData", kNetworkData}, {"status", kDataTemplateStatus}};
constexpr Part kRemediationParts[] = {{"spec", kRemediationMoves}};
constexpr Part kRemediationTemplateParts[] = {{"spec.template.spec", kRemediationMoves}};

constexpr Restored kClusterRestored[] = {{"status.initialization.provisioned", Restored::When::wasFalse}};
constexpr Restored kClusterTemplateRestored[] = {{"spec.template.metadata", Restored::When::kept}};
constexpr Restored kMachineRestored[] = {{"spec.image.checksum", Restored::When::wasAbsent},
                                         {"status.initialization.provisioned", Restored::When::wasFalse}};
constexpr Restored kMachineTemplateRestored[] = {{"spec.template.metadata", Restored::When::kept},
                                                 {"spec.template.spec.image.checksum", Restored::When::wasAbsent}};

constexpr KindTable kTables[] = {
    {"Metal3Cluster", asWrittenBy<v1beta1::Metal3Cluster>, asWrittenBy<v1beta2::Metal3Cluster>, kClusterParts, true,
     kClusterRestored},
    {"Metal3ClusterTemplate", asWrittenBy<v1beta1::Metal3ClusterTemplate>, asWrittenBy<v1beta2::Metal3ClusterTemplate>,
     kClusterTemplateParts, true, kClusterTemplateRestored},
    {"Metal3Machine", asWrittenBy<v1beta1::Metal3Machine>, asWrittenBy<v1beta2::Metal3Machine>, kMachineParts, true,
     kMachineRestored},
    {"Metal3MachineTemplate", asWrittenBy<v1beta1::Metal3MachineTemplate>, asWrittenBy<v1beta2::Metal3MachineTemplate>,
     kMachineTemplateParts, true, kMachineTemplateRestored},
    {"Metal3Data", asWrittenBy<v1beta1::Metal3Data>, asWrittenBy<v1beta2::Metal3Data>, kDataParts},
    {"Metal3DataClaim", asWrittenBy<v1beta1::Metal3DataClaim>, asWrittenBy<v1beta2::Metal3DataClaim>, kDataClaimParts},
    {"Metal3DataTemplate", asWrittenBy<v1beta1::Metal3DataTemplate>, asWrittenBy<v1beta2::Metal3DataTemplate>,
     kDataTemplateParts},
    {"Metal3Remediation", asWrittenBy<v1beta1::Metal3Remediation>, asWrittenBy<v1beta2::Metal3Remediation>,
     kRemediationParts},
    {"Metal3RemediationTemplate", asWrittenBy<v1beta1::Metal3RemediationTemplate>,
     asWrittenBy<v1beta2::Metal3RemediationTemplate>, kRemediationTemplateParts},
};

}  // namespace

json::Value convert(json::Value object, std::string_view version) {
  return conversion::convert({kGroup, kTables}, std::move(object), version);
}

}  // namespace ingot::api::capm3
