// What a Metal3Machine shows of its way: its conditions in both dialects (spec/capm3.md §8.2, §8.5).
#pragma once

#include "coordinator/cluster/status_conditions.hpp"
#include "coordinator/machine/preconditions.hpp"

namespace ingot::coordinator::machine {

// What a pass is at when it fails: where that is shown, and in which words.
struct Step {
  struct Legacy {
    std::string_view type, severity, reason;
  };
  std::string_view condition, reason, failure;
  std::optional<Legacy> legacy = std::nullopt;
  bool isPause = false;  // shown in Paused, too
};

namespace step {
extern const Step associate, data, writeHost, host, update, nodeByProviderId, nodeByLabel, nodeByHostname, dissociate,
    remove, setPause, removePause;
}  // namespace step

// Texts of any length are shown by their beginnings.
class Report {
 public:
  Report(Metal3Machine& machine, base::WallTime now) : machine_(machine), now_(now), conditions_(machine, now) {}

  void missing(Missing what);
  void missingOwner(const std::string& name);  // it is named as the owner
  void notPaused();
  void paused(const std::string& why);
  void waitsForBootstrap();
  // `why`: this host and no other.
  void associated(bool forReuse, const std::string& why);
  void askedForData();  // all that it needs to be rendered
  void hasMetaData();   // nor is there any other trouble
  void waitsForData();
  void dataReady(std::string_view reason);
  void leaving(const std::string& why);  // what the deletion waits for
  void failed(const Step& at, const std::string& error);
  // As failed; what stands in brackets (how many hosts do not fit, and why) is told anew after some minutes only.
  void stillFails(const Step& at, const std::string& error);
  // Whether it is told now. What stands in brackets makes no difference, but for message::noHostThere.
  [[nodiscard]] bool tellsAnew(const Step& at, const std::string& error) const;

  // The summaries, and the time of the last change. Call once, at the end.
  void finish(const api::capm3::v1beta2::Metal3MachineStatus& before);

 private:
  Metal3Machine& machine_;
  base::WallTime now_;
  cluster::StatusConditions<Metal3Machine> conditions_;
};

// What is shown is no trouble that may be over by now: it may stand until there is more to say.
[[nodiscard]] bool mayStand(const api::capm3::v1beta2::Metal3MachineStatus& shown);

// Its status says that it has a host.
[[nodiscard]] bool isAssociated(const Metal3Machine& machine);
// The machine has had a host: what is done for it from now on is done on that one.
[[nodiscard]] bool wasAssociated(const Metal3Machine& machine);

}  // namespace ingot::coordinator::machine
