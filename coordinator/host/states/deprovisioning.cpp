#include "api/bmh/names.hpp"
#include "coordinator/host/adoption.hpp"
#include "coordinator/host/boot_choice.hpp"
#include "coordinator/host/intent.hpp"
#include "coordinator/host/settings.hpp"
#include "coordinator/host/states/states.hpp"

namespace ingot::coordinator::host::states {
namespace {

void forgetDeployment(api::BareMetalHost& host) {
  host.status.provisioning.image = {};
  host.status.provisioning.customDeploy.reset();
  clearSettings(host);
}

// A deletion counts each try, so that it ends.
base::Task<Step> failed(Scope& s, Refused refused) {
  const bool powerLost = co_await s.backend.hasPowerFailure();
  co_return Fail{powerLost ? ErrorType::powerManagement : ErrorType::provisioning, std::move(refused.message),
                 beingDeleted(s.host) ? std::nullopt : refused.retryAfter, refused.aboutReach};
}

constexpr std::string_view nobodyErases =
    "Ironic has left the disks of this host to an agent, which may still be erasing them, and this coordinator has no "
    "agents: give it some (--agents-endpoint), or set automatedCleaningMode to disabled to have the host back as it is";

base::Task<Progress> takenBack(Scope& s, const Publish& publish) {
  auto progress = co_await s.backend.takeBack();
  if (std::holds_alternative<Done>(progress)) publish("DeprovisioningComplete", "Image deprovisioning completed");
  co_return progress;
}

// The disks are erased by somebody beside the BMC, to whom the backend lends the host for that.
base::Task<Progress> erase(Scope& s, const Publish& publish) {
  auto progress = co_await s.backend.lend(Loan::toErase);
  if (!std::holds_alternative<Done>(progress)) co_return progress;
  progress = co_await s.cleaning->erase(s.host, s.backend, publish);
  if (!std::holds_alternative<Done>(progress)) co_return progress;
  co_return co_await takenBack(s, publish);
}

// The annotation was taken away, or no cleaning is wanted any more, after the backend had left the disks to an agent.
base::Task<Progress> callOff(Scope& s, const Publish& publish) {
  const bool isDisabled = s.host.spec.automatedCleaningMode == "disabled";
  if (s.cleaning == nullptr && !isDisabled)
    co_return Working{.after = std::chrono::seconds(30), .stall = std::string(nobodyErases)};
  if (s.cleaning != nullptr) {
    auto progress = co_await s.backend.lend(Loan::toErase);  // for as long as that takes
    if (!std::holds_alternative<Done>(progress)) co_return progress;
    progress = co_await s.cleaning->callOff(s.host, s.backend, publish);
    if (!std::holds_alternative<Done>(progress)) co_return progress;
  }
  co_return isDisabled ? co_await takenBack(s, publish) : co_await s.backend.cleanAfterAll();
}

// The deployment is taken off and its disks are cleaned: by the backend, or by somebody beside the BMC.
base::Task<Progress> giveBack(Scope& s) {
  if (auto wait = co_await ejectOutOfBand(s)) co_return std::move(*wait);
  const bool erases = erasesOutOfBand(s);
  if (!co_await s.backend.owesErasure()) {
    auto progress = co_await s.backend.deprovision({.automatedCleaningMode = s.host.spec.automatedCleaningMode,
                                                    .restartOnFailure = failedWith(s.host, ErrorType::provisioning),
                                                    .erasedElsewhere = erases});
    if (!std::holds_alternative<Done>(progress) || !co_await s.backend.owesErasure()) co_return progress;
  }
  const Publish publish = [&journal = s.journal](std::string reason, std::string message) {
    journal.event(std::move(reason), std::move(message));
  };
  co_return erases ? co_await erase(s, publish) : co_await callOff(s, publish);
}

}  // namespace

base::Task<Step> deprovisioning(Scope& s) {
  if (s.host.wasProvisioned()) {
    if (auto wait = co_await ensureAdopted(s)) co_return *wait;
  }
  co_await s.cluster.confirm(s.host);
  const Progress progress = co_await giveBack(s);
  if (const auto* refused = std::get_if<Refused>(&progress)) co_return co_await failed(s, *refused);
  if (const auto* work = std::get_if<Working>(&progress)) co_return working(s, *work);
  if (s.host.metadata.annotations.erase(std::string(api::annotation::reboot)) > 0) co_return Stay{atOnce};

  clearError(s.host);
  forgetDeployment(s.host);
  if (s.cleaning != nullptr)
    s.journal.onceSaved([cleaning = s.cleaning, uid = s.host.metadata.uid] { cleaning->forget(uid); });
  co_return Goto{beingDeleted(s.host) ? State::poweringOffBeforeDelete : State::available, Failures::forgotten};
}

}  // namespace ingot::coordinator::host::states
