// What the host state machine asks of whoever does the work: Ironic, the in-process fixture, a double in tests.
// Contract: spec/baremetalhost.md §11. One instance serves one reconcile of one host and may cache the node for that
// long.
//
// Each capability is an interface of its own, and who needs one asks for that one. A further capability is one more
// interface, with answers of its own for backends that lack it, and a name in the list of Provisioner.
#pragma once

#include "coordinator/host/backend_events.hpp"
#include "coordinator/host/lifecycle_backend.hpp"
#include "coordinator/host/power_backend.hpp"
#include "coordinator/host/status_backend.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ingot::coordinator::host {

class Provisioner : public LifecycleBackend,
                    public LendingBackend,
                    public BootLendingBackend,
                    public AbandonBackend,
                    public PowerBackend,
                    public StatusBackend {};

struct Credentials {
  std::string username;
  base::Secret password;
};

// Another host whose status names the same node, or may.
struct NodeRival {
  std::string namespace_, name;
  std::string bootMacAddress;
  bool younger = false;     // made after this host, for certain
  bool unreadable = false;  // it is there, and what it says is not known
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
  // The other hosts whose status names this ID, and all those that cannot be read; may be empty.
  std::function<std::vector<NodeRival>(const std::string& provisionerId)> rivals;
  // Asked before the host gets a node that is not its own already. Why another host is to have the node of its machine
  // (same_machine.hpp): text for the user. "": none is, and no other will be while this one gets it. May be empty.
  std::function<std::string()> reserveMachine;
  // Throws when the user has changed since the pass began what a decision on power stands on. Asked right before a
  // power request; may be empty.
  std::function<void()> confirmWish;
};

// Queues an Event of the host; written after the status was saved.
using Publish = std::function<void(std::string reason, std::string message)>;

class ProvisionerFactory {
 public:
  virtual ~ProvisionerFactory() = default;
  // Told until the handle ends. A backend with nothing to tell ignores it.
  [[nodiscard]] virtual kube::Subscription listen(BackendListeners::Listener listener) {
    static_cast<void>(listener);
    return {};
  }
  // Throws ProvisionerError{notReady} while the backend is not reachable or still starting.
  [[nodiscard]] virtual base::Task<std::unique_ptr<Provisioner>> open(HostData host, Publish publish) = 0;
};

}  // namespace ingot::coordinator::host
