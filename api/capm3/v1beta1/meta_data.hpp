// What a Metal3DataTemplate says about the meta data of a machine (spec/capm3.md §3.4). Each item renders one key.
#pragma once

#include "api/capm3/shared.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ingot::api::capm3::v1beta1 {

struct MetaDataString {
  std::string key, value;

  static void describe(auto& v) {
    v.field("key", &MetaDataString::key).required().doc("Key in the meta data.");
    v.field("value", &MetaDataString::value).required().doc("Literal value of the key.");
  }
  friend bool operator==(const MetaDataString&, const MetaDataString&) = default;
};

struct MetaDataObjectName {
  std::string key, object;

  static void describe(auto& v) {
    v.field("key", &MetaDataObjectName::key).required().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataObjectName::object)).required();
  }
  friend bool operator==(const MetaDataObjectName&, const MetaDataObjectName&) = default;
};

// prefix + (offset + index * step) + suffix
struct MetaDataIndex {
  std::string key;
  std::int64_t offset = 0;
  std::int64_t step = 0;  // the API server fills in 1
  std::string prefix, suffix;

  static void describe(auto& v) {
    v.field("key", &MetaDataIndex::key).required().doc("Key in the meta data.");
    v.field("offset", &MetaDataIndex::offset).doc("Number added to the index.");
    v.field("step", &MetaDataIndex::step).defaultTo(1).doc("Factor that the index is multiplied by.");
    v.field("prefix", &MetaDataIndex::prefix).doc("Text prepended to the number.");
    v.field("suffix", &MetaDataIndex::suffix).doc("Text appended to the number.");
  }
  friend bool operator==(const MetaDataIndex&, const MetaDataIndex&) = default;
};

struct MetaDataNamespace {
  std::string key;

  static void describe(auto& v) { v.field("key", &MetaDataNamespace::key).required().doc("Key in the meta data."); }
  friend bool operator==(const MetaDataNamespace&, const MetaDataNamespace&) = default;
};

struct MetaDataFromPool {
  std::string key, name, apiGroup, kind;

  static void describe(auto& v) {
    v.field("key", &MetaDataFromPool::key).required().doc("Key in the meta data.");
    v.field("name", &MetaDataFromPool::name).required().doc("Name of the pool.");
    v.field("apiGroup", &MetaDataFromPool::apiGroup).required().doc("API group of the pool.");
    v.field("kind", &MetaDataFromPool::kind).required().doc("Kind of the pool.");
  }
  friend bool operator==(const MetaDataFromPool&, const MetaDataFromPool&) = default;
};

struct MetaDataHostInterface {
  std::string key, interface;
  bool fromBootMAC = false;

  static void describe(auto& v) {
    v.field("key", &MetaDataHostInterface::key).required().doc("Key in the meta data.");
    v.field("interface", &MetaDataHostInterface::interface).doc("NIC of the host whose MAC address is the value.");
    v.field("fromBootMAC", &MetaDataHostInterface::fromBootMAC)
        .doc("The value is the MAC address that the host boots from.");
  }
  friend bool operator==(const MetaDataHostInterface&, const MetaDataHostInterface&) = default;
};

struct MetaDataFromLabel {
  std::string key, object, label;

  static void describe(auto& v) {
    v.field("key", &MetaDataFromLabel::key).required().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataFromLabel::object)).required();
    v.field("label", &MetaDataFromLabel::label).required().doc("Label whose value is taken.");
  }
  friend bool operator==(const MetaDataFromLabel&, const MetaDataFromLabel&) = default;
};

struct MetaDataFromAnnotation {
  std::string key, object, annotation;

  static void describe(auto& v) {
    v.field("key", &MetaDataFromAnnotation::key).required().doc("Key in the meta data.");
    templateObject(v.field("object", &MetaDataFromAnnotation::object)).required();
    v.field("annotation", &MetaDataFromAnnotation::annotation).required().doc("Annotation whose value is taken.");
  }
  friend bool operator==(const MetaDataFromAnnotation&, const MetaDataFromAnnotation&) = default;
};

struct MetaData {
  std::vector<MetaDataString> strings;
  std::vector<MetaDataObjectName> objectNames;
  std::vector<MetaDataIndex> indexes;
  std::vector<MetaDataFromPool> ipAddressesFromIPPool, prefixesFromIPPool, gatewaysFromIPPool, dnsServersFromIPPool;
  std::vector<MetaDataHostInterface> fromHostInterfaces;
  std::vector<MetaDataFromLabel> fromLabels;
  std::vector<MetaDataFromAnnotation> fromAnnotations;
  std::vector<MetaDataNamespace> namespaces;

  static void describe(auto& v) {
    v.doc("Template of the meta data.");
    v.field("strings", &MetaData::strings).doc("Keys with literal values.");
    v.field("objectNames", &MetaData::objectNames).doc("Keys whose value is the name of an object.");
    v.field("indexes", &MetaData::indexes).doc("Numbers made of the machine's index.");
    v.field("ipAddressesFromIPPool", &MetaData::ipAddressesFromIPPool).doc("Addresses out of pools.");
    v.field("prefixesFromIPPool", &MetaData::prefixesFromIPPool).doc("Prefix lengths of pools.");
    v.field("gatewaysFromIPPool", &MetaData::gatewaysFromIPPool).doc("Gateways of pools.");
    v.field("dnsServersFromIPPool", &MetaData::dnsServersFromIPPool).doc("DNS servers of pools.");
    v.field("fromHostInterfaces", &MetaData::fromHostInterfaces).doc("MAC addresses of the host.");
    v.field("fromLabels", &MetaData::fromLabels).doc("Keys whose value is a label of an object.");
    v.field("fromAnnotations", &MetaData::fromAnnotations).doc("Keys whose value is an annotation of an object.");
    v.field("namespaces", &MetaData::namespaces).doc("The namespace of the machine.");
  }
  friend bool operator==(const MetaData&, const MetaData&) = default;
};

}  // namespace ingot::api::capm3::v1beta1
