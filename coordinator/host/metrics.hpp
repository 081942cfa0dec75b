// The counters and histograms of the host controller (spec/baremetalhost.md §13), behind names of the domain.
#pragma once

#include "base/clock.hpp"
#include "base/metrics.hpp"
#include "coordinator/host/error_type.hpp"
#include "coordinator/host/state.hpp"

#include <string>

namespace ingot::coordinator::host {

struct HostName {
  std::string namespace_, name;
};

// What a host spends time on and its status remembers start and end of.
enum class Operation { registration, inspection, provisioning, deprovisioning };

enum class CredentialsTrouble { missing, invalid, unhandled };

class Metrics {
 public:
  // Registers the series without labels and those of the changes of state that there are at once, so that a page shows
  // them as 0 from the start; a host's power changes with its first reconcile.
  explicit Metrics(base::Metrics& page);

  void reconciled(const HostName& host);
  void reconcileFailed();
  void hostFailed(ErrorType type);
  void powerChange(const HostName& host, bool on);
  void credentials(CredentialsTrouble trouble);
  void credentialsUpdated();
  void credentialsGaveNoAccess();
  void configDataKeyMissing(const std::string& key);
  void delayed(const HostName& host, State state);
  void stateChanged(State from, State to);
  void registrationRequired();
  void unmanaged();
  void deletedWithoutDeprovisioning();
  void deletedWithoutPoweringOff();
  void deletionDelayedForDetached();
  void backendNotReady();
  void took(const HostName& host, Operation operation, base::Duration time);

  // A deleted host's series go.
  void forget(const HostName& host);

 private:
  base::Counter& plain(std::string_view name, std::string_view help);
  base::Metrics& page_;
};

}  // namespace ingot::coordinator::host
