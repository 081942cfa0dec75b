// The Kubernetes objects around a host, as the host controller needs them: Secrets, HardwareData, the host as the API
// has it now. Implemented over caches and the API by kube_cluster.cpp, from memory in tests.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "kube/core/error.hpp"
#include "kube/runtime/not_ready.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

struct SecretContent {
  std::string namespace_, name, version;  // version: resourceVersion
  std::string type;
  std::map<std::string, base::Secret> data;
  bool watched = true;  // carries the label by which we are told of changes, and agents are given what it holds
  std::vector<std::string> formerVersions = {};  // that said the same

  // nullptr when there is no such key.
  [[nodiscard]] const base::Secret* find(std::string_view key) const;
};

struct SecretClaim {
  bool own = false;        // a non-controller owner reference to the host: the Secret is collected with it
  bool finalizer = false;  // keeps the Secret until the host lets it go
  bool label = true;       // the cache has the Secret from then on. Without all three nothing is written
  // Leaves a Secret alone that another controller looks after: it is read from the API each time.
  bool unlessControlled = false;
  bool fresh = false;  // read from the API: what a cache says may be of an earlier Secret of the name
};

// Whether our finalizer is off a Secret. `mayBeNeeded`: a host of the same namespace cannot be read, and may use it.
enum class SecretRelease { done, mayBeNeeded };

// The host is not what this pass decided on: nothing may be done; the pass is repeated on what is there now.
class HostMoved final : public kube::Moved {
 public:
  HostMoved() : Moved("the host changed while it was being reconciled") {}
};

// Asking again gives the same answer until somebody changes something. Trouble with our own identity (a certificate or
// token that is being renewed) is none of this object's.
[[nodiscard]] inline bool refusedForGood(const kube::Error& error) {
  using enum kube::Error::Code;
  const bool ours = error.code() == unauthorized || error.code() == untrusted || error.code() == badAnswer;
  return !error.transient() && !ours && error.code() != conflict;
}

class Cluster {
 public:
  virtual ~Cluster() = default;

  // From the cache, else from the API; claimed as told. nullopt: there is none.
  [[nodiscard]] virtual base::Task<std::optional<SecretContent>> secret(const api::BareMetalHost& host,
                                                                        std::string name, SecretClaim claim) = 0;
  // Takes our finalizer off; no request when it is not on.
  [[nodiscard]] virtual base::Task<SecretRelease> releaseSecret(const api::BareMetalHost& host, std::string name) = 0;
  // Those with our finalizer that are the host's, and that it does not name any more.
  [[nodiscard]] virtual std::vector<std::string> formerSecrets(const api::BareMetalHost& host) = 0;

  [[nodiscard]] virtual base::Task<std::optional<api::HardwareDetails>> hardwareData(
      const api::BareMetalHost& host) = 0;
  // Writes the HardwareData of this host anew, unless one with the same content is there.
  [[nodiscard]] virtual base::Task<void> storeHardwareData(const api::BareMetalHost& host,
                                                           api::HardwareDetails details) = 0;
  // Takes our finalizer off, so that it can be collected with the host.
  [[nodiscard]] virtual base::Task<void> releaseHardwareData(const api::BareMetalHost& host) = 0;

  // Before an act that cannot be taken back: throws HostMoved unless the API still has the version the pass has read.
  [[nodiscard]] virtual base::Task<void> confirm(const api::BareMetalHost& host) = 0;
};

}  // namespace ingot::coordinator::host
