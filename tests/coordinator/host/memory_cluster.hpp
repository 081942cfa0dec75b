// The objects around a host, in memory.
#pragma once

#include "coordinator/host/cluster.hpp"
#include "kube/core/error.hpp"

#include <set>

namespace ingot::tests {

class MemoryCluster final : public coordinator::host::Cluster {
 public:
  std::map<std::string, coordinator::host::SecretContent> secrets;
  std::optional<api::HardwareDetails> hardware;
  std::set<std::string> claimed, released;
  std::string refusal;  // of every request for a Secret; "": none
  std::optional<kube::Error::Code> claimsRefused, readsRefused, releasesRefused, hardwareRefused;
  std::vector<std::string> former;
  bool hardwareReleased = false, moved = false;

  void add(const std::string& name, std::map<std::string, std::string> data, const std::string& version = "1") {
    auto& secret = secrets[name];
    secret = {.namespace_ = "metal", .name = name, .version = version, .type = "Opaque"};
    for (auto& [key, value] : data) secret.data.emplace(key, base::Secret(value));
  }

  base::Task<std::optional<coordinator::host::SecretContent>> secret(const api::BareMetalHost&, std::string name,
                                                                     coordinator::host::SecretClaim claim) override {
    if (!refusal.empty()) throw kube::Error(kube::Error::Code::unavailable, refusal);
    const auto found = secrets.find(name);
    if (found == secrets.end()) co_return std::nullopt;
    if (readsRefused && !claim.label) throw kube::Error(*readsRefused, "refused");
    if (claimsRefused && (claim.own || claim.finalizer || claim.label)) throw kube::Error(*claimsRefused, "refused");
    if (claim.finalizer) claimed.insert(name);
    co_return found->second;
  }
  base::Task<coordinator::host::SecretRelease> releaseSecret(const api::BareMetalHost&, std::string name) override {
    if (releasesRefused) throw kube::Error(*releasesRefused, "refused");
    released.insert(name);
    co_return coordinator::host::SecretRelease::done;
  }
  std::vector<std::string> formerSecrets(const api::BareMetalHost&) override { return former; }
  base::Task<std::optional<api::HardwareDetails>> hardwareData(const api::BareMetalHost&) override {
    if (hardwareRefused) throw kube::Error(*hardwareRefused, "refused");
    co_return hardware;
  }
  base::Task<void> storeHardwareData(const api::BareMetalHost&, api::HardwareDetails details) override {
    if (hardwareRefused) throw kube::Error(*hardwareRefused, "refused");
    hardware = std::move(details);
    co_return;
  }
  base::Task<void> releaseHardwareData(const api::BareMetalHost&) override {
    if (hardwareRefused) throw kube::Error(*hardwareRefused, "refused");
    hardwareReleased = true;
    co_return;
  }
  base::Task<void> confirm(const api::BareMetalHost&) override {
    if (moved) throw coordinator::host::HostMoved();
    co_return;
  }
};

}  // namespace ingot::tests
