// Where Kubernetes keeps which webhook it asks: as much of these kinds as a certificate authority is written into.
#pragma once

#include "coordinator/webhooks/paths.hpp"
#include "json/describe.hpp"
#include "kube/core/kind.hpp"

#include <string>
#include <vector>

namespace ingot::coordinator::webhooks {

struct ServiceOf {
  std::string namespace_, name;

  static void describe(auto& v) {
    v.field("namespace", &ServiceOf::namespace_);
    v.field("name", &ServiceOf::name);
  }
  friend bool operator==(const ServiceOf&, const ServiceOf&) = default;
};

struct ClientConfig {
  ServiceOf service;
  std::string caBundle;  // base64 of PEM

  static void describe(auto& v) {
    v.field("service", &ClientConfig::service);
    v.field("caBundle", &ClientConfig::caBundle);
  }
  friend bool operator==(const ClientConfig&, const ClientConfig&) = default;
};

struct Webhook {
  std::string name;
  ClientConfig clientConfig;

  static void describe(auto& v) {
    v.field("name", &Webhook::name).required();
    v.field("clientConfig", &Webhook::clientConfig);
  }
  friend bool operator==(const Webhook&, const Webhook&) = default;
};

template <Type type>
struct Configuration {
  kube::ObjectMeta metadata;
  std::vector<Webhook> webhooks;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Configuration::metadata);
    v.field("webhooks", &Configuration::webhooks);
  }
  friend bool operator==(const Configuration&, const Configuration&) = default;
};
using ValidatingConfiguration = Configuration<Type::validating>;
using MutatingConfiguration = Configuration<Type::mutating>;
template <>
const kube::KindInfo ValidatingConfiguration::info;
template <>
const kube::KindInfo MutatingConfiguration::info;

struct Definition {
  struct Conversion {
    struct Hook {
      ClientConfig clientConfig;
      static void describe(auto& v) { v.field("clientConfig", &Hook::clientConfig); }
      friend bool operator==(const Hook&, const Hook&) = default;
    };
    std::string strategy;
    Hook webhook;
    static void describe(auto& v) {
      v.field("strategy", &Conversion::strategy);
      v.field("webhook", &Conversion::webhook);
    }
    friend bool operator==(const Conversion&, const Conversion&) = default;
  };
  struct Spec {
    Conversion conversion;
    static void describe(auto& v) { v.field("conversion", &Spec::conversion); }
    friend bool operator==(const Spec&, const Spec&) = default;
  };
  kube::ObjectMeta metadata;
  Spec spec;

  static const kube::KindInfo info;

  static void describe(auto& v) {
    v.field("metadata", &Definition::metadata);
    v.field("spec", &Definition::spec);
  }
  friend bool operator==(const Definition&, const Definition&) = default;
};

}  // namespace ingot::coordinator::webhooks
