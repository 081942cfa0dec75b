// What holds for every kind, whatever an object of it says.
#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capi/owners.hpp"
#include "api/capi/v1beta1/cluster.hpp"
#include "api/capi/v1beta1/machine.hpp"
#include "api/capi/v1beta2/cluster.hpp"
#include "api/capi/v1beta2/machine.hpp"
#include "api/capi_ipam/ip_address.hpp"
#include "api/capi_ipam/v1beta1/ip_address.hpp"
#include "api/capm3/admission.hpp"
#include "api/capm3/v1beta1/metal3_cluster.hpp"
#include "api/capm3/v1beta1/metal3_data.hpp"
#include "api/capm3/v1beta1/metal3_data_claim.hpp"
#include "api/capm3/v1beta1/metal3_data_template.hpp"
#include "api/capm3/v1beta1/metal3_machine.hpp"
#include "api/capm3/v1beta1/remediation.hpp"
#include "api/capm3/v1beta1/templates.hpp"
#include "api/hardwaredata/hardware_data.hpp"
#include "api/ipam/ip_address.hpp"
#include "api/ipam/ip_claim.hpp"
#include "api/ipam/ip_pool.hpp"
#include "api/kinds/kinds.hpp"
#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"
#include "tests/api/random_object.hpp"

#include <catch2/catch.hpp>

#include <set>

