// What holds for every kind, whatever an object of it says.
#include "api/agent/provisioning_agent.hpp"
#include "api/bmh/baremetalhost.hpp"
#include "api/capi/cluster.hpp"
#include "api/capi/owners.hpp"
#include "api/capi_ipam/ip_address.hpp"
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
#include "api/metal3/firmware.hpp"
#include "api/metal3/host_claim.hpp"
#include "api/metal3/host_companions.hpp"
#include "api/metal3/network.hpp"
#include "tests/api/random_object.hpp"

#include <catch2/catch.hpp>

using namespace ingot;

namespace {

namespace v1beta1 = api::capm3::v1beta1;
namespace v1beta2 = api::capm3::v1beta2;

constexpr int kSeeds = 40;

template <class T>
void checkKind() {
  const json::Value schema = json::schemaOf<T>();
  for (int seed = 1; seed <= kSeeds; ++seed) {
    const auto random = base::seededRandom(static_cast<std::uint64_t>(seed));
    const auto document = tests::randomValue(schema, *random, seed / 4);
    INFO(T::info.kind << "." << T::info.version << " seed " << seed << ": " << json::serialize(document));
    const T object = json::decode<T>(document);
    CHECK(json::decode<T>(json::encode(object)) == object);
    std::vector<std::string> unknown;
    CHECK(json::decodeStrict<T>(document, unknown) == object);
    CHECK(unknown.empty());
  }
}

template <class... T>
void checkKinds() {
  (checkKind<T>(), ...);
}

// A newer server's members, at the top, in the spec and in the status.
template <class T>
void checkUnknownSurvives() {
  const json::Value schema = json::schemaOf<T>();
  const auto random = base::seededRandom(7);
  auto raw = tests::randomValue(schema, *random, 8);
  raw.get_object()["later"] = 1;
  json::makeObjectAt(raw, {"spec"})["later"] = json::Array{1};
  const T before = json::decode<T>(raw);
  T after = before;
  after.metadata.labels["new"] = "label";
  json::applyMergePatch(raw, json::diffMergePatch(before, after, raw));
  INFO(T::info.kind);
  CHECK(json::find(raw, {"later"}));
  CHECK(json::find(raw, {"spec", "later"}));
  CHECK(json::textAt(raw, {"metadata", "labels", "new"}) == "label");
}

template <class... T>
void checkUnknownSurvivesInAll() {
  (checkUnknownSurvives<T>(), ...);
}

}  // namespace

TEST_CASE("what is written is read back: metal3.io", "[kinds]") {
  checkKinds<api::BareMetalHost, api::HardwareData, api::ProvisioningAgent, api::BMCEventSubscription,
             api::BareMetalSwitch, api::DataImage, api::FirmwareSchema, api::HostClaim, api::HostDeployPolicy,
             api::HostFirmwareComponents, api::HostFirmwareSettings, api::HostNetworkAttachment, api::HostUpdatePolicy,
             api::PreprovisioningImage>();
}

TEST_CASE("what is written is read back: infrastructure.cluster.x-k8s.io", "[kinds]") {
  checkKinds<v1beta1::Metal3Cluster, v1beta1::Metal3ClusterTemplate, v1beta1::Metal3Machine,
             v1beta1::Metal3MachineTemplate, v1beta1::Metal3DataTemplate, v1beta1::Metal3Data, v1beta1::Metal3DataClaim,
             v1beta1::Metal3Remediation, v1beta1::Metal3RemediationTemplate>();
  checkKinds<v1beta2::Metal3Cluster, v1beta2::Metal3ClusterTemplate, v1beta2::Metal3Machine,
             v1beta2::Metal3MachineTemplate, v1beta2::Metal3DataTemplate, v1beta2::Metal3Data, v1beta2::Metal3DataClaim,
             v1beta2::Metal3Remediation, v1beta2::Metal3RemediationTemplate>();
}

TEST_CASE("what is written is read back: addresses and Cluster API", "[kinds]") {
  checkKinds<api::ipam::IPPool, api::ipam::IPClaim, api::ipam::IPAddress, api::capi_ipam::IPAddressClaim,
             api::capi_ipam::IPAddress, api::capi::Cluster, api::capi::Machine, api::capi::MachineSet,
             api::capi::MachineDeployment, api::capi::KubeadmControlPlane>();
}

TEST_CASE("members of a newer API survive our changes", "[kinds]") {
  checkUnknownSurvivesInAll<
      v1beta2::Metal3Cluster, v1beta2::Metal3Machine, v1beta2::Metal3DataTemplate, v1beta2::Metal3Data,
      v1beta2::Metal3DataClaim, v1beta2::Metal3Remediation, api::ipam::IPPool, api::ipam::IPClaim, api::ipam::IPAddress,
      api::capi_ipam::IPAddressClaim, api::capi_ipam::IPAddress, api::capi::Cluster, api::capi::Machine,
      api::capi::MachineSet, api::capi::MachineDeployment, api::capi::KubeadmControlPlane, api::HostFirmwareSettings,
      api::HostFirmwareComponents, api::DataImage, api::PreprovisioningImage, api::BareMetalHost, api::HostClaim,
      api::HostNetworkAttachment, api::HostUpdatePolicy, api::BMCEventSubscription, api::ProvisioningAgent,
      v1beta2::Metal3ClusterTemplate, v1beta2::Metal3MachineTemplate, v1beta2::Metal3RemediationTemplate>();
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
