// User, network and meta data of a host, from their Secrets, read when the backend asks (spec/baremetalhost.md §8.3).
#pragma once

#include "coordinator/host/scope.hpp"

namespace ingot::coordinator::host {

// What a Secret should give cannot be had: it is missing, lies in another namespace, lacks the key, or the API refuses
// it. The user's to mend; the text says how.
class ConfigDataError final : public base::Error {
 public:
  enum class Cause { user, refused };
  explicit ConfigDataError(const std::string& text, Cause cause = Cause::user) : Error(text), cause_(cause) {}

  // As Refused: a Secret that is missing is looked for often, one that is refused in growing pauses.
  [[nodiscard]] std::optional<base::Duration> retryAfter() const;

 private:
  Cause cause_;
};

// What it is read for. What is deployed is read from the API.
enum class ConfigDataOf : std::uint8_t { look, deployment };

class ClusterConfigData final : public HostConfigData {
 public:
  ClusterConfigData(Scope& scope, ConfigDataOf of) : s_(scope), of_(of) {}  // lent for one pass

  [[nodiscard]] base::Task<base::Secret> userData() override;
  [[nodiscard]] base::Task<base::Secret> networkData() override;
  [[nodiscard]] base::Task<base::Secret> metaData() override;

 private:
  Scope& s_;
  ConfigDataOf of_;
};

// What will stop the deployment of the wanted image: the error that reading would end in. nullopt: everything is there,
// or nothing is read (a live ISO gets no config drive).
[[nodiscard]] base::Task<std::optional<ConfigDataError>> configDataProblem(Scope& s);

// Network data of the ramdisk; empty when none is named, or the Secret has no such key. Throws ConfigDataError when
// the Secret is missing; on its way out a host does without, also when the API refuses the Secret.
[[nodiscard]] base::Task<base::Secret> preprovisioningNetworkData(Scope& s);

// Keeps the network data of the ramdisk while the host needs it: label and finalizer. A missing Secret is logged only.
[[nodiscard]] base::Task<void> claimPreprovisioningNetworkData(const api::BareMetalHost& host, Cluster& cluster,
                                                               const base::Log& log);

}  // namespace ingot::coordinator::host