namespace ingot::tests {
namespace {

namespace older = api::capm3::v1beta1;
namespace newer = api::capm3::v1beta2;

template <class... T>
struct KindList {};

using HostKinds = KindList<api::BareMetalHost, api::HardwareData, api::ProvisioningAgent, api::BMCEventSubscription,
                           api::BareMetalSwitch, api::DataImage, api::FirmwareSchema, api::HostClaim,
                           api::HostDeployPolicy, api::HostFirmwareComponents, api::HostFirmwareSettings,
                           api::HostNetworkAttachment, api::HostUpdatePolicy, api::PreprovisioningImage>;
using OlderInfrastructure =
    KindList<older::Metal3Cluster, older::Metal3ClusterTemplate, older::Metal3Machine, older::Metal3MachineTemplate,
             older::Metal3DataTemplate, older::Metal3Data, older::Metal3DataClaim, older::Metal3Remediation,
             older::Metal3RemediationTemplate>;
using NewerInfrastructure =
    KindList<newer::Metal3Cluster, newer::Metal3ClusterTemplate, newer::Metal3Machine, newer::Metal3MachineTemplate,
             newer::Metal3DataTemplate, newer::Metal3Data, newer::Metal3DataClaim, newer::Metal3Remediation,
             newer::Metal3RemediationTemplate>;
using AddressKinds = KindList<api::ipam::IPPool, api::ipam::IPClaim, api::ipam::IPAddress>;
using OlderCore = KindList<api::capi::v1beta1::Cluster, api::capi::v1beta1::Machine,
                           api::capi_ipam::v1beta1::IPAddressClaim, api::capi_ipam::v1beta1::IPAddress>;
using NewerCore = KindList<api::capi::v1beta2::Cluster, api::capi::v1beta2::Machine, api::capi_ipam::IPAddressClaim,
                           api::capi_ipam::IPAddress>;
using ClusterApiKinds = KindList<api::capi::Cluster, api::capi::Machine, api::capi::MachineSet,
                                 api::capi::MachineDeployment, api::capi::KubeadmControlPlane>;

// --- of one kind -----------------------------------------------------------------------------------------------------

template <class T>
void checkReadBack() {
  const json::Value schema = json::schemaOf<T>();
  for (int seed = 1; seed <= 40; ++seed) {
    const auto random = base::seededRandom(static_cast<std::uint64_t>(seed));
    const auto document = randomValue(schema, *random, seed / 4);
    INFO(T::info.kind << "." << T::info.version << " seed " << seed << ": " << json::serialize(document));
    const T object = json::decode<T>(document);
    CHECK(json::decode<T>(json::encode(object)) == object);
    std::vector<std::string> unknown;
    CHECK(json::decodeStrict<T>(document, unknown) == object);
    CHECK(unknown.empty());
  }
}

// A newer server's members, at the top and in the spec.
template <class T>
void checkUnknownSurvives() {
  const auto random = base::seededRandom(7);
  json::Value raw = randomValue(json::schemaOf<T>(), *random, 8);
  raw.get_object()["later"] = 1;
  json::makeObjectAt(raw, {"spec"})["later"] = json::Array{1};
  const T before = json::decode<T>(raw);
  T after = before;
  after.metadata.labels["new"] = "label";
  json::applyMergePatch(raw, json::diffMergePatch(before, after, raw));
  INFO(T::info.kind << "." << T::info.version);
  CHECK(json::find(raw, {"later"}));
  CHECK(json::find(raw, {"spec", "later"}));
  CHECK(json::textAt(raw, {"metadata", "labels", "new"}) == "label");
}

// --- of all of them --------------------------------------------------------------------------------------------------

template <class... T>
void checkAllReadBack(KindList<T...>) {
  (checkReadBack<T>(), ...);
}

template <class... T>
void checkUnknownSurvivesInAll(KindList<T...>) {
  (checkUnknownSurvives<T>(), ...);
}

template <class... T>
void addNames(std::set<std::string>& names, KindList<T...>) {
  (names.insert(T::info.resource() + "/" + std::string(T::info.version)), ...);
}

}  // namespace

TEST_CASE("what is written is read back: metal3.io", "[kinds]") { checkAllReadBack(HostKinds()); }

TEST_CASE("what is written is read back: infrastructure.cluster.x-k8s.io", "[kinds]") {
  checkAllReadBack(OlderInfrastructure());
  checkAllReadBack(NewerInfrastructure());
}

TEST_CASE("what is written is read back: addresses and Cluster API", "[kinds]") {
  checkAllReadBack(AddressKinds());
  checkAllReadBack(OlderCore());
  checkAllReadBack(NewerCore());
  checkAllReadBack(ClusterApiKinds());
}

TEST_CASE("members of a newer API survive our changes", "[kinds]") {
  checkUnknownSurvivesInAll(HostKinds());
  checkUnknownSurvivesInAll(NewerInfrastructure());
  checkUnknownSurvivesInAll(AddressKinds());
  checkUnknownSurvivesInAll(NewerCore());
  checkUnknownSurvivesInAll(ClusterApiKinds());
}

TEST_CASE("every kind of ours is among those that are read back", "[kinds]") {
  std::set<std::string> readBack, ours;
  addNames(readBack, HostKinds());
  addNames(readBack, NewerInfrastructure());
  addNames(readBack, AddressKinds());
  addNames(readBack, NewerCore());
  for (const auto& kind : api::everyKind())
    ours.insert(kind.stored->resource() + "/" + std::string(kind.stored->version));
  CHECK(readBack == ours);
}

TEST_CASE("a Machine keeps what we do not read", "[kinds]") {
  auto raw = json::parse(
      R"({"metadata":{"name":"m"},"spec":{"clusterName":"c","readinessGates":[{"conditionType":"x"}],
          "bootstrap":{"configRef":{"apiGroup":"g","kind":"k","name":"n"}},"infrastructureRef":{"apiGroup":"g","kind":"k","name":"n"}},
          "status":{"deprecated":{"v1beta1":{"failureReason":"r","conditions":[{"type":"A","status":"True","later":1}]}}}})");
  const auto before = json::decode<api::capi::Machine>(raw);
  auto after = before;
  after.status.deprecated.v1beta1.conditions.push_back({.type = "OwnerRemediated", .status = "False"});
  json::applyMergePatch(raw, json::diffMergePatch(before, after, raw));
  CHECK(json::findPath(raw, "spec.readinessGates[0].conditionType"));
  CHECK(json::findPath(raw, "status.deprecated.v1beta1.failureReason"));
  CHECK(json::findPath(raw, "status.deprecated.v1beta1.conditions[0].later"));
  CHECK(json::findPath(raw, "status.deprecated.v1beta1.conditions[1].type")->get_string() == "OwnerRemediated");
}

}  // namespace ingot::tests
