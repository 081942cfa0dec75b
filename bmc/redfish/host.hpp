// One system of a Redfish service: where it is and what it shows. Its capabilities share it.
#pragma once

#include "bmc/model/power.hpp"
#include "bmc/redfish/bmc.hpp"

namespace ingot::bmc::redfish {

class Host {
 public:
  Host(base::Runtime runtime, std::shared_ptr<RedfishBmc> bmc, const Address& address);

  [[nodiscard]] base::Clock& clock() const { return runtime_.clock; }
  [[nodiscard]] const base::Log& log() const { return runtime_.log; }
  [[nodiscard]] const std::string& baseUrl() const { return baseUrl_; }
  [[nodiscard]] RedfishBmc& bmc() { return *bmc_; }
  [[nodiscard]] Connection& connection() { return bmc_->connection(); }
  [[nodiscard]] const std::shared_ptr<BmcUse>& use() const { return use_; }

  // Of the system. Throws Error{notPermitted} once the use of the BMC has ended, and Error{ambiguousSystem} where it
  // has several and the address names none.
  [[nodiscard]] base::Task<std::string> path(Lane lane);
  [[nodiscard]] base::Task<Read<System>> system(Lane lane);
  [[nodiscard]] std::string url() const { return baseUrl_ + systemPath_; }  // of it, for messages

  // RedfishBmc::kind() of the system as it was read, and the same quirks, known for a while.
  [[nodiscard]] base::Task<RedfishBmc::Kind> kind(Lane lane, System system);
  [[nodiscard]] base::Task<Quirks> quirks(Lane lane);

  // Until then a machine that was seen to go off may need its rest.
  [[nodiscard]] base::MonoTime restUntil() const { return restUntil_; }
  void noteRequested() { lastRead_ = Power::unknown; }  // another power: what it does from now on is not known

 private:
  void noteOff(const System& system);
  [[nodiscard]] base::Task<std::string> findSystem(Lane lane);

  base::Runtime runtime_;
  std::shared_ptr<RedfishBmc> bmc_;
  std::shared_ptr<BmcUse> use_;
  std::string baseUrl_;
  std::string namedPath_;   // by the address; "" for none
  std::string systemPath_;  // "" until known
  Power lastRead_ = Power::unknown;
  base::MonoTime restUntil_{};
};

[[nodiscard]] bool isOnItsWay(const System& system);  // from one power state to another

}  // namespace ingot::bmc::redfish
