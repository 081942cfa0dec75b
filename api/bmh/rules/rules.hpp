// One function per rule of admission; each appends the texts of what it finds wrong. (Internal to api/bmh.)
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "bmc/model/address.hpp"

namespace ingot::api::rules {

using Errors = std::vector<std::string>;

// Rules for any host.
void bmcAddress(const BareMetalHost& host, Errors& errors);
void firmware(const BareMetalHost& host, Errors& errors);
void secretReferences(const BareMetalHost& host, Errors& errors);
void raid(const BareMetalHost& host, Errors& errors);
void driver(const BareMetalHost& host, Errors& errors);
void name(const BareMetalHost& host, Errors& errors);
void bmcHost(const BareMetalHost& host, Errors& errors);
void rootDevice(const BareMetalHost& host, Errors& errors);
void image(const BareMetalHost& host, Errors& errors);
void annotations(const BareMetalHost& host, Errors& errors);
void inspection(const BareMetalHost& host, Errors& errors);
void power(const BareMetalHost& host, Errors& errors);
void networkInterfaces(const BareMetalHost& host, Errors& errors);

// Rules for a host and for a claim to one.
void image(const std::optional<Image>& image, Errors& errors);
void rebootAnnotation(const std::string& text, Errors& errors);
[[nodiscard]] bool isRebootAnnotation(std::string_view key);

struct NamedSecret {
  std::string_view field;
  const std::optional<SecretReference>& to;
};
// `resource`: the plural of the kind that `metadata` is of.
void secretsOfOtherNamespaces(std::string_view resource, const kube::ObjectMeta& metadata,
                              std::initializer_list<NamedSecret> secrets, Errors& errors);

// Rules for an update of a host.
void addressChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors);
void bootMacChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors);
void externallyProvisionedChange(const BareMetalHost& before, const BareMetalHost& after, Errors& errors);

// The address, when there is one that can be understood.
[[nodiscard]] std::optional<bmc::Address> usableAddress(const BareMetalHost& host);

}  // namespace ingot::api::rules
