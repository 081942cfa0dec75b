#include "coordinator/host/metrics.hpp"

#include "coordinator/host/table.hpp"

namespace ingot::coordinator::host {
namespace {

struct Series {
  std::string_view name, help;
};

constexpr Series reconciles{"metal3_reconcile_total", "Reconciles of a host"};
constexpr Series reconcileErrors{"metal3_reconcile_error_total", "Reconciles that ended in an error"};
constexpr Series hostErrors{"metal3_host_error_total", "Failures shown in a host's status"};
constexpr Series powerChanges{"metal3_operation_power_change_total", "Power changes asked for"};
constexpr Series secretsMissing{"metal3_credentials_missing_total", "BMC Secrets that do not exist"};
constexpr Series secretsInvalid{"metal3_credentials_invalid_total", "BMC Secrets or addresses that are unusable"};
constexpr Series secretsUnhandled{"metal3_credentials_unhandled_error_total", "Other errors with BMC Secrets"};
constexpr Series secretsUpdated{"metal3_credentials_updated_total", "New BMC credentials tried"};
constexpr Series noAccess{"metal3_credentials_no_management_access_total", "Registrations that ended in an error"};
constexpr Series configData{"metal3_host_config_data_error_total", "Host data Secrets without the expected key"};
constexpr Series delays{"metal3_delayed__provisioning_total", "Hosts that waited for a slot of the backend"};
constexpr Series deprovisionDelays{"metal3_delayed__deprovisioning_total",
                                   "Hosts that waited for a slot to deprovision"};
constexpr Series stateChanges{"metal3_provisioning_state_change_total", "State changes of hosts"};
constexpr Series registrations{"metal3_host_registration_required_total", "Reconciles that waited for registration"};
constexpr Series unmanagedHosts{"metal3_host_unmanaged_total", "Hosts found without BMC details"};
constexpr Series notDeprovisioned{"metal3_delete_without_deprovisioning_total",
                                  "Deletions that gave up deprovisioning"};
constexpr Series notPoweredOff{"metal3_delete_without_powering_off_total", "Deletions that gave up powering off"};
constexpr Series delayedDeletions{"metal3_delete_delayed_for_detached_total", "Deletions that waited: host detached"};
constexpr Series notReady{"metal3_provisioner_not_ready_total", "Reconciles put off because the backend was not ready"};

constexpr Series plainSeries[] = {reconcileErrors,  secretsMissing, secretsInvalid,   secretsUnhandled,
                                  secretsUpdated,   noAccess,       registrations,    unmanagedHosts,
                                  notDeprovisioned, notPoweredOff,  delayedDeletions, notReady};
constexpr Series hostSeries[] = {reconciles, delays, deprovisionDelays};

Series durationOf(Operation operation) {
  switch (operation) {
    case Operation::registration: return {"metal3_operation_register_duration_seconds", "Seconds to register"};
    case Operation::inspection: return {"metal3_operation_inspect_duration_seconds", "Seconds to inspect"};
    case Operation::provisioning: return {"metal3_operation_provision_duration_seconds", "Seconds to provision"};
    case Operation::deprovisioning: return {"metal3_operation_deprovision_duration_seconds", "Seconds to deprovision"};
  }
  return {};
}

std::vector<double> bucketsOf(Operation operation) {
  if (operation == Operation::registration) return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
  return {30, 90, 180, 360, 720, 1440};
}

constexpr Operation operations[] = {Operation::registration, Operation::inspection, Operation::provisioning,
                                    Operation::deprovisioning};

base::Labels labels(const HostName& host) { return {{"namespace", host.namespace_}, {"host", host.name}}; }

base::Labels powerLabels(const HostName& host, bool on) {
  base::Labels all = labels(host);
  all.emplace_back("on_off", on ? "on" : "off");
  return all;
}

base::Labels changeLabels(State from, State to) {
  return {{"prev_state", std::string(text(from))}, {"new_state", std::string(text(to))}};
}

}  // namespace

Metrics::Metrics(base::Metrics& page) : page_(page) {
  for (const Series& series : plainSeries) plain(series.name, series.help);
  for (const Row& row : table())
    for (const State next : row.mayBecome)
      page_.counter(stateChanges.name, stateChanges.help, changeLabels(row.state, next));
}

base::Counter& Metrics::plain(std::string_view name, std::string_view help) { return page_.counter(name, help); }

// Whoever asks for the growth of a counter misses the first step of one that begins at 1.
void Metrics::reconciled(const HostName& host) {
  auto& counter = page_.counter(reconciles.name, reconciles.help, labels(host));
  if (counter.value() == 0)
    for (const bool on : {false, true}) page_.counter(powerChanges.name, powerChanges.help, powerLabels(host, on));
  counter.add();
}
void Metrics::reconcileFailed() { plain(reconcileErrors.name, reconcileErrors.help).add(); }
void Metrics::credentialsUpdated() { plain(secretsUpdated.name, secretsUpdated.help).add(); }
void Metrics::credentialsGaveNoAccess() { plain(noAccess.name, noAccess.help).add(); }
void Metrics::registrationRequired() { plain(registrations.name, registrations.help).add(); }
void Metrics::unmanaged() { plain(unmanagedHosts.name, unmanagedHosts.help).add(); }
void Metrics::deletedWithoutDeprovisioning() { plain(notDeprovisioned.name, notDeprovisioned.help).add(); }
void Metrics::deletedWithoutPoweringOff() { plain(notPoweredOff.name, notPoweredOff.help).add(); }
void Metrics::deletionDelayedForDetached() { plain(delayedDeletions.name, delayedDeletions.help).add(); }
void Metrics::backendNotReady() { plain(notReady.name, notReady.help).add(); }

void Metrics::hostFailed(ErrorType type) {
  page_.counter(hostErrors.name, hostErrors.help, {{"error_type", std::string(eventReason(type))}}).add();
}

void Metrics::powerChange(const HostName& host, bool on) {
  page_.counter(powerChanges.name, powerChanges.help, powerLabels(host, on)).add();
}

void Metrics::credentials(CredentialsTrouble trouble) {
  switch (trouble) {
    case CredentialsTrouble::missing: return plain(secretsMissing.name, secretsMissing.help).add();
    case CredentialsTrouble::invalid: return plain(secretsInvalid.name, secretsInvalid.help).add();
    case CredentialsTrouble::unhandled: return plain(secretsUnhandled.name, secretsUnhandled.help).add();
  }
}

void Metrics::configDataKeyMissing(const std::string& key) {
  page_.counter(configData.name, configData.help, {{"host_data_type", key}}).add();
}

void Metrics::delayed(const HostName& host, State state) {
  const Series& series = state == State::deprovisioning ? deprovisionDelays : delays;
  page_.counter(series.name, series.help, labels(host)).add();
}

void Metrics::stateChanged(State from, State to) {
  page_.counter(stateChanges.name, stateChanges.help, changeLabels(from, to)).add();
}

void Metrics::took(const HostName& host, Operation operation, base::Duration time) {
  const Series series = durationOf(operation);
  page_.histogram(series.name, series.help, bucketsOf(operation), labels(host))
      .observe(std::chrono::duration<double>(time).count());
}

void Metrics::forget(const HostName& host) {
  for (const Series& series : hostSeries) page_.remove(series.name, labels(host));
  for (const Operation operation : operations) page_.remove(durationOf(operation).name, labels(host));
  for (const bool on : {false, true}) page_.remove(powerChanges.name, powerLabels(host, on));
}

}  // namespace ingot::coordinator::host
