#include "coordinator/workload/kubeconfig_secret.hpp"

#include "coordinator/workload/kubeconfig.hpp"
#include "kube/core/secret.hpp"
#include "kube/core/undecoded.hpp"

namespace ingot::coordinator::workload {

KubeconfigSecret::KubeconfigSecret(kube::Api& management, const kube::ObjectKey& cluster, kube::Environment environment)
    : management_(management),
      key_{cluster.namespace_, cluster.name + "-kubeconfig"},
      environment_(std::move(environment)),
      config_(std::unexpected(Unknown{Unknown::Reason::connecting, "its kubeconfig was not read yet"})) {}

base::Task<bool> KubeconfigSecret::look() {
  co_return take(co_await management_.get(kube::Resource::of(kube::Secret::info), key_));
}

bool KubeconfigSecret::take(std::optional<json::Value> secret) {
  using Reason = Unknown::Reason;
  if (!secret) {
    resourceVersion_.clear();
    value_ = {};
    return refuse(Reason::noKubeconfig, "there is no Secret " + key_.text());
  }
  if (kube::resourceVersionOf(*secret) == resourceVersion_ && !resourceVersion_.empty()) return false;
  resourceVersion_ = kube::resourceVersionOf(*secret);
  try {
    const auto decoded = json::decode<kube::Secret>(*secret);
    const base::Secret* value = decoded.find("value");
    if (value && !value->empty() && *value == value_) return false;  // a label has changed
    value_ = {};
    if (!value || value->empty())
      return refuse(Reason::noKubeconfig, "Secret " + key_.text() + " has nothing under the key \"value\"");
    value_ = *value;
    config_ = readKubeconfig(value_, environment_);
    return true;
  } catch (const json::DecodeError&) {
    value_ = {};
    return refuse(Reason::kubeconfigRefused, "Secret " + key_.text() + " cannot be decoded");
  } catch (const base::InvalidInput& e) {
    return refuse(Reason::kubeconfigRefused, "Secret " + key_.text() + ": " + e.what());
  }
}

bool KubeconfigSecret::refuse(Unknown::Reason reason, std::string text) {
  Unknown now{reason, std::move(text)};
  if (!config_ && config_.error() == now) return false;
  config_ = std::unexpected(std::move(now));
  return true;
}

}  // namespace ingot::coordinator::workload
