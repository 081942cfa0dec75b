// What a Metal3DataTemplate says about the meta data of a machine (spec/capm3.md §3.4). Each item renders one key.
#pragma once

#include "api/capm3/v1beta2/limits.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ingot::api::capm3::v1beta2 {

struct MetaDataString {
  std::string key, value;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataString::key)).requiredButOmitted().doc("Key in the meta data.");
    text(v.field("value", &MetaDataString::value)).requiredButOmitted().doc("Literal value of the key.");
  }
  friend bool operator==(const MetaDataString&, const MetaDataString&) = default;
};

struct MetaDataObjectName {
  std::string key, object;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataObjectName::key)).requiredButOmitted().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataObjectName::object)).requiredButOmitted();
  }
  friend bool operator==(const MetaDataObjectName&, const MetaDataObjectName&) = default;
};

// prefix + (offset + index * step) + suffix
struct MetaDataIndex {
  std::string key;
  std::optional<int> offset;
  int step = 0;  // the API server fills in 1
  std::string prefix, suffix;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataIndex::key)).requiredButOmitted().doc("Key in the meta data.");
    int32(v.field("offset", &MetaDataIndex::offset), 0).doc("Number added to the index.");
    int32(v.field("step", &MetaDataIndex::step), 1).defaultTo(1).doc("Factor that the index is multiplied by.");
    text(v.field("prefix", &MetaDataIndex::prefix)).doc("Text prepended to the number.");
    text(v.field("suffix", &MetaDataIndex::suffix)).doc("Text appended to the number.");
  }
  friend bool operator==(const MetaDataIndex&, const MetaDataIndex&) = default;
};

struct MetaDataNamespace {
  std::string key;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataNamespace::key)).requiredButOmitted().doc("Key in the meta data.");
  }
  friend bool operator==(const MetaDataNamespace&, const MetaDataNamespace&) = default;
};

struct MetaDataFromPool {
  std::string key, name, apiGroup, kind;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataFromPool::key)).requiredButOmitted().doc("Key in the meta data.");
    text(v.field("name", &MetaDataFromPool::name)).requiredButOmitted().doc("Name of the pool.");
    text(v.field("apiGroup", &MetaDataFromPool::apiGroup)).defaultTo("ipam.metal3.io").doc("API group of the pool.");
    text(v.field("kind", &MetaDataFromPool::kind)).defaultTo("IPPool").doc("Kind of the pool.");
  }
  friend bool operator==(const MetaDataFromPool&, const MetaDataFromPool&) = default;
};

struct MetaDataHostInterface {
  std::string key, interface;
  std::optional<bool> fromBootMAC;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataHostInterface::key)).requiredButOmitted().doc("Key in the meta data.");
    text(v.field("interface", &MetaDataHostInterface::interface))
        .doc("NIC of the host whose MAC address is the value.");
    v.field("fromBootMAC", &MetaDataHostInterface::fromBootMAC)
        .doc("The value is the MAC address that the host boots from.");
  }
  friend bool operator==(const MetaDataHostInterface&, const MetaDataHostInterface&) = default;
};

struct MetaDataFromLabel {
  std::string key, object, label;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataFromLabel::key)).requiredButOmitted().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataFromLabel::object)).requiredButOmitted();
    text(v.field("label", &MetaDataFromLabel::label)).requiredButOmitted().doc("Label whose value is taken.");
  }
  friend bool operator==(const MetaDataFromLabel&, const MetaDataFromLabel&) = default;
};

struct MetaDataFromAnnotation {
  std::string key, object, annotation;

  static void describe(auto& v) {
    text(v.field("key", &MetaDataFromAnnotation::key)).requiredButOmitted().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataFromAnnotation::object)).requiredButOmitted();
    text(v.field("annotation", &MetaDataFromAnnotation::annotation))
        .requiredButOmitted()
        .doc("Annotation whose value is taken.");
  }
  friend bool operator==(const MetaDataFromAnnotation&, const MetaDataFromAnnotation&) = default;
};

struct MetaData {
  std::vector<MetaDataString> strings;
  std::vector<MetaDataObjectName> objectNames;
  std::vector<MetaDataIndex> indexes;
  std::vector<MetaDataFromPool> ipAddressesFromPool, prefixesFromPool, gatewaysFromPool, dnsServersFromPool;
  std::vector<MetaDataHostInterface> fromHostInterfaces;
  std::vector<MetaDataFromLabel> fromLabels;
  std::vector<MetaDataFromAnnotation> fromAnnotations;
  std::vector<MetaDataNamespace> namespaces;

  static void describe(auto& v) {
    v.doc("Template of the meta data.");
    listBy("key", v.field("strings", &MetaData::strings)).doc("Keys with literal values.");
    listBy("key", v.field("objectNames", &MetaData::objectNames)).doc("Keys whose value is the name of an object.");
    listBy("key", v.field("indexes", &MetaData::indexes)).doc("Numbers made of the machine's index.");
    listBy("key", v.field("namespaces", &MetaData::namespaces)).doc("The namespace of the machine.");
    listBy("key", v.field("ipAddressesFromPool", &MetaData::ipAddressesFromPool)).doc("Addresses out of pools.");
    listBy("key", v.field("prefixesFromPool", &MetaData::prefixesFromPool)).doc("Prefix lengths of pools.");
    listBy("key", v.field("gatewaysFromPool", &MetaData::gatewaysFromPool)).doc("Gateways of pools.");
    listBy("key", v.field("dnsServersFromPool", &MetaData::dnsServersFromPool)).doc("DNS servers of pools.");
    listBy("key", v.field("fromHostInterfaces", &MetaData::fromHostInterfaces)).doc("MAC addresses of the host.");
    listBy("key", v.field("fromLabels", &MetaData::fromLabels)).doc("Keys whose value is a label of an object.");
    listBy("key", v.field("fromAnnotations", &MetaData::fromAnnotations))
        .doc("Keys whose value is an annotation of an object.");
  }
  friend bool operator==(const MetaData&, const MetaData&) = default;
};

}  // namespace ingot::api::capm3::v1beta2
