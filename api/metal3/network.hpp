// What a host is plugged into, metal3.io/v1alpha1: BareMetalSwitch and HostNetworkAttachment.
#pragma once

#include "api/bmh/references.hpp"
#include "kube/core/condition.hpp"
#include "kube/core/kind.hpp"

namespace ingot::api {

struct BareMetalSwitchSpec {
  std::string address, deviceType, driver, macAddress;
  std::optional<int> port;
  std::optional<SecretReference> credentials;
  std::optional<bool> disableCertificateVerification;

  static void describe(auto& v) {
    using S = BareMetalSwitchSpec;
    v.doc("Address and credentials of the switch.");
    v.field("address", &S::address).required().doc("Host name or IP address of the switch.");
    v.field("credentials", &S::credentials).doc("Secret with user name and password or key.");
    v.field("deviceType", &S::deviceType).required().doc("Device type of the switch, as the driver names it.");
    v.field("disableCertificateVerification", &S::disableCertificateVerification)
        .doc("Accept any certificate of the switch.");
    v.field("driver", &S::driver).oneOf({"generic-switch"}).defaultTo("generic-switch").doc("Driver to use.");
    v.field("macAddress", &S::macAddress)
        .required()
        .pattern("^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$")
        .doc("MAC address that identifies the switch.");
    v.field("port", &S::port)
        .format("int32")
        .minimum(1)
        .maximum(65535)
        .doc("TCP port of the switch's management interface.");
  }
  friend bool operator==(const BareMetalSwitchSpec&, const BareMetalSwitchSpec&) = default;
};

struct BareMetalSwitchStatus {
  std::vector<kube::Condition> conditions;

  static void describe(auto& v) {
    v.doc("Observed state of the switch.");
    v.field("conditions", &BareMetalSwitchStatus::conditions).listMap({"type"}).doc("Conditions, one of each type.");
  }
  friend bool operator==(const BareMetalSwitchStatus&, const BareMetalSwitchStatus&) = default;
};

struct BareMetalSwitch {
  kube::ObjectMeta metadata;
  BareMetalSwitchSpec spec;
  BareMetalSwitchStatus status;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A switch that hosts are plugged into.");
    v.field("metadata", &BareMetalSwitch::metadata);
    v.field("spec", &BareMetalSwitch::spec);
    v.field("status", &BareMetalSwitch::status);
  }
  friend bool operator==(const BareMetalSwitch&, const BareMetalSwitch&) = default;
};

struct HostNetworkAttachmentSpec {
  std::string mode;
  std::int64_t nativeVLAN = 0;
  std::vector<std::string> allowedVLANs;
  std::optional<std::int64_t> mtu;

  static void describe(auto& v) {
    using S = HostNetworkAttachmentSpec;
    v.doc("Configuration of the switch port.");
    v.field("mode", &S::mode)
        .required()
        .oneOf({"access", "trunk", "hybrid"})
        .defaultTo("access")
        .doc("Mode of the port.");
    v.field("nativeVLAN", &S::nativeVLAN).required().minimum(1).maximum(4094).doc("VLAN of untagged frames.");
    v.field("allowedVLANs", &S::allowedVLANs)
        .itemSchema("pattern", R"(^\d+(-\d+)?$)")
        .doc("VLANs of tagged frames, single or from-to.");
    v.field("mtu", &S::mtu).minimum(68).maximum(9216).doc("MTU of the port.");
  }
  friend bool operator==(const HostNetworkAttachmentSpec&, const HostNetworkAttachmentSpec&) = default;
};

struct HostNetworkAttachment {
  kube::ObjectMeta metadata;
  HostNetworkAttachmentSpec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.doc("A network that NICs of hosts may be attached to.");
    v.field("metadata", &HostNetworkAttachment::metadata);
    v.field("spec", &HostNetworkAttachment::spec);
  }
  friend bool operator==(const HostNetworkAttachment&, const HostNetworkAttachment&) = default;
};

}  // namespace ingot::api

extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::BareMetalSwitch>();
extern template const ingot::json::Shape& ingot::json::shapeOf<ingot::api::HostNetworkAttachment>();
