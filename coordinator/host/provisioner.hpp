// What the host state machine asks of whoever does the work: Ironic, the in-process fixture, a double in tests.
// Contract: spec/baremetalhost.md §11. One instance serves one reconcile of one host and may cache the node for that
// long.
#pragma once

#include "api/bmh/baremetalhost.hpp"
#include "base/error.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace ingot::coordinator::host {

// dirty: not finished, call again after `requeueAfter` (0: now). errorMessage: show it to the user (recordFailure).
// All empty: the operation is complete. A thrown ProvisionerError is transient: retried, no change of status.
struct Result {
  bool dirty = false;
  base::Duration requeueAfter{};
  std::string errorMessage;
  std::optional<base::Duration> retryAfter;  // with errorMessage: nothing was done, and a try costs little
  bool started = false;                      // with dirty: it has been asked for, and need not be again
  bool errorStands = false;                  // with dirty: what is shown as wrong is not yet disproved

  [[nodiscard]] static Result complete() { return {}; }
  [[nodiscard]] static Result continuing(base::Duration after) { return {.dirty = true, .requeueAfter = after}; }
  [[nodiscard]] static Result failed(std::string message) { return {.errorMessage = std::move(message)}; }
};

class ProvisionerError final : public base::Error {
 public:
  enum class Code { needsRegistration, needsPreprovisioningImage, notReady, transient };
  ProvisionerError(Code code, const std::string& text) : Error(text), code_(code) {}
  [[nodiscard]] Code code() const { return code_; }

 private:
  Code code_;
};

struct Credentials {
  std::string username;
  base::Secret password;
};

struct HostData {
  std::string name, namespace_, uid;
  std::string bmcAddress;
  Credentials credentials;
  bool disableCertificateVerification = false;
  std::string bootMacAddress;
  std::string provisionerId;  // status.provisioning.ID
  // The backend may have been told of the host without the ID having been saved: it is to be looked for by name before
  // it counts as removed.
  bool mayBeUnsaved = false;
  bool disablePowerOff = false;
  // The other host that this ID belongs to; "" when there is none, or nobody knows.
  std::function<std::string(const std::string& provisionerId)> otherOwner;
};

struct RegisterData {
  std::string state;                  // provisioning state as stored
  std::string bootMode;               // status.provisioning.bootMode: UEFI | UEFISecureBoot | legacy
  std::string automatedCleaningMode;  // metadata | disabled
  std::string cpuArchitecture;
  bool hasCustomDeploy = false;
  bool disablePowerOff = false;
  std::optional<api::Image> currentImage;  // for adoption
  std::optional<api::RootDeviceHints> rootDeviceHints;
  std::vector<std::string> bootInterfaceMacs;  // further boot NICs known from HardwareData
  bool inspectionDisabled = false;
  bool fastInspection = false;
  bool servicing = false;
  std::vector<api::Nic> nics;               // every network card known from inspection: each becomes a port
  base::Secret preprovisioningNetworkData;  // YAML or JSON; empty: none
};

struct Registered {
  Result result;
  std::string provisionerId;     // whenever known, even with result.dirty
  bool credentialsTold = false;  // the backend has taken the present credentials in this call
};

struct InspectData {
  std::string bootMode, cpuArchitecture, inspectionMode;  // agent | fast | disabled
};

struct Inspected {
  Result result;
  bool started = false;
  std::optional<api::HardwareDetails> details;
};

struct PrepareData {
  std::optional<api::RaidConfig> targetRaid, actualRaid;
  std::optional<api::RootDeviceHints> rootDeviceHints;
};

struct Prepared {
  Result result;
  bool started = false;
};

// Read lazily: most passes of a provisioning host need none of it. Errors become ProvisionerError{transient}.
class HostConfigData {
 public:
  virtual ~HostConfigData() = default;
  [[nodiscard]] virtual base::Task<base::Secret> userData() = 0;
  [[nodiscard]] virtual base::Task<base::Secret> networkData() = 0;
  [[nodiscard]] virtual base::Task<base::Secret> metaData() = 0;
};

struct ProvisionData {
  std::optional<api::Image> image;
  std::string customDeployMethod;
  std::string bootMode, cpuArchitecture;
  std::optional<api::RootDeviceHints> rootDeviceHints;
  base::Secret imagePullSecret;
  HostConfigData* hostConfig = nullptr;  // lent for the call
};

enum class RebootMode { hard, soft };

class Provisioner {
 public:
  virtual ~Provisioner() = default;

  [[nodiscard]] virtual base::Task<Registered> registerHost(RegisterData data, bool credentialsChanged,
                                                            bool restartOnFailure) = 0;
  [[nodiscard]] virtual base::Task<Inspected> inspectHardware(InspectData data, bool restartOnFailure, bool refresh,
                                                              bool forceReboot) = 0;
  // nullopt: power is not known.
  [[nodiscard]] virtual base::Task<std::optional<bool>> poweredOn() = 0;
  [[nodiscard]] virtual base::Task<Result> adopt(std::string state, bool restartOnFailure) = 0;
  [[nodiscard]] virtual base::Task<Prepared> prepare(PrepareData data, bool unprepared, bool restartOnFailure) = 0;
  [[nodiscard]] virtual base::Task<Result> provision(ProvisionData data, bool forceReboot) = 0;
  [[nodiscard]] virtual base::Task<Result> deprovision(bool restartOnFailure, std::string automatedCleaningMode) = 0;
  [[nodiscard]] virtual base::Task<Result> remove() = 0;  // from the backend; dirty until a later call finds no node
  [[nodiscard]] virtual base::Task<Result> powerOn(bool force) = 0;
  [[nodiscard]] virtual base::Task<Result> powerOff(RebootMode mode, bool force, std::string automatedCleaningMode) = 0;
  // Ends, or waits for the end of, what the backend is doing on a host that is on its way out, so that its power may be
  // changed by anybody. Complete: nothing is in the way.
  [[nodiscard]] virtual base::Task<Result> endWork(std::string automatedCleaningMode) {
    static_cast<void>(automatedCleaningMode);
    co_return Result::complete();
  }
  [[nodiscard]] virtual base::Task<bool> hasCapacity() = 0;
  [[nodiscard]] virtual base::Task<bool> hasPowerFailure() = 0;
  // "" when unknown, else OK | Warning | Critical.
  [[nodiscard]] virtual base::Task<std::string> health() = 0;
};

// Queues an Event of the host; written after the status was saved.
using Publish = std::function<void(std::string reason, std::string message)>;

// What a backend has to tell between reconciles. Whoever waits is looked at again at once, back-off or not.
class BackendListener {
 public:
  virtual ~BackendListener() = default;
  virtual void hostChanged(const std::string& namespace_, const std::string& name) = 0;
  virtual void nodeChanged(const std::string& provisionerId) = 0;  // e.g. a sweep saw the node move
  virtual void backendReturned() = 0;                              // after it was unreachable or not ready
};

class ProvisionerFactory {
 public:
  virtual ~ProvisionerFactory() = default;
  // Before the first open(). `listener` outlives the factory's work. A backend with nothing to tell ignores it.
  virtual void listen(BackendListener& listener) { static_cast<void>(listener); }
  // Throws ProvisionerError{notReady} while the backend is not reachable or still starting.
  [[nodiscard]] virtual base::Task<std::unique_ptr<Provisioner>> open(HostData host, Publish publish) = 0;
};

}  // namespace ingot::coordinator::host
